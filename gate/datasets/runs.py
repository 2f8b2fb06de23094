"""Langfuse and LangSmith: traces of observations and of runs, and the items of their datasets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.base import (
    Content,
    Format,
    Leftovers,
    NewRow,
    decoded,
    fault_of,
    keep,
    normalise_name,
    number_of,
    object_of,
    objects,
)
from gate.datasets.conversations import last_exchange
from gate.datasets.messages import answer_in, documents_in, turns_in
from gate.datasets.traces import KINDS, Fields, TraceSpan, flattened, moment, rows_of


def _is_langfuse(content: Content) -> bool:
    value = content.value
    first = {} if isinstance(value, dict) and "trace" in value else (objects(value, "data", "traces") or [{}])[0]
    names = {normalise_name(name) for name in first}
    if isinstance(value, dict) and "observations" in value and ("trace" in value or "input" in value or "id" in value):
        return True
    trace = {"input", "output", "timestamp"} <= names and bool(
        {"session_id", "user_id", "bookmarked", "observations"} & names
    )
    step = {"trace_id", "type", "start_time"} <= names and bool({"parent_observation_id", "input"} & names)
    return trace or step or "observations" in names or {"dataset_id", "expected_output", "input"} <= names


def _langfuse(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """Traces with their observations, observations alone, or the items of a dataset."""
    spans: list[TraceSpan] = []
    for content in contents:
        value = content.value
        if isinstance(value, dict) and isinstance(value.get("trace"), dict):
            spans += _langfuse_trace({**value["trace"], "observations": value.get("observations")}, left)
            left.count_fields("field beside the trace", value, {"trace", "observations"})
            continue
        entries = (
            [value]
            if isinstance(value, dict) and "observations" in value
            else objects(value, "data", "traces", left=left)
        )
        for entry in ({normalise_name(name): decoded(part) for name, part in entry.items()} for entry in entries):
            if "dataset_id" in entry:
                yield _example(entry, "input", "expected_output", left)
            elif "trace_id" in entry:
                spans.append(_langfuse_span(entry))
            else:
                spans += _langfuse_trace(entry, left)
    yield from rows_of(spans, left)


def _langfuse_trace(written: Mapping[str, Any], left: Leftovers) -> Iterator[TraceSpan]:
    """The spans of a trace: itself, if it has an input and an output, and its observations."""
    entry = {normalise_name(name): decoded(part) for name, part in written.items()}
    steps = objects(entry.pop("observations", None), left=left)
    inside = [
        {**{normalise_name(name): decoded(part) for name, part in step.items()}, "trace_id": entry.get("id")}
        for step in steps
    ]
    yield _langfuse_span(
        {**entry, "start_time": entry.get("timestamp"), "trace_id": entry.get("id"), "timestamp": None}
    )
    for step in inside:
        yield _langfuse_span({**step, "parent_observation_id": step.get("parent_observation_id") or entry.get("id")})


def _langfuse_span(entry: dict[str, Any]) -> TraceSpan:
    fields = Fields(dict(entry))
    begin, seconds = moment(fields.take("start_time")), number_of(fields.take("latency"))
    end = moment(fields.take("end_time")) or (begin + seconds if begin and seconds is not None else None)
    kind = KINDS.get(fields.text("type").lower(), "")
    said = fields.take("output")
    usage = object_of(fields.take("usage_details", "usage"))
    places = (("prompt_tokens", "input_usage"), ("completion_tokens", "output_usage"))
    tokens = [
        number_of(usage.get(name, fields.take(*names))) for name, names in zip(("input", "output"), places, strict=True)
    ]
    return TraceSpan(
        trace=fields.text("trace_id"),
        id=fields.text("id"),
        parent=fields.text("parent_observation_id"),
        kind=kind,
        name=fields.text("name"),
        begin=begin,
        end=end,
        asked=fields.take("input"),
        said=said,
        passages=tuple(documents_in(said)) if kind == "retriever" else (),
        model=fields.look("model", "provided_model_name"),
        tokens=(tokens[0], tokens[1]),
        session=fields.text("session_id"),
        error=fault_of(fields.take("status_message"), "ERROR") if fields.look("level") == "ERROR" else "",
        fields=fields.rest,
    )


def _is_langsmith(content: Content) -> bool:
    first = (objects(content.value, "runs", "examples") or [{}])[0]
    return "run_type" in first or (
        isinstance(decoded(first.get("inputs")), dict) and "outputs" in first and "response" not in first
    )


def _langsmith(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """Runs, nested or not, or the examples of a dataset."""
    spans: list[TraceSpan] = []
    for content in contents:
        todo = objects(content.value, "runs", "examples", left=left)[::-1]
        while todo:
            run = {name: decoded(value) for name, value in todo.pop().items()}
            if "run_type" not in run:
                yield _example(run, "inputs", "outputs", left)
                continue
            inside = {"trace_id": run.get("trace_id") or run.get("id"), "parent_run_id": run.get("id")}
            todo += [{**inside, **child} for child in objects(run.pop("child_runs", None), left=left)][::-1]
            spans.append(_langsmith_span(run))
    yield from rows_of(spans, left)


def _langsmith_span(run: dict[str, Any]) -> TraceSpan:
    fields = Fields(dict(run))
    kind = KINDS.get(fields.text("run_type").lower(), "")
    said = fields.take("outputs")
    extra = Fields(dict(flattened(run.get("extra"))))
    usage = dict(flattened(said if isinstance(said, dict) else {}))
    tokens = []
    for old, new in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")):
        places = (f"llm_output.token_usage.{old}", f"usage.{old}", f"usage_metadata.{new}")
        tokens.append(number_of(fields.take(old) or next((usage[name] for name in places if name in usage), None)))
    session = extra.text("metadata.thread_id", "metadata.session_id", "metadata.conversation_id")
    model = extra.text("metadata.ls_model_name", "invocation_params.model", "invocation_params.model_name")
    return TraceSpan(
        trace=fields.text("trace_id", "id"),
        id=str(run.get("id") or ""),
        parent=fields.text("parent_run_id"),
        kind=kind,
        name=fields.text("name"),
        begin=moment(fields.take("start_time")),
        end=moment(fields.take("end_time")),
        asked=fields.take("inputs"),
        said=said,
        passages=tuple(documents_in(said)) if kind == "retriever" else (),
        model=model,
        tokens=(tokens[0], tokens[1]),
        session=session,
        error=fault_of(fields.take("error")),
        fields={name: value for name, value in fields.rest.items() if name != "id"},
    )


def _example(entry: Mapping[str, Any], asked: str, expected: str, left: Leftovers) -> NewRow:
    """An example of a dataset: what is asked, with the conversation before, and the reference."""
    found = last_exchange(turns_in(entry.get(asked), "user", left), left, unanswered="always")
    row = found.row if found else {"question": ""}
    row.pop("answer", None)
    if texts := [turn.text for turn in answer_in(entry.get(expected), left) if turn.text]:
        row["reference"] = texts[-1]
    rest = {name: value for name, value in entry.items() if name not in (asked, expected)}
    for place, used in ((asked, row["question"]), (expected, row.get("reference"))):
        value = entry.get(place)
        if isinstance(value, dict):
            others = {
                name: part for name, part in value.items() if part != used and name not in ("messages", "message")
            }
            rest[place] = others
    return keep({**({"id": rest.pop("id")} if isinstance(rest.get("id"), str) else {}), **row}, rest, left)


LANGFUSE = Format(
    "traces with `input`, `output` and `observations`, observations, or items of a dataset", _is_langfuse, _langfuse
)
LANGSMITH = Format("runs with `run_type`, `inputs` and `outputs`, or examples of a dataset", _is_langsmith, _langsmith)
