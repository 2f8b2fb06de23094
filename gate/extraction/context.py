"""What makes a statement stand alone: its subject, and pronouns replaced where that is safe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from gate.extraction.grammar import after_condition, imperative, subject
from gate.extraction.lexicon import BASE, CONDITIONS, DETERMINERS, PAST, PREPOSITIONS, SUBJECTS, THIRD
from gate.extraction.tokens import Token, tokenise
from gate.extraction.verbs import finite
from gate.text import STOPWORDS, words

_CODE = re.compile(r"`[^`]*`")  # of no language
_OPTION = re.compile(r"`-{0,2}[a-z][\w.-]*`")  # a call or a class may have several defaults
_ENGLISH = frozenset({"yes", "within", "using", "without"})
_NEW = re.compile(r"(?:an?|one|another)\s", re.IGNORECASE)
_PRONOUN = re.compile(
    r"((?:(?:then|next|first|finally|now|later|afterwards|by default|in addition|after that|instead|today|"
    r"currently|since then|initially|originally|at first|(?:in|since|by) \d{4}),? )?)"
    r"(it|they|its|their|he|she|his|her)(['’](?:s|ll|re|d|ve))?\b",
    re.IGNORECASE,
)
_TIMES = frozenset({"today", "currently", "now", "initially", "originally", "later"})
_CLITIC = {"s": " is", "ll": " will", "re": " are", "d": " would", "ve": " have", "": ""}
_PERFECT = re.compile(r"\s(?:also |never |always |long |already )?(?:been|had|got|become)\b")
_PERSONAL = frozenset({"he", "she", "his", "her"})
# Whom a word names that stands for persons only: `it` is none of them. A client, a host or a server may be a program.
_WHO_LIST = (
    "driver sender recipient landlord landlady tenant customer employee manager visitor patient doctor nurse buyer "
    "seller owner member passenger child parent student pupil teacher applicant candidate neighbour neighbor partner "
    "mother father person adult man woman boss supervisor colleague guest lodger renter lessee lessor "
    "insurer policyholder traveller traveler subscriber reader user author adviser advisor technician cashier courier"
)
_WHO = frozenset(_WHO_LIST.split())
_POSSESSIVE = frozenset({"its", "their", "his", "her"})
_PLACED = frozenset({"in", "at", "on", "of", "since", "near"})  # what follows is no person
_DEFINITE = frozenset({"the", "your", "our", "a", "an", "its", "each", "every"})
_SINGULAR = frozenset({"is", "was", "isn't", "wasn't", "doesn't", "has", "hasn't"})
_PLURAL = frozenset({"are", "were", "aren't", "weren't", "don't", "do", "have", "haven't"})
_PRESENT = (THIRD | BASE | _SINGULAR | _PLURAL) - PAST  # not "it cost", "they cost"
_PRESENT_PLURAL = BASE | _PLURAL
_BE = frozenset({"is", "are", "was", "were"})
_AMOUNT = re.compile(r"[$€£]?\d")
_LONGEST = 50  # characters of a subject that is worth repeating
_INDEFINITE = frozenset(
    {"something", "anything", "someone", "anyone", "one", "all", "some", "most", "many", "no", "none", "such"}
)
_POINTING = frozenset({"former", "latter"})  # they name nothing either
_EXPLETIVE = re.compile(
    r"it(?:'s| is| was) (?:not |always |usually |only |often )?(?:an?|the) |"
    r"it(?:'s| is| was| will be| may be| might be| would be| isn't| is "
    r"not)?(?: also| usually| generally| often| best| only| always| still| never)? "
    r"(?:possible|impossible|necessary|important|recommended|advisable|worth|best|better|safe|safer|easy|easier|"
    r"hard|common|"
    r"true|likely|unlikely|clear|enough|up to|not (?:possible|necessary|recommended|clear|worth)|depends?|turns out|"
    r"seems|appears|follows|"
    r"makes sense|helps|takes|to|that|because|when|if|why|how)\b",
    re.IGNORECASE,
)  # fmt: skip
_DEFAULT = re.compile(r"(the default(?: value)?)(?= (?:is|was) (?:`|\"|\d|None\b|True\b|False\b))", re.IGNORECASE)
_KIND = re.compile(r"it(?:['’]s| is) (?:an?|the) (?!.*\b(?:to|that|when|if|who|whom|where|why|way)\b)", re.IGNORECASE)
_VAGUE = SUBJECTS | _INDEFINITE
_OPENS = CONDITIONS | PREPOSITIONS


@dataclass(frozen=True, slots=True)
class Subject:
    """What a later pronoun may stand for; empty where that is not known."""

    text: str = ""
    plural: bool = False
    person: bool = field(default=False, compare=False)  # or a firm: see `_is_person`
    amount: bool = field(default=False, compare=False)  # `The fee is 5 euros`: what owns anything is another


UNKNOWN = Subject()


def foreign(text: str) -> bool:
    """Whether `text` is written without Latin letters, or has too little English to be read by its grammar."""
    letters = [c for c in text if c.isalpha()]
    if sum(c > "\u024f" for c in letters) * 2 > len(letters):
        return True
    spoken = [word.strip(".,:;!?()") for word in _CODE.sub("", text).lower().split()]
    words_ = sum(len(word) > 1 and word.isalpha() for word in spoken)  # `230 V` is of no language
    return words_ > 3 and not any(word in STOPWORDS or word in _ENGLISH for word in spoken)


def subject_of(text: str) -> Subject:
    """The subject of a statement, if it is a short and definite noun phrase, with its number as the verb shows it."""
    tokens = tokenise(text, 0, len(text))
    found = subject(tokens, 0, len(tokens)) if not imperative(tokens) else None
    if not found:
        return UNKNOWN
    first, last = tokens[found[0]], tokens[found[1] - 1]
    known = first.text in _DEFINITE or first.kind == "code" or first.capital
    vague = first.text in _VAGUE or any(t.text == "such" for t in tokens[found[0] : found[1]])
    if vague or last.text in _POINTING or last.end - first.start > _LONGEST or not known:
        return UNKNOWN
    at = finite(tokens, found[0])
    verb = tokens[at].text
    plural = None if verb not in _PRESENT else verb in _PRESENT_PLURAL
    if plural is None:
        behind = (i for i in range(found[0] + 1, found[1]) if tokens[i].text in PREPOSITIONS)
        head = tokens[next(behind, found[1]) - 1]
        plural = head.text.endswith("s") and head.kind == "word" and not head.capital
    phrase = text[first.start : last.end]
    person = _is_person(text, tokens, found)
    amount = verb in _BE and at + 1 < len(tokens) and _AMOUNT.match(tokens[at + 1].text) is not None
    return Subject(re.sub(r"^(?:an?|each|every)\s", "the ", phrase, flags=re.IGNORECASE), plural, person, amount)


def _is_person(text: str, tokens: Sequence[Token], found: tuple[int, int]) -> bool:
    """Whether the subject may be `he` or `she`: a name, or a word for persons, and the only one in its sentence. `CEO`
    names nobody else."""
    rest = range(found[1], len(tokens))
    if tokens[found[0]].text in DETERMINERS:
        return tokens[found[1] - 1].text in _WHO and not any(tokens[i].text in _WHO or tokens[i].capital for i in rest)
    others = (i for i in rest if tokens[i].capital and tokens[i - 1].text not in _PLACED)
    return tokens[found[0]].capital and all(text[tokens[i].start : tokens[i].end].isupper() for i in others)


def named_in(text: str) -> str:
    """The subject of a clause as it stands, definite or not; empty for a pronoun."""
    tokens = tokenise(text, 0, len(text))
    found = None if not tokens or tokens[0].text in SUBJECTS else subject(tokens, 0, len(tokens))
    return text[tokens[found[0]].start : tokens[found[1] - 1].end] if found else ""


def main_subject(text: str) -> Subject:
    """The subject of the main clause of a statement that begins with a condition or a place."""
    tokens = tokenise(text, 0, len(text))
    if tokens and tokens[0].text in _TIMES:
        return subject_of(text[tokens[0].end :].lstrip(", "))  # `Today the firm ..`
    opens = bool(tokens) and tokens[0].text in _OPENS
    main = after_condition(tokens, 0, len(tokens)) if opens else 0
    return subject_of(text[tokens[main].start :] if main else text)


def carried_on(before: Subject, text: str) -> Subject:
    """What a pronoun behind the statement `text` stands for: its subject, unless that is somebody new and the statement
    is about what the pronoun stood for so far (`A crew of nine keeps the bridge open.`)."""
    found = main_subject(text)
    if not found.text and before.text and before.text.lower() in text.lower():
        return before  # `You can return the bike, if it is dry`
    if not _NEW.match(text) or found.plural != before.plural:
        return found
    name = {word for word in words(before.text) if len(word) > 2}
    return before if name & (set(words(text)) - set(words(found.text))) else found


def resolve(text: str, antecedent: Subject) -> str:
    """`text` with a leading `it` or `they` replaced by the antecedent where number and construction allow it."""
    found = _PRONOUN.match(text)
    code = _CODE.fullmatch(antecedent.text) is not None
    if _OPTION.fullmatch(antecedent.text) and (default := _DEFAULT.match(text)):
        return f"{default[1]} of {antecedent.text}{text[default.end() :]}"
    if not found or not antecedent.text or (_EXPLETIVE.match(text) and not (code and _KIND.match(text))):
        return text  # code is surely of a kind: `It's a subclass of `KeyError``
    opener, pronoun, rest = found[1], found[2].lower(), text[found.end() :]
    if (pronoun in ("they", "their")) != antecedent.plural or (pronoun in _PERSONAL and not antecedent.person):
        return text
    if pronoun in _POSSESSIVE and antecedent.amount:
        return text
    if pronoun in ("it", "its") and antecedent.text.rsplit(maxsplit=1)[-1].lower() in _WHO:
        return text
    inside = opener or text[0].islower()
    name = antecedent.text if inside else antecedent.text[:1].upper() + antecedent.text[1:]
    if opener and name.split(maxsplit=1)[0].lower() in _DEFINITE:
        name = name[0].lower() + name[1:]
    if pronoun in _POSSESSIVE:
        name = " ".join(takewhile(lambda word: word.lower() not in PREPOSITIONS, name.split()))
        return f"{opener}{name}'{'' if name.endswith('s') else 's'}{rest}"
    clitic = _CLITIC[(found[3] or "")[1:].lower()]
    return f"{opener}{name}{' has' if clitic == ' is' and _PERFECT.match(rest) else clitic}{rest}"
