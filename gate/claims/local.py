"""The local extractor: an answer in, its claims out, in order, as written, each with the context that it leans on."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gate.claims.base import BEFORE, Extracted, context_of
from gate.claims.no_claim import UnitPlace, chance, states_something
from gate.claims.units import Unit, units
from gate.text import code_spans, tokens
from gate.text.output import inside

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
