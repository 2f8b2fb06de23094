"""Hallucination is the share of the claims that the assistant's own contexts do not bear out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.summary import measured
from gate.measures.table import MEASURES
from tests.support.measured import case, reading

PLAN = (
    "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail. "
    "Cancel any time before the next month begins."
)
KIT = "The kit holds a pump, a hose, a valve and a gauge."
PRICE = "How much does the Standard plan cost?"


@pytest.mark.parametrize(
    ("answer", "contexts", "why"),
    [
        ("", (PLAN,), "empty"),
        ("I don't know.", (PLAN,), "declines"),
        ("Hello!", (PLAN,), "declines"),
        ("The Standard plan costs Rs 800.", (), "no context"),
    ],
)
def test_what_states_nothing_invents_nothing_and_is_left_out(answer, contexts, why):
    found = reading("hallucination", case(PRICE, answer, *contexts))
    assert (found.ratings, found.unjudged) == ((), {})
    assert why in found.skipped["p"]


def test_what_cannot_be_read_is_not_clean():
    found = reading("hallucination", case(PRICE, "Der Tarif kostet 9 Euro und wird für ein Jahr bezahlt.", PLAN))
    assert not found.ratings
    assert "not in English" in found.unjudged["p"]


def test_less_is_better():
    found = reading("hallucination", case(PRICE, "Rs 2000.", PLAN))
    assert MEASURES["hallucination"].less_is_better
    assert measured("hallucination", found, 0.1).passed is False


@given(st.lists(st.sampled_from(["Rs 800.", "Rs 2000.", "", KIT, "I don't know."]), min_size=1, max_size=4))
@settings(max_examples=10, deadline=None)
def test_it_is_what_faithfulness_leaves(answers):
    cases = [case(PRICE, answer, PLAN, name=f"p{n}") for n, answer in enumerate(answers)]
    faithful, found = (reading(name, *cases) for name in ("faithfulness", "hallucination"))
    assert [(r.prompt_id, r.value, r.weight) for r in found.ratings] == [
        (r.prompt_id, 1 - r.value, r.weight) for r in faithful.ratings
    ]
    assert (found.skipped, found.unjudged) == (faithful.skipped, faithful.unjudged)
