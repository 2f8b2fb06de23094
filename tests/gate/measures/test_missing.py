"""A prompt without an answer is told as one that could not be rated, by every measure, and never passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import RiskTolerance
from gate.generation.probes import variation
from gate.measures.base import NO_REFERENCE, Case, Outcome, Reading, unreferenced
from gate.measures.decide import decide
from gate.measures.missing import completed, counted, lost, read, too_many, unpassed
from gate.measures.summary import measured
from gate.measures.table import MEASURES, plans
from gate.records import Answer, Decision, Ledger, Prompt, Rating, Score
from tests.support.measured import Tools

DEPLOY = Score(Decision.DEPLOY, 0.0, (0.0, 0.1), Ledger(1, 1, 0, 0, 0), ())
FEE, SAYS = "What does the card cost?", "The card costs Rs 800."
# A threshold that any value meets.
EASY = {name: 1e9 if spec.less_is_better else 0.0 for name, spec in MEASURES.items()}


def prompt(name: str, reference: str | None = SAYS) -> Prompt:
    return Prompt(name, FEE, reference=reference, contexts=(SAYS,))


def answered(one: Prompt, repeat: int = 0) -> Case:
    name = f"{one.id}#{repeat}" if repeat else one.id
    return Case(one, Answer(name, one.id, SAYS, repeat, latency_ms=9.0, contexts=(SAYS,)), one.contexts)


def reading(name: str, outcome: Outcome) -> Reading:
    return read(name, outcome, MEASURES[name].options(), Tools(outcome))


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_tells_what_has_no_answer(name) -> None:
    found = reading(name, Outcome((answered(prompt("a")),), missing=(prompt("b"),)))
    assert found.unjudged["b"].endswith("it has no answer")
    assert "b" not in found.skipped
    told = decide(DEPLOY, [measured(name, found, EASY[name])], RiskTolerance())
    assert told.decision is Decision.INCONCLUSIVE
    assert told.reasons[-1].startswith(name)


@pytest.mark.parametrize("name", [name for name in MEASURES if name not in {*plans(), "cost", "noise"}])
def test_of_a_prompt_with_a_part_of_its_answers_these_are_rated_and_it_is_told(name) -> None:
    found = reading(name, Outcome((answered(prompt("a")), answered(prompt("a"), 2)), missing=(prompt("a"),)))
    assert [rating.answer_id for rating in found.ratings] == ["a", "a#2"]
    assert found.unjudged == {"a": "an answer is missing"}
    measure = measured(name, found, EASY[name])
    assert decide(DEPLOY, [measure], RiskTolerance()).decision is Decision.INCONCLUSIVE
    assert (measure.passed, unpassed([measure], 0.0)[0].passed) == (True, None)
    assert unpassed([measure], 1.0) == [measure]


def test_an_answer_without_a_time_or_a_price_could_not_be_rated() -> None:
    bare = Case(prompt("b"), Answer("b", "b", SAYS, model="nobody-knows-its-price"))
    latency = reading("latency", Outcome((answered(prompt("a")), bare)))
    assert [rating.prompt_id for rating in latency.ratings] == ["a"]
    assert latency.unjudged == {"b": "its latency is not known"}
    assert "price" in reading("cost", Outcome((bare,))).unjudged["b"]


def test_a_probe_that_was_not_answered_counts_for_its_measure_alone() -> None:
    run = Outcome((answered(prompt("a")),), missing=(variation(prompt("a"), "sensitivity", "typos"),))
    assert reading("sensitivity", run).unjudged == {"a": "its probe typos was not answered"}
    assert reading("latency", run).unjudged == {}


def test_what_a_measure_does_not_apply_to_is_left_out_with_or_without_an_answer() -> None:
    run = Outcome((answered(prompt("a")), answered(prompt("b", None))), missing=(prompt("c", " "), prompt("d")))
    found = reading("correctness", run)
    assert found.skipped == {"b": NO_REFERENCE, "c": NO_REFERENCE}
    assert found.unjudged == {"d": "it has no answer"}


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_nothing_is_lost_and_every_missing_prompt_has_one_place(rated, gone, bare) -> None:
    prompts = {name: prompt(name, None if name in bare else SAYS) for name in "abcdef"}
    run = Outcome(tuple(answered(prompts[n]) for n in sorted(rated)), missing=tuple(prompts[n] for n in sorted(gone)))
    before = Reading(tuple(Rating(name, 1.0) for name in sorted(rated - bare)), dict.fromkeys(rated & bare, "bare"))
    after = completed(before, run, "correctness", unreferenced)
    assert after.ratings == before.ratings
    assert set(after.unjudged) == gone - bare
    assert set(after.skipped) == (rated | gone) & bare
    assert set(lost(run, "correctness")) == gone


def test_a_prompt_that_is_rated_in_part_is_one_prompt() -> None:
    assert counted({"a", "b"}, ["b", "b", "c"]) == (2, 3)
    assert too_many({"a"}, ["b", "c", "d"], 0.2)
    assert not too_many({"a"}, ["b", "c", "d"], 0.25)
    assert not too_many({}, [], 0.0)
