"""What a question is about: what `it`, `they` and `both` in the first words of its answer stand for."""

from __future__ import annotations

import re

from gate.extraction.context import UNKNOWN, Subject
from gate.extraction.lexicon import (
    ADVERBS,
    AUX,
    BASE,
    CONDITIONS,
    DETERMINERS,
    PAST,
    PREPOSITIONS,
    RELATIVES,
    SUBJECTS,
    THIRD,
)
from gate.extraction.tokens import Tokens, tokenise
from gate.text_stem import ends_plural

_STOP = (
    PREPOSITIONS | CONDITIONS | RELATIVES | AUX | SUBJECTS | ADVERBS | {"and", "or", "to", "than", "back", "through"}
)
_HAPPENS = frozenset({"happens", "happened", "happen", "apply", "applies"})
_TO = frozenset({"to", "with"})
_WHAT = frozenset({"what", "what's", "who", "who's"})
_PERSONS = frozenset({"i", "you", "we"})
_BE = frozenset({"is", "are", "was", "were", "am", "what's", "who's"})
_GONE_ON = RELATIVES | AUX | {"how", "what", "which", "when"}  # `..., and how long` begins another question
_DETERMINER = re.compile(r"^(?:(an?|each|every|any|this|that|one)|(my|our))\s", re.IGNORECASE)
_VAGUE = frozenset(
    {"more", "many", "much", "anything", "something", "someone", "anyone", "it", "them", "me", "two", "both"}
    | {"difference", "differences", "way", "ways", "steps", "rules", "reason", "point"}
)
_LONE = 3  # tokens of `the museum?`
_MEASURE_LIST = (
    "fee price cost charge rate limit period window deposit deadline timeout interval warranty discount penalty "
    "premium allowance delay"
)
_MEASURES = frozenset(_MEASURE_LIST.split())  # what ends a name: `How long is the return window?`
_WORDS = 5  # of what is asked about
_TAKES = re.compile(r"it (?:\w+ )?takes\b(?!.* to [a-z])", re.IGNORECASE)
_HOW_LONG = re.compile(r"how (?:long|much|many)\b.*\btake\?$", re.IGNORECASE)
_NAME = r"((?:(?!\b(?:and|or|is|are|do|does)\b)[\w`.()/'-]+ ?){1,5}?)"
_PAIRS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bdifferences? between {_NAME}(?:, {_NAME})? and {_NAME}[,?.]",
        rf"\b(?:compare|between) {_NAME}(?:, {_NAME})? (?:and|with|or) {_NAME}[,?.]",
        rf"[,:] {_NAME}(?:, {_NAME})?,? or {_NAME}\?",
        rf"\bhow (?:do|are) {_NAME}(?:, {_NAME})? and {_NAME} (?:differ|different|compare)\b",
    )
)
_ACTS = AUX | THIRD | {"to", "if"}
_INVERTS = AUX | _BE
_SOMEBODY = _PERSONS | BASE
_VERBS = BASE | PAST
_NO_END = _VAGUE | {"the"}


def compared(asked: str) -> list[str]:
    """What a question sets side by side: the names, two or three, or none."""
    found = next((match for pattern in _PAIRS if (match := pattern.search(asked))), None)
    names = [_yours(name.strip()) for name in found.groups() if name] if found else []
    acts = any(name.split()[0].lower() in _ACTS for name in names)
    return [] if acts else names


def topic(asked: str) -> Subject:
    """Whom or what the question is about, the asker aside; unknown where that is not plain."""
    tokens = tokenise(asked, 0, len(asked))
    concerns = next((i for i, t in enumerate(tokens[:-2]) if t.text in _HAPPENS and tokens[i + 1].text in _TO), -1)
    if concerns >= 0:
        return _named(asked, tokens, concerns + 2)
    inverted = next((i for i, token in enumerate(tokens[:9]) if token.text in _INVERTS), -1)
    begun = any(token.kind == "mark" for token in tokens[2:inverted])  # `Which one counts, and do I need a key`
    if inverted < 0 or inverted + 2 >= len(tokens) or begun:
        return UNKNOWN
    if tokens[inverted + 1].text not in _SOMEBODY:
        return _inverted(asked, tokens, inverted)
    verb = inverted + 1 + (tokens[inverted + 1].text in _PERSONS)
    if verb + 2 < len(tokens) and tokens[verb + 1].text == "to":
        verb += 2
    known = verb + 1 < len(tokens) and tokens[verb].text in _VERBS
    sure = known and (tokens[verb + 1].text in DETERMINERS or tokens[verb + 1].capital)
    return _named(asked, tokens, verb + 1) if sure else UNKNOWN


def lasting(text: str, asked: str) -> str:
    """`text` with what was asked about for an `it` that takes so long: `It takes 3 hours`, where it was asked how long
    the job takes."""
    name = topic(asked).text if _TAKES.match(text) and _HOW_LONG.match(asked) else ""
    return f"{name[0].upper()}{name[1:]}{text[2:]}" if name else text


def _inverted(asked: str, tokens: Tokens, aux: int) -> Subject:
    """The subject behind the auxiliary: `the pump` of `When does the pump stop?`. `Is the pump dry?` is not plain."""
    start = aux + 1
    stop = next((i for i in range(start + 1, len(tokens)) if _acts(tokens, start, i)), len(tokens))
    begun = tokens[aux].text in _BE or stop < len(tokens)  # of `Does the part float?` the verb is not known
    named = {token.kind for token in tokens[start:-1]} == {"word"} and tokens[start].text in DETERMINERS
    lone = named and (len(tokens) - start == _LONE or (len(tokens) > start + 2 and tokens[-2].text in _MEASURES))
    what = (aux < 2 and tokens[0].text in _WHAT) or (tokens[0].text == "how" and lone)  # `How much is the museum?`
    plain = begun and (tokens[aux].text not in _BE or what or tokens[stop:][:1])
    return _named(asked, tokens[:stop], start) if plain else UNKNOWN


def _acts(tokens: Tokens, start: int, i: int) -> bool:
    """Whether the i-th token is the verb of the subject that begins at `start`: not `target` of `the target takes`."""
    named = tokens[start].text in DETERMINERS and i == start + 1
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    return tokens[i].text in _VERBS and not named and after not in BASE


def _named(asked: str, tokens: Tokens, start: int) -> Subject:
    """The name that begins at the token `start`, with its number."""
    end = start
    while end < len(tokens) and not _ends(tokens, start, end):
        end += 1
    joined = end < len(tokens) - 1 and tokens[end].text in ("and", "or") and tokens[end + 1].text not in _GONE_ON
    words = tokens[start:end]
    if joined or not 0 < len(words) <= _WORDS or words[0].text in _VAGUE or words[-1].text in _NO_END:
        return UNKNOWN
    last = words[-1]
    plural = last.kind == "word" and ends_plural(last.text)
    called = 2 * asked.startswith("()", last.end)
    name = _yours(asked[words[0].start : last.end + called])
    return Subject(name, plural and not last.capital)


def _ends(tokens: Tokens, start: int, i: int) -> bool:
    """Whether the name is over before the i-th token: a mark or a small word."""
    token = tokens[i]
    small = token.text in _STOP and (i > start or token.text not in DETERMINERS)
    return small or token.kind not in ("word", "code") or token.text.endswith("ly")


def _yours(name: str) -> str:
    """A name as the answer calls it: `the job` for `a job`, `your desk` for `my desk`."""
    return _DETERMINER.sub(lambda found: "the " if found[1] else "your ", name)
