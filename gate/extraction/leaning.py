"""What a statement leans on: pronouns and halves that say nothing without what was said before.

`leans` is sure of what it finds and lets the rest pass: a pronoun that something in the statement itself can stand for
is none of its business, nor is the `it` of `It is safe to wait`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gate.extraction.grammar import after_condition, imperative
from gate.extraction.lexicon import (
    ADVERBS,
    AUX,
    BASE,
    CLITICS,
    CONDITIONS,
    DETERMINERS,
    PAST,
    PREPOSITIONS,
    RELATIVES,
    SUBJECTS,
    THIRD,
)
from gate.extraction.tokens import Token, Tokens, tokenise
from gate.extraction.verbs import finite

_IT_LIST = "it its they them their it's it'll they're they'll they've it'd they'd"
_IT = frozenset(_IT_LIST.split())
_THESE_LIST = "this that these those both neither either that's that'll"
_THESE = frozenset(_THESE_LIST.split())
_SMALL_LIST = "him us me and or but so to be been yes no neither up off out back well yourself"
_SMALL = frozenset(_SMALL_LIST.split()) | _IT
_GRAMMAR = PREPOSITIONS | CONDITIONS | RELATIVES | ADVERBS | AUX | CLITICS | SUBJECTS | DETERMINERS | _SMALL
_VERBS = BASE | THIRD | PAST
_BEFORE_VERB = frozenset({"to", "can", "may", "must", "could", "should", "will", "would", "might", "cannot", "not"})
_DO = frozenset({"do", "does", "did", "don't", "doesn't", "didn't"})
_BEHIND_ELLIPSIS = CONDITIONS | {"nor", "neither", "except", "but", "by", "provided", "with", "and", "so", "though"}
_EXCEPTS = frozenset({"unless", "except"})
_TRAILING = frozenset({"ever", "either", "too", "though", "still", "anyway", "yet", "neither"})
_WORDS = r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|may|must|should)"
_AUX_NOT = rf"(?:{_WORDS}(?:n't| not)?|can't|cannot|won't)"
_HALF = re.compile(
    "|".join((
        rf"^(?:so|nor|neither) {_WORDS}\b",
        r"\b(?:(?:the )?other (?:two|three|four|ones?)|(?:one|any|some|each|all|none|most|two) of (?:the )?others|"
        rf"the (?:others?|former|latter))(?= {_AUX_NOT}\b|[.,;:!]|$)",
        r"\bone of the others\b",
        r"^(?:and |but )?the (?:former|latter)\b",
        r"\bthe (?:former|latter) (?:(?:case|one|two|option|plan)s?|you|we|it|they|he|she|your|its|their)\b",
        r"^(?:and |but )?for the (?:first|second|third|last|other)(?:,| (?:you|we|it|they)\b)",
        r"^(?:[^\W\d]+ )?(?:one|any|some|each|all|both|none|most|much|half|part|two|three|either|neither|the rest) of "
        r"(?:them|these|those|it|"
        r"this|that|which)\b",
        r"\b(?:by|than|another|only|just|have|has|needs?|gets?|allows?|takes?|for) \d[\d.,]*(?<![.,])[.!]?$",
        r"\b(?:just|only|always|exactly|lasts?|takes?|waits?) (?:just )?(?:that|this) (?:long|much|many|often|far)\b",
        rf"^(?:if|unless|when|where) (?:it|they|you|this|that|he|she|one) {_AUX_NOT},",
        rf"^(?:if|unless|once|until) (?:these|those) (?:all |both )?{_AUX_NOT}\b",
        r"^if (?:not|so)\b",
        r"(?P<measure>\b(?:of|in|for|with|within|above|below|under|over|"
        r"after|before|during|until|by|beyond|to) (?:that|those|such an?) (?:size|amount|"
        r"sum|level|kind|sort|type|cases?|length|period|point|date|limit|rate|price|range|age|threshold|"
        r"number|value|window|deadline|stage|situation|event|time|day)\b)",
        r"(?:^|\b(?=any|every))(?:anything|everything|all|those|claims?|amounts?|orders?) "
        r"(?:above|below|over|under|beyond|up to) (?:that|this|it)\b",
        r"^(?:the same|that|this) (?:also )?(?:applies|goes|holds)\b",
        r"^those (?:over|under|above|below|aged|with|without|from|in|of)\b",
    )),
    re.IGNORECASE,
)  # fmt: skip
_LATER = re.compile(
    "|".join((
        r"^(?:after|by|until|before|from|since|beyond|above|below|with|without|in) (?:that|then|it|this|them|these|"
        r"those)\b(?=,| (?:on|you|the|a|an|it|they|we|your|is|are)\b)",
        r"\bfrom there\b",
        r"^[^,]{0,60}\b(?:must|have to|has to) do so\b",
        r"^[\w`-]+ (?:needs?|has|have|gets?|takes?) \d[\d.,]*\W?(?: [\w%€$]+)?[.]?$",  # of what?
        r"^(?:if|when|because|since|once|unless|until|while|as|though) (?:it|they|this|that)(?:'\w+)? (?!and|or)",
        r"^there,? (?!is\b|are\b|was\b|were\b|will\b|may\b|can be\b|has\b|have\b)",
    )),
    re.IGNORECASE,
)  # fmt: skip
_JOINED = re.compile(r"[;:]|, (?:and|but|while|whereas|yet|then)\b")
_EXPLETIVE = re.compile(
    r"it(?:'s| is| was)? (?:(?:only|not|just) )?"
    r"(?:(?:after|before|until|when|in|on|at|from|by|with|for)\b.{1,60}\bthat\b|"
    r"(?:possible|impossible|necessary|important|recommended|advisable|worth|best|better|safe|safer|easy|easier|hard|"
    r"common|true|likely|unlikely|clear|up to|depends?|turns out|seems|appears|follows|makes sense|helps|takes|pays|to|"
    r"that|because|when|if|why|how|different|enough|fine|late|early|cold)\b)|"
    r"it(?:'s| is| was)(?: not|n't)?(?: also| usually| generally| often| best| always| only)? "
    r"(?:possible|impossible|necessary|"
    r"important|recommended|advisable|worth|best|better|safe|easy|hard|common|true|likely|unlikely|clear|fine|enough|an?|"
    r"the|your|my)\b",
    re.IGNORECASE,
)
_SUBORDINATES = CONDITIONS | RELATIVES
_TAIL = _TRAILING | {"be"}
_BEHIND_HALF = _BEHIND_ELLIPSIS | _TRAILING
_PLACES = PREPOSITIONS - CONDITIONS - {"to"}
_POINTS = _IT | {"this", "that's"}
_BEFORE_NOUN = DETERMINERS | PREPOSITIONS


@lru_cache(maxsize=256)  # as often as a statement is taken up anew: alone, with a name, in front of the next
def half(text: str) -> bool:
    """Whether a statement lacks a part that was said before: `the other two do not`, `it grows by 2`."""
    found = _HALF.search(text)
    named = found and found["measure"] and any(c.isdigit() for c in text[: found.start()])  # `2024-05-01 .. that date`
    if found and not named and not _JOINED.search(text, 0, found.start()):
        return True  # behind a joint, what was said before is in the statement itself
    tokens = tokenise(text, 0, len(text))
    verb = finite(tokens)
    if verb < 1 or tokens[verb].text not in AUX or any(t.text in _SUBORDINATES for t in tokens[1:verb]):
        return False
    behind = verb + 1 + (verb + 1 < len(tokens) and tokens[verb + 1].text == "not")
    if [token.text for token in tokens[behind : behind + 2]] in (["have", "to"], ["need", "to"]):
        behind += 2  # `You don't have to.`
    while behind < len(tokens) and tokens[behind].text in _TAIL:
        behind += 1
    if behind >= len(tokens) or tokens[behind].text in (".", "!", ";"):
        return True
    done = tokens[verb].text in _DO and tokens[behind].text in PREPOSITIONS | {"if", "unless", "when", ","}
    if done and not any(token.text in BASE for token in tokens[behind:]):
        return True  # `It does for a year`
    after = tokens[behind + 1].text if behind + 1 < len(tokens) else ""
    beside = any(token.text == "," for token in tokens[behind + 2 : behind + 6])  # `is, by and large, dry`
    return tokens[behind].text == "," and after in _BEHIND_HALF and (after in _EXCEPTS or not beside)


def later(text: str) -> bool:
    """Whether a statement follows on from another in time, place or number: `After that, ...`, `from there`."""
    return _LATER.search(text) is not None


def leans(text: str) -> bool:
    """Whether a statement says what it is about only by what was said before."""
    return half(text) or pronoun(text) >= 0


@lru_cache(maxsize=256)
def pronoun(text: str) -> int:
    """Where a pronoun stands that nothing before it in `text` can be meant by; -1 where there is none."""
    tokens = tokenise(text, 0, len(text))
    verb = finite(tokens)
    if _opened(text, tokens, verb):
        return tokens[verb if tokens[verb].text in CLITICS else verb - 1].start
    if verb > 1 and tokens[0].text.endswith("ing") and tokens[1].text in ("it", "them"):
        return tokens[1].start  # `Setting it to 0 turns ..`
    main = after_condition(tokens, 0, len(tokens)) if tokens and tokens[0].text in CONDITIONS else 0
    for i, token in enumerate(tokens):  # in a condition (`When it is full, the tank ...`) it may be named later
        if token.kind in ("code", "quote") or _shouted(text, token) or _noun(tokens, i, verb):
            return -1
        points = token.text in _IT or (token.text in _THESE and _subject(tokens, i, verb))
        if points and i >= main and not _EXPLETIVE.match(text[token.start :].replace("’", "'")):
            return token.start
    return -1


def _opened(text: str, tokens: Tokens, verb: int) -> bool:
    """Whether a pronoun is the subject behind words of place or time: `By default it is`, `In May they`."""
    if verb < 1 or tokens[0].text not in _PLACES:
        return False
    subject = tokens[verb if tokens[verb].text in CLITICS else verb - 1]
    points = subject.text in _POINTS and not _shouted(text, subject)
    sure = points and not any(token.kind == "mark" for token in tokens[:verb])
    return sure and not _EXPLETIVE.match(text[subject.start :].replace("’", "'"))


def _shouted(text: str, token: Token) -> bool:
    """Whether a word is written in capitals: the people of IT."""
    return token.text == "it" and text[token.start : token.end] == "IT"


def _subject(tokens: Tokens, i: int, verb: int) -> bool:
    """Whether the i-th token is the whole subject of the first finite verb: `that is`, `those never`."""
    if tokens[i].text in CLITICS:
        return True
    return i < verb and all(token.text in ADVERBS for token in tokens[i + 1 : verb])


def _noun(tokens: Tokens, i: int, verb: int) -> bool:
    """Whether the i-th token names something."""
    token = tokens[i]
    if token.kind != "word" or token.text in _GRAMMAR:
        return False
    if i and tokens[i - 1].text in _BEFORE_VERB:
        return False
    subject = i < verb and not imperative(tokens[i:verb])
    behind = i > 0 and tokens[i - 1].text in _BEFORE_NOUN
    named = token.text[:1].isdigit() or behind or (token.capital and i > 0)
    return bool(named or subject or (token.text not in _VERBS and not token.text.endswith(("ly", "ing"))))
