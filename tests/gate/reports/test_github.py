"""GitHub: Markdown that stays in its place and within the limits, and annotations that are nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gate.reports.ci import render_sarif
from gate.reports.github import (
    COMMENT_LIMIT,
    SUMMARY_LIMIT,
    code,
    command,
    comment,
    fit,
    prose,
    summary,
    workflow_commands,
)
from gate.reports.outcome import blob_url, view_of
from gate.reports.safe import line
from gate.reports.words import View

BASE = "https://host/o/r/blob/abc"
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What GitHub makes links of in running text, after Markdown: mentions, addresses, references.
LINKED = re.compile(r"@\w|\w://|www\.\w|\w#\d|(?<!\w)#\d|\bGH-\d|:[\w+-]+:|\bmailto:\w", re.IGNORECASE)


def structure(text):
    """The shape of the page: block tokens, inline kinds (runs of text as one), and where links go."""
    shape = []
    for token in PARSER.parse(text):
        shape.append(token.type)
        for child in token.children or ():
            if child.type == "text":
                assert not LINKED.search(child.content), child.content
            if child.type == "link_open":
                assert str(child.attrs["href"]).startswith(BASE)
            if child.type not in ("text", "link_open", "link_close") and shape[-1] != child.type:
                shape.append(child.type)
    return shape


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(min_size=1).filter(lambda text: line(text) != ""))
@example(text="___")  # an underscore beside another is no letter of a word
@example(text="a__b___")
@example(text="=")  # a line of these makes a heading of the line above
def test_any_text_stays_in_its_place(compared, poison, text):
    document = poison(compared, text)
    assert structure(comment(document, View(blob_url=BASE))) == structure(comment(poison(compared, "x")))


def test_hostile_text_stays_in_its_place(compared, poison, hostile):
    document = poison(compared, hostile)
    assert structure(comment(document, View(blob_url=BASE))) == structure(comment(poison(compared, "x")))


@given(st.text(alphabet="ab`|<>[]()!*_~\\&#@:/$.-+ \n\t1", min_size=1))
def test_any_text_is_one_code_span(text):
    (inline,) = [token for token in PARSER.parse("x " + code(text)) if token.type == "inline"]
    kinds = [child.type for child in inline.children]
    assert kinds == (["text", "code_inline"] if line(text) else ["text"])
    if line(text):
        assert inline.children[1].content.strip() == line(text, 400)


@given(st.text(alphabet="aw`|<>[]()!*_~\\&#@:/$.-+ \n\t1GHx", min_size=1))
def test_any_text_is_running_words(text):
    tokens = PARSER.parse(f"- {prose('x' + text)}\n\n| a |\n|---|\n| {prose(text)} |\n")
    inline = [token for token in tokens if token.type == "inline"]
    assert len(inline) == 3
    for token in inline:
        assert {child.type for child in token.children} <= {"text", "text_special"}
        assert not LINKED.search("".join(child.content for child in token.children))
    said = "".join(child.content for child in inline[0].children).replace("\u2060", "")
    assert said == line("x" + text, 400)


def test_it_stays_below_the_limits(compared, poison):
    huge = poison(compared, "<&|>" * 1000)
    huge["reasons"] = ["<&|>" * 200] * 2000
    for text, limit in ((comment(huge), COMMENT_LIMIT), (summary(huge), SUMMARY_LIMIT)):
        assert len(text.encode()) <= limit
        assert "Cut here" in text
    assert "Cut here" not in summary(compared)


@given(st.lists(st.text(min_size=1), min_size=1), st.integers(200, 400))
def test_cutting_leaves_whole_blocks(blocks, limit):
    blocks = [block.encode("utf-8", "replace").decode() for block in blocks]
    text = fit(blocks, limit)
    assert len(text.encode()) <= limit
    assert text == "\n".join(blocks) or any(text.startswith("\n".join(blocks[:n])) for n in range(len(blocks)))


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
    for mark, sign in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(mark, sign)
    return text


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
    assert [level for level, _, _ in read(workflow_commands(document))] == levels


def test_ten_of_a_kind(document):
    document["details"] = [dict(document["details"][n % 2 * 2 + 1], claim=f"Claim {n}.") for n in range(60)]
    levels = [level for level, _, _ in read(workflow_commands(document))]
    assert levels.count("error") == 10
    assert levels.count("warning") == 10


def test_hostile_text_is_data(document, poison, hostile):
    commands = read(workflow_commands(poison(document, hostile)))
    assert [level for level, _, _ in commands] == ["error", "error", "error", "warning"]


@given(st.text(), st.text())
def test_what_is_encoded_is_read_back(title, message):
    text = command("error", message, {"title": title})
    ((_, properties, said),) = read(text + "\n")
    assert properties == {"title": line(title, 250)}
    assert said.split("\n") == [line(row) for row in message.split("\n")] or len(said) == 4000


@pytest.mark.parametrize("source", ["../x.md", "/abs/x.md", "s3://b/x.md", "x.pdf"])
def test_no_line_is_named_that_github_cannot_show(document, source):
    document["details"][1]["evidence"][0]["source"] = source
    _, properties, message = read(workflow_commands(document))[1]
    assert "line" not in properties
    assert source in message


def test_the_address_of_the_commit():
    environ = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_SHA": "abc"}
    assert blob_url(environ) == "https://github.com/o/r/blob/abc"
    assert blob_url({}) == ""
    run = {**environ, "GITHUB_REF_NAME": "12/merge", "GITHUB_HEAD_REF": "kiln", "GITHUB_RUN_ID": "7"}
    assert view_of(run) == View(
        None, "https://github.com/o/r/blob/abc", "kiln", "abc", "https://github.com/o/r/actions/runs/7"
    )
    assert view_of({**run, "GITHUB_HEAD_REF": "", "GITHUB_RUN_ID": "7/../x"}).run_url == ""
    assert view_of({}) == View()
    assert blob_url({**environ, "GITHUB_SERVER_URL": "javascript:x"}) == ""


def test_a_gate_in_a_folder_names_places_as_seen_from_the_repository(document, tmp_path, monkeypatch):
    (tmp_path / "apps" / "my shop").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "apps" / "my shop")
    environ = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_SHA": "abc"}
    view = view_of({**environ, "GITHUB_WORKSPACE": str(tmp_path), "GITHUB_RUN_ID": "7"})
    assert view.blob_url == "https://github.com/o/r/blob/abc/apps/my%20shop"
    assert view.run_url == "https://github.com/o/r/actions/runs/7"
    files = [properties["file"] for _, properties, _ in read(workflow_commands(document, view)) if "file" in properties]
    addresses = re.findall(r'"uri": "([^"]*\.md)"', render_sarif(document, view))
    assert files
    assert addresses
    assert all(each.startswith("apps/my shop/") for each in files)
    assert all(each.startswith("apps/my%20shop/") for each in addresses)
    assert view_of({**environ, "GITHUB_WORKSPACE": str(tmp_path / "elsewhere")}).folder == ""


def test_many_measures_leave_room_for_claims(compared):
    entry = compared["measures"]["latency"]
    compared["measures"] = {f"m{n}": dict(entry) for n in range(9)}
    titles = [properties["title"] for _, properties, _ in read(workflow_commands(compared))]
    assert sum(title.endswith(": failed") for title in titles) == 4
    assert "Contradicted" in titles


def test_waivers_and_notes_are_told(make):
    document = make(waived={"q1:1"}, notes=["a waiver ended on 2026-01-01"])
    said = comment(document)
    assert said.index("- note: a waiver ended") < said.index("### Claims")
    assert (
        "### Waived (1)\n\n- `The kiln reaches 1280 degrees.` (contradicted; accepted until 2027-01-31 by Ann: agreed)"
        in said
    )
    assert "note: a waiver ended" in read(workflow_commands(document))[0][2]
