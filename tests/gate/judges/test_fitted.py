"""A fit in the stack: the same labels as the fit itself gives, another version, and nothing from a damaged file."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ModelFileError
from gate.judges.fitted import Fit, fit_text, fitted, read_fit
from gate.judges.local import LocalJudge
from gate.judges.stack import Line, Stack, Variant, load_stack
from gate.measures.refit import Refit
from gate.records import Label

LINE = Line(-1.0, {"a": 2.0, "b": -3.0})
STACK = Stack("5", "e", {"plain": Variant(LINE, LINE, 0.6, 0.3), "embedding": Variant(LINE, LINE, 0.7, 0.2)})
FIT = Fit("5", "stack-plain", Refit(1.5, -0.4, 0.55, 0.25), "abc")


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.1, 4), st.floats(-3, 3))
def test_the_fitted_stack_says_what_the_fit_makes_of_the_stacks_chances(a, b, slope, offset):
    fit = Fit("5", "stack-plain", Refit(slope, offset, 0.5, 0.5))
    before = LINE.probability({"a": a, "b": b})
    after = fitted(STACK, fit).variants["plain"].supported.probability({"a": a, "b": b})
    expected = 1 / (1 + math.exp(-(slope * math.log(before / (1 - before)) + offset)))
    assert after == pytest.approx(expected, abs=1e-9)


def test_only_the_variant_that_was_fitted_changes_and_the_version_tells():
    found = fitted(STACK, FIT)
    assert (found.variants["plain"].high, found.variants["plain"].low) == (0.55, 0.25)
    assert found.variants["plain"].contradicted == LINE
    assert found.variants["embedding"] == STACK.variants["embedding"]
    assert found.version.startswith("5+fit-")
    assert Fit("5", "stack-plain", Refit(1.5, -0.4, 0.56, 0.25)).version != FIT.version


def test_what_is_read_does_not_change_with_the_fit(item):
    class Reader:
        def __init__(self):
            self.pairs = []

        def score(self, pairs):
            self.pairs += pairs
            return np.tile(np.array([0.5, 0.1, 0.4], dtype=np.float32), (len(pairs), 1))

    stack = load_stack()
    given = item(
        "Refunds are paid to members.", "Refunds go to members. " + "No other thing is told in this place. " * 9
    )
    shown = []
    for line in (Refit(1.0, 0.0, 0.6, 0.3), Refit(1.0, 9.0, 0.6, 0.3), Refit(0.1, -9.0, 0.6, 0.3)):
        reader, fit = Reader(), Fit(stack.version, "stack-reader", line)
        again = fitted(fitted(stack, fit), Fit(fit.version, "stack-reader", line))
        LocalJudge(stack=again, reader=reader).judge([given])
        shown.append(reader.pairs)
    assert len(shown[0]) > 1
    assert shown[0] == shown[1] == shown[2]


def test_what_is_settled_moves_with_the_fit():
    stack = Stack("5", "e", {"plain": Variant(LINE, LINE, 0.6, 0.3, 0.9, 0.1)})
    turned = fitted(stack, FIT).variants["plain"]
    assert turned.sure_high == pytest.approx(1 / (1 + math.exp(-(1.5 * math.log(9) - 0.4))))
    assert turned.sure_low == pytest.approx(1 / (1 + math.exp(1.5 * math.log(9) + 0.4)))
    narrow = fitted(stack, Fit("5", "stack-plain", Refit(0.01, 0.0, 0.8, 0.2))).variants["plain"]
    assert (narrow.sure_high, narrow.sure_low) == (0.8, 0.2)


@pytest.mark.parametrize("line", [Refit(1.0, 3.0, 0.3, 0.3), Refit(1.0, 3.0, 0.6, 0.3)])
def test_a_fit_without_a_band_leaves_the_hard_checks(item, line):
    """Labels that the judge parts well give both thresholds one value."""
    stack = load_stack()
    judge = LocalJudge(stack=fitted(stack, Fit(stack.version, "stack-plain", line)))
    same, other, unlike = judge.judge(
        [
            item("Refunds are paid within 14 days.", "Refunds are paid within 14 days."),
            item("Refunds are paid within 30 days.", "Refunds are paid within 14 days."),
            item("Guests can use the sauna.", "Guests cannot use the sauna."),
        ]
    )
    assert (same.label, other.label) == (Label.SUPPORTED, Label.UNSUPPORTED)
    assert unlike.label is not Label.SUPPORTED


@pytest.mark.parametrize(
    "fit", [Fit("4", "stack-plain", FIT.line), Fit("5", "stack-reader", FIT.line), Fit("5", "x", FIT.line)]
)
def test_a_fit_for_another_stack_changes_nothing(fit):
    assert fitted(STACK, fit) is STACK


def test_a_fit_is_read_as_it_was_written(tmp_path):
    assert read_fit(tmp_path / "stack.json") is None
    (tmp_path / "stack.json").write_text(fit_text(FIT))
    assert read_fit(tmp_path / "stack.json") == FIT


@pytest.mark.parametrize(
    "changes",
    [
        {"slope": 0},
        {"slope": -1},
        {"slope": "x"},
        {"high": 1.1},
        {"low": 0.9},
        {"offset": float("nan")},
        {"slope": float("inf")},
    ],
)
def test_a_fit_that_makes_no_sense_is_refused(tmp_path, changes):
    (tmp_path / "stack.json").write_text(json.dumps({**json.loads(fit_text(FIT)), **changes}))
    with pytest.raises(ModelFileError, match=r"stack\.json"):
        read_fit(tmp_path / "stack.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[" * 90_000, "{" + " " * 200_000 + "}"])
def test_a_damaged_fit_is_refused(tmp_path, text):
    (tmp_path / "stack.json").write_text(text)
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_fit(tmp_path / "stack.json")
