"""One sample a row: plain tables, Ragas and DeepEval, whose names the gate knows, also with conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gate.datasets.base import (
    ALIASES,
    Content,
    Format,
    Leftovers,
    NewRow,
    contexts_of,
    decoded,
    has_question,
    is_filled,
    keep,
    normalise_name,
    number_of,
    object_of,
    objects,
    parse_list,
    row_of,
    text_of,
)
from gate.datasets.conversations import Turn, exchanges, last_exchange, loose, passages, with_contexts
from gate.datasets.messages import call_of, turns_in, turns_of
from gate.errors import InputFileError

_OLD_RAGAS = frozenset(("answer", "contexts", "ground_truth", "ground_truths"))
_DEEPEVAL = frozenset(
    ("actual_output", "expected_output", "retrieval_context", "context", "expected_outcome", "scenario")
)
_LISTS = ("goldens", "test_cases", "testCases", "conversational_goldens", "conversationalGoldens")


def _is_table(content: Content) -> bool:
    """Whether the first row has a column for the question, or a row of a CSV file has."""
    rows = objects(content.value)
    return content.kind in ("csv", "json") and has_question(_columns(rows if content.kind == "csv" else rows[:1]))


def _parse_table(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each row. Errors: InputFileError where no column is the question."""
    for content in contents:
        rows = objects(content.value, left=left)
        if not has_question(_columns(rows)):
            raise no_question(content)
        for row in rows:
            yield row_of(row, left)


def no_question(content: Content) -> InputFileError:
    """The error about a table in which no column is the question: those that there are, and those that it needs."""
    shown = ", ".join(name[:40] for name in _columns(objects(content.value))[:12]) or "no columns"
    names = {place: ", ".join(ALIASES[place]) for place in ("question", "answer")}
    return content.fault(
        f"no column is the question (there are: {shown})",
        f"name one of them {names['question']}; one with recorded answers {names['answer']}",
    )


def _columns(rows: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _is_ragas(content: Content) -> bool:
    """Whether the first sample has the names of Ragas."""
    rows = _samples(content.value)
    if not rows:
        return False
    return "user_input" in rows[0] or ("question" in rows[0] and not _OLD_RAGAS.isdisjoint(rows[0]))


def _parse_ragas(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each sample, or for each answer of a sample with several turns."""
    for content in contents:
        for number, sample in enumerate(_samples(content.value, left), 1):
            if isinstance(sample.get("user_input"), list):
                yield from _ragas_conversation(sample, f"{number}", left)
            else:
                yield row_of(sample, left)


def _samples(value: Any, left: Leftovers | None = None) -> list[dict[str, Any]]:
    """The samples of a list, of `samples`, or of columns that are lists of one length."""
    if isinstance(value, dict) and value and all(isinstance(column, list) for column in value.values()):
        columns = {name: column for name, column in value.items() if name not in ("samples", "data")}
        known = "user_input" in value or "question" in value
        if columns and len({len(column) for column in columns.values()}) == 1 and known:
            if left:
                left.count_fields("field beside the columns", value, columns)
            return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return objects(value, "samples", "data", left=left)


def _ragas_conversation(sample: Mapping[str, Any], name: str, left: Leftovers) -> Iterator[NewRow]:
    """The reference of a sample belongs to its last answer."""
    turns = [turn for message in objects(sample["user_input"], left=left) for turn in turns_of(message, left)]
    found = exchanges(turns, left)
    rest = {field: value for field, value in sample.items() if field != "user_input"}
    if not found:
        left.count_fields("field of a conversation without an answer", rest)
    for number, exchange in enumerate(found, 1):
        row = exchange.numbered(name, number)
        if number == len(found):
            if reference := text_of(rest.get("reference")):
                row["reference"] = reference
                del rest["reference"]
            keep(row, rest, left)
        yield row


def _is_deepeval(content: Content) -> bool:
    """Whether the first case has the names of DeepEval."""
    rows = objects(content.value, *_LISTS)
    names = {normalise_name(name) for name in rows[0]} if rows else set()
    return ("input" in names and not _DEEPEVAL.isdisjoint(names)) or "turns" in names


def _parse_deepeval(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each case, or for each answer of a case with turns."""
    for content in contents:
        for number, case in enumerate(objects(content.value, *_LISTS, left=left), 1):
            fields = _normalised(case, left)
            if content.kind == "csv":
                fields = {name: _parted(name, value) for name, value in fields.items()}
                fields["turns"] = decoded(fields.get("turns"))
            if isinstance(fields.get("turns"), list):
                yield from _deepeval_conversation(fields, f"{number}", left)
            else:
                yield _case(fields, left)


def _normalised(fields: Mapping[str, Any], left: Leftovers) -> dict[str, Any]:
    """The fields by their names as Python writes them; one that is there in two spellings counts once."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if found.setdefault(normalise_name(name), value) is not value and is_filled(value):
            left.count("field that is there twice", name)
    return found


def _parted(name: str, cell: Any) -> Any:
    """The contexts of a cell: DeepEval writes them with `|` in between."""
    listed = name in ALIASES["contexts"] and isinstance(cell, str) and bool(cell.strip())
    if not listed or isinstance(parse_list(cell), list):
        return cell
    return cell.split("|")


def _case(fields: Mapping[str, Any], left: Leftovers) -> NewRow:
    row = row_of(fields, left)
    seconds = number_of(row.get("completion_time"))
    if seconds is not None and "latency_ms" not in row:
        del row["completion_time"]
        row["latency_ms"] = round(1000 * seconds, 3)
    calls = [call_of(call, Leftovers())[0] for call in objects(decoded(row.get("tools_called")))]
    return {**row, "tool_calls": calls} if calls else row  # with what else is said of the calls in `tools_called`


def _deepeval_conversation(fields: Mapping[str, Any], name: str, left: Leftovers) -> Iterator[NewRow]:
    """What the case says besides its turns stays with its first answer."""
    turns: list[Turn] = []
    for turn in (_normalised(turn, left) for turn in objects(fields["turns"], left=left)):
        kept = {"retrieval_context": turn.pop("retrieval_context", None)}
        found_turns = turns_of(turn, left)
        turns += [replace(one, fields=kept) if one.role == "assistant" else one for one in found_turns]
        if not any(one.role == "assistant" for one in found_turns):
            left.count_fields("field of a message", kept)
    found = exchanges(turns, left)
    for one in loose(found):
        left.count_fields("field of a message that answers no question", one.fields)
    rest = {field: value for field, value in fields.items() if field != "turns"}
    if not found:
        left.count_fields("field of a conversation without an answer", rest)
    for number, exchange in enumerate(found, 1):
        told = [turn.fields.get("retrieval_context") for turn in exchange.answers]
        contexts = [text for value in told if value is not None for text in contexts_of(value, left)]
        row = exchange.numbered(name, number, contexts)
        yield keep(row, rest, left) if number == 1 else row


def _is_agent_evals(content: Content) -> bool:
    """Whether it is a dataset with `evaluators`, their results, or cases whose query or response is a conversation."""
    value = content.value
    if isinstance(value, dict) and isinstance(value.get("data"), list) and ("evaluators" in value or "name" in value):
        return True
    rows = objects(value, "data", "rows")
    first = rows[0] if rows else {}
    return any(name.startswith("inputs.") for name in first) or (
        "query" in first and any(isinstance(first.get(name), list) for name in ("query", "response"))
    )


def _parse_agent_evals(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each case: its last answer, with the conversation before."""
    for content in contents:
        mapping = object_of(object_of(content.value).get("data_mapping"))
        names = {column: place for place, column in mapping.items() if isinstance(column, str)}
        for case in objects(content.value, "data", "rows", left=left):
            fields = {names.get(name, name).removeprefix("inputs."): value for name, value in case.items()}
            left.count("field that is there twice", number=len(case) - len(fields))
            if "response" not in fields and "outputs.response" in fields:
                fields["response"] = fields.pop("outputs.response")
            talk = [decoded(fields.get(name)) for name in ("query", "response")]
            if any(isinstance(part, list) for part in talk):
                yield _agent_case(talk, fields, left)
            else:
                yield row_of(fields, left)


def _agent_case(talk: Sequence[Any], fields: Mapping[str, Any], left: Leftovers) -> NewRow:
    """The row of a conversation that ends in the case; without a question it is counted as one."""
    turns = [
        turn for part, role in zip(talk, ("user", "assistant"), strict=True) for turn in turns_in(part, role, left)
    ]
    found = last_exchange(turns, left, "always")
    row = found.row if found else {"question": ""}
    rest = {name: value for name, value in fields.items() if name not in ("query", "response")}
    other = row_of({"question": row["question"], **rest}, left)
    own = [(text, dict[str, Any]()) for text in other.pop("contexts", [])]
    return with_contexts({**other, **row}, [*own, *passages(found.tools if found else ())])


TABLE = Format("a header line with a column `question` (or query, prompt, input)", _is_table, _parse_table)
RAGAS = Format(
    "samples with `user_input`, or with `question` and `answer`, `contexts` or `ground_truth`", _is_ragas, _parse_ragas
)
DEEPEVAL = Format(
    "a list of cases with `input` and `actual_output`, `expected_output` or `context`", _is_deepeval, _parse_deepeval
)
AGENT_EVALS = Format(
    "a dataset with `data` and `evaluators`, or rows with `query` and `response`", _is_agent_evals, _parse_agent_evals
)
