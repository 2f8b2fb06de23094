"""Where two short statements cannot both be true: another amount, another name in its place, a no for a yes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.text import identifiers, normalise, numbers, same, sentences, stem, tokens, versions, words
from gate.text_numbers import Number

_DENYING = "not no never without neither nor none nothing nobody nicht kein keine keinen nie pas jamais"
NEGATIONS = frozenset(_DENYING.split())
# Of what must not be taken for the other, the words that people swap most; words without content among them.
_PAIRS = (
    "before after, over under, above below, up down, on off, in out, with without, always never, all none, more less, "
    "most least, minimum maximum, first last, left right, inside outside, increase decrease, increases decreases, "
    "allowed forbidden, allowed prohibited, required optional, mandatory optional, open closed, enabled disabled, "
    "buyer seller, weekly monthly, daily weekly, monthly yearly, free paid, true false, legal illegal, public private, "
    "possible impossible, earlier later, upper lower, start end, men women, import export"
)
OPPOSITES = frozenset(frozenset(pair.split()) for pair in _PAIRS.split(", "))
_CALENDAR = frozenset(
    [
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march"),
        *("april", "may", "june", "july", "august", "september", "october", "november", "december"),
    ]
)
MOST = 200  # sentences of a text that are looked at
# The share of content words by which two statements speak of the same thing; for a denial, all of one of them.
FRAME = 0.5
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][\w'-]{1,40}(?: [A-Z][\w'-]{1,40}){0,3}")


def opposed(one: Collection[str], other: Collection[str]) -> bool:
    """Whether one of the two lists of words has a word and the other its opposite, and neither has both."""
    mine, theirs = set(one) - set(other), set(other) - set(one)
    return any(frozenset((a, b)) in OPPOSITES for a in mine for b in theirs) if len(mine) + len(theirs) < 80 else False


@dataclass(frozen=True, slots=True)
class _Seen:
    """A statement: its content words by stem, negations aside; its amounts, its names, whether it denies."""

    stems: frozenset[str]
    amounts: tuple[Number, ...]
    names: frozenset[str]
    around: frozenset[tuple[str, str]]  # (name, the word before or behind it) of names that are no code
    denies: bool


def clash(claim: str, text: str) -> str:
    """The sentence of `text` that cannot be true beside `claim`; empty where none is found, so also in doubt.

    Only where both speak of the same thing: the same unit with another value, a name (of code, or written with a
    capital) where the other has another one, or nearly the same words with one negation more.
    """
    if claim == text:
        return ""  # of several sentences, which need not agree with each other
    said = _seen(claim)
    others = _sentences(text)
    if any(_agree(said, other) for _, other in others):
        return ""
    return next((sentence for sentence, other in others if _clashes(said, other)), "")


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[tuple[str, _Seen], ...]:
    found = (text[start:end] for start, end in sentences(text)[:MOST])
    return tuple((sentence, _seen(sentence)) for sentence in found)


@lru_cache(maxsize=4096)
def _seen(text: str) -> _Seen:
    clean = normalise(text)
    found = words(clean)
    amounts = tuple(number for number in numbers(clean) if number.known or number.unit == "")
    rest = clean
    for number in reversed(amounts):  # the GB of "2 GB" is no name
        rest = f"{rest[: number.start]} {rest[number.end :]}"
    names = {name.lower().removesuffix("()") for name in [*identifiers(rest), *_NAME.findall(rest)]} - _CALENDAR
    names |= {version for version, _, _ in versions(clean)}
    codes = frozenset(name.lower().removesuffix("()") for name in identifiers(rest))
    return _Seen(
        frozenset(stem(word) for word in found if word not in NEGATIONS and word not in names and word.isalpha()),
        amounts,
        frozenset(names),
        frozenset((name, near) for name in names - codes for near in _around(name, rest.lower())),
        sum(word in NEGATIONS for word in found) % 2 == 1,
    )


def _around(name: str, text: str) -> list[str]:
    """The words on both sides of a name, where it first stands."""
    before, _, after = text.partition(name)
    return [word for found in (tokens(before[-60:])[-1:], tokens(after[:60])[:1]) for word in found]


def _agree(one: _Seen, other: _Seen) -> bool:
    """Whether nothing of the one is missing in the other."""
    return (
        one.denies == other.denies
        and one.stems <= other.stems
        and one.names <= other.names
        and all(_among(number, other.amounts) for number in one.amounts)
    )


def _clashes(one: _Seen, other: _Seen) -> bool:
    low, high = sorted((_shared(one.stems, other.stems), _shared(other.stems, one.stems)))
    if one.denies != other.denies:
        return high == 1.0 and low >= FRAME
    if high < FRAME:
        return False
    return _other_amount(one.amounts, other.amounts) or _other_name(one, other)


def _other_amount(mine: Sequence[Number], theirs: Sequence[Number]) -> bool:
    """An amount of the one that the other gives otherwise, and no amount of theirs of that unit is left to match."""
    for number in mine:
        rivals = [rival for rival in theirs if rival.unit == number.unit]
        if rivals and not _among(number, rivals) and not any(_among(rival, mine) for rival in rivals):
            return True
    return False


def _other_name(one: _Seen, other: _Seen) -> bool:
    """Each has a name that the other has not, and what is said of them is the same."""
    mine, theirs = one.names - other.names, other.names - one.names
    if not any(_in_place(a, b, one, other) for a in mine for b in theirs):
        return False
    alike = min(_shared(one.stems, other.stems), _shared(other.stems, one.stems))
    return alike >= FRAME and not _written(mine, other) and not _written(theirs, one)


def _parts(name: str) -> set[str]:
    return {part for part in re.split(r"\W+|_", name) if part.isalpha()}


def _in_place(mine: str, theirs: str, one: _Seen, other: _Seen) -> bool:
    """Whether two names stand in the same place: beside the same word; names of code need not."""
    if _parts(mine) & _parts(theirs):
        return False  # `response.text` and `r.text`
    near = {word for name, word in one.around if name == mine}, {word for name, word in other.around if name == theirs}
    if near[0] and near[1]:
        return bool(near[0] & near[1])
    # Of several names that stand nowhere in the other, none need be in the place of another one.
    return not near[0] and not near[1] and len(one.names - other.names) == len(other.names - one.names) == 1


def _written(names: Collection[str], other: _Seen) -> bool:
    """Whether one of the names stands in the other statement as a common word."""
    return any(stem(word) in other.stems for name in names for word in name.split())


def _among(number: Number, others: Sequence[Number]) -> bool:
    return any(same(number, other) for other in others)


def _shared(mine: Collection[str], theirs: Collection[str]) -> float:
    """The share of `mine` that is in `theirs`; 0 of nothing."""
    return sum(word in theirs for word in mine) / len(mine) if mine else 0.0
