"""Latency is the p95 of the answers' times, in milliseconds: a known time each, whatever the answer says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.base import Case, Outcome
from gate.measures.decide import decide
from gate.measures.latency import NONE, read
from gate.measures.summary import measured
from gate.records import Answer, Decision, Ledger, Prompt, Score

MOST = 1000.0
SAID = "The card costs Rs 800."
LONG = f"{SAID} " * 5000
DEPLOY = Score(Decision.DEPLOY, 0.0, (0.0, 0.1), Ledger(1, 1, 0, 0, 0), ())
# answers, their times, the p95 that the nearest rank is, and whether it is 1,000 ms at most
CASES = [
    ("quick", [SAID], [80.0], 80.0, True),
    ("slow", [SAID], [2400.0], 2400.0, False),
    ("on the line", [SAID], [1000.0], 1000.0, True),
    ("just above it", [SAID], [1000.1], 1000.1, False),
    ("no time at all", [SAID], [0.0], 0.0, True),
    ("empty", [""], [1500.0], 1500.0, False),
    ("a refusal", ["I don't have that information."], [20.0], 20.0, True),
    ("numbers", ["Rs 800"], [999.0], 999.0, True),
    ("a list", ["- a pump\n- a hose"], [1001.0], 1001.0, False),
    ("code", ["```sh\ncurl -X PATCH /users/7\n```"], [500.0], 500.0, True),
    ("not English", ["Die Karte kostet 800 Euro."], [3000.0], 3000.0, False),
    ("very long and quick", [LONG], [300.0], 300.0, True),
    ("very long and slow", [LONG], [60_000.0], 60_000.0, False),
    ("the slower of two", [SAID] * 2, [100.0, 1100.0], 1100.0, False),
    ("one of 19 is above the p95", [SAID] * 19, [100.0] * 18 + [9000.0], 9000.0, False),
    ("one of 20 is not", [SAID] * 20, [100.0] * 19 + [9000.0], 100.0, True),
    ("two of 20 are", [SAID] * 20, [100.0] * 18 + [9000.0] * 2, 9000.0, False),
    ("five of 100 are not", [SAID] * 100, [9000.0] * 5 + [100.0] * 95, 100.0, True),
    ("six of 100 are", [SAID] * 100, [9000.0] * 6 + [100.0] * 94, 9000.0, False),
]


def run(answers, times):
    pairs = enumerate(zip(answers, times, strict=True))
    return Outcome(
        tuple(Case(Prompt(f"p{n}", "Q?"), Answer(f"p{n}", f"p{n}", said, latency_ms=ms)) for n, (said, ms) in pairs)
    )


@pytest.mark.parametrize(
    ("answers", "times", "value", "good"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_known_cases(answers, times, value, good):
    reading = read(run(answers, times), None, None)  # type: ignore[arg-type]
    measure = measured("latency", reading, MOST)
    assert (measure.value, measure.passed, measure.n) == (value, good, len(times))
    assert [rating.value for rating in reading.ratings] == times
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is (Decision.DEPLOY if good else Decision.BLOCK)


def test_a_time_that_is_not_known_is_no_quick_answer():
    reading = read(run([SAID] * 2, [80.0, None]), None, None)  # type: ignore[arg-type]
    assert ([rating.why for rating in reading.ratings], reading.unjudged) == (["80 ms"], {"p1": NONE})
    measure = measured("latency", reading, MOST)
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is Decision.INCONCLUSIVE


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), st.randoms())
def test_the_value_is_one_of_the_times_and_a_slower_answer_never_lowers_it(times, draw):
    def value(of):
        return measured("latency", read(run([SAID] * len(of), of), None, None), MOST).value  # type: ignore[arg-type]

    assert value(times) in times
    assert sum(ms > value(times) for ms in times) <= 0.05 * len(times)
    assert value(draw.sample(times, len(times))) == value(times)
    assert value([*times, max(times)]) >= value(times)
