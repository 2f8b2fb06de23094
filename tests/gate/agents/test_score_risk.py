"""What the run left is counted, and whatever got lost forbids a decision."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from gate.agents.score_risk import outcome, score_risk
from gate.checks import parse_checks
from gate.config import Config, Evaluation, JudgeSettings, Measures, RiskTolerance
from gate.errors import LimitError
from gate.records import Answer, Claim, Decision, Failure, Label, Prompt, ToolCall, Usage, Verdict
from gate.state import State
from gate.toolbox import Toolbox
from tests.support.scripted_grader import REFERENCE, answers, graded, honest
from tests.support.scripted_judge import Scripted
from tests.support.states import state_of


def scored(labels, prompts=2, answers=None, claims=None, repeats=1, void=(), **tolerance):
    """`labels`: one claim each, to the answers in turn."""
    said = [Answer(f"p{n}#{r}", f"p{n}", "t", r) for n in range(prompts) for r in range(repeats)][:answers]
    made = [
        Claim(f"{said[n % len(said)].id}:{n}", said[n % len(said)].prompt_id, said[n % len(said)].id, "t", 0, 1)
        for n in range(len(labels) if claims is None else claims)
    ]
    config = SimpleNamespace(
        evaluation=Evaluation(source="recorded", repeats=repeats),
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


def test_exact_checks_see_words_time_cost_and_calls_and_decide_beside_the_risk():
    values = {
        "use_case": "a test",
        "model": {"provider": "openai", "model_id": "m"},
        "prices": {"m": {"input": 1.0, "output": 2.0}},
        "evaluation": {"source": "dataset", "dataset": "q", "repeats": 2, "pass": 1},
    }
    asked = {"contains": "watts", "max_latency_ms": 50, "max_cost_usd": 0.001, "called": "search", "not_called": "buy"}
    prompts = [
        Prompt("p", "q?", checks=parse_checks(asked)),
        Prompt("q", "q?", checks={"equals": "t"}),
        Prompt("r", "q?"),
    ]
    search, buy = ((ToolCall(name, "{}"),) for name in ("search", "buy"))
    said = [
        Answer("p", "p", "40 watts", 0, "", 50.0, Usage(100, 100), tool_calls=search),
        Answer("p#1", "p", "40 volts", 1, "", 51.0, Usage(1000, 1000), tool_calls=buy),
        Answer("q", "q", "t"),
        Answer("q#1", "q", "u", 1),
        *(Answer(f"r{n}", "r", "t", n) for n in range(2)),
    ]
    claim = Claim("r:0", "r", "r0", "t", 0, 1)
    state = State(config=Config.model_validate(values), prompts=prompts, responses=said, claims=[claim], void=[])
    state["verdicts"] = [Verdict(claim, Label.SUPPORTED, "")]
    score_risk(state)
    found = {name: [fault.check for fault in faults] for name, faults in state["checked"].items()}
    bad = ["contains", "max_latency_ms", "max_cost_usd", "called", "not_called"]
    assert found == {"p": [], "p#1": bad, "q": [], "q#1": ["equals"]}
    assert (state["score"].decision, state["score"].risk) == (Decision.DEPLOY, 0.0)
    state["config"] = Config.model_validate({**values, "evaluation": {**values["evaluation"], "pass": 2}})
    score_risk(state)
    assert (state["score"].decision, state["score"].risk) == (Decision.BLOCK, 0.0)
    assert (
        state["score"]
        .reasons[0]
        .startswith(
            '2 of 2 prompts with checks do not pass: p (the answer does not contain "watts"; 1 of 2 answers hold), q ('
        )
    )


def test_criteria_are_figures_of_their_own_that_decide_nothing():
    def script(request):
        if "9 watts" in str(request):
            return LimitError("the budget is used up")
        found = {number: "short" in text for number, text in answers(request).items()}
        return json.dumps({"criteria": [{"criterion": n, "why": "so", "met": met} for n, met in found.items()]})

    values = {
        "use_case": "a test",
        "model": {"provider": "replay", "path": "a.jsonl"},
        "judge": {"provider": "ollama", "model_id": "small", "criteria": ["is short", "is long"]},
        "limits": {"concurrency": 1},
    }
    tools = Toolbox(Config.model_validate(values))
    tools.__dict__["judge_model"] = Scripted(script)  # as if it had been opened
    prompts, said = [Prompt(f"p{n}", "q?") for n in range(3)], ["It runs at 40 watts.", "It runs at 9 watts."]
    made = [Claim(f"p{n}:0", f"p{n}", f"p{n}", "t", 0, 1) for n in range(2)]
    state = State(config=tools.config, tools=tools, prompts=prompts, claims=made, verdicts=[], void=[], failures=[])
    state["responses"] = [Answer(f"p{n}", f"p{n}", text) for n, text in enumerate(said)]
    state["responses"].append(Answer("p2", "p2", "", tool_calls=(ToolCall("search", "{}"),)))
    state["verdicts"] = [Verdict(claim, Label.SUPPORTED, "") for claim in made]
    with pytest.raises(LimitError):
        score_risk(state)
    short, long = state["criteria"]
    assert [(one.name, one.value, one.n) for one in (short, long)] == [("is short", 1.0, 1), ("is long", 0.0, 1)]
    assert (set(short.unjudged), set(short.skipped)) == ({"p1"}, {"p2"})
    assert state["measures"] == []
    assert state["score"].decision is Decision.DEPLOY


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


@pytest.mark.parametrize(
    ("evaluation", "tools", "noted"),
    [
        ({}, {}, ["the documents gave 1 of 20 questions (num_prompts): add your own"]),
        ({"num_prompts": 1}, {}, []),
        ({}, {"limit": 1}, []),
        ({}, {"shard": (1, 2)}, []),
        ({"source": "recorded"}, {}, []),
    ],
)
def test_a_run_of_fewer_generated_questions_than_wanted_says_so(evaluation, tools, noted):
    state = state_of(tools, {"evaluation": evaluation}, prompts=[Prompt("p", "q?")], responses=[], claims=[])
    state["verdicts"] = []
    score_risk(state)
    assert state["notes"] == noted
