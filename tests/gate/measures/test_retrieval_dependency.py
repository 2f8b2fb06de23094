"""An answer that stays the same without its evidence, or against it, comes from memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.generation.probes import contradicted
from gate.measures.retrieval_dependency import APART, NONE, NOTHING, UNASKED, rate_retrieval_dependency
from tests.support.measured import REFUSAL, Tools
from tests.support.probed import joined, outcome

FEE, PRICE = "What does the card cost?", "The card costs Rs 800."
# question, evidence, answer, answer without it, answer against it, whether it depends on it
CASES = [
    ("declines, follows", FEE, PRICE, PRICE, REFUSAL, "The card costs Rs 1200.", True),
    ("memory", FEE, PRICE, PRICE, PRICE, PRICE, False),
    ("declines both", FEE, PRICE, PRICE, REFUSAL, REFUSAL, True),
    ("says nothing without it, follows", FEE, PRICE, PRICE, "", "The card costs Rs 1200.", True),
    ("not asked against it", FEE, PRICE, PRICE, REFUSAL, None, True),
    ("not asked against it, memory", FEE, PRICE, PRICE, PRICE, None, False),
]


def asked(question, evidence, answer, without, against, prompt_id="p"):
    turned = contradicted(question, evidence, [evidence])
    probes = {"withheld": without, **({"contradicted": against} if against else {})}
    return outcome("retrieval_dependency", question, [answer], probes, [evidence], turned or (), prompt_id)


@pytest.mark.parametrize("case", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_known_cases(case):
    *parts, depends = case
    (rating,) = rate_retrieval_dependency(asked(*parts), None, Tools()).ratings
    assert rating.value == float(depends), rating
    assert set(rating.parts) == {"withheld", "contradicted"} - ({"contradicted"} if parts[-1] is None else set())
    assert ("from memory" in rating.why) != depends


def test_a_fact_of_many_that_is_turned_counts_alone():
    evidence = "The card costs Rs 800. It is blue. It is valid for two years. It works abroad."
    turned = evidence.replace("800", "1200")
    run = outcome(
        "retrieval_dependency",
        FEE,
        [evidence],
        {"withheld": REFUSAL, "contradicted": turned},
        [evidence],
        [turned],
    )
    (rating,) = rate_retrieval_dependency(run, None, Tools()).ratings
    assert rating.parts == {"withheld": 1.0, "contradicted": 1.0}
    assert rating.why == f'it declines without its evidence: "{PRICE}" is gone'


def test_other_words_of_another_language_are_no_other_facts():
    """The local tools do not read it: that it changed is not known, and does not pass."""
    said = "Die Karte ist für Studenten kostenlos und wird mit der Post verschickt."
    otherwise = "Wer studiert, zahlt nichts und bekommt sie im Brief."
    reading = rate_retrieval_dependency(asked("Was kostet die Karte?", said, said, otherwise, None), None, Tools())
    assert reading.ratings == ()
    assert "not in English" in reading.unjudged["p"]


def test_half_from_memory():
    (rating,) = rate_retrieval_dependency(asked(FEE, PRICE, PRICE, REFUSAL, PRICE), None, Tools()).ratings
    assert (rating.value, rating.parts) == (0.5, {"withheld": 1.0, "contradicted": 0.0})
    assert rating.why == f'it says the same against its evidence, from memory: "{PRICE}"'


def test_where_nothing_can_be_seen_it_says_why():
    bare = outcome("retrieval_dependency", FEE, [PRICE], prompt_id="a")
    declined = asked(FEE, PRICE, REFUSAL, REFUSAL, REFUSAL, "b")
    apart = outcome(
        "retrieval_dependency", FEE, ["Cats sleep."], {"contradicted": "x"}, [PRICE], ["The card costs Rs 9."], "c"
    )
    lost = outcome("retrieval_dependency", FEE, [PRICE], {"withheld": None}, [PRICE], prompt_id="d")
    empty = asked(FEE, PRICE, "", "", "", "f")
    unasked = outcome("retrieval_dependency", FEE, [PRICE], contexts=[PRICE], prompt_id="e")
    reading = rate_retrieval_dependency(joined(bare, declined, apart, lost, unasked, empty), None, Tools())
    assert reading.ratings == ()
    assert reading.skipped == {"a": NONE, "b": NOTHING, "c": APART, "e": UNASKED, "f": NOTHING}
    assert "evaluation.probes" in UNASKED
    assert reading.unjudged == {"d": "its probe withheld was not answered"}


SAID = st.sampled_from([PRICE, "The card costs Rs 1200.", "Cats sleep.", REFUSAL])


@settings(max_examples=25, deadline=None)
@given(SAID, SAID)
def test_it_is_a_share_of_two_and_who_says_the_same_has_none(without, against):
    (rating,) = rate_retrieval_dependency(asked(FEE, PRICE, PRICE, without, against), None, Tools()).ratings
    assert rating.value in (0.0, 0.5, 1.0)
    if without == against == PRICE:
        assert rating.value == 0.0
    if without == against == REFUSAL:
        assert rating.value == 1.0
