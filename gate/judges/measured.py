"""Amounts by value for the local judge: the keys that they are matched by, and how a reader is shown them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gate.judges.lexicon import listed
from gate.text import Number, numbers, same, stem, tokens
from gate.text_numbers import KNOWN, yeardays

MEASURES = listed("s month % B bit metre gram litre date yearday clock ordinal USD EUR GBP INR JPY CHF cent")
_OF = re.compile(r"\s{1,3}of$", re.IGNORECASE)
_UNIT = re.compile(r"[^\W\d_]+|[%$€£¥₹]")


def amount_keys(number: Number) -> tuple[str, ...]:
    """An amount as keys: with its unit where it is one of measure, else by value alone; in all its readings, a
    percentage as a share of one too, and a date also without its year."""
    unit = number.unit if number.unit in MEASURES else ""
    values = [number.value] if number.other is None else [number.value, number.other]
    share = (f"#:{number.value / 100:g}",) if unit == "%" and 0 < number.value < 100 else ()
    days = (f"#yearday:{day:g}" for day in yeardays(number)) if unit == "date" else ()
    return (*(f"#{unit}:{value:g}" for value in values), *share, *days)


def amount_words(text: str, found: Iterable[Number]) -> dict[str, tuple[str, ...]]:
    """token -> the keys of the amounts of measure in `text` that it is a part of: `2 weeks` is said by `14 days`."""
    words: dict[str, tuple[str, ...]] = {}
    for number in found:
        if number.known:
            for word in tokens(text[number.start : number.end]):
                words[word] = (*words.get(word, ()), *amount_keys(number))
    return words


def as_claimed(text: str, claim: str, claimed: Iterable[Number]) -> str:
    """`text` with each amount that equals one of the claim's in another unit written as the claim writes it: a reader
    compares figures, and takes 2048 MB for another amount than 2 GB."""
    wanted = [(number, _bare(claim, number)) for number in claimed if _whole(number, claim)]
    for number in reversed(numbers(text)) if wanted else ():
        written = _bare(text, number)
        equal = [said for other, said in wanted if KNOWN & {number.unit, other.unit} and same(number, other)]
        if equal and all(_units(written).isdisjoint(_units(said)) for said in equal):
            text = text[: number.start] + equal[0] + text[number.start + len(written) :]
    return text


def _bare(text: str, number: Number) -> str:
    """An amount as it is written, without the `of` of `half of`, which its place asks for or does not."""
    return _OF.sub("", text[number.start : number.end])


def _whole(number: Number, text: str) -> bool:
    """Whether an amount has its unit with it: not the first end of `5 to 10 days`."""
    return not number.unit or (number.unit in KNOWN and bool(_units(text[number.start : number.end])))


def _units(written: str) -> set[str]:
    return {stem(word) for word in _UNIT.findall(written.lower())}
