"""What evaluations wrote: the results of promptfoo (JSON, JSON lines, CSV) and the logs of Inspect (JSON, `.eval`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.datasets.base import (
    Content,
    Format,
    Leftovers,
    NewRow,
    decoded,
    failed,
    fault_of,
    has_question,
    is_filled,
    keep,
    number_of,
    object_of,
    objects,
    text_of,
)
from gate.datasets.conversations import cut_by, exchanges, last_exchange
from gate.datasets.messages import answer_in, turns_in
from gate.datasets.promptfoo import assertions_of, case_of

_RESULT = frozenset(("vars", "testCase", "prompt", "response", "provider", "latencyMs", "id"))
_COLUMN = re.compile(r"(Status|Score|Named Scores|Grader Reason|Comment)(_\d{1,4})?|Metric: .{1,200}", re.DOTALL)
_OLD_CELL = re.compile(r"\[(PASS|FAIL|ERROR)\]\s?(.*)", re.DOTALL)
_OLD_HEADER = re.compile(r"\[[^\]]{1,200}\] .*", re.DOTALL)
_BROKEN = 2  # the reason of a failure: not an assertion, but the provider
_ATTACHMENT = "attachment://"
# Of a sample of Inspect: what the row has under other names, and what repeats the messages.
_SAMPLE = frozenset(("id", "epoch", "input", "target", "messages", "output", "attachments", "events"))


def _is_results(content: Content) -> bool:
    if content.kind == "csv":
        return bool(_outputs(objects(content.value)[:1]))
    inner = _inner(content.value)
    if isinstance(inner, dict) and _table(inner):
        return True
    first = (objects(inner, "results") or [{}])[0]
    return "vars" in first and bool({"response", "gradingResult", "success"} & set(first))


def _inner(value: Any) -> Any:
    """The part with the list of results."""
    return value["results"] if isinstance(value, dict) and isinstance(value.get("results"), dict) else value


def _table(inner: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table of results by tests and prompts, where there is no list of results; else empty."""
    table = inner.get("table", inner)
    good = isinstance(table, dict) and isinstance(table.get("head"), dict) and isinstance(table.get("body"), list)
    return table if good and not inner.get("results") else {}


def _parse_results(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each test and prompt; the answer is empty where the provider failed."""
    for content in contents:
        value = content.value
        inner = _inner(value)
        if inner is not value:
            left.count_fields("field beside the list", value, {"results"})
        if content.kind == "csv":
            results = _from_csv(objects(value))
        elif isinstance(inner, dict) and _table(inner):
            left.count_fields("field beside the list", inner, {"results", "table", "head", "body"})
            results = _from_table(_table(inner))
        else:
            results = iter(objects(inner, "results", left=left))
        yield from (_result(result, left) for result in results)


def _result(result: Mapping[str, Any], left: Leftovers) -> NewRow:
    test = dict(object_of(result.get("testCase")))
    variables = object_of(result.get("vars")) or object_of(test.get("vars"))
    if test.pop("vars", variables) != variables:
        left.count("variables of a test that the result has otherwise", "vars")
    prompt, provider = object_of(result.get("prompt")), object_of(result.get("provider"))
    row, more = _asked(variables, prompt.get("raw"), assertions_of(test.pop("assert", None), left), left)
    written = result.get("response")
    response = dict(written) if isinstance(written, dict) else {"output": written}
    output = response.pop("output", None)
    turns = answer_in({"role": "assistant", "tool_calls": output} if _is_calls(output) else output, left)
    row["answer"] = "\n".join(turn.text or "" for turn in turns)
    if calls := [call for turn in turns for call in turn.calls]:
        row["tool_calls"] = calls
    broken = not is_filled(output) or result.get("failureReason") == _BROKEN
    failure = fault_of(result.get("error"), response.get("error"), output) if broken else ""
    if failure := failure or cut_by(response.get("finishReason")):
        row = failed(row, failure)
        result = {name: value for name, value in result.items() if name != "error" or value != failure}
    tokens = object_of(response.get("tokenUsage"))
    measured = {
        "id": result.get("id"),
        "model": text_of(provider.get("id", result.get("provider"))),
        "latency_ms": number_of(result.get("latencyMs")),
        "input_tokens": number_of(tokens.get("prompt")),
        "output_tokens": number_of(tokens.get("completion")),
    }
    row |= {name: value for name, value in measured.items() if value is not None}
    more |= {name: value for name, value in result.items() if name not in _RESULT and value != test.get(name)}
    left.count_fields(
        "field of a test that its result has as well", {name: test[name] for name in test if name in more}
    )
    for name, value in {"prompt_details": prompt, "provider_details": provider}.items():
        more[name] = {key: part for key, part in value.items() if key not in ("raw", "id")}
    return keep(row, {**test, **more, "response": response}, left)


def _is_calls(output: Any) -> bool:
    """Whether an output is the calls of tools of a model that said nothing besides."""
    return isinstance(output, list) and bool(output) and all(object_of(call).get("function") for call in output)


def _asked(
    variables: Mapping[str, Any], raw: Any, checks: Sequence[dict[str, Any]], left: Leftovers
) -> tuple[NewRow, dict[str, Any]]:
    """(the row of a case; what else is to be kept of it). The prompt may be a list of messages: then its last question
    is the question, unless a variable is."""
    turns = turns_in(raw, "user", left) if isinstance(decoded(raw), list) else []
    talk = last_exchange(turns, left, "always")
    row, more = case_of(variables, checks, "" if talk else text_of(raw) or "", left)
    if talk and (row["question"] == talk.row["question"] or not has_question(variables)):
        return {**row, **talk.row}, more
    return row, {**more, **({"prompt": raw} if raw != row["question"] else {})}


def _outputs(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The column of each output with those that grade it."""
    names = list(rows[0]) if rows else []
    found: dict[str, list[str]] = {}
    for place, name in enumerate(names[:-1]):
        if re.fullmatch(r"Status(_\d{1,4})?", names[place + 1]) and not _COLUMN.fullmatch(name):
            end = place + 1
            while end < len(names) and _COLUMN.fullmatch(names[end]):
                end += 1
            found[name] = names[place + 1 : end]
    if found:
        return found
    old = [name for name in names if _OLD_HEADER.fullmatch(name) and _OLD_CELL.fullmatch(str(rows[0][name]))]
    return {name: [] for name in old}


def _from_csv(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows of a CSV file as results: variables, then for each prompt its output and how it was graded."""
    outputs = _outputs(rows)
    graded = {*outputs, *(name for names in outputs.values() for name in names)}
    for cells in rows:
        variables = {name: cell for name, cell in cells.items() if name not in graded and name != "Description"}
        for name, names in outputs.items():
            grades = {re.sub(r"_\d{1,4}$", "", grade): cells.get(grade) for grade in names}
            text = str(cells.get(name, ""))
            if old := None if names else _OLD_CELL.fullmatch(text):
                reason, line, answer = old[2].partition("\n---\n") if old[1] != "PASS" else ("", "", old[2])
                text = answer if line else reason or answer
                grades = {"Status": old[1], "Grader Reason": reason if line else ""}
            yield {
                "vars": variables,
                "response": {"error" if grades.get("Status") == "ERROR" else "output": text},
                "description": cells.get("Description"),
                "column": name,
                "grades": grades,
            }


def _from_table(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    names = [str(name) for name in _list(table["head"].get("vars"))]
    prompts = objects(table["head"].get("prompts"))
    for line in objects(table["body"]):
        variables = dict(zip(names, _list(line.get("vars")), strict=False))
        for number, output in enumerate(objects(line.get("outputs"))):
            prompt = prompts[number] if number < len(prompts) else {}
            rest = {name: value for name, value in output.items() if name not in ("text", "prompt", "tokenUsage")}
            response = {"output": output.get("text"), "tokenUsage": output.get("tokenUsage")}
            raw = {**prompt, "raw": output.get("prompt") or prompt.get("raw")}
            yield {**rest, "vars": variables, "testCase": line.get("test"), "prompt": raw, "response": response,
                   "provider": output.get("provider") or prompt.get("provider")}  # fmt: skip


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_inspect(content: Content) -> bool:
    value = content.value
    return (
        content.kind == "json"
        and isinstance(value, dict)
        and "eval" in value
        and isinstance(value.get("samples"), list)
    )


def _parse_inspect(contents: Sequence[Content], left: Leftovers) -> Iterator[NewRow]:
    """One row for each answer of each sample; what else the sample says stays with the last."""
    for content in contents:
        samples = objects(content.value, "samples", left=left)
        repeated = any(sample.get("epoch", 1) != 1 for sample in samples)
        for number, sample in enumerate(samples, 1):
            name = str(sample.get("id", number))
            yield from _sample(sample, f"{name}_epoch_{sample.get('epoch', 1)}" if repeated else name, left)


def _sample(written: Mapping[str, Any], name: str, left: Leftovers) -> Iterator[NewRow]:
    sample = _attached(written, object_of(written.get("attachments")))
    output = object_of(sample.get("output"))
    turns = turns_in(sample.get("messages"), "user", left)
    if not any(turn.role == "assistant" for turn in turns):
        turns = turns or turns_in(sample.get("input"), "user", left)
        turns += turns_in(output.get("choices") or output.get("completion"), "assistant", left)
    reason = (objects(output.get("choices")) or [{}])[0].get("stop_reason")
    failure = cut_by(reason) or fault_of(sample.get("error"), output.get("error"))
    found = exchanges(turns, left, "always" if failure else "alone")
    left.count_fields("field of a sample", {"events": sample.get("events")})
    if not found:
        left.count_fields("field of a sample without an answer", sample, ("id", "messages", "attachments", "events"))
    for number, exchange in enumerate(found[:-1], 1):
        yield {"id": f"{name}-{number}", **exchange.numbered(name, number)}
    if found:
        said = {turn.text for turn in turns}
        row = {"id": name, **found[-1].numbered(name, len(found))}
        row = failed(row, failure) if failure else row
        yield keep(row | _measured(sample, output), _rest(sample, output, said), left)


def _measured(sample: Mapping[str, Any], output: Mapping[str, Any]) -> NewRow:
    seconds, usage = number_of(output.get("time")), object_of(output.get("usage"))
    measured = {
        "reference": text_of(sample.get("target")) or None,
        "model": output.get("model"),
        "latency_ms": None if seconds is None else round(1000 * seconds, 3),
        "input_tokens": number_of(usage.get("input_tokens")),
        "output_tokens": number_of(usage.get("output_tokens")),
        "epoch": sample.get("epoch"),
    }
    return {field: value for field, value in measured.items() if value is not None}


def _rest(sample: Mapping[str, Any], output: Mapping[str, Any], said: set[str | None]) -> dict[str, Any]:
    """What a sample says besides its messages (`said`) and what was measured."""
    rest = {name: value for name, value in sample.items() if name not in _SAMPLE}
    details = {name: value for name, value in output.items() if name not in ("model", "choices", "completion")}
    for name in ("choices", "completion"):
        if any(turn.text not in said for turn in turns_in(output.get(name), "assistant", Leftovers())):
            details[name] = output[name]
    if any(turn.text not in said for turn in turns_in(sample.get("input"), "user", Leftovers())):
        rest["input"] = sample["input"]
    if not text_of(sample.get("target")):
        rest["target"] = sample.get("target")
    return {**rest, "output_details": details}


def _attached(value: Any, attachments: Mapping[str, Any]) -> Any:
    """The value with long texts in place of their `attachment://` names."""
    if isinstance(value, str):
        found = attachments.get(value.removeprefix(_ATTACHMENT)) if value.startswith(_ATTACHMENT) else None
        return found if isinstance(found, str) else value
    if isinstance(value, list):
        return [_attached(part, attachments) for part in value]
    return {name: _attached(part, attachments) for name, part in value.items()} if isinstance(value, dict) else value


RESULTS = Format("results of an evaluation: `results` with `vars` and `response`, or CSV with `Status` after an output",
                 _is_results, _parse_results)  # fmt: skip
INSPECT = Format("a log with `eval` and `samples`, as JSON or `.eval`", _is_inspect, _parse_inspect)
