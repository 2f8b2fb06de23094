"""A known distortion of the chances is undone, and unseen claims stay unseen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.records import Label
from gate.statistics.calibration import Refit, best_cut, held_out, logits, platt, refit

FREE = [Label.SUPPORTED]  # no hard check bounds the label


def distorted(n=4000, slope=2.0, offset=-1.0, seed=0):
    """True chances, labels drawn from them, and what a judge would say that is off by a line in the log odds."""
    rng = np.random.default_rng(seed)
    true = rng.beta(1.2, 1.2, n)
    said = 1 / (1 + np.exp(-(logits(true) - offset) / slope))
    return true, said, (rng.random(n) < true).astype(float)


def test_a_line_in_the_log_odds_is_found_again():
    true, said, labels = distorted()
    slope, offset, error = platt(logits(said), labels)
    assert 0 < error < 0.1
    assert (slope, offset) == (pytest.approx(2.0, rel=0.1), pytest.approx(-1.0, abs=0.15))
    assert np.abs(refit(said, labels).support(said) - true).mean() < 0.03


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=2, max_size=50))
def test_no_other_cut_is_better(rows):
    chances = np.array([c / 20 for c, _ in rows])
    labels = np.array([float(y) for _, y in rows])
    if len(set(labels)) < 2:
        return

    def balanced(cut):
        return (np.mean(chances[labels > 0] >= cut) + np.mean(chances[labels == 0] < cut)) / 2

    found = best_cut(chances, labels)
    assert balanced(found) == pytest.approx(max(balanced(cut) for cut in np.linspace(-0.01, 1.01, 411)))


def test_chances_that_fall_with_the_labels_are_not_turned_round():
    _, said, labels = distorted()
    assert refit(1 - said, labels) is None
    assert held_out(1 - said, labels, [str(n) for n in range(len(said))], FREE * len(said)) is None


def test_a_group_is_never_in_its_own_fit():
    """Labels of pure noise, equal within a group: only a fit that saw a claim's group could do better than chance."""
    rng = np.random.default_rng(2)
    groups = [str(n // 10) for n in range(600)]
    labels = np.repeat(rng.integers(0, 2, 60), 10).astype(float)
    said = np.clip(0.5 + 0.2 * (labels - 0.5) + rng.normal(0, 0.2, 600), 0.01, 0.99)
    before = held_out(said, labels, groups, FREE * 600)
    flipped = labels.copy()
    one_group = [n for n, group in enumerate(groups) if group == "7"]
    flipped[one_group] = 1 - flipped[one_group]
    after = held_out(said, flipped, groups, FREE * 600)
    assert np.array_equal(before[0][one_group], after[0][one_group])
    assert not np.array_equal(before[0], after[0])


def test_no_fit_lifts_a_claim_over_its_ceiling():
    _, said, labels = distorted(n=600)
    ceilings = ([Label.UNSUPPORTED, Label.WEAKLY_SUPPORTED, Label.SUPPORTED] * 200)[:600]
    chances, found = held_out(said, labels, [str(n) for n in range(600)], ceilings)
    assert Label.SUPPORTED not in {label for n, label in enumerate(found) if n % 3 < 2}
    assert {label for n, label in enumerate(found) if n % 3 == 0} == {Label.UNSUPPORTED}
    assert found[2::3].count(Label.SUPPORTED) > 20
    assert max(chances[0::3]) < max(chances[2::3])


@pytest.mark.parametrize("line", [Refit(1.0, 0.0, 0.6, 0.3), Refit(1.0, 0.0, 0.5, 0.5), Refit(1.0, 0.0, 1.0, 0.0)])
def test_the_most_under_a_ceiling_is_never_above_it(line):
    assert line.label(line.most(Label.UNSUPPORTED)) is Label.UNSUPPORTED
    assert line.label(line.most(Label.WEAKLY_SUPPORTED)) is not Label.SUPPORTED
    assert line.label(line.most(Label.SUPPORTED)) is Label.SUPPORTED
