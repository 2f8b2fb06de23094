import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import Overall
from gate.measures.base import Outcome, Rating, Reading
from gate.measures.overall import read
from tests.support.measured import case, rated, reading

PLAN = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."
FERRY = "Pets travel on deck or in one of the pet cabins."
PRICE = "How much does the Standard plan cost?"
RIGHT = "The Standard plan costs Rs 800 a month."


def test_it_is_made_of_its_parts():
    rating = rated("overall", case(PRICE, RIGHT, PLAN))
    assert set(rating.parts) == {"relevance", "faithfulness", "completeness"}
    assert rating.value > rated("overall", case(PRICE, "The Standard plan costs Rs 2000 a month.", PLAN)).value


def test_what_could_not_be_judged_is_no_number():
    german = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."
    found = reading("overall", case(PRICE, german, PLAN))
    assert not found.ratings
    assert "not in English" in found.unjudged["p"]


def test_a_right_refusal_is_not_rated():
    assert "declines" in reading("overall", case(PRICE, "I don't know.", FERRY)).skipped["p"]


def test_a_part_that_does_not_apply_is_left_out_and_that_is_told():
    rating = rated("overall", case(PRICE, "The Standard plan costs Rs 800 a month."))
    assert set(rating.parts) == {"relevance", "completeness"}
    assert "without faithfulness: no context" in rating.why


class Read:
    """Tools that know the readings of the parts."""

    def __init__(self, **values: float | str) -> None:
        self._values = values
        self.asked: list[str] = []

    def reading(self, name: str) -> Reading:
        self.asked.append(name)
        value = self._values.get(name, "")
        if isinstance(value, str):
            return Reading(skipped={"p": value or "does not apply"})
        return Reading((Rating("p", value, answer_id="p"),))


ONE = Outcome((case("Q?", "It is so."),))
shares = st.floats(0, 1)


@given(shares, shares, shares)
def test_the_weighted_mean(relevance, faithfulness, completeness):
    tools = Read(relevance=relevance, faithfulness=faithfulness, completeness=completeness)
    (rating,) = read(ONE, Overall(), tools).ratings
    assert rating.value == pytest.approx(0.35 * relevance + 0.4 * faithfulness + 0.25 * completeness)


@given(shares, shares, st.floats(0, 0.5))
def test_it_grows_with_its_parts_and_weighs_anew(relevance, completeness, more):
    def value(one: float) -> float:
        return read(ONE, Overall(), Read(relevance=one, completeness=completeness)).ratings[0].value

    assert value(relevance / 2) <= value(relevance / 2 + more) + 1e-12
    assert value(relevance) == pytest.approx((0.35 * relevance + 0.25 * completeness) / 0.6)


def test_a_part_without_weight_is_not_even_asked_for():
    tools = Read(relevance=1.0, completeness=0.5)
    options = Overall(relevance_weight=1, faithfulness_weight=0, completeness_weight=1)
    assert read(ONE, options, tools).ratings[0].value == 0.75
    assert tools.asked == ["relevance", "completeness"]


def test_none_of_the_parts():
    assert read(ONE, Overall(), Read(relevance="no question")).skipped == {"p": "no question"}
