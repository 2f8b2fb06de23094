"""Ragas: samples with `user_input`, `response`, `retrieved_contexts`, `reference`, and those of its older versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.base import Content, Format, Ledger, Row, Turn, exchanges, keep, objects, role_of
from gate.datasets.columns import row_of, text_of

_OLD = frozenset(("answer", "contexts", "ground_truth", "ground_truths"))


def _matches(content: Content) -> bool:
    """Whether the first sample has the names of Ragas."""
    rows = _samples(content.value)
    if not rows:
        return False
    return "user_input" in rows[0] or ("question" in rows[0] and not _OLD.isdisjoint(rows[0]))


def _parse(contents: Sequence[Content], ledger: Ledger) -> Iterator[Row]:
    """One row for each sample, or for each answer of a sample with several turns."""
    for content in contents:
        for number, sample in enumerate(_samples(content.value, ledger), 1):
            if isinstance(sample.get("user_input"), list):
                yield from _conversation(sample, f"{number}", ledger)
            else:
                yield row_of(sample, ledger)


def _samples(value: Any, ledger: Ledger | None = None) -> list[dict[str, Any]]:
    """The samples of a list, of `samples`, or of columns that are lists of one length."""
    if isinstance(value, dict) and value and all(isinstance(column, list) for column in value.values()):
        columns = {name: column for name, column in value.items() if name not in ("samples", "data")}
        if columns and len({len(column) for column in columns.values()}) == 1 and "user_input" in value | _named(value):
            if ledger:
                ledger.count_fields("field beside the columns", value, columns)
            return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return objects(value, "samples", "data", ledger=ledger)


def _named(value: Mapping[str, Any]) -> dict[str, Any]:
    """Older columns are known by `question`."""
    return {"user_input": value["question"]} if "question" in value else {}


def _conversation(sample: Mapping[str, Any], name: str, ledger: Ledger) -> Iterator[Row]:
    """The reference of a sample belongs to its last answer."""
    turns = [_turn(message, ledger) for message in objects(sample["user_input"], ledger=ledger)]
    found = exchanges(turns, ledger)
    if not found:
        ledger.count_fields("field of a conversation without an answer", sample, {"user_input"})
    for number, exchange in enumerate(found, 1):
        row: Row = {"question": exchange.question, "answer": exchange.answer}
        if exchange.tools:
            row["contexts"] = list(exchange.tools)
        row |= {"conversation": name, "turn": number}
        if number == len(found):
            reference = text_of(sample.get("reference"))
            row |= {"reference": reference} if reference else {}
            used = ("user_input", "reference") if reference else ("user_input",)
            keep(row, {key: sample[key] for key in sample if key not in used}, ledger)
        yield row


def _turn(message: Mapping[str, Any], ledger: Ledger) -> Turn:
    """Who says what; a message that only calls tools says nothing. All else that it has is counted as left out."""
    speaker = "type" if message.get("type") else "role"
    ledger.count_fields("field of a message", message, {speaker, "content"})
    content = message.get("content")
    said = isinstance(content, str) and bool(content or not message.get("tool_calls"))
    return Turn(role_of(message.get(speaker)), content if said else None)


FORMAT = Format(
    "samples with `user_input`, or with `question` and `answer`, `contexts` or `ground_truth`", _matches, _parse
)
