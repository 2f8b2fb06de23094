"""Questions that an answer asks itself, as in a list of frequent ones: what follows is an answer to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gate.extraction.nonclaims import nonclaim
from gate.extraction.segments import Unit
from gate.extraction.wording import one_line
from gate.text import stem, tokens, words

_LABEL = re.compile(r"(?:q|question|faq|user|customer)\s?\d{0,3}\s*[:.)]\s*", re.IGNORECASE)
_ALONE = re.compile(r"(?:q|a|question|answer)\s?\d{0,3}[\s.:…)]*", re.IGNORECASE)
_ASKING = re.compile(
    r"(?:q|question)\s?\d{0,3}[\s.:…)]*(?:a(?:nswer)?[\s.:…)]*)?|(?:a|answer)\s?\d{0,3}\s?:[\s.:…]*", re.IGNORECASE
)
_HEADED = re.compile(r"[*_]{2,3}[^*_?\d\s]{1,30}(?: [^*_?\d\s]{1,30})?\?[*_]{2,3}")  # `**Cost?** 5 euros`
_OFFER = re.compile(
    r"(?:would|do|did|does|have|are|can|could|will|shall|may|should)(?:n't)? (?:you|i|we|that|this|it)(?: help)?\b.*"
    r"\b(?:like|want|know|need|help|questions?|try|tell|share|me to|for you|else|sense)\b|(?:want|need|any|anything|"
    r"still|ready|more|looking|curious|sound|got|interested)\b",
    re.IGNORECASE,
)
_IN_BOLD = re.compile(r"(?:\*\*|__)[^*_\n]{1,40}(?:\*\*|__)[.:]?")
_CHOICE = re.compile(  # or a question of yes or no, which a word of its own may answer
    r"\b(?:or|which|who|whom|whose|whether|either|between)\b|(?:^|[.,;:?!–—-]\s+|\b(?:and|but|so|then)\s+)(?:am|is|are|"
    r"was|were|do|does|did|can|could|will|would|shall|should|must|may|might|has|have|had)(?:n['’]t)?\b",
    re.IGNORECASE,
)
_LABELLED = 48  # characters of what names a part of the question
_NAME, _MAX = 24, 300  # characters of a label, and of a question
_LABELS = 3  # lines with a label alone that may stand between a question and its answer
_POINTING = frozenset({"it", "that", "this", "they", "them", "these", "those"})
_FEWEST = 3  # words of a question that tells what it is about: `Why?` does not


def asked(answer: str, units: Sequence[Unit], i: int) -> str:
    """The question of the answer itself that its i-th unit answers; empty where there is none right before it."""
    before = i - 1
    while 0 <= before > i - 1 - _LABELS and _ALONE.fullmatch(_said(answer, units[before], _NAME)):
        before -= 1
    if before < 0 or not _question(answer, units[before]) or _question(answer, units[i]):
        return ""
    said = _said(answer, units[before], _MAX)
    text = said[found.end() :] if (found := _LABEL.match(said)) else said
    plain = tells(text) or _headed(answer, units[before])
    return text if plain and not _OFFER.match(text) else ""


def tells(question: str) -> bool:
    """Whether a question tells what it is about."""
    return len(question.split()) >= _FEWEST


def names(question: str) -> bool:
    """Whether a question names what it asks about: two words that carry content, and no pronoun in their place."""
    return not _POINTING.intersection(tokens(question)) and sum(len(word) > 2 for word in words(question)) > 1


def labels(answer: str, units: Sequence[Unit], i: int) -> bool:
    """Whether the i-th unit only says that a question or an answer follows: `Q`, `A:`, `**Cost?**`. A bare `A` may be
    the answer to a choice."""
    said = _said(answer, units[i], _NAME)
    if _ASKING.fullmatch(said) or _headed(answer, units[i]):
        return True
    between = 0 < i < len(units) - 1 and not _question(answer, units[i + 1])
    return between and _ALONE.fullmatch(said) is not None and _question(answer, units[i - 1])


def restates(answer: str, units: Sequence[Unit], i: int, question: str) -> bool:
    """Whether the i-th unit is a few words in bold that only name a part of the user's question, over what is said of
    it: `**Log.** It is full`. Of two things that a question leaves to choose, one may be the answer, and `**Free.**` is
    one to `Is it free?`."""
    raw = answer[units[i].start : units[i].end]
    if units[i].kind != "sentence" or not _IN_BOLD.fullmatch(raw) or i + 1 >= len(units):
        return False
    said = {stem(word) for word in words(_said(answer, units[i], _LABELLED))}
    follows = units[i + 1].paragraph == units[i].paragraph or units[i + 1].kind in ("item", "lead")
    return follows and bool(said) and said <= _named(question)


@lru_cache(maxsize=64)  # every unit of an answer asks
def _named(question: str) -> frozenset[str]:
    """The stems of a question; none of one that a word of its own may answer."""
    return frozenset() if _CHOICE.search(question) else frozenset(map(stem, words(question)))


def _said(answer: str, unit: Unit, longest: int) -> str:
    """The words of a unit; empty for one that is longer."""
    return one_line(answer[unit.start : unit.end]) if unit.end - unit.start <= longest else ""


def _headed(answer: str, unit: Unit) -> bool:
    return unit.end - unit.start <= 80 and _HEADED.fullmatch(answer[unit.start : unit.end]) is not None


def _question(answer: str, unit: Unit) -> bool:
    """Whether a unit asks, and tells nothing."""
    if unit.kind in ("row", "code") or not answer[unit.start : unit.end].rstrip("*_ ").endswith("?"):
        return False
    said = _said(answer, unit, _MAX)
    return bool(said and nonclaim(said)) or _headed(answer, unit)
