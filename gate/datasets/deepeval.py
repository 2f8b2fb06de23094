"""DeepEval: goldens and test cases with `input`, `actual_output`, `expected_output` and contexts, or `turns`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.base import Content, Format, Ledger, Row, keep, objects
from gate.datasets.columns import contexts_of, mapped, normal, number_of
from gate.datasets.turns import Turn, exchanges, role_of

_NAMES = frozenset(("actual_output", "expected_output", "retrieval_context", "context", "expected_outcome", "scenario"))
_LISTS = ("goldens", "test_cases", "testCases", "conversational_goldens", "conversationalGoldens")


def matches(content: Content) -> bool:
    """Whether the first case has the names of DeepEval."""
    rows = objects(content.value, *_LISTS)
    names = {normal(name) for name in rows[0]} if rows else set()
    return ("input" in names and not _NAMES.isdisjoint(names)) or ("turns" in names and bool(rows[0]))


def read(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each case, or for each answer of a case with turns."""
    for content in contents:
        for number, case in enumerate(objects(content.value, *_LISTS, ledger=ledger), 1):
            fields = {normal(name): value for name, value in case.items()}
            if isinstance(fields.get("turns"), list):
                yield from _conversation(fields, f"{number}", ledger)
            else:
                yield _case(fields, ledger)


def _case(fields: Mapping[str, Any], ledger: Ledger) -> Row:
    row = mapped(fields, ledger)
    seconds = number_of(row.get("completion_time"))
    if seconds is not None and "latency_ms" not in row:
        del row["completion_time"]
        row["latency_ms"] = round(1000 * seconds, 3)
    return row


def _conversation(fields: Mapping[str, Any], name: str, ledger: Ledger) -> Iterator[Row]:
    """What the case says besides its turns stays with its first answer."""
    written = objects(fields["turns"])
    turns = [Turn(role_of(turn.get("role")), _said(turn), {normal(k): v for k, v in turn.items()}) for turn in written]
    for number, exchange in enumerate(exchanges(turns, ledger), 1):
        row: Row = {"question": exchange.question, "answer": exchange.answer}
        told = [turn.fields.get("retrieval_context") for turn in exchange.answers]
        contexts = [text for value in told if value is not None for text in contexts_of(value, ledger)]
        if contexts or exchange.tools:
            row["contexts"] = [*contexts, *exchange.tools]
        row |= {"conversation": name, "turn": number}
        for turn in (*exchange.questions, *exchange.answers):
            for key in sorted(set(turn.fields) - {"role", "content", "retrieval_context"}):
                if turn.fields[key] not in (None, "", [], {}):
                    ledger.out("field of a turn", key)
        if number == 1:
            keep(row, {key: value for key, value in fields.items() if key != "turns"}, ledger)
        yield row


def _said(turn: Mapping[str, Any]) -> str | None:
    content = turn.get("content")
    return content if isinstance(content, str) else None


FORMAT = Format("a list of cases with `input` and `actual_output`, `expected_output` or `context`", matches, read)
