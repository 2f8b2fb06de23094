"""A trace, whoever wrote it, as rows: the spans that hold a question and its answer, with the tools below them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gate.datasets.base import Leftovers, NewRow, decoded, failed, is_filled, keep, number_of, text_of
from gate.datasets.conversations import (
    MAX_BEFORE,
    ROLES,
    Exchange,
    Passage,
    Turn,
    Unanswered,
    cut_by,
    last_exchange,
    passages,
    with_contexts,
)
from gate.datasets.messages import MESSAGES, answer_in, arguments_of, is_message, turns_in

_MOST_NAMES = 40  # of a dotted name of an attribute
KINDS = {
    **dict.fromkeys(("llm", "chat", "generation", "text_completion", "generate_content", "completion"), "llm"),
    **dict.fromkeys(("tool", "execute_tool"), "tool"),
    **dict.fromkeys(("retriever", "retrieval", "reranker"), "retriever"),
    **dict.fromkeys(("embedding", "embeddings", "guardrail", "evaluator", "event", "parser", "prompt"), "aside"),
}
# What every message says of itself: whether it stands in a row tells nothing.
_PLAIN = frozenset((*ROLES, "text", "message", "function_call", "tool_call", "constructor", "Document",
                    "application/json", "text/plain", "ChatGeneration", "lc", "kwargs"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One step of a trace. `kind` as in KINDS, else empty; times in seconds since 1970. `asked` and `said` are what
    went in and came out, as the tool wrote it; `fields` is all else, by name."""

    trace: str
    id: str
    parent: str
    kind: str
    name: str
    begin: float | None
    end: float | None
    asked: Any = None
    said: Any = None
    turns: tuple[Turn, ...] = ()  # the conversation, where the tool wrote one apart from input and output
    passages: tuple[Passage, ...] = ()
    call_id: str = ""
    model: str = ""
    tokens: tuple[float | int | None, float | int | None] = (None, None)
    session: str = ""
    error: str = ""  # why the step failed
    fields: dict[str, Any] = field(default_factory=dict)


class Fields:
    """The fields of one span by name; what was taken is no longer among the `rest`."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.rest = fields

    def take(self, *names: str) -> Any:
        """Takes the first that says something: a field of this name, or all those that begin with it, as one value."""
        for name in names:
            if name in self.rest and is_filled(self.rest[name]):
                return self.rest.pop(name)
            below = {key: value for key, value in self.rest.items() if key.startswith(name + ".")}
            if any(key[len(name) + 1 :].split(".", 1)[0].isdigit() for key in below):
                for key in below:
                    del self.rest[key]
                return nested({key[len(name) + 1 :]: value for key, value in below.items()})
        return None

    def look(self, *names: str) -> str:
        """The first that is a text; it stays among the rest."""
        return next((value for name in names if isinstance(value := self.rest.get(name), str) and value.strip()), "")

    def text(self, *names: str) -> str:
        """The same, as a text; empty where there is none."""
        found = self.take(*names)
        return found if isinstance(found, str) else "" if found is None else str(found)


def nested(flat: Mapping[str, Any]) -> Any:
    """`{"0.role": "user"}` -> `[{"role": "user"}]`. What stands in the way of a longer name is left out."""
    root: dict[str, Any] = {}
    for path, value in flat.items():
        *names, last = path.split(".", _MOST_NAMES)
        place = root
        for name in names:
            inner = place.get(name)
            place[name] = inner if isinstance(inner, dict) else {}
            place = place[name]
        place.setdefault(last, value)
    return _listed(root)


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(name.isdigit() for name in value):
        return [_listed(value[name]) for name in sorted(value, key=lambda name: (len(name), name))]
    return {name: _listed(inner) for name, inner in value.items()}


def flattened(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted name, value) of every text, number and list of such."""
    inner: Iterable[tuple[str, Any]] = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list) and any(isinstance(part, dict) for part in value):
        inner = ((str(number), part) for number, part in enumerate(value))
    elif is_filled(value):
        yield path, value
    for name, part in inner:
        yield from flattened(part, f"{path}.{name}" if path else str(name))


def moment(value: Any) -> float | None:
    """Seconds since 1970 of a time: ISO 8601, or a number of seconds, milliseconds, microseconds or nanoseconds."""
    number = number_of(value) if not isinstance(value, str) or value.isdigit() else None
    if isinstance(value, str | int) and str(value).isdigit() and len(str(value)) < 21:
        number = int(value)
    if number is not None:
        scale = next((scale for bound, scale in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)) if number >= bound), 1.0)
        return number / scale
    try:
        found = datetime.fromisoformat(value.strip().replace(" UTC", "+00:00"))
    except (AttributeError, ValueError):
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


@dataclass(slots=True)
class _Case:
    """A span that holds a question and its answer, with the spans that belong to it."""

    span: TraceSpan
    exchange: Exchange
    inside: list[TraceSpan] = field(default_factory=list)


def rows_of(spans: Iterable[TraceSpan], left: Leftovers) -> Iterator[NewRow]:
    """The rows of all traces in the order of the file: one for each question that has an answer. Conversations that go
    through several traces are joined by their session."""
    traces: dict[str, list[TraceSpan]] = defaultdict(list)
    for span in spans:
        traces[span.trace].append(span)
    rows = [row for group in traces.values() for row in _trace(group, left)]
    sessions: dict[str, list[NewRow]] = defaultdict(list)
    for row in rows:
        if "conversation" in row:
            sessions[row["conversation"]].append(row)
    for talk in sessions.values():
        _number(sorted(talk, key=lambda row: str(row.get("created_at", ""))))
    yield from rows


def _number(talk: Sequence[NewRow]) -> None:
    """Give the rows of one conversation their turn, and those that have no messages the turns before."""
    before: list[dict[str, Any]] = []
    for number, row in enumerate(talk, 1):
        row["turn"] = number
        question = {"role": "user", "content": row["question"]}
        if before and "messages" not in row:
            row["messages"] = [*before[-MAX_BEFORE:], question]
        calls = {"tool_calls": row["tool_calls"]} if "tool_calls" in row else {}
        said = row["answer"] or row.get("imported_answer", "")
        before += [question, {"role": "assistant", "content": said, **calls}]


def _trace(spans: Sequence[TraceSpan], left: Leftovers) -> list[NewRow]:
    """The rows of one trace; what of its spans is in none of them is counted."""
    talks = {id(span): _talk(span, left) for span in spans}
    cases = _cases(spans, talks)
    rows = [_row(case, len(cases) == 1, left) for case in cases]
    if not cases:
        left.count("trace without a question and its answer")
    texts = {text.strip() for row in rows for text in _leaves(row, raw=True) if isinstance(text, str)}
    for case in cases:
        texts |= {(turn.text or "").strip() for turn in (*case.exchange.questions, *case.exchange.answers)}
    whole = {id(case.span) for case in cases}
    for span in spans:
        _count_lost(span, talks[id(span)], texts, left)
        fields = {} if id(span) in whole else {**span.fields, "name": span.name}  # a row keeps those of its span
        for name, value in fields.items():
            left.count("field of a span", name, int(_is_lost(value, texts)))
    return rows


def _count_lost(span: TraceSpan, talk: Sequence[Turn], texts: set[str], left: Leftovers) -> None:
    """Count what a span says that stands in no row."""
    for turn in talk:
        lost = turn.text and turn.text.strip() and turn.text.strip() not in texts
        left.count("message of a step that is in no row", number=int(bool(lost)))
    for text, _ in span.passages:
        left.count("context that no answer needs", number=int(text.strip() not in texts))
    for place, value in {"input": decoded(span.asked), "output": decoded(span.said)}.items():
        if isinstance(value, dict) and not (talk and is_message(value)):
            for name, part in value.items():
                if not talk or name not in MESSAGES:
                    left.count(f"field of the {place} of a span", name, int(_is_lost(part, texts)))
        elif not talk and not (span.passages and place == "output"):
            left.count(f"{place} of a step that is in no row", number=int(_is_lost(value, texts)))


def _is_lost(value: Any, texts: set[str]) -> bool:
    """Whether a part of a value stands nowhere in the rows; of numbers, nobody can tell."""
    return any(
        leaf.strip() not in texts and leaf.strip() not in _PLAIN if isinstance(leaf, str) else True
        for leaf in _leaves(value)
    )


def _leaves(value: Any, raw: bool = False) -> Iterator[Any]:
    """The texts and numbers in a value, also in JSON that a text holds; with `raw` such a text itself as well."""
    stack = [value]
    while stack:
        written = stack.pop()
        part = decoded(written)
        if raw and part is not written:
            yield written
        if isinstance(part, dict | list):
            stack += part.values() if isinstance(part, dict) else part
        elif is_filled(part):
            yield part


def _talk(span: TraceSpan, left: Leftovers) -> list[Turn]:
    """The conversation of a span; of a tool its call and what it said, of a retriever nothing."""
    if span.kind == "tool":
        name = {"tool_call_id": span.call_id} if span.call_id else {}
        call = {
            **({"id": span.call_id} if span.call_id else {}),
            "name": span.name,
            "arguments": arguments_of(span.asked),
        }
        said = [turn.text for turn in answer_in(span.said, left) if turn.text]
        return [
            Turn("assistant", None, calls=(call,)),
            *(Turn("tool", text, tool={**name, "name": span.name}) for text in said),
        ]
    if span.kind in ("retriever", "aside"):
        return []
    if span.turns:
        return list(span.turns)
    return [*turns_in(span.asked, "user", left), *answer_in(span.said, left)]


def _cases(spans: Sequence[TraceSpan], talks: Mapping[int, Sequence[Turn]]) -> list[_Case]:
    """The topmost spans with a question and its answer. Calls of a model that repeat one question, as around tools, are
    one case: the last of them. Every other span belongs to the case above it, or to the next that ends."""
    ids = {span.id for span in spans}
    children: dict[str, list[TraceSpan]] = defaultdict(list)
    for span in spans:
        children[span.parent if span.parent in ids and span.parent != span.id else ""].append(span)
    cases: list[_Case] = []
    loose: list[TraceSpan] = []
    todo: list[tuple[TraceSpan, _Case | None]] = []
    todo += [(span, None) for span in _in_time(children[""])][::-1]
    seen: set[int] = set()
    while todo:
        span, owner = todo.pop()
        if id(span) in seen:
            continue
        seen.add(id(span))
        top = owner is None and span.kind not in ("tool", "retriever", "aside")
        unanswered: Unanswered = "always" if _failure(span, talks[id(span)]) else "never"
        if top and (exchange := last_exchange(talks[id(span)], Leftovers(), unanswered)):
            owner = _Case(span, exchange)
            cases.append(owner)
        (owner.inside if owner else loose).append(span)
        todo += [(child, owner) for child in _in_time(children[span.id] if span.id else [])][::-1]
    return _placed(_merged(cases), loose)


def _in_time(spans: Iterable[TraceSpan]) -> list[TraceSpan]:
    return sorted(spans, key=lambda span: span.begin or 0.0)


def _merged(cases: Sequence[_Case]) -> list[_Case]:
    """The cases of one question as one, with the spans of all: its exchange is the last, which repeats the others."""
    found: dict[Any, _Case] = {}
    for case in cases:
        history = tuple((turn.role, turn.text) for turn in (*case.exchange.before, *case.exchange.questions))
        key = history if case.span.kind == "llm" else id(case)
        if key in found:
            case.inside[:0] = found.pop(key).inside
        found[key] = case
    return list(found.values())


def _placed(cases: list[_Case], loose: Sequence[TraceSpan]) -> list[_Case]:
    """The cases with the spans that stand above none and below none: each goes to the first that ends after it."""
    ordered = sorted(cases, key=lambda case: case.span.end or 0.0)
    ends = [case.span.end or 0.0 for case in ordered]
    for span in loose if ordered else ():
        place = min(bisect_left(ends, span.end or 0.0), len(ordered) - 1)
        ordered[place].inside.append(span)
    return cases


def _failure(span: TraceSpan, talk: Sequence[Turn]) -> str:
    """Why a span has no answer, or not a whole one; empty if it has."""
    return span.error or cut_by(talk[-1].fields.get("finish_reason") if talk else None)


def _row(case: _Case, alone: bool, left: Leftovers) -> NewRow:
    span, inside = case.span, _in_time(case.inside)
    exchange = _fullest(case)
    row = {"id": span.trace if alone else f"{span.trace}-{span.id}", **exchange.row}
    failure = _failure(span, _talk(span, Leftovers()))
    steps = [turn for step in inside if step.kind == "tool" for turn in _talk(step, Leftovers())]
    row = with_contexts(row, [
        *(passage for step in inside for passage in step.passages), *passages(exchange.tools),
        *passages(turn for turn in steps if turn.role == "tool"),
    ])  # fmt: skip
    calls = [call for turn in steps for call in turn.calls]
    if calls and "tool_calls" not in row:
        row["tool_calls"] = calls
    models = [step for step in inside if step.kind == "llm"] or [span]
    if model := next((step.model for step in reversed(models) if step.model), ""):
        row["model"] = model
    for place, name in enumerate(("input_tokens", "output_tokens")):
        counts = [count for step in models if (count := step.tokens[place]) is not None]
        row |= {name: sum(counts)} if counts else {}
    begin = span.begin if span.kind != "llm" else min((step.begin for step in models if step.begin), default=None)
    if begin is not None and begin < 1e11:
        row["created_at"] = datetime.fromtimestamp(begin, UTC).isoformat()
        row |= {"latency_ms": round(1000 * (span.end - begin), 3)} if span.end and span.end >= begin else {}
    if session := next((step.session for step in (span, *inside) if step.session), ""):
        row["conversation"] = session
    if exchange.answers and isinstance(reason := exchange.answers[-1].fields.get("finish_reason"), str):
        row["finish_reason"] = reason
    row = failed(row, failure) if failure else row
    said = {text.strip() for text in _leaves(row) if isinstance(text, str)}
    own = {name: value for name, value in span.fields.items() if _is_lost(value, said)}
    return keep(row, {"trace": {"name": span.name, **own}}, left)


def _fullest(case: _Case) -> Exchange:
    """The exchange of the span, or of the call of a model in it that has the same question and answer, and says more:
    what the system and the tools said."""
    own = case.exchange.row
    for step in case.inside:
        other = step.kind == "llm" and step is not case.span
        found = last_exchange(_talk(step, Leftovers()), Leftovers()) if other else None
        if found and all(_same(found.row.get(name), own.get(name)) for name in ("question", "answer")):
            return found if len(found.before) >= len(case.exchange.before) else case.exchange
    return case.exchange


def _same(one: Any, other: Any) -> bool:
    return (text_of(one) or "").strip() == (text_of(other) or "").strip()
