"""The terminal report: decision first, in words as well as colour, and no stranger's text moves the cursor."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from gate.reports.telling import View
from gate.reports.terminal import render, show

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


def test_the_decision_is_the_first_word(document):
    assert render(document).split()[0] == "BLOCK"


def test_it_tells_everything_that_decides(compared):
    text = " ".join(render(compared).split())
    for words in (
        "risk 0.625", "0.210 to 0.920", "deploy ≤ 0.1, warn ≤ 0.25", "risk 0.625 > warn threshold",
        "5 claims = 1 supported + 1 weakly supported + 2 not supported + 1 not judged",
        "✗ contradicted new q1", "docs/kiln.md:14", "“The highest temperature is 1250 degrees.”",
        "the judge's reply was cut off", "regression: the risk of a prompt changed by +0.375", "relevance 0.710",
        "run_model q4: timeout", "run_model 1.2 s", "4 calls (1 from the record)", "not calibrated",
    ):  # fmt: skip
        assert words in text


def test_sections_without_content_are_left_out(empty):
    text = render(empty)
    assert text.split()[0] == "INCONCLUSIVE"
    for word in ("Failures", "Measures", "Against", "Not supported", "Not judged"):
        assert word not in text


def test_long_lists_are_cut_with_a_word(document):
    document["details"] = [dict(document["details"][1], claim=f"Claim {n}.") for n in range(25)]
    text = render(document)
    assert text.count("Claim ") == 10
    assert "and 15 more" in text


def test_a_partial_verdict_and_a_base_are_named(document, make, empty):
    document["partial"] = True
    text = render(document, View(baseline=empty))
    assert "partial" in text
    assert "the base was inconclusive" in text


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


def test_the_environment_of_the_process_does_not_change_the_text(document, monkeypatch):
    before = render(document)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert render(document) == before
    assert "\x1b[" in render(document, color=True)
