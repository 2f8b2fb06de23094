"""What the run left is counted, and whatever got lost forbids a decision."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gate.agents.score_risk import outcome, score_risk
from gate.config import Config, Evaluation, JudgeSettings, Measures, RiskTolerance
from gate.errors import LimitError
from gate.records import Answer, Claim, Decision, Failure, Label, Prompt, Verdict
from gate.state import State
from gate.toolbox import Toolbox
from tests.support.scripted_grader import REFERENCE, graded, honest
from tests.support.scripted_judge import Scripted


def scored(labels, prompts=2, answers=None, claims=None, repeats=1, void=(), **tolerance):
    """`labels`: one claim each, to the answers in turn."""
    said = [Answer(f"p{n}#{r}", f"p{n}", "t", r) for n in range(prompts) for r in range(repeats)][:answers]
    made = [
        Claim(f"{said[n % len(said)].id}:{n}", said[n % len(said)].prompt_id, said[n % len(said)].id, "t", 0, 1)
        for n in range(len(labels) if claims is None else claims)
    ]
    config = SimpleNamespace(
        evaluation=Evaluation(repeats=repeats),
        risk_tolerance=RiskTolerance(**tolerance),
        measures=Measures(),
        judge=JudgeSettings(),
    )
    state = State(
        config=config,
        prompts=[Prompt(f"p{n}", "q?") for n in range(prompts)],
        responses=said,
        claims=made,
        verdicts=[Verdict(claim, label, "") for claim, label in zip(made, labels, strict=False)],
        void=list(void),
    )
    score_risk(state)
    return state["score"]


@pytest.mark.parametrize(
    ("labels", "risk", "decision"),
    [
        ([Label.SUPPORTED] * 8 + [Label.UNSUPPORTED] * 2, 0.2, Decision.WARN),
        ([Label.SUPPORTED, Label.UNJUDGED], 0.0, Decision.INCONCLUSIVE),
        ([Label.UNJUDGED] * 2, None, Decision.INCONCLUSIVE),
    ],
)
def test_labels_become_risk_and_decision(labels, risk, decision):
    score = scored(labels)
    assert (score.risk, score.decision) == (risk, decision)
    assert score.ledger.balanced


@pytest.mark.parametrize(
    ("repeats", "answers", "told"),
    [(1, 1, "1 of 2 prompts got no answer"), (3, 4, "2 of 6 answers are missing (repeats: 3)")],
)
def test_answers_that_are_missing_count_in_every_repeat(repeats, answers, told):
    score = scored([Label.SUPPORTED] * 4, answers=answers, repeats=repeats)
    assert score.decision is Decision.INCONCLUSIVE
    assert told in " ".join(score.reasons)


def test_a_limit_while_a_model_grades_ends_the_run_with_the_grades_there_are():
    def script(request):
        return LimitError("the budget is used up") if "9 watts" in str(request) else graded(honest)(request)

    values = {
        "use_case": "a test",
        "model": {"provider": "replay", "path": "a.jsonl"},
        "judge": {"provider": "ollama", "model_id": "small"},
        "limits": {"concurrency": 1},
        "measures": {"correctness": {"by": "model", "min": 4.0}},
    }
    tools = Toolbox(Config.model_validate(values))
    tools.__dict__["judge_model"] = Scripted(script)  # as if it had been opened
    said = ["It runs at 40 watts.", "It runs at 9 watts."]
    state = State(
        config=tools.config,
        tools=tools,
        prompts=[Prompt(f"p{n}", "How strong is the pump?", reference=REFERENCE) for n in range(2)],
        responses=[Answer(f"p{n}", f"p{n}", text) for n, text in enumerate(said)],
        claims=[],
        verdicts=[],
        errors=[],
    )
    with pytest.raises(LimitError):
        score_risk(state)
    (measure,) = state["measures"]
    assert [rating.value for rating in measure.ratings] == [5.0]
    assert set(measure.unjudged) == {"p1"}
    assert state["score"].decision is Decision.INCONCLUSIVE


def test_the_measures_know_which_probes_were_planned_and_for_which_prompts_a_fault_kept_them_back():
    state = State(
        config=SimpleNamespace(evaluation=Evaluation(probes=["consistency"])),
        prompts=[Prompt("p0", "q?"), Prompt("p1", "q?")],
        responses=[Answer("p0", "p0", "t"), Answer("p1", "p1", "t")],
        verdicts=[],
        failures=[Failure("generate_prompts", "p1", "timeout", "m"), Failure("run_model", "p0", "timeout", "m")],
    )
    found = outcome(state)
    assert (found.probes, found.missing, found.unmade) == ({"consistency": ()}, (), {"p1"})
