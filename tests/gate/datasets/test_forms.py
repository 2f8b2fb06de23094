"""Files in the forms of other tools, with data of our own: what they become, and that nothing is lost."""

import json
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from gate.datasets.convert import convert, save
from gate.datasets.files import load_file
from gate.providers.replay import read_answers, read_dataset

FILES = Path(__file__).parent / "files"
EXPECTED = json.loads((FILES / "expected.json").read_text())
ORDER = sorted(EXPECTED)


def paths(name):
    """The file, with the replies of a batch beside its requests."""
    beside = name.replace(".input.", ".output.")
    return [FILES / each for each in dict.fromkeys((name, beside))]


def texts(value, path=()):
    """(the names above it, text) of each text of four words or more, also in JSON that a text holds."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        with suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, dict):
        above = [str(value[name]) for name in ("key", "type", "name") if isinstance(value.get(name), str)]
        for name, inner in value.items():
            yield from texts(inner, (*path, *above, name))
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, path)
    elif isinstance(value, str) and len(value.split()) >= 4:
        yield path, value


@pytest.mark.parametrize("name", ORDER)
def test_a_file_becomes_these_rows(name):
    found = convert(paths(name))
    assert {"formats": list(found.formats), "rows": found.rows, "left": found.ledger.describe()} == EXPECTED[name]


@pytest.mark.parametrize("name", ORDER)
def test_each_text_of_a_file_is_in_the_rows_or_counted(name):
    found = convert(paths(name))
    kept = "\n".join(text for _, text in texts(found.rows))
    counted = {name for _, name in found.ledger.counts}
    for path in paths(name):
        for where, text in texts(load_file(path).value):
            parts = re.split(r"[|\]]|\n---\n|: ", text)  # several texts may share a cell
            lost = not all(part.strip() in kept for part in parts if len(part.split()) >= 4) and counted.isdisjoint(
                where
            )
            assert not lost or "" in counted, where  # a message or a row that is counted has no name


@pytest.mark.parametrize("name", ORDER)
def test_what_is_written_is_read_as_the_same(name, tmp_path):
    rows = convert(paths(name)).rows
    save(tmp_path / "rows.jsonl", rows)
    again = convert([tmp_path / "rows.jsonl"])
    assert (again.rows, again.ledger.describe()) == (rows, [])
    answered = "answer" in rows[0]
    read = (
        [one.prompt for one in read_answers(tmp_path / "rows.jsonl")]
        if answered
        else read_dataset(tmp_path / "rows.jsonl")
    )
    assert [(one.question, list(one.contexts), one.reference) for one in read] == [
        (row["question"], row.get("contexts", []), row.get("reference")) for row in rows
    ]


def spans(*rows):
    """Spans of one trace as the SDK writes them, of (id, parent, attributes)."""
    return [{"name": name, "context": {"trace_id": "t", "span_id": name}, "parent_id": parent, "attributes": attributes}
            for name, parent, attributes in rows]  # fmt: skip


SAID = {"input.value": "How long?", "output.value": "An hour."}


@pytest.mark.parametrize(
    ("entries", "answers"),
    [
        (spans(("a", "b", {}), ("b", "a", SAID)), 0),  # a ring has no top
        (spans(("a", "a", SAID)), 1),
        (spans(*((f"s{n}", f"s{n - 1}", {}) for n in range(3000)), ("last", "s2999", SAID)), 1),
        (spans(("a", None, SAID), ("b", None, {**SAID, "openinference.span.kind": "TOOL"})), 1),
        (spans(("a", None, {"llm.input_messages." + "0." * 5000 + "x": "y", **SAID})), 1),
    ],
)
def test_spans_of_any_shape(tmp_path, entries, answers):
    (tmp_path / "t.json").write_text(json.dumps([*entries, *spans(("other", None, SAID))]))
    assert len(convert([tmp_path / "t.json"], "opentelemetry").rows) == answers + 1


def test_a_long_conversation_repeats_its_last_messages(tmp_path):
    talk = [{"role": role, "content": f"{role} {n}"} for n in range(300) for role in ("user", "assistant")]
    (tmp_path / "t.json").write_text(json.dumps({"messages": [{"role": "system", "content": "s"}, *talk]}))
    rows = convert([tmp_path / "t.json"]).rows
    assert len(rows) == 300
    assert [message["role"] for message in rows[-1]["messages"]] == ["system", *["user", "assistant"] * 50, "user"]
    request = {"custom_id": "c", "url": "/v1/chat/completions", "body": {"messages": talk[:-1]}}
    (tmp_path / "b.jsonl").write_text(json.dumps(request))
    found = convert([tmp_path / "b.jsonl"])
    assert ([row["question"] for row in found.rows], found.ledger.describe()[0]) == (
        ["user 299"], "498 x message before the last 100",
    )  # fmt: skip


def test_there_are_fifty_files_and_each_format_has_some():
    counts = Counter(name for expected in EXPECTED.values() for name in expected["formats"])
    assert sum(counts.values()) >= 50
    assert {"opentelemetry", "phoenix", "langfuse", "langsmith", "inspect", "promptfoo", "promptfoo-results",
            "deepeval", "ragas", "agent-evals", "openai"} <= set(counts)  # fmt: skip
