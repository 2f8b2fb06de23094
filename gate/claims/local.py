"""The local extractor: an answer in, its claims out, in order, as written, each with the context that it leans on: the
question, the lead-in, the units before it.

Which units state nothing a logistic regression over hashed words and letters says, trained by `training.no_claim`: how
likely one is a greeting, an offer, a heading, a refusal, a list of sources, ... The bar is chosen so that at least 99.5
of 100 units that state something stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from zlib import crc32

from gate.claims.units import Unit, units
from gate.text import code_spans, normalise, plain, tokens
from gate.text.output import inside

PIECE = 200  # characters of a piece
BEFORE = 2  # units before a claim
WEIGHTS = Path(__file__).parents[1] / "models" / "no_claim" / "weights.npz"
BUCKETS = 1 << 17
_MOST = 400  # characters that are looked at, from the beginning and the end of a longer unit
_TERM = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[^\w\s]")
_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_EDGES = re.compile(r"(?<=[\w\s]).*(?=[\w\s])|\w|\s", re.DOTALL)  # all but the marks around a unit
_SHORT = 6  # words of a unit that the question's first word tells something about
_LETTERS = (3, 4, 5)  # characters of an n-gram
SURE = 0.02  # chance below which a part of a unit that looks like no claim states something for sure
FACT = 3  # words of such a part
FEW = 6  # words of a claim that its context gives a meaning of its own
_MACHINE = re.compile(r"`{3}|[{}\[\]<>]")
LONG = 20  # words of a unit from which on it is cut
LONGEST = 1500  # characters of a clause: what is longer is cut at a blank
_FEWEST = 6  # words of a half that has a subject and a verb: an item of a list is shorter
_JOINER = re.compile(r";\s+|(?:,|\s[–—-])\s+(?=(?:and|but|so|or|yet|while|whereas)\s)")
_PAUSE = re.compile(r"[,;:!](?:\*\*)?\s+|\s[–—-]\s+")
_OPEN, _SHUT = "([{“", ")]}”"
_WORD = re.compile(r"\S*[^\W_]\S*")
MAX_CLAIMS = 400  # of one answer; what a longer one says beyond becomes fewer, longer claims: nothing is lost


@dataclass(frozen=True, slots=True)
class Extracted:
    """One claim, said at answer[start:end]; `text` is verbatim unless a model put it into words.

    `context` and `header` are those of gate.records.Claim.
    """

    text: str
    start: int
    end: int
    context: str = ""
    header: str = ""


class Extractor(Protocol):
    """Takes answers apart; a model can do it too."""

    def extract(self, answer: str, question: str) -> list[Extracted]:
        """The claims of one answer to `question`, in order; none for a refusal."""
        ...


def piece(text: str) -> str:
    """`text` in one plain line of at most PIECE characters; the end of a longer one, which stands nearest."""
    line = " ".join(normalise(plain(text[-4 * PIECE :])).split())
    return line if len(line) <= PIECE else line[-PIECE:].partition(" ")[2] or line[-PIECE:]


def context_of(question: str, lead: str, before: Iterable[str]) -> str:
    """The pieces in lines: the question (an empty line where there is none), the lead-in, the units before."""
    asked = piece(question)
    above = piece(lead)
    others = [line for text in before if (line := piece(text)) and line != above]
    return "\n".join([asked, *([above] if above else []), *others[-BEFORE:]])


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

    return np.fromiter({crc32(name.encode()) % BUCKETS for name in _features(text, question, place)}, dtype=np.int64)


def _features(text: str, question: str, place: UnitPlace) -> Iterator[str]:
    raw = text if len(text) <= 2 * _MOST else f"{text[:_MOST]} {text[-_MOST:]}"
    shown = " ".join(normalise(_MARKS.sub("", raw)).lower().split())
    words = ["0" if word.isdigit() else word for word in _TERM.findall(shown)]
    framed = ["<", *words, ">"]
    for n in (1, 2, 3):
        for i in range(len(framed) - n + 1):
            yield f"{n}:{' '.join(framed[i : i + n])}"
    for word in words:
        for n in _LETTERS:
            for i in range(len(word) - n + 3):
                yield f"c:{f'<{word}>'[i : i + n]}"
    marks = _EDGES.sub("", raw)
    yield from (f"m:{marks}", f"mk:{place.kind}{marks}{place.opens:d}")
    yield from _frame(shown, words, question.lower(), place)


def _frame(shown: str, words: list[str], question: str, place: UnitPlace) -> Iterator[str]:
    """What is known of a unit besides its words."""
    count = len(words) if len(words) < 8 else 8 + min(len(words), 40) // 4
    first, last = place.before == 0, place.after == 0
    where = f"{place.kind}{first:d}{last:d}{place.opens:d}{place.headed:d}{place.lead != '':d}"
    ends = shown.rstrip("*_\"')")[-1:]
    ends = "a" if ends.isalnum() else ends
    yield from (f"w:{where}", f"l:{count}", f"e:{ends}", f"le:{count}{ends}", f"wl:{where}{count}", f"we:{where}{ends}")
    yield from (f"wf:{first:d}{last:d}{' '.join(words[:2])}", f"d:{any(c.isdigit() for c in shown):d}{where}")
    asked = _TERM.findall(question)
    yield from (f"q:{min(len(set(words) & set(asked)), 5)}{count}", f"a:{bool(asked):d}{count}")
    yield from (f"u:{word}" for word in _TERM.findall(place.lead.lower())[-4:])
    if len(words) < _SHORT:
        yield from (f"qs:{'?' in question}{' '.join(words)}", f"qw:{' '.join(asked[:1])}:{' '.join(words[:1])}")


@lru_cache(maxsize=1)
def _model() -> tuple[Any, float, float]:
    """(weights, bias, bar) as trained."""
    import numpy as np

    with np.load(WEIGHTS) as stored:
        weights = stored["weights"].astype(np.float32) * float(stored["scale"])
        return weights, float(stored["bias"]), float(stored["bar"])


class LocalExtractor:
    """The extractor that needs no model."""

    def extract(self, answer: str, question: str) -> list[Extracted]:
        """The claims of one answer to `question`, in order; none for a refusal."""
        return extract(answer, question)


def extract(answer: str, question: str = "") -> list[Extracted]:
    """The claims of an answer, in order: its units that state something, long ones in clauses."""
    found = units(answer)
    stating = [unit.kind == "code" or _states(answer, question, found, i) for i, unit in enumerate(found)]
    only_code = not any(says and unit.kind != "code" for unit, says in zip(found, stating, strict=True))
    claims: list[Extracted] = []
    for i, unit in enumerate(found):
        if stating[i] and (unit.kind != "code" or unit.opens or only_code):
            claims += _claims(answer, question, found, stating, i)
    claims = distinct(claims)
    return claims if len(claims) <= MAX_CLAIMS else [*claims[:MAX_CLAIMS], *coarse(answer, claims[MAX_CLAIMS:])]


def _states(answer: str, question: str, found: Sequence[Unit], i: int) -> bool:
    unit, place = found[i], place_of(found, i)
    if place.headed or states_something(answer[unit.start : unit.end], question, place):
        return True
    pieces = [answer[a:b] for a, b in parts(answer, unit.start, unit.end)]
    pieces += _MACHINE.split(answer[unit.start : unit.end])  # a tool call behind a fact hides no fact
    return len(pieces) > 2 and any(
        len(piece.split()) >= FACT and chance(piece, question, place) < SURE for piece in pieces
    )


def place_of(found: Sequence[Unit], i: int) -> UnitPlace:
    """Where the i-th unit of an answer stands."""
    unit = found[i]
    lead = unit.lead if unit.kind in ("item", "row", "value") else ""
    return UnitPlace(unit.kind, i, len(found) - 1 - i, unit.opens, unit.head[1] > 0, lead)


def _claims(answer: str, question: str, found: Sequence[Unit], stating: Sequence[bool], i: int) -> Iterator[Extracted]:
    unit = found[i]
    before = [answer[other.start : other.end] for other in found[max(0, i - BEFORE - 1) : i]]
    header = _header(answer, found, stating, i)
    for start, end in clauses(answer, unit.start, unit.end):
        yield Extracted(answer[start:end], start, end, context_of(question, unit.lead, before), header)
        before.append(answer[start:end])


def _header(answer: str, found: Sequence[Unit], stating: Sequence[bool], i: int) -> str:
    """The header of the table that the i-th unit is a row of: the one with a ruler, or a first row that states
    nothing."""
    head = found[i].head
    if head[1] and not found[i].ruled:
        first = bisect_left(found, head[0], key=lambda unit: unit.start)
        return "" if stating[first] else answer[slice(*head)]
    return answer[slice(*head)]


def distinct(claims: Iterable[Extracted]) -> list[Extracted]:
    """The claims without those that say again what an earlier one says: the same words in the same place of the layout.

    A few words (`Free.`) say something else behind other units.
    """
    found: dict[tuple[object, ...], Extracted] = {}
    for claim in claims:
        said = tuple(tokens(claim.text))
        found.setdefault((said, claim.header, claim.context if len(said) < FEW else ""), claim)
    return list(found.values())


def coarse(answer: str, claims: Sequence[Extracted]) -> Iterator[Extracted]:
    """Neighbouring claims joined up to LONGEST characters each."""
    first = claims[0]
    start, end = first.start, first.end
    for claim in claims[1:]:
        if claim.end - start <= LONGEST and claim.start >= end:
            end = claim.end
        else:
            yield replace(first, text=answer[start:end] if end != first.end else first.text, end=end)
            first, start, end = claim, claim.start, claim.end
    yield replace(first, text=answer[start:end] if end != first.end else first.text, end=end)


def clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of the clauses of the unit text[start:end], in order; all its words are in one of them."""
    spans = [(start, end)]
    if len(_WORD.findall(text, start, end)) > LONG:
        edges = [start, *(place for cut in _cuts(text, start, end) for place in cut), end]
        spans, stood = [], False
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            stands = len(_WORD.findall(text, a, b)) >= _FEWEST
            joined = bool(spans) and not (stood and stands)
            if joined:
                spans[-1] = (spans[-1][0], b)
            else:
                spans.append((a, b))
            stood = stands or (joined and stood)
    return [piece for span in spans for piece in short(text, *span)]


def parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A unit of any length in the pieces between its commas, colons and dashes: `Hi there, dogs are welcome`."""
    codes = code_spans(text, start, end)
    cuts = [found.span() for found in _PAUSE.finditer(text, start, end) if not inside(codes, found.start())]
    edges = [start, *(place for cut in cuts for place in cut), end]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _cuts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """(end of the left half, begin of the right one) at each joiner outside code and brackets."""
    codes = code_spans(text, start, end)
    depth, at = 0, start
    for found in _JOINER.finditer(text, start, end):
        depth += sum((c in _OPEN) - (c in _SHUT) for c in text[at : found.start()])
        at = found.start()
        if depth <= 0 and not inside(codes, at):
            yield found.span()


def short(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """text[start:end] in pieces of at most LONGEST characters, cut at blanks."""
    while end - start > LONGEST:
        cut = text.rfind(" ", start + LONGEST // 2, start + LONGEST) + 1 or start + LONGEST
        yield start, cut
        start = cut
    yield start, end
