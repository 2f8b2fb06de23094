"""What should not matter changes the facts of an answer, or does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.base import Outcome
from gate.measures.sensitivity import NONE, UNCHANGED, read
from gate.measures.summary import measured
from gate.measures.table import MEASURES
from tests.support.measured import REFUSAL, Tools
from tests.support.probed import joined, outcome

LINE = 0.3
FEE, PRICE = "What does the card cost?", "The card costs Rs 800."
CASES = [
    ("nothing changes", FEE, PRICE, {"typos": PRICE, "case": PRICE}, True),
    ("another price", FEE, PRICE, {"case": "The card costs Rs 2000."}, False),
    ("declines", FEE, PRICE, {"typos": REFUSAL}, False),
    ("declines and would not have", FEE, REFUSAL, {"typos": PRICE}, False),
    ("always declines", FEE, REFUSAL, {"typos": f"{REFUSAL} Hello!", "case": REFUSAL}, True),
    ("one probe of two", FEE, PRICE, {"typos": PRICE, "case": "The card costs Rs 9."}, False),
    ("the distractor's facts", FEE, PRICE, {"distractor": "Cats sleep on warm roofs."}, False),
    ("nothing where an answer was", FEE, PRICE, {"typos": ""}, False),
    ("nothing, whatever is changed", FEE, "", {"typos": "", "case": REFUSAL}, True),
]


@pytest.mark.parametrize(
    ("question", "base", "probes", "good"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_known_cases(question, base, probes, good):
    (rating,) = read(outcome("sensitivity", question, [base], probes), None, Tools()).ratings
    assert (rating.value <= LINE) == good, rating
    assert rating.parts.keys() == probes.keys()


def test_the_reason_names_the_change_and_what_it_does():
    def why(said, base=PRICE, kind="case"):
        return read(outcome("sensitivity", FEE, [base], {"typos": base, kind: said}), None, Tools()).ratings[0].why

    assert why("The card costs Rs 9.") == 'with another case it says "The card costs Rs 9." instead of "' + PRICE + '"'
    assert why(REFUSAL, kind="distractor") == f'with a distractor it declines to say "{PRICE}"'
    assert why(PRICE, REFUSAL, "politeness") == f'only with politeness: "{PRICE}"'
    assert why(PRICE) == "the same facts whatever was changed"
    assert why(REFUSAL, REFUSAL) == "it declines whatever was changed"


def test_what_was_not_asked_is_skipped_and_what_was_lost_is_told():
    bare = outcome("sensitivity", FEE, [PRICE], prompt_id="a")
    alone = read(Outcome(bare.cases), None, Tools())
    lost = outcome("sensitivity", FEE, [PRICE], {"typos": PRICE, "case": None}, prompt_id="b")
    reading = read(joined(bare, lost), None, Tools())
    assert reading.ratings == ()
    assert (alone.skipped, alone.unjudged) == ({"a": NONE}, {})
    assert (reading.skipped, reading.unjudged) == ({"a": UNCHANGED}, {"b": "its probe case was not answered"})


def test_less_is_better():
    run = outcome("sensitivity", FEE, [PRICE], {"case": REFUSAL})
    assert measured("sensitivity", read(run, None, Tools()), 0.5).passed is False
    assert MEASURES["sensitivity"].less_is_better


SAID = st.sampled_from([PRICE, "Rs 800", "The card costs Rs 9.", REFUSAL])


@settings(max_examples=25, deadline=None)
@given(SAID, st.dictionaries(st.sampled_from(["typos", "case", "order", "distractor"]), SAID, min_size=1), st.randoms())
def test_it_is_a_share_free_of_order_and_another_change_of_everything_does_not_lower_it(base, probes, draw):
    (rating,) = read(outcome("sensitivity", FEE, [base], probes), None, Tools()).ratings
    mixed = dict(draw.sample(list(probes.items()), len(probes)))
    (other,) = read(outcome("sensitivity", FEE, [base], mixed), None, Tools()).ratings
    worse = "Cats sleep." if base == REFUSAL else REFUSAL
    (more,) = read(outcome("sensitivity", FEE, [base], {**probes, "politeness": worse}), None, Tools()).ratings
    assert 0.0 <= rating.value <= more.value <= 1.0
    assert other.value == pytest.approx(rating.value)
    if set(probes.values()) == {base}:
        assert rating.value == 0.0
