"""Evidence that was changed: with a passage that has nothing to do with the question, or saying something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gate.text import STOPWORDS, Number, identifiers, numbers, plain, stem, structure, within, words
from gate.text_language import is_foreign

BEARS = 0.5  # share of what is asked for that a sentence must hold to bear on it
_NEAR = 0.75  # of the best sentence's share: these say it as well
_FOREIGN = 0.34  # of the question's words: a passage with more of them may be about it
_DIGITS = re.compile(r"\d+")
_DENIED = "It is not true that {}"


@dataclass(frozen=True, slots=True)
class _Place:
    passage: int
    start: int
    end: int
    share: float


def distracted(question: str, contexts: Sequence[str], foreign: Sequence[str], seed: int) -> tuple[str, ...] | None:
    """The passages with one of another prompt among them that shares few words with the question; None without one."""
    asked = _stems(question)
    strange = [text for text in foreign if text not in contexts and _share(asked, _stems(text)) <= _FOREIGN]
    if not contexts or not strange:
        return None
    passage = min(strange, key=lambda text: _share(asked, _stems(text)))
    at = random.Random(f"{seed}:{question}:among").randint(0, len(contexts))  # noqa: S311 - a sample, not a secret
    return (*contexts[:at], passage, *contexts[at:])


def contradicted(question: str, reference: str | None, contexts: Sequence[str]) -> tuple[str, ...] | None:
    """The passages with what bears on the question turned: other amounts, or a denial in front where there is none.

    Every sentence that is as near to the question (and to its reference answer) as the best one is changed, and every
    amount that was changed there is changed in all passages alike. None where nothing bears on it or can be turned.
    """
    places = _bearing(question, reference, contexts)
    for where, turn in (_amounts(contexts, places), (places, _denied)):
        turned = _turned(contexts, where, turn)
        if turned != tuple(contexts):
            return turned
    return None


def _bearing(question: str, reference: str | None, contexts: Sequence[str]) -> list[_Place]:
    """The sentences that hold most of what is asked, and of the reference where there is one."""
    asked, told = _stems(question), _stems(reference or "")
    named = {name.lower() for name in identifiers(question)}
    found = []
    for number, text in enumerate(contexts):
        for start, end in _prose(text):
            there = _stems(text[start:end])
            shares = [_share(asked, there), *([_share(told, there)] if told else [])]
            if not named or named & {name.lower() for name in identifiers(text[start:end])} or told:
                found.append(_Place(number, start, end, max(shares)))
    best = max((place.share for place in found), default=0.0)
    return [place for place in found if best >= BEARS and place.share >= _NEAR * best]


def _prose(text: str) -> list[tuple[int, int]]:
    """The sentences of a passage, without headings and code."""
    told = [block for block in structure(text) if block.kind in ("text", "item", "row")]
    return [span for block in told for span in within(text, block.start, block.end)]


def _turned(contexts: Sequence[str], places: Sequence[_Place], turn: Callable[[str], str]) -> tuple[str, ...]:
    texts = list(contexts)
    for place in sorted(places, key=lambda place: -place.start):
        text = texts[place.passage]
        texts[place.passage] = text[: place.start] + turn(text[place.start : place.end]) + text[place.end :]
    return tuple(texts)


def _amounts(contexts: Sequence[str], places: Sequence[_Place]) -> tuple[list[_Place], Callable[[str], str]]:
    """These sentences and those wherever else the passages name their amounts, and what changes the amounts there."""
    said = {_key(n) for p in places for n in numbers(contexts[p.passage][p.start : p.end])}
    known = {(place.passage, place.start) for place in places}
    more = [
        _Place(number, start, end, 0.0)
        for number, text in enumerate(contexts)
        for start, end in _prose(text)
        if (number, start) not in known and said & {_key(n) for n in numbers(text[start:end]) if n.known}
    ]
    return [*places, *more], lambda text: _other_amounts(text, said)


def _other_amounts(text: str, said: set[tuple[str, float]]) -> str:
    for number in reversed(numbers(text)):
        if _key(number) in said:
            piece = text[number.start : number.end]
            text = text[: number.start] + _other(piece, number.unit) + text[number.end :]
    return text


def _key(number: Number) -> tuple[str, float]:
    return number.unit, number.value


def _other(piece: str, unit: str) -> str:
    """The amount as it is written, with another figure in front."""
    digits = _DIGITS.search(piece)
    if digits is None:
        return piece
    value = int(digits[0])
    if unit == "clock":
        value = (value + 5) % 24
    elif unit == "ordinal":
        return piece
    elif unit in ("date", "yearday"):
        value = value % 28 + 1 if value <= 31 else value + 2
    elif unit == "%":
        value = value + 25 if value <= 70 else value - 35
    else:
        value += max(2, value // 2)
    return piece[: digits.start()] + str(value).zfill(len(digits[0])) + piece[digits.end() :]


def _denied(text: str) -> str:
    """A whole sentence in English, with its denial in front."""
    if text.count(" ") < 3 or not text.rstrip().endswith(".") or is_foreign(text):
        return text
    first, _, rest = text.partition(" ")
    return _DENIED.format(f"{first.lower() if first.lower() in STOPWORDS else first} {rest}")


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(plain(text))}


def _share(part: set[str], whole: set[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0
