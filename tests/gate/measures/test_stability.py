"""Answers agree if they state the same facts in whatever words; what should not matter changes them, or does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.generation.probes import contradicted
from gate.measures.base import Answered
from gate.measures.stability import (
    ALONE,
    APART,
    NO_EVIDENCE,
    NOT_WITHHELD,
    NOTHING,
    UNASKED,
    UNCHANGED,
    UNPHRASED,
    UNWRITTEN,
    rate_consistency,
    rate_retrieval_dependency,
    rate_sensitivity,
)
from gate.measures.summary import decide, measured
from gate.records import Decision
from tests.support.measured import DEPLOY, REFUSAL, Tools
from tests.support.probed import joined, outcome

SAME = 0.7
FEE, PRICE = "What does the card cost?", "The card costs Rs 800."
REPEATED = [
    ("equal", FEE, [PRICE, PRICE], True),
    ("other price", FEE, [PRICE, "The card costs Rs 2000."], False),
    ("refusals", FEE, [REFUSAL, f"{REFUSAL} Hello!"], True),
]


@pytest.mark.parametrize(
    ("question", "answers", "good"), [case[1:] for case in REPEATED], ids=[case[0] for case in REPEATED]
)
def test_known_cases_over_repeats(question, answers, good):
    (rating,) = rate_consistency(outcome("consistency", question, answers), None, Tools()).ratings
    assert (rating.value >= SAME) == good, rating
    assert set(rating.parts) == {"rouge_l", "embedding", "repeats"}


def test_one_answer_alone_says_nothing_and_a_lost_one_is_told():
    alone = outcome("consistency", FEE, ["The card costs Rs 800."], prompt_id="a")
    lost = outcome("consistency", FEE, ["Rs 800"], {"paraphrase-1": "Rs 800", "paraphrase-2": None}, prompt_id="b")
    half = outcome("consistency", FEE, ["Rs 800", None], prompt_id="c")
    none = outcome("consistency", FEE, [None], prompt_id="d")
    assert rate_consistency(Answered(alone.cases), None, Tools()).skipped == {"a": ALONE}
    reading = rate_consistency(joined(alone, lost, half, none), None, Tools())
    assert (reading.ratings, reading.skipped) == ((), {"a": UNPHRASED})
    assert reading.unjudged == {
        "b": "its probe paraphrase-2 was not answered", "c": "an answer is missing", "d": "it has no answer"
    }  # fmt: skip


def test_a_question_without_other_words_is_told_and_one_whose_writer_failed_is_not_measured():
    """The wording is the prompt's own; a fault of the model that rephrases is the run's, and nothing passes on it."""
    asked = [outcome("consistency", FEE, [PRICE], {"paraphrase-1": PRICE}, prompt_id=name) for name in "ab"]
    run = joined(*asked, outcome("consistency", "How is it paid?", [PRICE], prompt_id="c"))
    measure = measured("consistency", rate_consistency(run, None, Tools()), 0.9)
    assert (measure.n, measure.skipped, measure.unjudged) == (2, {"c": UNPHRASED}, {})
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is Decision.DEPLOY
    failed = measured("consistency", rate_consistency(replace(run, unmade=frozenset("ac")), None, Tools()), 0.9)
    assert (failed.n, failed.skipped, failed.unjudged) == (2, {}, {"c": UNWRITTEN})
    assert decide(DEPLOY, [failed], RiskTolerance()).decision is Decision.INCONCLUSIVE


REPEATS = st.lists(
    st.sampled_from(["Rs 800", "It costs Rs 800.", "The card costs Rs 9.", REFUSAL]), min_size=2, max_size=4
)


@settings(max_examples=20, deadline=None)
@given(REPEATS, st.randoms())
def test_it_is_a_share_and_the_order_of_the_answers_does_not_count(answers, draw):
    (rating,) = rate_consistency(outcome("consistency", FEE, answers), None, Tools()).ratings
    mixed = draw.sample(answers, len(answers))
    (other,) = rate_consistency(outcome("consistency", FEE, mixed), None, Tools()).ratings
    assert 0.0 <= rating.value <= 1.0
    assert other.value == pytest.approx(rating.value)
    if len(set(answers)) == 1:
        assert (rating.value, rating.why) == (
            1.0,
            "every answer " + ("declines" if REFUSAL in answers else "says the same"),
        )


LINE = 0.3
CASES = [
    ("nothing changes", FEE, PRICE, {"typos": PRICE, "case": PRICE}, True),
    ("another price", FEE, PRICE, {"case": "The card costs Rs 2000."}, False),
    ("declines", FEE, PRICE, {"typos": REFUSAL}, False),
    ("always declines", FEE, REFUSAL, {"typos": f"{REFUSAL} Hello!", "case": REFUSAL}, True),
]


@pytest.mark.parametrize(
    ("question", "base", "probes", "good"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_known_changes(question, base, probes, good):
    (rating,) = rate_sensitivity(outcome("sensitivity", question, [base], probes), None, Tools()).ratings
    assert (rating.value <= LINE) == good, rating
    assert rating.parts.keys() == probes.keys()


def test_what_was_not_asked_is_skipped_and_what_was_lost_is_told():
    bare = outcome("sensitivity", FEE, [PRICE], prompt_id="a")
    alone = rate_sensitivity(Answered(bare.cases), None, Tools())
    lost = outcome("sensitivity", FEE, [PRICE], {"typos": PRICE, "case": None}, prompt_id="b")
    reading = rate_sensitivity(joined(bare, lost), None, Tools())
    assert reading.ratings == ()
    assert (alone.skipped, alone.unjudged) == ({"a": UNASKED}, {})
    assert (reading.skipped, reading.unjudged) == ({"a": UNCHANGED}, {"b": "its probe case was not answered"})


SAID = st.sampled_from([PRICE, "Rs 800", "The card costs Rs 9.", REFUSAL])


@settings(max_examples=25, deadline=None)
@given(SAID, st.dictionaries(st.sampled_from(["typos", "case", "order", "distractor"]), SAID, min_size=1), st.randoms())
def test_it_is_a_share_free_of_order_and_another_change_of_everything_does_not_lower_it(base, probes, draw):
    (rating,) = rate_sensitivity(outcome("sensitivity", FEE, [base], probes), None, Tools()).ratings
    mixed = dict(draw.sample(list(probes.items()), len(probes)))
    (other,) = rate_sensitivity(outcome("sensitivity", FEE, [base], mixed), None, Tools()).ratings
    worse = "Cats sleep." if base == REFUSAL else REFUSAL
    (more,) = rate_sensitivity(
        outcome("sensitivity", FEE, [base], {**probes, "politeness": worse}), None, Tools()
    ).ratings
    assert 0.0 <= rating.value <= more.value <= 1.0
    assert other.value == pytest.approx(rating.value)
    if set(probes.values()) == {base}:
        assert rating.value == 0.0


# question, evidence, answer, answer without it, answer against it, whether it depends on it
FED = [
    ("declines, follows", FEE, PRICE, PRICE, REFUSAL, "The card costs Rs 1200.", True),
    ("memory", FEE, PRICE, PRICE, PRICE, PRICE, False),
    ("says nothing without it, follows", FEE, PRICE, PRICE, "", "The card costs Rs 1200.", True),
    ("not asked against it", FEE, PRICE, PRICE, REFUSAL, None, True),
]


def fed(question, evidence, answer, without, against, prompt_id="p"):
    turned = contradicted(question, evidence, [evidence])
    probes = {"withheld": without, **({"contradicted": against} if against else {})}
    return outcome("retrieval_dependency", question, [answer], probes, [evidence], turned or (), prompt_id)


@pytest.mark.parametrize("case", [case[1:] for case in FED], ids=[case[0] for case in FED])
def test_known_cases_of_evidence(case):
    *parts, depends = case
    (rating,) = rate_retrieval_dependency(fed(*parts), None, Tools()).ratings
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
    reading = rate_retrieval_dependency(fed("Was kostet die Karte?", said, said, otherwise, None), None, Tools())
    assert reading.ratings == ()
    assert "not in English" in reading.unjudged["p"]


def test_where_nothing_can_be_seen_it_says_why():
    bare = outcome("retrieval_dependency", FEE, [PRICE], prompt_id="a")
    declined = fed(FEE, PRICE, REFUSAL, REFUSAL, REFUSAL, "b")
    apart = outcome(
        "retrieval_dependency", FEE, ["Cats sleep."], {"contradicted": "x"}, [PRICE], ["The card costs Rs 9."], "c"
    )
    lost = outcome("retrieval_dependency", FEE, [PRICE], {"withheld": None}, [PRICE], prompt_id="d")
    empty = fed(FEE, PRICE, "", "", "", "f")
    unfed = outcome("retrieval_dependency", FEE, [PRICE], contexts=[PRICE], prompt_id="e")
    reading = rate_retrieval_dependency(joined(bare, declined, apart, lost, unfed, empty), None, Tools())
    assert reading.ratings == ()
    assert reading.skipped == {"a": NO_EVIDENCE, "b": NOTHING, "c": APART, "e": NOT_WITHHELD, "f": NOTHING}
    assert "evaluation.probes" in NOT_WITHHELD
    assert reading.unjudged == {"d": "its probe withheld was not answered"}


FED_SAYS = st.sampled_from([PRICE, "The card costs Rs 1200.", "Cats sleep.", REFUSAL])


@settings(max_examples=25, deadline=None)
@given(FED_SAYS, FED_SAYS)
def test_it_is_a_share_of_two_and_who_says_the_same_has_none(without, against):
    (rating,) = rate_retrieval_dependency(fed(FEE, PRICE, PRICE, without, against), None, Tools()).ratings
    assert rating.value in (0.0, 0.5, 1.0)
    if without == against == PRICE:
        assert rating.value == 0.0
    if without == against == REFUSAL:
        assert rating.value == 1.0
