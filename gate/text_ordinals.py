"""Places in a row told in words: `the fifth day`, `day five`, `the third of each month`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.text_figures import COUNTS

_FIRST = ("first", "second", "third")  # also said of what is in no row: `first, open it`, `a second`, `a third of it`
_LATER = (
    "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
    "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_PLACES = {word: i for i, word in enumerate([*_FIRST, *_LATER], 1)} | {"thirtieth": 30}
_SPAN = r"(?:day|week|month|year|night)"
_ORDINAL = re.compile(
    rf"(?<![\w-])(?:(?P<first>{'|'.join(_FIRST)})(?= (?:(?:working|business|calendar|full|whole) )?{_SPAN}\b"
    r"| (?:day )?of (?:each|every|the|any) (?:\w+ )?month\b)"
    rf"|(?<!\ba )(?<!\bone )(?P<later>{'|'.join(_LATER)}|thirtieth)(?![\w-])"
    # `day five`, but not `a day 5`, nor `this week two parcels`
    rf"|(?<!\ba )(?<!\bper )(?<!\beach )(?<!\bevery )(?<!\bone )(?<!\bthis )(?<!\bnext )(?<!\blast )(?<!-)"
    rf"{_SPAN} (?P<count>\d{{1,2}}|{'|'.join(COUNTS)})(?!\w|[.,:/-]\d|\s?[%€$£]| [a-z]+s\b))",
    re.IGNORECASE,
)


def ordinals(text: str) -> Iterator[tuple[int, int, int]]:
    """(place, start, end) of all in order; those in figures (`5th`) are read with the other figures."""
    for match in _ORDINAL.finditer(text):
        word = (match["first"] or match["later"] or match["count"]).lower()
        place = _PLACES.get(word) or COUNTS.get(word) or int(word)
        if place:
            yield place, *match.span()
