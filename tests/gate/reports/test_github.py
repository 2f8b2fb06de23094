"""Annotations: one command a line, ten of a kind, pointing at documents, and nothing that was not meant as one."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.reports.github import blob_url, command, render

COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^:,]*)(?:,[a-z]+=[^:,]*)*)::(.*)")


def read(text):
    """The commands as the runner reads them: name, properties, message."""
    found = []
    for row in text.split("\n")[:-1]:
        match = COMMAND.fullmatch(row)
        assert match, row
        pairs = dict(pair.split("=", 1) for pair in match[2].split(","))
        found.append((match[1], {k: decode(v) for k, v in pairs.items()}, decode(match[3])))
    return found


def decode(text):
    for code, sign in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def test_blocking_claims_are_errors_at_the_line_that_says_otherwise(document):
    head, contradicted, missing, weak = read(render(document))
    assert head[0] == "error"
    assert head[1] == {"title": "LLM reliability gate: block"}
    assert "95 % interval" in head[2]
    assert contradicted[:2] == ("error", {"file": "docs/kiln.md", "line": "14", "title": "Contradicted"})
    assert "The highest temperature is 1250 degrees." in contradicted[2]
    assert missing[:2] == ("error", {"title": "Not supported"})
    assert weak[0] == "warning"


@pytest.mark.parametrize(
    ("decision", "levels"),
    [
        ("block", ["error", "error", "error", "warning"]),
        ("warn", ["warning"] * 4),
        ("deploy", ["notice"] * 4),
        ("inconclusive", ["error", "warning", "warning", "warning"]),
    ],
)
def test_levels_follow_the_decision(document, decision, levels):
    document["decision"] = decision
    assert [level for level, _, _ in read(render(document))] == levels


def test_ten_of_a_kind(document):
    document["details"] = [dict(document["details"][n % 2 * 2 + 1], claim=f"Claim {n}.") for n in range(60)]
    levels = [level for level, _, _ in read(render(document))]
    assert levels.count("error") == 10
    assert levels.count("warning") == 10


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text())
def test_any_text_is_data(document, poison, text):
    assert len(read(render(poison(document, text)))) == 4


def test_hostile_text_is_data(document, poison, hostile):
    commands = read(render(poison(document, hostile)))
    assert [level for level, _, _ in commands] == ["error", "error", "error", "warning"]


@given(st.text(), st.text())
def test_what_is_encoded_is_read_back(title, message):
    from gate.reports.safe import line

    text = command("error", message, {"title": title})
    ((_, properties, said),) = read(text + "\n")
    assert properties == {"title": line(title, 250)}
    assert said.split("\n") == [line(row) for row in message.split("\n")] or len(said) == 4000


@pytest.mark.parametrize("source", ["../x.md", "/abs/x.md", "s3://b/x.md", "x.pdf"])
def test_no_line_is_named_that_github_cannot_show(document, source):
    document["details"][1]["evidence"][0]["source"] = source
    _, properties, message = read(render(document))[1]
    assert "line" not in properties
    assert source in message


def test_the_address_of_the_commit():
    environ = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_SHA": "abc"}
    assert blob_url(environ) == "https://github.com/o/r/blob/abc"
    assert blob_url({}) == ""
    assert blob_url({**environ, "GITHUB_SERVER_URL": "javascript:x"}) == ""


def test_a_measure_that_is_not_met_is_annotated_before_the_claims(compared):
    rows = [(level, properties["title"]) for level, properties, _ in read(render(compared))]
    assert rows[:4] == [
        ("error", "LLM reliability gate: block"),
        ("error", "latency: failed"),
        ("error", "consistency: partly measured"),
        ("error", "Contradicted"),
    ] or rows[:4] == [
        ("error", "LLM reliability gate: block"),
        ("error", "consistency: partly measured"),
        ("error", "latency: failed"),
        ("error", "Contradicted"),
    ]
    assert "q1 2.4 s: 2400 ms" in render(compared)


def test_many_measures_leave_room_for_claims(compared):
    entry = compared["measures"]["latency"]
    compared["measures"] = {f"m{n}": dict(entry) for n in range(9)}
    titles = [properties["title"] for _, properties, _ in read(render(compared))]
    assert sum(title.endswith(": failed") for title in titles) == 4
    assert "Contradicted" in titles
