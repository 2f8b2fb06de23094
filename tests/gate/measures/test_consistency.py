"""Answers to one question agree if they state the same facts, in whatever words."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.measures.base import Outcome
from gate.measures.consistency import ALONE, UNPHRASED, UNWRITTEN, read
from gate.measures.decide import decide
from gate.measures.summary import measured
from gate.records import Decision, Ledger, Score
from tests.support.measured import REFUSAL, Tools
from tests.support.probed import joined, outcome

LINE = 0.7
FEE, PRICE = "What does the card cost?", "The card costs Rs 800."
DEPLOY = Score(Decision.DEPLOY, 0.0, (0.0, 0.1), Ledger(1, 1, 0, 0, 0), ())
CASES = [
    ("equal", FEE, [PRICE, PRICE], True),
    ("other order", FEE, [PRICE, "Rs 800: the card costs it."], True),
    ("other price", FEE, [PRICE, "The card costs Rs 2000."], False),
    ("refusals", FEE, [REFUSAL, f"{REFUSAL} Hello!"], True),
    ("refusal and answer", FEE, [REFUSAL, PRICE], False),
    ("nothing and an answer", FEE, ["", PRICE], False),
    ("nothing twice", FEE, ["", " \n"], True),
    ("nothing and a refusal", FEE, ["", REFUSAL], True),
    ("one of three", FEE, [PRICE] * 2 + ["The card costs Rs 2000."], False),
]


@pytest.mark.parametrize(("question", "answers", "good"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_known_cases_over_repeats(question, answers, good):
    (rating,) = read(outcome("consistency", question, answers), None, Tools()).ratings
    assert (rating.value >= LINE) == good, rating
    assert set(rating.parts) == {"rouge_l", "embedding", "repeats"}


@pytest.mark.parametrize(("text", "good"), [("Rs 800: the card costs it.", True), ("It costs Rs 50.", False)])
def test_a_paraphrase_is_one_more_answer(text, good):
    run = outcome("consistency", FEE, ["The card costs Rs 800."], {"paraphrase-1": text})
    (rating,) = read(run, None, Tools()).ratings
    assert (rating.value >= LINE) == good
    assert rating.parts["paraphrases"] == rating.value
    assert "repeats" not in rating.parts


def test_the_reason_says_what_differs():
    run = outcome("consistency", FEE, ["The card costs Rs 800."], {"paraphrase-1": "The card costs Rs 2000."})
    (rating,) = read(run, None, Tools()).ratings
    assert "Rs 800" in rating.why
    assert "Rs 2000" in rating.why
    declines = read(outcome("consistency", FEE, ["The card costs Rs 800.", REFUSAL]), None, Tools()).ratings[0]
    assert declines.why == 'one answer says "The card costs Rs 800.", another declines'


def test_one_answer_alone_says_nothing_and_a_lost_one_is_told():
    alone = outcome("consistency", FEE, ["The card costs Rs 800."], prompt_id="a")
    lost = outcome("consistency", FEE, ["Rs 800"], {"paraphrase-1": "Rs 800", "paraphrase-2": None}, prompt_id="b")
    half = outcome("consistency", FEE, ["Rs 800", None], prompt_id="c")
    none = outcome("consistency", FEE, [None], prompt_id="d")
    assert read(Outcome(alone.cases), None, Tools()).skipped == {"a": ALONE}
    reading = read(joined(alone, lost, half, none), None, Tools())
    assert (reading.ratings, reading.skipped) == ((), {"a": UNPHRASED})
    assert reading.unjudged == {
        "b": "its probe paraphrase-2 was not answered", "c": "an answer is missing", "d": "it has no answer"
    }  # fmt: skip


def test_a_question_without_other_words_is_told_and_one_whose_writer_failed_is_not_measured():
    """The wording is the prompt's own; a fault of the model that rephrases is the run's, and nothing passes on it."""
    asked = [outcome("consistency", FEE, [PRICE], {"paraphrase-1": PRICE}, prompt_id=name) for name in "ab"]
    run = joined(*asked, outcome("consistency", "How is it paid?", [PRICE], prompt_id="c"))
    measure = measured("consistency", read(run, None, Tools()), 0.9)
    assert (measure.n, measure.skipped, measure.unjudged) == (2, {"c": UNPHRASED}, {})
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is Decision.DEPLOY
    failed = measured("consistency", read(replace(run, unmade=frozenset("ac")), None, Tools()), 0.9)
    assert (failed.n, failed.skipped, failed.unjudged) == (2, {}, {"c": UNWRITTEN})
    assert decide(DEPLOY, [failed], RiskTolerance()).decision is Decision.INCONCLUSIVE


SAID = st.lists(
    st.sampled_from(["Rs 800", "It costs Rs 800.", "The card costs Rs 9.", REFUSAL]), min_size=2, max_size=4
)


@settings(max_examples=20, deadline=None)
@given(SAID, st.randoms())
def test_it_is_a_share_and_the_order_of_the_answers_does_not_count(answers, draw):
    (rating,) = read(outcome("consistency", FEE, answers), None, Tools()).ratings
    mixed = draw.sample(answers, len(answers))
    (other,) = read(outcome("consistency", FEE, mixed), None, Tools()).ratings
    assert 0.0 <= rating.value <= 1.0
    assert other.value == pytest.approx(rating.value)
    if len(set(answers)) == 1:
        assert (rating.value, rating.why) == (
            1.0,
            "every answer " + ("declines" if REFUSAL in answers else "says the same"),
        )


def test_a_further_equal_answer_does_not_lower_it():
    two = ["The card costs Rs 800.", "The card costs Rs 9."]
    values = [
        read(outcome("consistency", FEE, two + two[:1] * more), None, Tools()).ratings[0].value for more in range(4)
    ]
    assert values == sorted(values)


def test_many_answers_are_each_compared_with_some():
    run = outcome("consistency", FEE, ["The card costs Rs 800."] * 99 + ["The card costs Rs 9."])
    (rating,) = read(run, None, Tools()).ratings
    assert 0.9 < rating.value < 1.0


def test_nothing_is_read_of_nothing():
    reading = read(Outcome(()), None, Tools())
    assert measured("consistency", reading, 0.9).value is None
