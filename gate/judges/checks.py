"""The exact checks: amounts and identifiers of a claim that stand nowhere in the documents.

Amounts are compared by value: `1 year` where they say 30 days. One is found where the documents give it in any unit,
rounded, as a bare figure, or as a simple result of what they give (a sum, a difference, a share). What is left has no
ground, so that a finding is rare and mostly right.

An identifier (a flag, a file, an acronym) is found where its letters and digits stand in a text, whatever stands
between them: `max-age` is `max_age` and `MaxAge`. The segments of a path are looked up one by one, and an acronym may
be spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from gate.judges.base import Finding
from gate.text import Number, identifiers, normalise, numbers, versions
from gate.text.dates import PERIODS, periods_named
from gate.text.quantities import KNOWN, SCALES, parts_named, yeardays

_MONTH, _DAY = PERIODS["month"], PERIODS["day"]
_SURE = 1e-6
_ALIKE = 0.09  # months have no length: 60 days are two of them, and so are eight weeks
_ROUND = 0.05  # share by which a rounded amount may be off
_MOST = 40  # amounts of one kind that are reckoned with, and identifiers of a claim that are looked up
_FEW = 10  # below it a bare figure counts items or numbers them
_YEARS = (1000, 2100)
_COUNTED = KNOWN | {"", "s"}
_SIZES = frozenset(base**power for base in (1000.0, 1024.0) for power in range(5))
_FIGURE = re.compile(r"\d{1,15}(?:[,']\d{3}){0,8}(?:\.\d{1,15})?")
_HYPHENED = re.compile(r"\w-[^\W\d]")
_CLASS = re.compile(r"(?<!\w)([1-5])(?:xx|XX)(?!\w)")  # of status codes
_TIME = re.compile(r"(?<!\d)(\d{1,2})[:.]([0-5]\d)(?::([0-5]\d))?(?!\d)")
_FEWEST = 3  # characters of an identifier
_EDITED = 5  # characters from which one edit makes a rival, and not just another name
# Amounts are compared by value, words with a hyphen (`under-12s`) and lone letters are no names.
_NO_NAME = re.compile(
    r"[-$€£¥₹]?\d[\d.,:]*-?[A-Za-z%]{0,3}(?:[/-].*)?|[\d./:-]+|-?[A-Za-z]|.*['\"].*|[a-z]{2,}-[\d:]+s?|[vV]\d+[\d.]*"
)
_SEGMENT = re.compile(r"[^/:]+")
_BETWEEN = re.compile(r"[\W_]+")
_LETTER = re.compile(r"(?<![^\W_])[^\W\d_]")


class Amount(NamedTuple):
    """A number by kind: durations in seconds whatever their unit; a figure without a measure has the kind `""`.

    `step` is the place of the last digit that it names, and `loose` tells that it counts months or years.
    """

    kind: str
    value: float
    per: str
    start: int
    end: int
    step: float = 0.0
    loose: bool = False


class _Given(NamedTuple):
    """What the texts give: amounts, all figures, classes of codes, minutes of the day, seconds of periods."""

    amounts: tuple[Amount, ...]
    figures: frozenset[float]
    classes: frozenset[float]
    minutes: frozenset[float]
    periods: frozenset[float]


def check_quantities(claim: str, context: str, windows: Sequence[str], passages: Sequence[str]) -> tuple[Finding, ...]:
    """A finding for every amount of the claim that no text has by value.

    There is none where the question gives amounts, or where one of the claim's own stands in the documents: such
    claims reckon, and a result stands nowhere.
    """
    claim, question, *before = (normalise(text) for text in (claim, *context.split("\n")))
    said: dict[tuple[int, int], list[Amount]] = {}
    for one in _amounts(claim)[:_MOST]:
        if _checkable(claim, one):
            said.setdefault((one.start, one.end), []).append(one)
    shown = [normalise(text) for text in windows]
    if not said or _amounts(question) or any(claim in text for text in shown):
        return ()
    given = _give(shown, [normalise(text) for text in passages])
    if any(_stands(one, given) for readings in said.values() for one in readings):
        return ()
    near = _near([*shown, *before])
    if any(_follows(one, near) for readings in said.values() for one in readings):
        return ()
    return tuple(_finding(claim, readings[0], shown) for readings in said.values())


def _checkable(claim: str, one: Amount) -> bool:
    """Whether an amount is exact: told in digits, as words round; no place in a row, no few items, no year, not free.

    One before a hyphen tells the case that a claim is about: `a 5-hour ride`.
    """
    said = claim[one.start : one.end]
    if one.value == 0 or one.kind == "place" or _HYPHENED.search(said) or not _FIGURE.search(said):
        return False
    return one.kind != "" or (abs(one.value) >= _FEW and not _YEARS[0] <= one.value <= _YEARS[1])


def _finding(claim: str, one: Amount, windows: Sequence[str]) -> Finding:
    """What the documents give in place of an amount: best the same figure in another unit."""
    said = claim[one.start : one.end].strip()
    figures = set(_figures(said))
    rivals = [
        text[other.start : other.end].strip()
        for text in windows
        for other in _amounts(text)
        if one.kind and other.kind == one.kind
    ]
    same_figure = [rival for rival in rivals if figures & set(_figures(rival))]
    return Finding("amount", said, tuple(dict.fromkeys(same_figure or rivals)), bool(rivals))


@lru_cache(maxsize=4096)
def _amounts(text: str) -> tuple[Amount, ...]:
    """All amounts of a text, each in all its readings."""
    parts = (Amount("%", 100 * share, "", start, end) for share, start, end in parts_named(text))
    return (*(one for number in numbers(text) for one in _readings(text, number)), *parts)


def _readings(text: str, number: Number) -> Iterator[Amount]:
    kind, per, start, end = number.unit if number.known else "", number.per, number.start, number.end
    kind = {"ordinal": "place"}.get(kind, kind)
    scale = _MONTH if kind == "month" else 1.0
    step = _step(text[start:end], number.value) * scale
    for value in (number.value,) if number.other is None else (number.value, number.other):
        yield Amount("s" if kind == "month" else kind, value * scale, per, start, end, step, kind == "month")
    if kind == "date":
        yield from (Amount("yearday", day, "", start, end) for day in yeardays(number))
    if kind == "metre" and text[start:end].endswith("m"):  # `timeout: 40m`
        yield Amount("s", 60 * number.value, "", start, end)


def _step(written: str, value: float) -> float:
    """0.1 of `13.7`, 100 of `3,500`; a tenth of the amount where it is told in words."""
    found = _FIGURE.search(written)
    figure = found[0].replace(",", "").replace("'", "") if found else "0"
    if not float(figure):
        return abs(value) / 10
    whole, _, decimals = figure.partition(".")
    place = 10.0 ** (-len(decimals) if decimals else len(whole) - len(whole.rstrip("0")))
    return place * abs(value) / float(figure)


@lru_cache(maxsize=4096)
def _figures(text: str) -> tuple[float, ...]:
    """Every run of digits as a number, whatever it is a part of: 3072 of `rsa3072`, 3 and 11 of `3.11`."""
    found = [match[0].replace(",", "").replace("'", "") for match in _FIGURE.finditer(text)]
    return tuple(dict.fromkeys(float(part) for figure in found for part in (figure, *figure.split("."))))


def _give(windows: Sequence[str], passages: Sequence[str]) -> _Given:
    texts = dict.fromkeys((*windows, *passages))
    return _Given(
        tuple(one for text in texts for one in _amounts(text)),
        frozenset(figure for text in texts for figure in _figures(text)),
        frozenset(float(digit) for text in texts for digit in _CLASS.findall(text)),
        frozenset(60.0 * int(a) + int(b) for text in texts for a, b, _ in _TIME.findall(text)),
        frozenset(period for text in windows for period in periods_named(text)),
    )


def _near(texts: Iterable[str]) -> dict[str, list[float]]:
    """kind -> values of what a claim may be reckoned from, by name also times in seconds and all figures."""
    texts = tuple(dict.fromkeys(texts))
    near: dict[str, list[float]] = {}
    for one in (one for text in texts for one in _amounts(text)):
        near.setdefault(one.kind, []).append(one.value)
    near["time"] = [3600.0 * int(a) + 60 * int(b) + int(c or 0) for text in texts for a, b, c in _TIME.findall(text)]
    near["figure"] = [figure for text in texts for figure in _figures(text)]
    return {kind: list(dict.fromkeys(values))[:_MOST] for kind, values in near.items()}


def _equal(one: Amount, value: float, loose: bool = False) -> bool:
    """Whether a value is that of an amount, or what it rounds to."""
    share = _ALIKE if loose else _SURE
    off = abs(one.value - value)
    return off <= share * max(abs(one.value), abs(value)) or off <= min(one.step / 2, _ROUND * abs(one.value)) + 1e-9


def _stands(one: Amount, given: _Given) -> bool:
    if one.kind == "":
        return (
            one.value in given.figures
            or (one.value < 600 and one.value // 100 in given.classes)
            or any(_equal(one, other.value) or _equal(one, 100 * other.value) for other in given.amounts)
            or any(other.kind == "clock" and other.value / 60 - one.value in (0, 12) for other in given.amounts)
        )
    scales = _scales(one.kind)
    for other in given.amounts:
        if other.kind == one.kind and not (one.per and other.per and one.per != other.per):
            if _equal(one, other.value, one.loose != other.loose):
                return True
        elif other.kind in ("", "place") and any(_equal(one, other.value * scale) for scale in scales):
            return True
    if one.kind == "clock":
        return bool(given.minutes & {one.value, (one.value + 720) % 1440})
    return one.kind == "s" and (one.per == "week" or any(_equal(one, period, one.loose) for period in given.periods))


def _scales(kind: str) -> Iterable[float]:
    """What a bare figure is worth in each unit of a kind."""
    if kind == "s":
        return SCALES["s"] | {scale * _MONTH for scale in SCALES["month"]}
    if kind in ("clock", "%"):  # `at 9`, `0.5`
        return (60.0,) if kind == "clock" else (1.0, 100.0)
    return _SIZES if kind in ("B", "bit") else SCALES.get(kind, (1.0,))


def _follows(one: Amount, near: Mapping[str, Sequence[float]]) -> bool:
    """Whether an amount is what two others make, to the last digit: roughly, two amounts make almost any third."""
    exact = one._replace(step=0.0)
    return any(_equal(exact, value, one.loose) for value in _results(one.kind, near))


def _results(kind: str, near: Mapping[str, Sequence[float]]) -> Iterator[float]:
    """What an amount of a kind may be reckoned from: a day from another day, a price from a price and a number."""
    if kind in ("clock", "date", "yearday"):
        unit = 60 if kind == "clock" else _DAY
        spans = [sign * span / unit for span in near.get("s", ()) for sign in (1, -1)]
        yield from (value + span for value in near.get(kind, ()) for span in spans)
        return
    pools = [near.get(pool, ()) for pool in (_COUNTED if kind == "" else (kind,))]
    for a, b in (pair for pool in pools for pair in combinations(pool, 2)):
        yield from (a + b, abs(a - b))
    factors = _factors(kind, near)
    for a in (value for pool in pools for value in pool):
        yield from (a * factor for factor in factors)
        yield from (a / factor for factor in factors)
    if kind == "s":
        yield from _spans(near)
    if kind in ("%", ""):
        yield from (100 - share for share in near.get("%", ()))
        yield from _ratios(100.0 if kind == "%" else 1.0, near)


def _factors(kind: str, near: Mapping[str, Sequence[float]]) -> set[float]:
    """What an amount may be multiplied or divided by; a duration by no figure that merely stands somewhere."""
    shares = [share / 100 for share in near.get("%", ())]
    changed = (1 + sign * share for share in shares for sign in (1, -1))
    return {*near.get("", ()), *shares, *changed, *(() if kind == "s" else near["figure"])} - {0.0}


def _ratios(whole: float, near: Mapping[str, Sequence[float]]) -> Iterator[float]:
    for a, b in (pair for pool in _COUNTED for pair in combinations(near.get(pool, ()), 2) if all(pair)):
        yield from (whole * a / b, whole * b / a)


def _spans(near: Mapping[str, Sequence[float]]) -> Iterator[float]:
    """What lies between two times, days, months or years."""
    for a, b in combinations(near["time"], 2):
        yield from (abs(a - b), abs(a - b) / 60, _DAY - abs(a - b))
    for a, b in combinations(near.get("clock", ()), 2):
        yield from (60 * abs(a - b), _DAY - 60 * abs(a - b))
    for a, b in (pair for kind in ("date", "yearday") for pair in combinations(near.get(kind, ()), 2)):
        yield from (abs(a - b) * _DAY, (abs(a - b) + 1) * _DAY)
    years = [figure for figure in near["figure"] if _YEARS[0] <= figure <= _YEARS[1]]
    yield from (12 * _MONTH * abs(a - b) for a, b in combinations(years, 2))


def check_identifiers(claim: str, context: str, windows: Sequence[str], passages: Sequence[str]) -> tuple[Finding, ...]:
    """A finding for every identifier of the claim that neither the texts nor the context have."""
    claim = normalise(claim)
    names = tuple(dict.fromkeys(_names(claim)))[:_MOST]
    texts = tuple(dict.fromkeys((*windows, *passages, context)))
    missing = [
        name for name in names if not all(_is_named(part, texts) for part in map(_compact, _SEGMENT.findall(name)))
    ]
    # A version may have a zero at its end more or less: `3.34` of `3.34.0`.
    named = [version for version, _, _ in versions(claim)[:_MOST]]
    unknown = [version for version in named if not any(version.removesuffix(".0") in text for text in texts)]
    found = [_misnamed(name, windows[:1]) for name in missing]
    return (*found, *(Finding("identifier", version, (), False) for version in unknown))


def _names(claim: str) -> Iterator[str]:
    """The identifiers of a claim, without a value behind `=` and a possessive ending."""
    for token in identifiers(claim):
        name = token.removesuffix("'s").partition("=")[0]
        if len(name) >= _FEWEST and not _NO_NAME.fullmatch(name) and name in claim:
            yield name


def _is_named(key: str, texts: Iterable[str]) -> bool:
    one = key.removesuffix("s")
    return len(key) < 2 or any(one in _compact(text) or (key.isalpha() and key in _initials(text)) for text in texts)


@lru_cache(maxsize=4096)
def _compact(text: str) -> str:
    """The letters and digits of a text, in lower case and without anything between them."""
    return _BETWEEN.sub("", normalise(text).lower())


@lru_cache(maxsize=4096)
def _initials(text: str) -> str:
    return "".join(_LETTER.findall(text)).lower()


def _misnamed(name: str, best: Sequence[str]) -> Finding:
    """A name that the best window has in one other letter or digit, and in the same shape, denies the claim's."""
    shape = _BETWEEN.findall(name)
    for text in best if len(name) >= _EDITED else ():
        for other in dict.fromkeys(_names(normalise(text))):
            if _BETWEEN.findall(other) == shape and _one_edit(name, other):
                return Finding("identifier", name, (other,), True)
    return Finding("identifier", name, (), False)


def _one_edit(a: str, b: str) -> bool:
    """Whether one character put in, left out or exchanged makes `b` of `a`."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest, other = a[start:], b[start:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
