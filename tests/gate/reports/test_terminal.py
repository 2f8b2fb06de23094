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


@pytest.mark.parametrize("width", [80, 100, 120])
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


def test_a_stream_that_cannot_carry_the_signs_still_gets_the_words(document):
    stream = Stream(False, "ascii")
    show(document, stream, {})
    assert stream.said().split()[:4] == ["BLOCK", "must", "not", "ship"]


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
