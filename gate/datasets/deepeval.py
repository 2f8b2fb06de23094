"""DeepEval: goldens and test cases with `input`, `actual_output`, `expected_output` and contexts, or `turns`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.base import Content, Format, Ledger, Row, Turn, exchanges, is_filled, keep, objects, role_of
from gate.datasets.columns import ALIASES, contexts_of, normalise_name, number_of, parse_list, row_of

_NAMES = frozenset(("actual_output", "expected_output", "retrieval_context", "context", "expected_outcome", "scenario"))
_LISTS = ("goldens", "test_cases", "testCases", "conversational_goldens", "conversationalGoldens")


def _matches(content: Content) -> bool:
    """Whether the first case has the names of DeepEval."""
    rows = objects(content.value, *_LISTS)
    names = {normalise_name(name) for name in rows[0]} if rows else set()
    return ("input" in names and not _NAMES.isdisjoint(names)) or ("turns" in names and bool(rows[0]))


def _parse(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each case, or for each answer of a case with turns."""
    for content in contents:
        for number, case in enumerate(objects(content.value, *_LISTS, ledger=ledger), 1):
            fields = _named(case, ledger)
            if content.kind == "csv":
                fields = {name: _parted(name, value) for name, value in fields.items()}
            if isinstance(fields.get("turns"), list):
                yield from _conversation(fields, f"{number}", ledger)
            else:
                yield _case(fields, ledger)


def _named(fields: Mapping[str, Any], ledger: Ledger) -> dict[str, Any]:
    """The fields by their names as Python writes them; one that is there in two spellings counts once."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if found.setdefault(normalise_name(name), value) is not value and is_filled(value):
            ledger.count("field that is there twice", name)
    return found


def _parted(name: str, cell: Any) -> Any:
    """The contexts of a cell: DeepEval writes them with `|` in between."""
    if name not in ALIASES["contexts"] or not isinstance(cell, str) or isinstance(parse_list(cell), list):
        return cell
    return cell.split("|")


def _case(fields: Mapping[str, Any], ledger: Ledger) -> Row:
    row = row_of(fields, ledger)
    seconds = number_of(row.get("completion_time"))
    if seconds is not None and "latency_ms" not in row:
        del row["completion_time"]
        row["latency_ms"] = round(1000 * seconds, 3)
    return row


def _conversation(fields: Mapping[str, Any], name: str, ledger: Ledger) -> Iterator[Row]:
    """What the case says besides its turns stays with its first answer."""
    turns = [_turn(_named(turn, ledger), ledger) for turn in objects(fields["turns"], ledger=ledger)]
    found = exchanges(turns, ledger)
    if not found:
        ledger.count_fields("field of a conversation without an answer", fields, {"turns"})
    for number, exchange in enumerate(found, 1):
        row: Row = {"question": exchange.question, "answer": exchange.answer}
        told = [turn.fields.get("retrieval_context") for turn in exchange.answers]
        contexts = [text for value in told if value is not None for text in contexts_of(value, ledger)]
        if contexts or exchange.tools:
            row["contexts"] = [*contexts, *exchange.tools]
        row |= {"conversation": name, "turn": number}
        if number == 1:
            keep(row, {key: value for key, value in fields.items() if key != "turns"}, ledger)
        yield row


def _turn(fields: Mapping[str, Any], ledger: Ledger) -> Turn:
    """Who says what, with the contexts of an answer. All else that a turn has is counted as left out."""
    role, content = role_of(fields.get("role")), fields.get("content")
    kept = {"retrieval_context": fields.get("retrieval_context")} if role == "assistant" else {}
    ledger.count_fields("field of a turn", fields, {"role", "content", *kept})
    return Turn(role, content if isinstance(content, str) else None, kept)


FORMAT = Format("a list of cases with `input` and `actual_output`, `expected_output` or `context`", _matches, _parse)
