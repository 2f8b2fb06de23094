"""Claims that people labelled: read from JSON lines, and given to a judge as a run would give them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gate.agents.retrieve_evidence import PASSAGES
from gate.errors import InputFileError
from gate.jsonl import Row, read_rows
from gate.records import Claim, Evidence, Label
from gate.store.passages import best_passages, cut

MOST = 100_000  # rows
_NAMED = {label.value: label for label in (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED)}
_SHORT = 80  # words: one passage
_HINT = "a line needs `claim`, `evidence` and `label`: 1 or 0, or supported, weakly_supported or unsupported"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One row: the claim as a run knows it, people's label, and the passages of its evidence that speak of it.
    `repeats` is the line of the first row with this very claim and evidence, 0 where this is it."""

    claim: Claim
    people: Label
    evidence: tuple[Evidence, ...]
    group: str
    line: int
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class Labels:
    """A file of labelled claims; `sha256` (hex) is of its bytes. `again` rows that say what an earlier one says are
    left out of `rows`."""

    name: str
    sha256: str
    rows: tuple[Labelled, ...]
    again: int = 0


def read_labels(path: Path) -> Labels:
    """Read and check every row. `group` (optional) names what rows have in common: a document, an answer. A row
    without a group of its own that says what an earlier one says tells nothing new, and is left out; with another label
    it is of the group of the first.

    Errors: InputFileError with file and line.
    """
    rows: list[Labelled] = []
    again = 0
    firsts: dict[tuple[str, tuple[str, ...]], Labelled] = {}
    digest = hashlib.sha256()
    for row in read_rows(path, digest.update, _HINT):
        if len(rows) == MOST:
            raise InputFileError(f"{path}: more than {MOST:,} rows", "calibrate on a part of them, drawn at random")
        made = _labelled(path.name, row)
        first = firsts.setdefault((made.claim.text, row.texts("evidence")), made)
        if first is made or _group(row):
            rows.append(made if first is made else replace(made, repeats=first.line))
        elif made.people is first.people:
            again += 1
        else:
            rows.append(replace(made, group=first.group, repeats=first.line))
    if not rows:
        raise InputFileError(f"{path}: no labelled claim in it", _HINT)
    return Labels(path.name, digest.hexdigest(), tuple(rows), again)


def repeated(labels: Labels) -> list[str]:
    """What a reader should know of rows that stand in the file more than once."""
    people = {row.line: row.people for row in labels.rows}
    against = [row for row in labels.rows if row.repeats and row.people is not people[row.repeats]]
    notes = []
    if labels.again:
        notes.append(f"left out, since they say what an earlier row says: {labels.again}")
    if against:
        lines = ", ".join(f"{row.repeats} and {row.line}" for row in against[:3])
        notes.append(
            f"the same claim and evidence with another label: {len(against)} of {len(labels.rows)} rows (lines {lines})"
        )
    return notes


def passages(claim: str, texts: Sequence[str], source: str, line: int) -> tuple[Evidence, ...]:
    """What a judge sees of the evidence: the passages that a run would keep of it, best first.

    Evidence that shares no word with the claim is short enough to be shown as it is, or nothing was found in it.
    """
    chunks = [
        Evidence(source, line, text, 1.0, lines=(line,) * (text.count("\n") + 1), chunk_id=str(number))
        for number, text in enumerate(texts)
        if text.strip()
    ]
    found = best_passages(claim, [cut(chunk) for chunk in chunks], PASSAGES)
    return found or tuple(chunk for chunk in chunks if len(chunk.text.split()) <= _SHORT)[:PASSAGES]


def _labelled(source: str, row: Row) -> Labelled:
    text, place = row.text("claim"), f"line {row.line}"
    if row.fields.get("evidence") is None:
        raise row.fault("`evidence` is missing")
    return Labelled(
        Claim(place, place, place, text, 0, len(text), context=row.optional_text("context") or ""),
        _label(row),
        passages(text, row.texts("evidence"), source, row.line),
        _group(row) or place,
        row.line,
    )


def _label(row: Row) -> Label:
    value = row.fields.get("label")
    if isinstance(value, int | float) and value in (0, 1):  # true and false are 1 and 0
        return Label.SUPPORTED if value else Label.UNSUPPORTED
    named = _NAMED.get(value.strip().lower()) if isinstance(value, str) else None
    if named is None:
        raise row.fault("`label` must be 1, 0, supported, weakly_supported or unsupported")
    return named


def _group(row: Row) -> str:
    value = row.fields.get("group")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"group {value}"
    named = row.optional_text("group")
    return f"group {named}" if named else ""
