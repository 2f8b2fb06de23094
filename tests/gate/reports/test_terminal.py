"""The terminal report and the comparison: decision first, and no stranger's text moves the cursor."""

from __future__ import annotations

import copy
import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from gate.reports.document import Comparison, VerdictDocument
from gate.reports.terminal import LISTED, describe_comparison, render, show
from gate.reports.words import View

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


@pytest.fixture
def comparison(compared: VerdictDocument) -> Comparison:
    return copy.deepcopy(compared["comparison"])


def test_all_of_it(comparison: Comparison) -> None:
    lines = describe_comparison(comparison).splitlines()
    assert lines[0] == "REGRESSION"
    assert lines[1].startswith("the risk of a prompt changed by +0.375 on average")
    assert lines[2:] == [
        "base: replay / m-0; this run: replay / m-1",
        "3 prompts judged in both; one-sided p 0.031; smallest difference that could have shown: 0.300",
        "measure: cost $0.00010 → $0.00021: worse (+$0.00011 of a prompt, +$0.000010 to +$0.00021, p 0.020, n = 8)",
        "measure: consistency 0.600 → 0.500: too few prompts (−0.100 of a prompt, –, p –, n = 1)",
        "note: the base was made with other documents",
        "new: The kiln reaches 1280 degrees. (contradicted, q1)",
        "fixed: The kiln is blue. (not supported, q1)",
    ]
    assert describe_comparison(comparison).endswith("\n")


@pytest.mark.parametrize(("more", "last"), [(0, None), (1, "new: and 1 more"), (1500, "new: and 1,500 more")])
def test_long_lists_are_cut_and_counted(comparison: Comparison, more: int, last: str | None) -> None:
    comparison.update(new=comparison["new"] * (LISTED + more), fixed=[])
    lines = [line for line in describe_comparison(comparison).splitlines() if line.startswith("new: ")]
    assert len(lines) == LISTED + (more > 0)
    assert (lines[-1] == last) is (last is not None)


def test_strangers_text_neither_moves_the_cursor_nor_commands_a_runner(
    comparison: Comparison, poison, hostile: str
) -> None:
    plain = len(describe_comparison(comparison).splitlines())
    text = describe_comparison(poison(comparison, hostile))
    assert len(text.splitlines()) == plain
    assert "\x1b" not in text
    assert "##[" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_measures_their_reasons_and_what_changed_are_told(compared):
    text = render(compared, width=200)
    for row in (
        "  ? consistency 0.500  (0.055 to 0.945, n = 1)  PARTLY MEASURED, asked for at least 0.4\n"
        "      1 of 2 prompts could not be rated: no probe was answered\n",
        "      per 1,000 answers $0.40; all answers of this run $0.00042\n",
        "  ✗ latency 2.4 s  (120 ms to 2.4 s, n = 2)  FAILED, asked for at most 1.0 s\n      p50 120 ms\n",
        "      q1 2.4 s: 2400 ms\n",
        "  ✓ relevance 0.710  (0.600 to 0.800, n = 3)  passed, asked for at least 0.6\n",
        "  no difference shown: consistency\n",
    ):
        assert row.replace("  (", " (").replace(")  ", ") ") in text
