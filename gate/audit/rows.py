"""Logged answers in, verdicts out: a batch of rows is judged by the opened tools, each answer by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gate.agents.extract_claims import extract_claims
from gate.agents.retrieve_evidence import AGENT as RETRIEVE
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.agents.verify_claims import verify_claims
from gate.audit.summary import Count, Judged
from gate.config import load
from gate.errors import InputFileError, LimitError, UsageError, install_hint
from gate.files import Row
from gate.pipeline import begin
from gate.pipeline import run as run_agents
from gate.providers.replay import Recorded, parse_recorded
from gate.records import Answer, Verdict, writable
from gate.text.output import is_unanswered
from gate.toolbox import FOLDER, Toolbox

if TYPE_CHECKING:
    import pyarrow as pa

# What of a row is looked at: a fault in anything else costs nothing, and of a Parquet file no other column is loaded.
FIELDS = ("id", "question", "messages", "answer", "tool_calls", "about", "tags", "created_at")
TOGETHER = 64  # answers whose claims are judged at once: enough to keep the processor busy
KNOWN = 5000  # verdicts that are kept for the same answer to the same question
TAGS = 20  # of an answer
_MILLISECONDS = 1e11  # a clock above it counts milliseconds


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker opens: absolute paths, so that it means the same in any process. It can be pickled."""

    config: str
    folder: str = FOLDER

    @classmethod
    def at(cls, config: str | Path, folder: str | Path = FOLDER) -> Setup:
        """The configuration file and the folder of the index, seen from the current folder."""
        return cls(str(Path(config).absolute()), str(Path(folder).absolute()))

    def tools(self) -> Toolbox:
        """New tools. A second look depends on the other answers of a run, so an audit takes none."""
        path = Path(self.config)
        config = load(path)
        judge = config.judge.model_copy(update={"second_look": False})
        return Toolbox(config.model_copy(update={"judge": judge}), path.parent, Path(self.folder))


class Broken(NamedTuple):
    """A line that no row can be made of, and why."""

    path: str
    line: int
    why: str


class Findings(NamedTuple):
    """What is known of an answer, whatever its row: the verdicts, or why there are none. `failed`: a call failed."""

    verdicts: tuple[Verdict, ...] = ()
    reason: str = ""
    failed: bool = False


@dataclass(slots=True)
class Desk:
    """Opened tools, and the outcomes of the last answers, as logs have the same answer many times."""

    tools: Toolbox
    known: dict[tuple[Any, ...], Findings] = field(default_factory=dict)
    void: list[str] = field(default_factory=list)  # what makes the labels worthless, since it was last taken


@cache
def opened(setup: Setup) -> Desk:
    """The tools of this process: index and model are opened once, whoever asks. Errors: those of a run's set-up."""
    desk = Desk(setup.tools())
    _ = desk.tools.store, desk.tools.judge
    return desk


def judge_all(rows: Iterable[Row | Broken], desk: Desk) -> Iterator[Judged]:
    """A Judged for every row, in order. What it says of an answer depends on the answer, the judge and the index alone.

    A row that holds no answer is `broken`. Errors: LimitError, SetupError, StoreError: then the batch is not judged.
    """
    left = iter(rows)
    while some := list(islice(left, TOGETHER)):
        parsed = [_parsed(row) for row in some]
        asked = {_key(one): one for one in parsed if isinstance(one, Recorded)}
        new = {key: one for key, one in asked.items() if key not in desk.known}
        if len(desk.known) + len(new) > KNOWN:
            desk.known = {key: desk.known[key] for key in asked if key in desk.known}
        found = desk.known | dict(zip(new, _findings(list(new.values()), desk), strict=True))
        desk.known = {key: findings for key, findings in found.items() if not findings.failed}
        for row, one in zip(some, parsed, strict=True):
            if isinstance(row, Row) and isinstance(one, Recorded):
                yield _judged(row, one, found[_key(one)])
            else:
                yield Judged(row.path, row.line, "", "", reason=str(one), broken=True)


def _parsed(row: Row | Broken) -> Recorded | str:
    """The answer of a row, or what is wrong with it."""
    if isinstance(row, Broken):
        return row.why
    fields = {name: row.fields[name] for name in FIELDS if row.fields.get(name) is not None}
    for name in ("messages", "tool_calls"):  # a column may hold them as JSON
        if isinstance(fields.get(name), str):
            with suppress(ValueError, RecursionError):
                fields[name] = json.loads(fields[name].strip() or "null")
    own = row.fields.get("id")
    name = writable(str(own).strip()) if isinstance(own, str | int) else ""
    try:
        return parse_recorded(Row(row.path, row.line, fields), name or f"{row.path}:{row.line}")
    except InputFileError as error:
        return error.message.removeprefix(f"{row.path}:{row.line}: ")


def _key(one: Recorded) -> tuple[Any, ...]:
    """What the verdicts of an answer depend on."""
    return one.prompt.question, one.prompt.messages, one.answer, one.tool_calls, one.prompt.about


def _judged(row: Row, one: Recorded, findings: Findings) -> Judged:
    return Judged(
        row.path, row.line, one.prompt.id, one.prompt.question, day_of(row.fields.get("created_at")),
        tuple(tag for tag in dict.fromkeys(one.prompt.tags[:TAGS]) if tag.strip()), findings.verdicts, findings.reason,
        failed=findings.failed,
    )  # fmt: skip


def _findings(answers: Sequence[Recorded], desk: Desk) -> list[Findings]:
    """The verdicts of each answer, in order, by three of the agents of a run."""
    state, tags = begin(desk.tools), {tag for source in desk.tools.config.doc_sources for tag in source.tags}
    names = [str(n) for n in range(len(answers))]
    reasons = {name: why for name, one in zip(names, answers, strict=True) if (why := _unfit(one, tags))}
    state["prompts"] = [replace(one.prompt, id=name) for name, one in zip(names, answers, strict=True)]
    state["responses"] = [
        Answer(name, name, one.answer, tool_calls=one.tool_calls)
        for name, one in zip(names, answers, strict=True)
        if name not in reasons
    ]
    if state["responses"]:
        run_agents(state, (extract_claims, retrieve_evidence, verify_claims))
    if "limit" in state:
        raise LimitError(state["limit"], "run it again: it goes on where it stopped")
    if not any(failure.agent == RETRIEVE for failure in state["failures"]):  # what lacks evidence is unjudged already
        desk.void += state["void"]
    verdicts: dict[str, list[Verdict]] = {name: [] for name in names}
    for verdict in state["verdicts"]:
        verdicts[verdict.claim.answer_id].append(verdict)
    reasons |= {one.prompt_id: one.message for one in state["failures"] if not verdicts.get(one.prompt_id)}
    failed = {failure.prompt_id for failure in state["failures"]}
    everywhere = not failed <= set(names)
    return [Findings(tuple(verdicts[name]), reasons.get(name, ""), everywhere or name in failed) for name in names]


def _unfit(one: Recorded, tags: Container[str]) -> str:
    """Why an answer is not even looked at; empty for one that is."""
    strange = [tag for tag in one.prompt.about if tag not in tags]
    if strange:
        return f"it is about {strange[0][:80]!r}, a tag that no source of documents has"
    return "" if one.tool_calls or not is_unanswered(one.answer) else "the answer is empty, or nothing but thinking"


def day_of(value: Any) -> str:
    """The day (UTC) of a time as logs write it: ISO 8601, seconds or milliseconds since 1970, or a time of Python;
    empty for anything else."""
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(value, str):
            value = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            value = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
        if isinstance(value, datetime) and value.tzinfo:
            value = value.astimezone(UTC)
        if isinstance(value, date):
            return value.isoformat()[:10]
    return ""


def row_of(one: Judged) -> dict[str, Any]:
    """What is written of an answer: counts, risk (null where nothing was judged) and `details`, one entry a claim."""
    count = Count.of(one.verdicts, bool(one.reason))
    return {
        "file": one.file,
        "line": one.line,
        "id": one.id,
        "question": one.question,
        "day": one.day,
        "tags": list(one.tags),
        "claims": count.claims,
        "supported": count.supported,
        "weakly_supported": count.weakly_supported,
        "unsupported": count.unsupported,
        "contradicted": count.contradicted,
        "unjudged": count.unjudged,
        "risk": None if count.risk is None else round(count.risk, 6),
        "reason": one.reason,
        "details": [_detail(verdict) for verdict in one.verdicts],
    }


def _detail(verdict: Verdict) -> dict[str, Any]:
    return {
        "claim": verdict.claim.text,
        "span": [verdict.claim.start, verdict.claim.end],
        "label": verdict.label.value,
        "contradicted": verdict.contradicted,
        "case": verdict.case,
        "confidence": round(verdict.confidence, 4),
        "justification": verdict.justification,
        "reason": verdict.reason,
        "evidence": [{"source": one.source, "line": one.line, "quote": one.quote} for one in verdict.evidence],
    }


def arrow() -> Any:
    """pyarrow with pyarrow.parquet. Errors: UsageError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        hint = f"{install_hint('audit')}; or use JSONL"
        raise UsageError("Parquet and Arrow tables need pyarrow", hint) from None
    return pyarrow


def schema() -> pa.Schema:
    """The columns of `row_of` as Arrow has them."""
    arrows = arrow()
    text, whole = arrows.string(), arrows.int64()
    quote = arrows.struct([("source", text), ("line", whole), ("quote", text)])
    detail = arrows.struct(
        [("claim", text), ("span", arrows.list_(whole)), ("label", text), ("contradicted", arrows.bool_()),
         ("case", arrows.bool_()), ("confidence", arrows.float64()), ("justification", text), ("reason", text),
         ("evidence", arrows.list_(quote))]
    )  # fmt: skip
    counts = ("claims", "supported", "weakly_supported", "unsupported", "contradicted", "unjudged")
    found: pa.Schema = arrows.schema(
        [("file", text), ("line", whole), ("id", text), ("question", text), ("day", text), ("tags", arrows.list_(text)),
         *((name, whole) for name in counts), ("risk", arrows.float64()), ("reason", text),
         ("details", arrows.list_(detail))]
    )  # fmt: skip
    return found


def table_of(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """The rows of `row_of` as a table."""
    table: pa.Table = arrow().Table.from_pylist([dict(row) for row in rows], schema=schema())
    return table


def fields_of(table: pa.Table | pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """The rows of a table as Python has them, times without their nanoseconds. A value that Python cannot have, as a
    text that is not UTF-8, is `...`, which is no value of any field."""
    columns = dict(zip(table.schema.names, map(_values, table.columns), strict=True))
    return ({name: values[place] for name, values in columns.items()} for place in range(table.num_rows))


def _values(column: Any) -> list[Any]:
    arrows = arrow()
    if arrows.types.is_timestamp(column.type):
        column = column.cast(arrows.timestamp("us", "UTC" if column.type.tz else None), safe=False)
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError, arrows.ArrowException):
        return [_value(one) for one in column]


def _value(one: Any) -> Any:
    try:
        return one.as_py()
    except (ValueError, OverflowError, arrow().ArrowException):
        return ...


@dataclass(frozen=True, slots=True)
class JudgeRows:
    """`judge(table) -> table` for any engine that has Arrow tables: a row out for every row in, in order. It can be
    pickled; a process opens index and model once. `file` names the rows in what comes out."""

    setup: Setup
    file: str = ""
    desk: Callable[[Setup], Desk] = opened

    def __call__(self, table: pa.Table | pa.RecordBatch) -> pa.Table:
        """Columns as in FIELDS, others are ignored. Errors: as judge_all."""
        rows = (Row(self.file, number, fields) for number, fields in enumerate(fields_of(table), 1))
        return table_of([row_of(one) for one in judge_all(rows, self.desk(self.setup))])
