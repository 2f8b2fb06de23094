"""What watches applications: traces of observations (Langfuse) and of runs (LangSmith), and the items of their
datasets; spans of OpenTelemetry, with what GenAI conventions, OpenInference and others say in them, which Phoenix
writes too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
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
from gate.datasets.conversations import Turn, last_exchange
from gate.datasets.messages import answer_in, documents_in, turns_in, turns_of
from gate.datasets.traces import KINDS, Fields, TraceSpan, flattened, moment, rows_of

_RESOURCES = ("resourceSpans", "resource_spans", "resourceLogs", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs")
# Where instrumentations put what a span needs, the most exact first.
_ASKED = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "ai.prompt.messages", "input.value",
          "traceloop.entity.input", "ai.prompt", "input")  # fmt: skip
_SAID = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "ai.response.text", "output.value",
         "traceloop.entity.output", "final_result", "output")  # fmt: skip
_TALK = ("pydantic_ai.all_messages", "all_messages_events", "events")  # question and answer in one list
_CALLED = ("gen_ai.tool.call.arguments", "tool.parameters", "ai.toolCall.args", *_ASKED[4:])
_RETURNED = ("gen_ai.tool.call.result", "ai.toolCall.result", *_SAID[4:])
_FOUND = ("gen_ai.retrieval.documents", "retrieval.documents", "reranker.output_documents", *_SAID[4:])
_PLACES = {"tool": (_CALLED, _RETURNED), "retriever": (_ASKED[4:], _FOUND)}
_TOOL = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
_CALL_ID = ("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id")
_KIND = ("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind", "llm.request.type")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id")
_TOKENS = (
    ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "ai.usage.promptTokens"),
    ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion",
     "ai.usage.completionTokens"),
)  # fmt: skip
_SESSION = ("gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id")
_OLD = (("input.messages", "prompt"), ("output.messages", "completion"))  # of events: the newer, the older name
_FRAME = frozenset(
    ("event.name", "index", "gen_ai.system", "gen_ai.provider.name", "gen_ai.message.index", "gen_ai.operation.name")
)
_REASON = ("gen_ai.response.finish_reasons", "gen_ai.response.finish_reason", "ai.response.finishReason")

_STATUS = ("status.code", "status.status_code", "status_code")
_STATUS_TEXT = ("status.message", "status.description", "status_message")


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


def _value(written: Any) -> Any:
    """What an AnyValue of OTLP says."""
    if not isinstance(written, dict) or len(written) != 1:
        return written
    kind, value = next(iter(written.items()))
    if kind in ("arrayValue", "array_value"):
        return [_value(part) for part in value.get("values", [])] if isinstance(value, dict) else value
    if kind in ("kvlistValue", "kvlist_value"):
        return _attributes(value.get("values")) if isinstance(value, dict) else value
    if kind in ("intValue", "int_value"):
        return int(value) if isinstance(value, str) and value.lstrip("-").isdigit() and len(value) < 20 else value
    return value


def _attributes(written: Any) -> dict[str, Any]:
    """Attributes by name: OTLP lists them, others have an object."""
    if isinstance(written, list):
        return {str(part.get("key")): _value(part.get("value")) for part in objects(written)}
    return written if isinstance(written, dict) else {}


def _is_otel(content: Content) -> bool:
    first = (objects(content.value) or [{}])[0]
    context = isinstance(first.get("context"), dict) and "trace_id" in first["context"]
    return content.kind == "json" and (any(name in first for name in _RESOURCES) or (context and "attributes" in first))


def _is_phoenix(content: Content) -> bool:
    first = (objects(content.value, "data") or [{}])[0]
    return "span_kind" in first and ("context" in first or "context.trace_id" in first)


def _otel(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    spans = [span for content in contents for span in objects(content.value, "data", left=left)]
    yield from rows_of(_otel_spans(spans, left), left)


def _otel_spans(entries: Iterable[dict[str, Any]], left: Leftovers) -> Iterator[TraceSpan]:
    """The spans of files that OpenTelemetry or Phoenix wrote. Messages that were logged apart from their span are put
    to it, or to one of their own."""
    found: list[dict[str, Any]] = []
    logs: list[dict[str, Any]] = []
    for entry in entries:
        if not any(name in entry for name in _RESOURCES):
            found.append(entry)
            continue
        for resource in (part for name in _RESOURCES for part in objects(entry.get(name))):
            left.count_fields(
                "field of a resource",
                dict(flattened(_attributes(object_of(resource.get("resource")).get("attributes")))),
            )
            for scope in (part for name in _SCOPES for part in objects(resource.get(name))):
                left.count_fields("field of a scope", dict(flattened(object_of(scope.get("scope")))))
                found += objects(scope.get("spans"), left=left)
                logs += objects(scope.get("logRecords"), left=left)
    events: dict[Any, list[dict[str, Any]]] = {}
    for log in logs:
        events.setdefault((log.get("traceId"), log.get("spanId")), []).append(log)
    for entry in found:
        yield _otel_span(entry, events.pop((entry.get("traceId"), entry.get("spanId")), []), left)
    for (trace, span), several in events.items():
        times = {
            "startTimeUnixNano": several[0].get("timeUnixNano"),
            "endTimeUnixNano": several[-1].get("timeUnixNano"),
        }
        yield _otel_span({"traceId": trace, "spanId": span, **times}, several, left)


def _otel_span(entry: Mapping[str, Any], logs: Sequence[Mapping[str, Any]], left: Leftovers) -> TraceSpan:
    whole = {name: value for name, value in entry.items() if not name.startswith("attributes") and name != "events"}
    columns = {name[11:]: value for name, value in entry.items() if name.startswith("attributes.")}
    rest = Fields(dict(flattened(whole)))
    fields = Fields(dict(flattened({**_attributes(entry.get("attributes")), **columns})))
    spoken = tuple(_spoken([*objects(decoded(entry.get("events"))), *logs], left))
    kind = KINDS.get(fields.text(*_KIND).lower(), KINDS.get(rest.text("span_kind").lower(), ""))
    name = rest.text("name")
    asked, said = (fields.take(*names) for names in _PLACES.get(kind, (_ASKED, _SAID)))
    turns = () if kind in _PLACES else _conversation(fields, spoken, (asked, said), left)
    tokens = [number_of(fields.take(*names)) for names in _TOKENS]
    call_id, session = fields.text(*_CALL_ID), fields.text(*_SESSION)
    tool = fields.text(*_TOOL) if kind == "tool" else ""
    answered = bool(said) or (bool(turns) and turns[-1].role == "assistant")
    others = {f"attributes.{key}" if key in rest.rest else key: value for key, value in fields.rest.items()}
    return TraceSpan(
        trace=rest.text("traceId", "trace_id", "context.trace_id"),
        id=rest.text("spanId", "span_id", "context.span_id"),
        parent=rest.text("parentSpanId", "parent_span_id", "parent_id"),
        kind=kind or ("llm" if turns else ""),
        name=tool or name,
        begin=moment(rest.take("startTimeUnixNano", "start_time_unix_nano", "start_time")),
        end=moment(rest.take("endTimeUnixNano", "end_time_unix_nano", "end_time")),
        asked=asked,
        said=said,
        turns=turns,
        passages=tuple(documents_in(said)) if kind == "retriever" else (),
        call_id=call_id,
        model=fields.look(*_MODEL),
        tokens=(tokens[0], tokens[1]),
        session=session,
        error="" if answered else _error(rest),
        fields={**rest.rest, **others, "events": [turn.text for turn in spoken if turn.text]},
    )


def _error(span: Fields) -> str:
    """Why a span failed, by its status; empty for one that did not."""
    code = next((span.rest[name] for name in _STATUS if name in span.rest), "")
    failed = str(code).upper().removeprefix("STATUS_CODE_") in ("2", "ERROR")
    return fault_of(span.take(*_STATUS_TEXT), "the status of its span is ERROR") if failed else ""


def _conversation(fields: Fields, spoken: tuple[Turn, ...], ends: tuple[Any, Any], left: Leftovers) -> tuple[Turn, ...]:
    """What was said in a span, where that is more than its input and output (`ends`): it stands in one list or in
    events (`spoken`), the system has a place of its own, or it is known why the answer ended. Else empty."""
    orders = turns_in(fields.take("gen_ai.system_instructions"), "system", left)
    reason, talk = fields.take(*_REASON), fields.take(*_TALK)
    turns = tuple(_spoken(objects(decoded(talk)), left))
    if not turns and (orders or reason) and any(ends):
        turns = (*turns_in(ends[0], "user", left), *answer_in(ends[1], left))
    if not turns and not any(ends):
        turns = spoken
    return (*(replace(turn, role="system") for turn in orders), *_ended(turns, reason)) if turns else ()


def _ended(turns: Sequence[Turn], reason: Any) -> list[Turn]:
    """The turns, the last with the reason why it ended."""
    said = reason[0] if isinstance(reason, list) and reason else reason
    if not turns or not isinstance(said, str):
        return list(turns)
    return [*turns[:-1], replace(turns[-1], fields={"finish_reason": said, **turns[-1].fields})]


def _spoken(events: Iterable[Mapping[str, Any]], left: Leftovers) -> Iterator[Turn]:
    """The messages that events or records of a log hold, in their order; what other events say is counted."""
    for event in events:
        apart = "attributes" in event or "body" in event
        own = _attributes(event.get("attributes")) if apart else event
        fields = {**own, **object_of(_value(event.get("body")))}
        kinds = (event.get("event.name"), fields.get("event.name"), event.get("eventName"), event.get("name"))
        kind = next((kind for kind in kinds if isinstance(kind, str) and kind.startswith("gen_ai.")), "")
        fields = {name: value for name, value in fields.items() if name not in _FRAME and value != kind}
        asked, said = ([fields.pop(f"gen_ai.{name}", None) for name in names] for names in _OLD)
        if any(asked) or any(said):
            yield from turns_in(next(filter(None, asked), None), "user", left)
            yield from turns_in(next(filter(None, said), None), "assistant", left)
            left.count_fields("field of an event", fields)
        elif kind == "gen_ai.choice":
            message = decoded(fields.pop("message", None))
            inner = message if isinstance(message, dict) else {"content": message} if message else {}
            yield from turns_of({**fields, **inner}, left, "assistant")
        elif kind.endswith(".message") or "role" in fields:
            yield from turns_of(fields, left, kind.split(".")[1] if kind else "")
        else:
            left.count_fields("field of an event", fields)


OPENTELEMETRY = Format(
    "spans as OTLP JSON (`resourceSpans`) or as an SDK writes them (`context`, `attributes`)", _is_otel, _otel
)
PHOENIX = Format("spans with `span_kind` and `context`", _is_phoenix, _otel)
