"""From ratings to a number: known values, bounds, and that repeats and order change nothing they should not."""

import math

from hypothesis import given
from hypothesis import strategies as st

from gate.measures.base import Reading, Spec
from gate.measures.summary import quantile, summary
from gate.records import Rating

SHARE = Spec(read=lambda *given: Reading())
GRADE = Spec(read=SHARE.read, scale=(1.0, 5.0))
TIME = Spec(read=SHARE.read, scale=None, less_is_better=True, figure="p95")
MONEY = Spec(read=SHARE.read, scale=None, less_is_better=True)
hundredths = st.integers(0, 100).map(lambda n: n / 100)
shares = st.lists(st.tuples(hundredths, st.integers(1, 9)), min_size=1, max_size=30)


def of(spec, values, threshold=None):
    ratings = tuple(Rating(f"p{n}", value, weight=weight) for n, (value, weight) in enumerate(values))
    return summary("it", spec, Reading(ratings), threshold)


def test_nothing_has_no_value():
    measure = of(SHARE, [], 0.5)
    assert (measure.value, measure.interval, measure.n, measure.passed) == (None, None, 0, None)


def test_claims_weigh():
    measure = of(SHARE, [(1.0, 3), (0.0, 1)], 0.75)
    assert measure.value == 0.75
    assert measure.passed


@given(shares)
def test_the_interval_holds_the_value_and_stays_on_the_scale(values):
    measure = of(SHARE, values)
    low, high = measure.interval
    assert -1e-9 <= low <= measure.value + 1e-9
    assert measure.value - 1e-9 <= high <= 1 + 1e-9


@given(shares)
def test_a_scale_is_only_stretched(values):
    plain, graded = of(SHARE, values), of(GRADE, [(1 + 4 * value, weight) for value, weight in values])
    assert math.isclose(graded.value, 1 + 4 * plain.value, abs_tol=1e-9)
    assert all(math.isclose(g, 1 + 4 * p, abs_tol=1e-6) for g, p in zip(graded.interval, plain.interval, strict=True))


@given(shares, st.randoms(use_true_random=False))
def test_order_does_not_matter(values, random):
    ratings = [Rating(f"p{n}", value, weight=weight) for n, (value, weight) in enumerate(values)]
    turned = ratings.copy()
    random.shuffle(turned)
    one, other = (summary("it", SHARE, Reading(tuple(r))) for r in (ratings, turned))
    assert math.isclose(one.value, other.value, abs_tol=1e-12)
    assert all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(one.interval, other.interval, strict=True))


def test_repeats_of_a_prompt_are_no_new_evidence():
    once = summary("it", SHARE, Reading((Rating("a", 1.0), Rating("b", 0.0))))
    twice = summary("it", SHARE, Reading((Rating("a", 1.0), Rating("a", 1.0), Rating("b", 0.0), Rating("b", 0.0))))
    wide, narrow = (m.interval[1] - m.interval[0] for m in (once, twice))
    assert narrow > 0.7 * wide


def test_latency_is_told_by_its_p95_and_median():
    measure = of(TIME, [(float(n), 1) for n in range(1, 101)], 95.0)
    assert (measure.value, measure.details["p50"], measure.passed) == (95.0, 50.0, True)
    assert measure.interval[0] <= 95.0 <= measure.interval[1]
    assert quantile([], 0.5) is None


def test_money_has_an_interval_from_two_prompts_on():
    assert of(MONEY, [(0.5, 1)]).interval is None
    low, high = of(MONEY, [(0.1, 1), (0.3, 1)]).interval
    assert low == 0.0
    assert high > 0.3


def test_parts_are_averaged_by_weight():
    ratings = (Rating("a", 1.0, "", 3.0, {"x": 1.0}), Rating("b", 0.0, "", 1.0, {"x": 0.0}))
    assert summary("it", SHARE, Reading(ratings)).details == {"x": 0.75}
