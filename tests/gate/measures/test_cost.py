"""Cost is tokens times price: input and output apart, in USD for an answer, and projected on 1,000."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.bench import Bench
from gate.config import Config, RiskTolerance
from gate.measures.base import Case, Outcome
from gate.measures.cost import NONE, read
from gate.measures.decide import decide
from gate.measures.summary import measured
from gate.records import Answer, Decision, Ledger, Prompt, Score, Usage
from gate.toolbox import Toolbox

MOST = 0.01  # USD an answer
DEPLOY = Score(Decision.DEPLOY, 0.0, (0.0, 0.1), Ledger(1, 1, 0, 0, 0), ())
PRICES = {
    "small": {"input": 1.0, "output": 4.0},
    "big": {"input": 15.0, "output": 75.0},
    "own": {"input": 0, "output": 0},
}
SAID, REFUSAL, CODE = "The card costs Rs 800.", "I don't have that information.", "```sh\ncurl -X PATCH /users/7\n```"
# answer, model, tokens in and out, USD by hand, whether that is 0.01 at most
CASES = [
    ("a million tokens in", SAID, "small", 1_000_000, 0, 1.0, False),
    ("a million tokens out", SAID, "small", 0, 1_000_000, 4.0, False),
    ("a usual answer", SAID, "small", 1200, 200, 0.002, True),  # 0.0012 + 0.0008
    ("the same of a big model", SAID, "big", 1200, 200, 0.033, False),  # 0.018 + 0.015
    ("on the line", SAID, "small", 6000, 1000, 0.01, True),  # 0.006 + 0.004
    ("one token above it", SAID, "small", 6001, 1000, 0.010001, False),
    ("no tokens", SAID, "small", 0, 0, 0.0, True),
    ("empty, its prompt costs", "", "big", 1000, 0, 0.015, False),
    ("empty and cheap", "", "small", 1000, 0, 0.001, True),
    ("a refusal costs too", REFUSAL, "big", 100, 8, 0.0021, True),  # 0.0015 + 0.0006
    ("a number", "Rs 800", "small", 50, 3, 0.000062, True),  # 0.00005 + 0.000012
    ("a list", "- a pump\n- a hose", "small", 500, 2500, 0.0105, False),  # 0.0005 + 0.01
    ("code", CODE, "big", 200, 20, 0.0045, True),  # 0.003 + 0.0015
    ("not English", "Die Karte kostet 800 Euro.", "small", 800, 12, 0.000848, True),  # 0.0008 + 0.000048
    ("very long", SAID * 5000, "small", 90_000, 30_000, 0.21, False),  # 0.09 + 0.12
    ("a model of one's own", SAID * 5000, "own", 90_000, 30_000, 0.0, True),
    ("a price that is listed", SAID, "gpt-4o", 1000, 100, 0.0035, True),  # 2.50 and 10.00: 0.0025 + 0.001
    ("the same with a date", SAID, "gpt-4o-2024-08-06", 1000, 1000, 0.0125, False),  # 0.0025 + 0.01
]


def bench() -> Bench:
    values = {"use_case": "a test", "model": {"provider": "replay", "path": "answers.jsonl"}, "prices": PRICES}
    return Bench(Toolbox(Config.model_validate(values)), Outcome(()))


def case(name: str, said: str, model: str, given: int, made: int, estimated: bool = False) -> Case:
    return Case(Prompt(name, "Q?"), Answer(name, name, said, model=model, usage=Usage(given, made, estimated)))


@pytest.mark.parametrize(
    ("said", "model", "given_", "made", "usd", "good"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_known_cases(said, model, given_, made, usd, good):
    reading = read(Outcome((case("p", said, model, given_, made),)), None, bench())
    (rating,) = reading.ratings
    assert rating.value == pytest.approx(usd)
    assert rating.parts == {"per_1000_answers": pytest.approx(1000 * usd)}
    measure = measured("cost", reading, MOST)
    assert measure.passed is good
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is (Decision.DEPLOY if good else Decision.BLOCK)


def test_the_run_is_the_mean_of_its_answers():
    cases = (case("a", SAID, "small", 1200, 200), case("b", SAID, "small", 6000, 1000))
    measure = measured("cost", read(Outcome(cases), None, bench()), MOST)
    assert measure.value == pytest.approx(0.006)  # of 0.002 and 0.01
    assert measure.details["per_1000_answers"] == pytest.approx(6.0)


def test_a_price_that_nobody_told_is_not_nothing():
    cases = (case("a", SAID, "small", 1200, 200), case("b", SAID, "nobody-knows-its-price", 1200, 200))
    reading = read(Outcome(cases), None, bench())
    assert ([rating.prompt_id for rating in reading.ratings], reading.unjudged) == (["a"], {"b": NONE})
    assert decide(DEPLOY, [measured("cost", reading, MOST)], RiskTolerance()).decision is Decision.INCONCLUSIVE


def test_the_tokens_stand_in_the_reason_and_whether_they_were_counted():
    (rating,) = read(Outcome((case("p", SAID, "small", 1200, 200),)), None, bench()).ratings
    assert rating.why == "1200 tokens in, 200 out"
    (rating,) = read(Outcome((case("p", SAID, "small", 1200, 200, True),)), None, bench()).ratings
    assert rating.why == "1200 tokens in, 200 out (estimated)"


tokens = st.integers(0, 10**7)


@given(tokens, tokens, tokens)
def test_it_grows_with_the_tokens_and_does_not_depend_on_the_words(given_, made, more):
    def value(said, into, out):
        return read(Outcome((case("p", said, "small", into, out),)), None, bench()).ratings[0].value

    assert 0 <= value(SAID, given_, made) <= value(SAID, given_ + more, made + more)
    assert value(SAID, given_, made) == value("", given_, made)
