"""Agreement with people: known tables, clusters, intervals that hold what they promise; and what mistakes do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.records import Label
from gate.statistics.agreement import (
    CLAIMS,
    LABELS,
    Pair,
    agreement,
    bins,
    brier_gain,
    confusion,
    deployed,
    ece,
    gain,
    judged,
    operating,
)

GOOD, WEAK, BAD, NONE = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED


def table(tp, fn, fp, tn):
    """Pairs by count: people and judge say bad, people only, judge only, neither; every claim a group of its own."""
    counts = ((BAD, BAD, tp), (BAD, GOOD, fn), (GOOD, BAD, fp), (GOOD, GOOD, tn))
    found = [(people, judge) for people, judge, n in counts for _ in range(n)]
    return [Pair(people, judge, None, str(n)) for n, (people, judge) in enumerate(found)]


pairs_strategy = st.lists(
    st.builds(
        Pair,
        st.sampled_from(LABELS),
        st.sampled_from((*LABELS, NONE)),
        st.none() | st.floats(0, 1),
        st.sampled_from("abcdef"),
    ),
    max_size=40,
)


def test_the_figures_of_a_known_table():
    found = agreement(table(40, 10, 20, 30))
    values = {name: figure.value for name, figure in found.items()}
    assert values == pytest.approx(
        {
            "balanced_accuracy": 0.7,
            "precision": 40 / 60,
            "recall": 0.8,
            "specificity": 0.6,
            "f1": 80 / 110,
            "kappa": 0.4,
        }
    )


def test_what_was_not_judged_is_neither_right_nor_wrong():
    pairs = table(5, 1, 1, 5)
    more = [*pairs, *(Pair(GOOD, NONE, None, f"n{n}") for n in range(50))]
    assert agreement(more) == agreement(pairs)
    assert len(judged(more)) == 12
    assert confusion(more)["supported"] == {"supported": 5, "weakly_supported": 0, "unsupported": 1, "unjudged": 50}


@pytest.mark.parametrize("pairs", [[], table(5, 5, 0, 0), table(0, 0, 5, 5), [Pair(GOOD, NONE)]])
def test_labels_of_one_kind_show_no_balanced_accuracy(pairs):
    found = agreement(pairs)["balanced_accuracy"]
    assert (found.value, found.interval) == (None, None)


def test_claims_that_stand_and_fall_together_widen_every_interval():
    pairs = table(40, 20, 20, 40)
    together = [Pair(p.people, p.judge, None, f"{p.people}{p.judge}{n // 10}") for n, p in enumerate(pairs)]
    alone, grouped = agreement(pairs), agreement(together)
    for name, figure in alone.items():
        wide = grouped[name]
        assert wide.value == figure.value
        assert wide.interval[1] - wide.interval[0] > 1.3 * (figure.interval[1] - figure.interval[0]), name


@settings(max_examples=60, deadline=None)
@given(pairs_strategy)
def test_every_value_lies_in_its_interval_and_every_share_in_its_range(pairs):
    for name, figure in agreement(pairs).items():
        if figure.value is None:
            assert figure.interval is None
            continue
        low, high = figure.interval
        assert low - 1e-9 <= figure.value <= high + 1e-9
        assert (-1 if name == "kappa" else 0) - 1e-9 <= low
        assert high <= 1 + 1e-9


def test_intervals_hold_the_truth_about_95_times_in_100():
    rng = np.random.default_rng(7)
    recall, specificity, held = 0.8, 0.7, {"balanced_accuracy": 0, "kappa": 0, "f1": 0}
    truth = {"balanced_accuracy": 0.75, "f1": 2 * 0.4 * 0.8 / (0.4 * 0.8 * 2 + 0.4 * 0.2 + 0.6 * 0.3)}
    cells = np.array([0.4 * recall, 0.4 * (1 - recall), 0.6 * (1 - specificity), 0.6 * specificity])
    alarm = cells[0] + cells[2]
    by_luck = alarm * 0.4 + (1 - alarm) * 0.6
    truth["kappa"] = (cells[0] + cells[3] - by_luck) / (1 - by_luck)
    for _ in range(150):
        found = agreement(table(*rng.multinomial(150, cells)))
        for name in held:
            held[name] += found[name].interval[0] <= truth[name] <= found[name].interval[1]
    assert all(133 <= count <= 150 for count in held.values()), held


def test_the_gain_of_one_judge_over_another_with_its_error():
    before, after = table(30, 10, 20, 20), table(36, 4, 18, 22)
    difference, error = gain(before, after)
    assert difference == pytest.approx((36 + 22 - 30 - 20) / 40 / 2)
    assert error == pytest.approx(math.sqrt(6 + 2) / 80), "eight claims changed, each for itself"
    assert gain(before, before) == (0, 0)
    one_group = [[Pair(p.people, p.judge) for p in pairs] for pairs in (before, after)]
    assert gain(*one_group)[1] == pytest.approx(difference), "claims that change together are one observation"
    assert gain(table(3, 0, 0, 0), table(2, 1, 0, 0)) is None


def test_the_gain_of_better_chances():
    before = [Pair(BAD, BAD, 0.6, "1"), Pair(GOOD, GOOD, 0.4, "2"), Pair(GOOD, GOOD, None, "3")]
    after = [Pair(BAD, BAD, 0.9, "1"), Pair(GOOD, GOOD, 0.1, "2"), Pair(GOOD, GOOD, None, "3")]
    assert brier_gain(before, after) == pytest.approx((0.16 - 0.01, math.hypot(0.15, 0.15) / 2))
    assert brier_gain(after, before)[0] < 0
    assert brier_gain(before[2:], after[2:]) is None


def labelled(good, bad, people=BAD):
    """`good`, `bad`: how often the judge says supported, weakly supported, unsupported of such claims."""
    rows = [(GOOD, label) for label, n in zip((GOOD, WEAK, BAD), good, strict=True) for _ in range(n)]
    rows += [(people, label) for label, n in zip((GOOD, WEAK, BAD), bad, strict=True) for _ in range(n)]
    return [Pair(truth, label, None, str(n)) for n, (truth, label) in enumerate(rows)]


def test_a_perfect_judge_measures_what_is_so():
    found = operating(labelled((300, 0, 0), (0, 0, 300)), 0.1, 0.25)
    assert (found.if_supported.value, found.if_not.value) == (0, 1)
    assert found.true_at_deploy.value == pytest.approx(0.1)
    assert found.true_at_warn.value == pytest.approx(0.25)
    assert found.false_pass_rate.value == pytest.approx(0, abs=1e-9)
    assert found.false_alarm_rate.value == pytest.approx(0, abs=1e-9)
    assert found.true_at_deploy.interval[0] < 0.1 <= found.true_at_deploy.interval[1]


def test_the_true_share_is_rogan_and_gladens():
    found = operating(labelled((90, 0, 10), (20, 0, 80)), 0.24, 0.5)
    assert found.true_at_deploy.value == pytest.approx((0.24 - 0.1) / (0.8 - 0.1))


def test_a_judge_that_cannot_tell_them_apart():
    found = operating(labelled((50, 0, 50), (50, 0, 50)), 0.1, 0.25)
    assert found.true_at_deploy.value is None
    lenient = operating(labelled((100, 0, 0), (100, 0, 0)), 0.1, 0.25)
    assert lenient.false_pass_rate.value == pytest.approx(1)
    assert lenient.false_alarm_rate.value == pytest.approx(0, abs=1e-9)


def test_the_probability_of_a_deploy_is_that_of_a_simulation():
    good, bad, wrong = np.array([0.8, 0.15, 0.05]), np.array([0.3, 0.3, 0.4]), 20
    rng = np.random.default_rng(5)
    weights = np.array([0, 0.5, 1])
    risks = rng.multinomial(CLAIMS - wrong, good, 20_000) @ weights + rng.multinomial(wrong, bad, 20_000) @ weights
    for threshold in (0.15, 0.2, 0.25):
        exact = deployed(good[None], bad[None], wrong, threshold)[0]
        assert exact == pytest.approx(np.mean(risks <= threshold * CLAIMS), abs=0.012)


@settings(max_examples=10, deadline=None)
@given(st.tuples(*[st.integers(0, 20)] * 6), st.floats(0, 1), st.floats(0, 1))
def test_every_rate_lies_in_its_interval(counts, one, other):
    found = operating(labelled(counts[:3], counts[3:]), min(one, other), max(one, other))
    for figure in (found.true_at_deploy, found.true_at_warn, found.false_pass_rate, found.false_alarm_rate):
        if figure.value is not None:
            assert 0 <= figure.interval[0] <= figure.value <= figure.interval[1] <= 1


def told(chances, bad, group="{}"):
    return [
        Pair(BAD if b else GOOD, BAD, float(c), group.format(n))
        for n, (c, b) in enumerate(zip(chances, bad, strict=True))
    ]


def test_the_error_of_a_known_table():
    pairs = told([0.2] * 10 + [0.9] * 10, [1] * 5 + [0] * 5 + [1] * 9 + [0])
    assert ece(pairs).value == pytest.approx((10 * 0.3 + 10 * 0.0) / 20)


def test_chances_that_mean_what_they_say_have_little_error():
    rng = np.random.default_rng(3)
    chances = rng.random(2000)
    good = ece(told(chances, rng.random(2000) < chances))
    off = ece(told(chances, rng.random(2000) < chances**3))
    assert good.value < 0.04
    assert off.value == pytest.approx(0.25, abs=0.03)
    assert off.interval[0] <= 0.25 <= off.interval[1]
    assert good.interval[1] < off.interval[0]


@pytest.mark.parametrize("share", [0.5, 0.05])
def test_a_calibrated_judge_has_no_error_within_the_interval(share):
    """With 100 claims, also where few of them are wrong, though noise alone makes the bins differ."""
    rng = np.random.default_rng(7)
    within = 0
    for _ in range(30):
        chances = rng.beta(share, 1 - share, 100)
        within += ece(told(chances, rng.random(100) < chances)).interval[0] == 0
    assert within >= 27


def test_every_claim_with_a_chance_is_in_one_bin():
    pairs = [*told([0.0, 0.05, 0.1, 0.95, 1.0], [0, 0, 1, 1, 1]), Pair(GOOD, GOOD, None, "x")]
    found = bins(pairs)
    assert [each.n for each in found] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert (found[0].predicted, found[0].observed) == (pytest.approx(0.025), 0)
    assert (found[2].predicted, found[2].observed, found[2].interval) == (None, None, None)
    assert found[9].interval[0] < found[9].observed == 1


def test_a_judge_that_tells_no_chances_has_no_error():
    silent = [Pair(GOOD, GOOD, None, str(n)) for n in range(9)]
    assert ece(silent).value is None
    assert ece([*silent, *told([0.9], [1])]).value is None
    assert ece([]).interval is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=60))
def test_the_error_is_a_share_within_its_interval(rows):
    found = ece(told([c for c, _ in rows], [b for _, b in rows], "{0}"))
    assert 0 <= found.interval[0] <= found.value <= found.interval[1] <= 1
