"""Which units state nothing: a logistic regression over hashed words and letters, trained by `training.no_claim`.

It says how likely a unit is a greeting, an offer, a heading, a refusal, a list of sources, ... The bar is chosen so
that at least 99.5 of 100 units that state something stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from gate.text import normalise

WEIGHTS = Path(__file__).parents[1] / "models" / "no_claim" / "weights.npz"
BUCKETS = 1 << 17
_MOST = 400  # characters that are looked at, from the beginning and the end of a longer unit
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[^\w\s]")
_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_EDGES = re.compile(r"(?<=[\w\s]).*(?=[\w\s])|\w|\s", re.DOTALL)  # all but the marks around a unit
_SHORT = 6  # words of a unit that the question's first word tells something about
_LETTERS = (3, 4, 5)  # characters of an n-gram


class UnitPlace(NamedTuple):
    """Where a unit stands: its kind, how many units come before and after it, whether others stand under it, whether it
    is a row under a header, and its lead-in."""

    kind: str = "sentence"
    before: int = 0
    after: int = 0
    opens: bool = False
    headed: bool = False
    lead: str = ""


ALONE = UnitPlace()


def states_something(text: str, question: str = "", place: UnitPlace = ALONE) -> bool:
    """Whether a unit is more than a greeting and its like; what is in another script than Latin always is."""
    letters = [c for c in text[:_MOST] if c.isalpha()]
    return 2 * sum(c > "\u024f" for c in letters) > len(letters) or chance(text, question, place) < _model()[2]


def chance(text: str, question: str = "", place: UnitPlace = ALONE) -> float:
    """How likely a unit states nothing, 0 to 1."""
    import numpy as np  # only when something is extracted: `gate --help` does without

    weights, bias, _ = _model()
    return float(1 / (1 + np.exp(-(weights[buckets(text, question, place)].sum() + bias))))


def buckets(text: str, question: str, place: UnitPlace) -> Any:
    """The features of a unit as places in the table of weights."""
    import numpy as np

    raw = text if len(text) <= 2 * _MOST else f"{text[:_MOST]} {text[-_MOST:]}"
    shown = " ".join(normalise(_MARKS.sub("", raw)).lower().split())
    words = ["0" if word.isdigit() else word for word in _WORD.findall(shown)]
    marks = _EDGES.sub("", raw)
    names = [*_phrases(words), f"m:{marks}", f"mk:{place.kind}{marks}{place.opens:d}"]
    names += _frame(shown, words, question.lower(), place)
    return np.fromiter(_hashed(names).union(*map(_letters, words)), dtype=np.int64)


def _hashed(names: Iterable[str]) -> frozenset[int]:
    return frozenset(crc32(name.encode()) % BUCKETS for name in names)


@lru_cache(maxsize=1 << 12)  # most words of a text come again
def _letters(word: str) -> frozenset[int]:
    framed = f"<{word}>"
    return _hashed(f"c:{framed[i : i + n]}" for n in _LETTERS for i in range(len(framed) - n + 1))


def _phrases(words: list[str]) -> Iterator[str]:
    framed = ["<", *words, ">"]
    for n in (1, 2, 3):
        for i in range(len(framed) - n + 1):
            yield f"{n}:{' '.join(framed[i : i + n])}"


def _frame(shown: str, words: list[str], question: str, place: UnitPlace) -> Iterator[str]:
    """What is known of a unit besides its words."""
    count = len(words) if len(words) < 8 else 8 + min(len(words), 40) // 4
    first, last = place.before == 0, place.after == 0
    where = f"{place.kind}{first:d}{last:d}{place.opens:d}{place.headed:d}{place.lead != '':d}"
    ends = shown.rstrip("*_\"')")[-1:]
    ends = "a" if ends.isalnum() else ends
    yield from (f"w:{where}", f"l:{count}", f"e:{ends}", f"le:{count}{ends}", f"wl:{where}{count}", f"we:{where}{ends}")
    yield from (f"wf:{first:d}{last:d}{' '.join(words[:2])}", f"d:{any(c.isdigit() for c in shown):d}{where}")
    asked = _WORD.findall(question)
    yield from (f"q:{min(len(set(words) & set(asked)), 5)}{count}", f"a:{bool(asked):d}{count}")
    yield from (f"u:{word}" for word in _WORD.findall(place.lead.lower())[-4:])
    if len(words) < _SHORT:
        yield from (f"qs:{'?' in question}{' '.join(words)}", f"qw:{' '.join(asked[:1])}:{' '.join(words[:1])}")


@lru_cache(maxsize=1)
def _model() -> tuple[Any, float, float]:
    """(weights, bias, bar) as trained."""
    import numpy as np

    with np.load(WEIGHTS) as stored:
        weights = stored["weights"].astype(np.float32) * float(stored["scale"])
        return weights, float(stored["bias"]), float(stored["bar"])
