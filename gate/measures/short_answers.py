"""Short answers, up to five words, against what was expected: amounts by value, names, words, yes and no."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from gate.measures.base import Tools
from gate.measures.bounds import bound, other_bound, unbound
from gate.measures.clash import NEGATIONS, opposed
from gate.measures.short_parts import Parts, parts_of
from gate.text import normalise, same, stem, tokens
from gate.text_numbers import Number

WORDS = 5
TYPO = 6  # letters from which on one letter more, less, other or swapped is a slip of the pen
# Grades of a likeness, 0..1: what is said in other words, with a slip, with more beside it, as one of several guesses.
OTHERWISE, SLIP, BESIDE, GUESSED = 0.85, 0.9, 0.9, 0.4
JUDGED, LIKE, SURE = 0.5, 0.84, 0.8  # the judge's chance on the bare words; cosine, and its chance with the question
_NOT = NEGATIONS | {"instead", "rather", "formerly", "previously", "unlike", "than", "except"}
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_WRONG = re.compile(
    r"[`'\"]? (?:is|are|was|were|would be) (?:\w+ly )?(?:wrong|incorrect|untrue|mistaken)\b", re.IGNORECASE
)
_ASKS_WRONG = re.compile(r"\b(?:wrong|incorrect|untrue|mistaken)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Match:
    """How far an answer is the expected one, 0..1, with what is wrong and what is missing (empty: nothing)."""

    value: float
    wrong: str = ""
    missing: str = ""


def short(text: str) -> bool:
    """Whether a text has one to five words."""
    return 0 < len(tokens(normalise(text[:200]))) <= WORDS and len(text) <= 200


def match(given: str, expected: str, question: str, tools: Tools) -> Match | None:
    """How far `given` is the answer that was `expected`; None where their claims tell more than their words do: a yes
    or no that stands against a sentence."""
    mine, wanted = parts_of(_WRONG.sub("", given) if _ASKS_WRONG.search(question) else given), parts_of(expected)
    if mine.all == wanted.all and [n.value for n in mine.amounts] == [n.value for n in wanted.amounts]:
        return Match(1.0)
    if mine.says is not None and wanted.says is not None and (mine.bare or wanted.bare):
        return Match(1.0) if mine.says == wanted.says else _instead(mine, wanted)
    if mine.bare or wanted.bare:
        return None
    if wrong := _amounts_differ(mine, wanted, question):
        return wrong
    if _turned(mine, wanted):
        return _instead(mine, wanted)
    found = _by_words(mine, wanted, frozenset(stem(word) for word in tokens(normalise(question))))
    named = mine.amounts or wanted.amounts or mine.codes ^ wanted.codes or _renamed(mine, wanted)
    if found.value >= BESIDE or named or set(mine.words) <= set(wanted.words) or not (short(given) and short(expected)):
        return found
    return found if found.value == GUESSED else _otherwise(given, expected, question, tools) or found


def _turned(mine: Parts, wanted: Parts) -> bool:
    """Whether the answer denies what is expected, or says the opposite."""
    if mine.words and wanted.words and opposed(mine.all, wanted.all):
        return True
    refuted = {word for found in _WRONG.finditer(mine.text) for word in tokens(mine.text[: found.start()])[-1:]}
    return _denies(mine, wanted) or bool((mine.denied | refuted) & set(wanted.words) - wanted.denied)


def _renamed(mine: Parts, wanted: Parts) -> bool:
    """Whether both have a name that the other has not: names have no other words."""
    one, other = set(mine.words), set(wanted.words)
    return bool(mine.capitals & one - other and wanted.capitals & other - one)


def _instead(mine: Parts, wanted: Parts) -> Match:
    return Match(0.0, f'says "{_cut(mine.text)}", the reference says "{_cut(wanted.text)}"', _cut(wanted.text))


def _amounts_differ(mine: Parts, wanted: Parts, question: str) -> Match | None:
    """An expected amount that is not given, or given as a bound or an end of a range only; nothing where all are."""
    meant = {n: [other for other in mine.amounts if _meant(other, n, mine, wanted)] for n in wanted.amounts}
    lacking = [n for n, given in meant.items() if not given]
    if not lacking:
        return _loosely(meant, mine, wanted, question)
    named = ", ".join(wanted.text[n.start : n.end] for n in lacking)
    if any(rival.unit == n.unit or not rival.known for n in lacking for rival in mine.amounts):
        return _instead(mine, wanted)
    left = 1 - len(lacking) / len(wanted.amounts)
    return Match(0.5 * left, "", named)


def _loosely(meant: Mapping[Number, Sequence[Number]], mine: Parts, wanted: Parts, question: str) -> Match | None:
    """An expected amount that is named as a bound, or in a range: a guess. Nothing where each is named as itself."""
    for n, given in meant.items():
        expected = bound(wanted.text, n, wanted.amounts)
        if all(other_bound(bound(mine.text, one, mine.amounts), expected, question) for one in given):
            return replace(_instead(mine, wanted), value=GUESSED)
    return None


def _meant(given: Number, wanted: Number, mine: Parts, theirs: Parts) -> bool:
    """The same by value; a bare number takes the unit that is expected. Not one that is denied ("not Rs 800")."""
    if not _stands(mine.text, given):
        return False
    bare = not given.known or not wanted.known
    alike = bare and (given.unit == "" or wanted.unit == "" or not (given.known or wanted.known))
    return same(given, wanted) or (alike and _written(mine.text, given) == _written(theirs.text, wanted) != "")


def _written(text: str, number: Number) -> str:
    """The digits as written, without commas; the value where it is spelled out."""
    found = _DIGITS.search(text, number.start, number.end)
    value = float(found[0].replace(",", "")) if found else abs(number.value)
    return f"{'-' if number.value < 0 else ''}{value:g}"


def _stands(text: str, given: Number) -> bool:
    """Whether an amount is said, not denied: no `not`, `instead of`, `rather than` before it, no `is wrong` behind."""
    denied = any(word in _NOT for word in tokens(unbound(text[max(0, given.start - 40) : given.start]))[-3:])
    return not denied and not _WRONG.match(text, given.end)


def _by_words(mine: Parts, wanted: Parts, asked: frozenset[str]) -> Match:
    """What is expected and not merely asked has to be given; in a short answer, more beside it costs a little."""
    key = [word for word in wanted.words if stem(word) not in asked]
    key = key if key or wanted.amounts else list(wanted.words)
    hits = [max((_alike(word, other, wanted.codes) for other in _given(mine)), default=0.0) for word in key]
    units = 2 * len(wanted.amounts)  # they are all given, else we were not here
    recall = (sum(hits) + units) / (len(key) + units) if key or units else 0.0
    more = [word for word in mine.words if stem(word) not in asked and not _in(word, wanted)]
    missing = " ".join(word for word, hit in zip(key, hits, strict=True) if not hit)
    if len(mine.all) > WORDS or not more:
        return Match(recall, "", missing)
    if missing and not wanted.amounts:  # something else in the place of what is missing
        codes = mine.codes and wanted.codes
        return _instead(mine, wanted) if codes or not recall else Match(recall / 2, f'says "{mine.text}"', missing)
    return Match(recall * (GUESSED if {"or", "oder", "ou"} & set(mine.all) else BESIDE))


def _denies(mine: Parts, wanted: Parts) -> bool:
    """The same words, with one negation more on one side."""
    one, other = (frozenset(map(stem, part.words)) for part in (mine, wanted))
    odd = [sum(word in NEGATIONS for word in part.all) % 2 for part in (mine, wanted)]
    return odd[0] != odd[1] and bool(one and other) and (one <= other or other <= one) and len(one ^ other) <= 1


def _given(parts: Parts) -> Sequence[str]:
    return [word for word in parts.words if word not in NEGATIONS]


def _in(word: str, wanted: Parts) -> bool:
    return any(_alike(word, other, wanted.codes) for other in wanted.words)


@lru_cache(maxsize=8192)
def _alike(word: str, other: str, codes: frozenset[str]) -> float:
    """1 for the same word in any form, SLIP for one with a slip of the pen, else 0; names of code have no slips."""
    if word == other or stem(word) == stem(other):
        return 1.0
    if word in codes or other in codes or not (word.isalpha() and other.isalpha()):
        return 0.0
    return SLIP if min(len(word), len(other)) >= TYPO and word[0] == other[0] and _one_slip(word, other) else 0.0


def _one_slip(a: str, b: str) -> bool:
    """Whether one letter more, less or other, or two neighbours swapped, make one word of the other."""
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, letter in enumerate(a) if letter != b[i]), len(a))
    if len(a) < len(b):
        return a[at:] == b[at + 1 :]
    return a[at + 1 :] == b[at + 1 :] or (a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :])


def _otherwise(given: str, expected: str, question: str, tools: Tools) -> Match | None:
    """The same in other words: to the judge by the bare words, or by their likeness and the words with the question."""
    full = f"{question} {given}", f"{question} {expected}"
    pairs = [(given, (expected,)), (expected, (given,)), (full[0], (full[1],)), (full[1], (full[0],))]
    bare, back, there, again = (support.chance for support in tools.support(pairs))
    vectors = tools.embed([given, expected])
    like = float(vectors[0] @ vectors[1]) >= LIKE and min(there, again) >= SURE
    return Match(OTHERWISE) if min(bare, back) >= JUDGED or like else None


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
