"""What each unit of an answer states: the clauses of a sentence, an item under its lead-in, a row under its header."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gate.extraction import context, openers, polar
from gate.extraction.asides import asides
from gate.extraction.complete import complete
from gate.extraction.gapped import gapped
from gate.extraction.granted import granted
from gate.extraction.headings import only_names
from gate.extraction.items import NEAR, limited, run_on, standalone
from gate.extraction.leads import chain, empty, joined, name, ties, together, unfinished
from gate.extraction.leaning import leans
from gate.extraction.nonclaims import idle, nonclaim
from gate.extraction.pieces import Piece
from gate.extraction.questions import turn
from gate.extraction.reasoned import clauses
from gate.extraction.relatives import relatives
from gate.extraction.segments import Unit
from gate.extraction.shares import shares
from gate.extraction.short import barred, flatly, on_condition, reason
from gate.extraction.tables import told
from gate.extraction.wording import Extracted, one_line, sentence, tidy
from gate.text import plain

_CODE_SHOWN = 200  # characters of code that complete a lead-in
_BARE = 2  # words of a condition that nothing is said of: `only if`
_YES_NO = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]+)[)\]]\.?")


@dataclass(frozen=True, slots=True)
class Reader:
    """The answer that is read, the question that it answers, its layout, and the names of code in both."""

    answer: str
    question: str
    units: list[Unit]
    names: frozenset[str]

    def claim(self, prefix: str, start: int, end: int) -> Extracted:
        """The claim `prefix` + answer[start:end]."""
        return tidy(self.answer, prefix, start, end, self.names)

    def raw(self, unit: Unit) -> str:
        """The text of a unit as written."""
        return self.answer[unit.start : unit.end]


def of_unit(reader: Reader, i: int) -> list[Extracted]:
    """The claims of the i-th unit, in order."""
    unit = reader.units[i]
    if unit.kind == "row":
        said = told(reader.raw(unit), unit.lead)
        return [Extracted(sentence(said), unit.start, unit.end)] if said else []
    if unit.kind == "code":
        fits = unfinished(unit.lead) and unit.end - unit.start <= _CODE_SHOWN
        return [reader.claim(f"{unit.lead}: ", unit.start, unit.end)] if fits else []
    if unit.kind == "heading" and (only_names(reader.raw(unit)) or not complete(one_line(reader.raw(unit)))):
        said = one_line(reader.raw(unit))
        return [reader.claim("", unit.start, unit.end)] if name(said) != said else []  # `Basic - $9` tells a price
    if unit.kind == "heading" and limited(reader.answer, reader.units, i):
        return []
    if unit.kind == "lead":
        return _lead(reader, i)
    if unit.kind == "item" and unit.lead and not standalone(reader.answer, reader.units, i):
        return _item(reader, i)
    return _sentence(reader, i)


def _sentence(reader: Reader, i: int) -> list[Extracted]:
    """The claims of a sentence: yes or no first, then its clauses."""
    unit = reader.units[i]
    raw = reader.raw(unit)
    inner = _BRACKETED.fullmatch(raw)
    if inner:
        unit = Unit(unit.kind, unit.start + inner.start(1), unit.start + inner.end(1), unit.lead, unit.paragraph)
        raw = inner[1]
    asked = turn(raw)
    if asked and not nonclaim(plain(raw)):  # `The fee is 5 euros, so shall I book it?` tells the fee
        unit, raw = replace(unit, end=unit.start + asked), raw[:asked]
    whole = unit.start + len(raw) - len(raw.lstrip("*_ "))
    label = openers.strip_heads(reader.answer[whole : unit.end])  # `Short answer: Yes, it is`
    whole += label if polar.head(reader.answer[whole + label : unit.end]) else 0
    start = whole + polar.head(reader.answer[whole : unit.end])
    rest = one_line(reader.answer[start : unit.end])
    waits = rest.endswith(":") and (empty(rest) or (_tabled(reader, i) and not complete(rest)))
    if start > whole and (waits or nonclaim(rest)):
        behind = [reader.raw(other) for other in reader.units[i + 1 : i + 4] if other.paragraph == unit.paragraph]
        said = reader.answer[whole : start if waits else unit.end]
        text = polar.claimed(one_line(said), reader.question, " ".join(behind))
        return [Extracted(sentence(text, reader.names), unit.start, unit.end)] if text else []
    if waits or idle(plain(raw), reader.question):
        return [] if waits else _stated(reader, granted(reader.answer, unit.start, unit.end))
    start = reason(reader.answer, start, unit.end)
    if not complete(rest[openers.strip_heads(rest) :]):
        beside = [*shares(reader.answer, Piece("", start, unit.end))[1:], *asides(reader.answer, start, unit.end)]
        return [_fragment(reader, unit), *_stated(reader, beside)]
    first, *others = clauses(reader.answer, start + openers.strip_heads(reader.answer[start : unit.end]), unit.end)
    pieces = [replace(first, start=start), *others]  # the place of a claim holds its speaker's doubt
    found = _stated(reader, [piece for main in pieces for piece in _told(reader.answer, main)])
    found = [barred(claim, unit.lead) for claim in found] if unit.kind == "sentence" else found
    said = one_line(reader.answer[whole:start])
    if found and (said or i == 0):
        found[0] = on_condition(found[0], said, reader.question, reader.names)
    short = flatly(said, rest, reader.question) if found else ""
    return [Extracted(sentence(short, reader.names), unit.start, start), *found] if short else found


def _told(answer: str, main: Piece) -> list[Piece]:
    """What a clause states: itself, what it says of a part, what relative clauses add to it, and its asides."""
    parts = [piece for relative in relatives(answer, main) for piece in shares(answer, relative)]
    mains = [piece for part in parts for piece in gapped(answer, part)]
    return [*mains, *asides(answer, main.start, main.end)]


def _tabled(reader: Reader, i: int) -> bool:
    """Whether a table follows the i-th unit."""
    return i + 1 < len(reader.units) and reader.units[i + 1].kind == "row"


def _stated(reader: Reader, pieces: list[Piece]) -> list[Extracted]:
    """The claims of the pieces that claim something."""
    found = []
    for piece in pieces:
        said = reader.answer[piece.start : piece.end]
        bare, hedged = openers.heads(said)
        begin = piece.start + bare
        if not idle(plain(reader.answer[begin : piece.end]), reader.question):
            shared = piece.prefix[min(openers.strip_heads(piece.prefix + said), len(piece.prefix)) :]
            claim = reader.claim(shared, begin, piece.end)
            found.append(replace(claim, start=piece.start + hedged))
    return found


def _fragment(reader: Reader, unit: Unit) -> Extracted:
    """Words without a verb: a short answer to the question, or else what they are."""
    text = one_line(reader.raw(unit))
    text = text[openers.strip_heads(text) :]
    lead = together((*unit.outer, unit.lead)) if unit.kind == "sentence" else ""
    if lead:
        return Extracted(sentence(joined(lead) + text, reader.names), unit.start, unit.end)
    if (polar.brief(text) or _YES_NO.search(text)) and not context.foreign(text):
        text = polar.with_question(text, reader.question)
    return Extracted(sentence(text, reader.names), unit.start, unit.end)


def _lead(reader: Reader, i: int) -> list[Extracted]:
    """A lead-in states something of its own, unless that is told in every item under it."""
    unit = reader.units[i]
    lead = one_line(reader.raw(unit)).rstrip(": ")
    near = range(i + 1, min(i + NEAR, len(reader.units)))
    below = [j for j in near if reader.units[j].lead == lead or lead in reader.units[j].outer]
    under = [reader.units[j] for j in below]
    items = (j for j in below if reader.units[j].kind == "item" and not standalone(reader.answer, reader.units, j))
    needy = ((*reader.units[j].outer, reader.units[j].lead) for j in items)
    told = any(leads[-1] == lead or lead in chain(leads) for leads in needy)
    shown = unfinished(lead) and any(u.kind == "code" and u.end - u.start <= _CODE_SHOWN for u in under)
    if told and name(lead) != lead:
        return _item(reader, i) if unit.lead else _sentence(reader, i)
    if told or shown:
        return []
    if under and not complete(lead):
        return [_fragment(reader, unit)] if _YES_NO.search(lead[polar.head(lead) :]) else []
    return _sentence(reader, i)


def _item(reader: Reader, i: int) -> list[Extracted]:
    """An item that needs its lead-in: `The client supports` + `HTTP/2`."""
    unit = reader.units[i]
    lead = together((*unit.outer, unit.lead))
    leaning = leans(one_line(reader.raw(unit)))  # `The mill stops`: `It has no grain`
    tied = ties(lead) and unfinished(lead)
    front = f"{lead.rstrip(':')}: " if leaning and not tied else joined(lead)
    if tied and len(lead.split()) <= _BARE:
        front = polar.with_question(joined(unit.lead), reader.question)  # `Yes, if`
    elif run_on(reader.answer, reader.units, i):
        front = f"{lead} "
    return [reader.claim(front, unit.start, unit.end)] if lead else _sentence(reader, i)
