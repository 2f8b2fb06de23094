"""The terminal report and the comparison: decision first, and no stranger's text moves the cursor."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from gate.reports.terminal import LISTED, describe_comparison, render, show

SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


class Stream(io.TextIOWrapper):
    """A terminal or a pipe, with an encoding."""

    def __init__(self, tty, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding)
        self.tty = tty

    def isatty(self):
        return self.tty

    def said(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


@pytest.mark.parametrize(("value", "mark"), [(0.0, 0), (1.0, -1)])
def test_the_gauge_has_both_ends(document, value, mark):
    document.update(score=value, interval=None)
    gauge = next(row.strip() for row in render(document).splitlines() if "┆" in row)
    assert gauge[mark] == "●"


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("color", [False, True])
def test_hostile_text_neither_moves_the_cursor_nor_breaks_the_width(compared, poison, hostile, width, color):
    text = render(poison(compared, hostile), width=width, color=color)
    plain = SEQUENCE.sub("", text) if color else text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u2028]", plain)
    assert max(cell_len(row) for row in plain.splitlines()) <= width
    assert not re.search(r"^\s*::|##\[", plain, re.MULTILINE)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text())
def test_any_text_is_shown_as_text(document, poison, text):
    said = render(poison(document, text))
    assert "\x1b" not in said
    assert said.split()[0] == "BLOCK"


def test_markup_and_emoji_codes_are_not_read(document):
    document["details"][1]["claim"] = "[bold red]x[/] :smiley: [link=http://e.example]y"
    assert "[bold red]x[/] :smiley: [link=http://e.example]y" in render(document)


@pytest.mark.parametrize(
    ("tty", "environ", "colored"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colour_only_where_it_is_wanted(document, tty, environ, colored):
    stream = Stream(tty)
    show(document, stream, environ)
    assert ("\x1b[" in stream.said()) == colored
    assert "BLOCK" in stream.said()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_stream_that_cannot_carry_the_signs_gets_them_spelled(compared, poison, hostile, encoding):
    stream = Stream(False, encoding)
    show(compared, stream, {})
    assert stream.said().count("?") == render(compared).count("?")
    assert "deploy <= 0.1" in stream.said()
    narrow = render(poison(compared, hostile), width=60, encoding=encoding)
    narrow.encode(encoding)
    assert max(map(len, narrow.splitlines())) <= 60


def test_a_finding_has_question_place_in_the_answer_and_what_to_do(document):
    document["prompts"][0].update(must_pass=True, tags=["heat"])
    document["notes"] = ["a waiver ended on 2026-01-01"]
    said = " ".join(render(document).split())
    assert "q1 90% sure must pass tags: heat How hot does the kiln get?" in said
    assert "The kiln holds 40 litres. »The kiln reaches 1280 degrees.« The lid" in said
    assert "fix docs/kiln.md:14, or accept the claim for a time: gate waive VERDICT.json" in said
    assert said.index("note: a waiver ended") < said.index("Contradicted, or")


def test_what_is_waived_is_told_apart(make):
    said = render(make(waived={"q1:1"}))
    assert (
        "Waived (1) The kiln reaches 1280 degrees. (contradicted; accepted until 2027-01-31 by Ann: agreed)"
        in " ".join(said.split())
    )
    assert "✗ contradicted" not in said


def test_whose_the_uncertainty_is(document):
    document["corrected"] = {"share": 0.1, "low": 0.05, "high": 0.2, "judge_part": 0.4}
    assert "40% of the uncertainty is the judge's, 60% the sample's" in " ".join(render(document).split())


@pytest.mark.parametrize(("more", "last"), [(0, None), (1, "new: and 1 more"), (1500, "new: and 1,500 more")])
def test_long_lists_are_cut_and_counted(compared, more, last):
    comparison = compared["comparison"]
    comparison.update(new=comparison["new"] * (LISTED + more), fixed=[])
    lines = [line for line in describe_comparison(comparison).splitlines() if line.startswith("new: ")]
    assert len(lines) == LISTED + (more > 0)
    assert (lines[-1] == last) is (last is not None)


def test_strangers_text_neither_moves_the_cursor_nor_commands_a_runner(compared, poison, hostile):
    comparison = compared["comparison"]
    plain = len(describe_comparison(comparison).splitlines())
    text = describe_comparison(poison(comparison, hostile))
    assert len(text.splitlines()) == plain
    assert "\x1b" not in text
    assert "##[" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
