"""The local extractor: an answer in, its atomic claims out, in order, each with the place where it was said.

Whatever is not surely something else is a claim: an answer that asserts something never comes out empty.
Code blocks show how, they assert little: one is a claim only where its lead-in is unfinished without it (`Install it with:`)
or where the answer has no other claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from gate.extraction import context
from gate.extraction.clauses import split
from gate.extraction.grammar import finite, tokenise
from gate.extraction.lexicon import AUX, BASE, DETERMINERS, PREPOSITIONS, SUBJECTS, THIRD
from gate.extraction.nonclaims import nonclaim
from gate.extraction.segments import Unit, cells, units
from gate.text import normalise, plain, tokens

MAX_CLAIMS = (
    400  # of one answer; the rest of a longer one becomes claims of CHARACTERS each: coarser, but nothing is lost
)
CHARACTERS = 1500
_CODE_SHOWN = 200  # characters of code that complete a lead-in
_OPENERS = frozenset({"if", "when", "once", "unless", "it", "they", "there", "not", "never"})
_SHORT = 8  # words of a fragment that is read together with the question


@dataclass(frozen=True, slots=True)
class Extracted:
    """One claim: self-contained `text`, said at answer[start:end]."""

    text: str
    start: int
    end: int


class Extractor(Protocol):
    """Takes answers apart; a model can do it too."""

    def extract(self, answer: str, question: str) -> list[Extracted]:
        """The claims of one answer to `question`, in order; none for a refusal."""
        ...


class LocalExtractor:
    """The extractor that needs no model."""

    def extract(self, answer: str, question: str) -> list[Extracted]:
        """See extract()."""
        return extract(answer, question)


def extract(answer_text: str, question: str = "") -> list[Extracted]:
    """The atomic claims of an answer, in order, none twice. `question` completes answers like `Yes.` or `Five.`"""
    found = list(_claims(answer_text, units(answer_text), question))
    if not found:
        found = [_tidy(answer_text, "", unit.start, unit.end) for unit in units(answer_text) if unit.kind == "code"]
    seen: set[tuple[str, ...]] = set()
    kept = []
    for claim in found:
        key = tuple(tokens(claim.text))
        if key and key not in seen:
            seen.add(key)
            kept.append(claim)
    return kept if len(kept) <= MAX_CLAIMS else [*kept[:MAX_CLAIMS], *_coarse(kept[MAX_CLAIMS:])]


@dataclass(frozen=True, slots=True)
class _Reader:
    """The answer that is read, and the question that it answers."""

    answer: str
    question: str


def _claims(answer: str, found: list[Unit], question: str) -> Iterator[Extracted]:
    reader = _Reader(answer, question)
    antecedent, paragraph = "", -1
    for i, unit in enumerate(found):
        if unit.paragraph != paragraph:
            antecedent, paragraph = "", unit.paragraph
        for claim in _of_unit(reader, found, i):
            resolved = replace(claim, text=context.resolve(claim.text, antecedent))
            antecedent = context.subject_of(resolved.text)
            yield from _windows(resolved)


def _of_unit(reader: _Reader, found: list[Unit], i: int) -> list[Extracted]:
    unit = found[i]
    raw = reader.answer[unit.start : unit.end]
    if unit.kind == "row":
        return _row(reader.answer, unit)
    if unit.kind == "code":
        fits = _unfinished(unit.lead) and unit.end - unit.start <= _CODE_SHOWN
        return [_tidy(reader.answer, f"{unit.lead}: ", unit.start, unit.end)] if fits else []
    if unit.kind == "heading" and not context.complete(plain(raw)):
        return []
    if unit.kind == "lead" and _shared(reader.answer, found, i):
        return []
    if unit.kind == "item" and not _standalone(raw, unit.lead):
        return _item(reader, unit, raw)
    following = found[i + 1] if i + 1 < len(found) else None
    return _sentence(reader, unit, reader.answer[following.start : following.end] if following else "")


def _sentence(reader: _Reader, unit: Unit, following: str) -> list[Extracted]:
    """The claims of a sentence: yes or no first, then its clauses."""
    raw = reader.answer[unit.start : unit.end]
    skip = len(raw) - len(raw.lstrip("*_ "))
    start = unit.start + skip + context.polar(raw[skip:])
    rest = plain(reader.answer[start : unit.end])
    if start > unit.start + skip and (not any(c.isalnum() for c in rest) or nonclaim(rest)):
        text = context.polar_claim(_plain(raw), reader.question, following)
        return [Extracted(_finished(text), unit.start, unit.end)] if text else []
    if nonclaim(plain(raw)):
        return []
    if not context.complete(rest):
        return _fragment(reader, unit, _plain(raw))
    found = []
    for piece in split(reader.answer, start, unit.end):
        begin = piece.start + context.strip_heads(reader.answer[piece.start : piece.end])
        if not nonclaim(plain(reader.answer[begin : piece.end])):
            found.append(_tidy(reader.answer, piece.prefix, begin, piece.end))
    return found


def _fragment(reader: _Reader, unit: Unit, text: str) -> list[Extracted]:
    """Words without a verb: a short answer to the question, or else what they are."""
    if len(text.split()) <= _SHORT:
        text = context.with_question(text, _plain(reader.question))
    return [Extracted(_finished(text), unit.start, unit.end)]


def _item(reader: _Reader, unit: Unit, raw: str) -> list[Extracted]:
    """An item that needs its lead-in: `The client supports` + `HTTP/2`."""
    if nonclaim(plain(raw)) and not unit.lead:
        return []
    lead = unit.lead[context.polar(unit.lead) :]
    lead = lead[context.strip_heads(lead) :]
    if not lead or nonclaim(lead):
        return _fragment(reader, unit, _plain(raw))
    return [_tidy(reader.answer, lead + (" " if _unfinished(lead) else ": "), unit.start, unit.end)]


def _standalone(raw: str, lead: str) -> bool:
    """Whether an item says something without its lead-in: it has a subject and a verb, or nothing leads it in."""
    text = plain(raw)
    tokens_ = tokenise(text, 0, len(text))
    colon = next((i for i, token in enumerate(tokens_[:8]) if token.text == ":"), -1)
    verb = finite(tokens_, colon + 1)
    goal = lead.lower().startswith(("to ", "in order to ", "if ", "when "))
    if not lead or (verb > colon + 1 and not goal):
        return True
    return not goal and not _unfinished(lead) and context.complete(text) and verb > 0


def _shared(answer: str, found: list[Unit], i: int) -> bool:
    """Whether a lead-in is told in what hangs under it, or is nothing without that."""
    lead = " ".join(plain(answer[found[i].start : found[i].end], ticks=True).split()).rstrip(": ")
    under = [unit for unit in found[i + 1 : i + 60] if unit.lead == lead]
    joined = [u for u in under if u.kind == "item" and not _standalone(answer[u.start : u.end], lead)]
    code = [u for u in under if u.kind == "code" and u.end - u.start <= _CODE_SHOWN]
    return bool(joined) or (_unfinished(lead) and bool(code)) or not context.complete(lead)


def _unfinished(lead: str) -> bool:
    """Whether a lead-in waits for an object: `The client supports`, `Install it with`, `Run the following command`."""
    last = lead.rstrip("*_`: ").rsplit(maxsplit=1)[-1:] or [""]
    word = last[0].lower()
    known = (
        PREPOSITIONS | AUX | THIRD | {"be", "that", "to", "include", "includes", "including", "support", "use", "run"}
    )
    return word in known or word in ("command", "line")


def _row(answer: str, unit: Unit) -> list[Extracted]:
    """A row as `first cell: header second cell; header third cell`."""
    values, names = cells(answer[unit.start : unit.end]), cells(unit.lead) if unit.lead else []
    rest = [
        f"{names[i]} {value}".strip() if i < len(names) and names[i] != value else value
        for i, value in enumerate(values)
        if i and any(c.isalnum() for c in value)
    ]
    if not any(c.isalnum() for c in "".join(values)):
        return []
    text = f"{values[0]}: {'; '.join(rest)}" if rest and values[0] else "; ".join(rest) or values[0]
    return [Extracted(_finished(normalise(text)), unit.start, unit.end)]


def _plain(text: str) -> str:
    return " ".join(normalise(plain(text, ticks=True)).split())


def _tidy(answer: str, prefix: str, start: int, end: int) -> Extracted:
    stop = start + len(answer[start:end].rstrip(" \t\n,;:—–-"))
    return Extracted(_finished(_plain(prefix + answer[start : max(stop, start + 1)])), start, max(stop, start + 1))


def _finished(text: str) -> str:
    """With a capital where a plain word begins the text, and a full stop."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    if first in SUBJECTS | DETERMINERS | PREPOSITIONS | BASE | _OPENERS:
        text = text[0].upper() + text[1:]
    return text if text[-1:] in ".!?。！？" else text.rstrip(",;: ") + "."


def _windows(claim: Extracted) -> list[Extracted]:
    """A claim, or its pieces where it is too long to be read at once."""
    if len(claim.text) <= CHARACTERS:
        return [claim]
    pieces, at = [], 0
    while at < len(claim.text):
        cut = len(claim.text) if len(claim.text) - at <= CHARACTERS else claim.text.rfind(" ", at, at + CHARACTERS) + 1
        cut = cut if cut > at else at + CHARACTERS
        pieces.append(replace(claim, text=claim.text[at:cut].strip()))
        at = cut
    return [piece for piece in pieces if piece.text]


def _coarse(claims: list[Extracted]) -> Iterator[Extracted]:
    """Neighbouring claims joined up to CHARACTERS each."""
    joined = claims[0]
    for claim in claims[1:]:
        if len(joined.text) + len(claim.text) < CHARACTERS:
            joined = Extracted(f"{joined.text} {claim.text}", joined.start, max(joined.end, claim.end))
        else:
            yield joined
            joined = claim
    yield joined
