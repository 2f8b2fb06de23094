"""The line and a team's fit of it: the chances that the fit gives, another version, nothing from a damaged file."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ModelFileError
from gate.judges.line import Fit, Line, fit_text, fitted, load_line, read_fit
from gate.statistics.calibration import Refit

LINE = Line("5", -1.0, {"a": 2.0, "b": -3.0}, 0.6, 0.3, 0.9, 0.1)
FIT = Fit("5", "m", Refit(1.5, -0.4, 0.55, 0.25), "abc")


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.1, 4), st.floats(-3, 3))
def test_the_fitted_line_says_what_the_fit_makes_of_the_lines_chances(a, b, slope, offset):
    fit = Fit("5", "m", Refit(slope, offset, 0.5, 0.5))
    before = LINE.chance({"a": a, "b": b})
    after = fitted(LINE, fit, "m").chance({"a": a, "b": b})
    expected = 1 / (1 + math.exp(-(slope * math.log(before / (1 - before)) + offset)))
    assert after == pytest.approx(expected, abs=1e-9)


def test_the_thresholds_are_those_of_the_fit_and_the_version_tells():
    found = fitted(LINE, FIT, "m")
    assert (found.high, found.low) == (0.55, 0.25)
    assert found.version.startswith("5+fit-")
    assert Fit("5", "m", Refit(1.5, -0.4, 0.56, 0.25)).version != FIT.version
    assert found.sure_high == pytest.approx(1 / (1 + math.exp(-(1.5 * math.log(9) - 0.4))))
    narrow = fitted(LINE, Fit("5", "m", Refit(0.01, 0.0, 0.8, 0.2)), "m")
    assert (narrow.sure_high, narrow.sure_low) == (0.8, 0.2)


def test_the_shipped_line_is_whole_and_in_order_and_a_missing_one_a_fault(tmp_path):
    line = load_line()
    assert -0.2 <= line.sure_low <= line.low <= line.high <= line.sure_high <= 1.2
    with pytest.raises(ModelFileError, match="line"):
        load_line(tmp_path / "line.json")


def test_a_fit_is_read_as_it_was_written(tmp_path):
    assert read_fit(tmp_path / "line.json") is None
    (tmp_path / "line.json").write_text(fit_text(FIT))
    assert read_fit(tmp_path / "line.json") == FIT


@pytest.mark.parametrize(
    "changes", [{"slope": 0}, {"slope": "x"}, {"high": 1.1}, {"low": 0.9}, {"offset": float("nan")}]
)
def test_a_fit_that_makes_no_sense_is_refused(tmp_path, changes):
    (tmp_path / "line.json").write_text(json.dumps({**json.loads(fit_text(FIT)), **changes}))
    with pytest.raises(ModelFileError, match=r"line\.json"):
        read_fit(tmp_path / "line.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[" * 90_000, "{" + " " * 200_000 + "}"])
def test_a_damaged_fit_is_refused(tmp_path, text):
    (tmp_path / "line.json").write_text(text)
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_fit(tmp_path / "line.json")
