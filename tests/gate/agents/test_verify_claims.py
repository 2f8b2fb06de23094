from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from gate.agents.verify_claims import AGENT, ENDED, UNSOUGHT, verify_claims
from gate.errors import BadReplyError, LimitError, SetupError, TransientError
from gate.records import Answer, Claim, Evidence, Item, JudgeInfo, Label, Prompt, Quote, Verdict
from gate.state import State

TEXT = "First line.\nThe timeout is 5 seconds.\nLast line."
PASSAGE = Evidence("guide.md", 10, TEXT, 1.0, "", (10, 11, 12))
GOOD = Quote("guide.md", 11, "The timeout is 5 seconds.", 0.9)


@dataclass
class FakeJudge:
    """Answers with what `reply` makes of the items."""

    reply: Callable[[Sequence[Item]], list[Verdict]]
    batches: int = 0
    remote: bool = False

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        self.batches += 1
        return self.reply(items)

    def info(self) -> JudgeInfo:
        return JudgeInfo("fake", "", "")


def supported(item: Item, **changes: Any) -> Verdict:
    return replace(Verdict(item.claim, Label.SUPPORTED, "Found.", confidence=0.9, evidence=(GOOD,)), **changes)


def run(reply: Callable[[Sequence[Item]], list[Verdict]], claims: int = 3, answers: int = 1) -> State:
    made = [
        Claim(f"q{a}:{n}", f"q{a}", f"q{a}", "The timeout is 5 seconds.", 0, 25)
        for a in range(answers)
        for n in range(claims)
    ]
    state = State(
        prompts=[Prompt(f"q{a}", f"question {a}") for a in range(answers)],
        responses=[Answer(f"q{a}", f"q{a}", f"answer {a}") for a in range(answers)],
        claims=made,
        evidence={claim.id: (PASSAGE,) for claim in made},
        failures=[],
        tools=SimpleNamespace(judge=FakeJudge(reply)),  # type: ignore[typeddict-item]
    )
    verify_claims(state)
    return state


def test_one_verdict_a_claim_in_the_order_of_the_claims() -> None:
    state = run(lambda items: [supported(item) for item in reversed(items)])
    assert [verdict.claim for verdict in state["verdicts"]] == state["claims"]
    assert {verdict.label for verdict in state["verdicts"]} == {Label.SUPPORTED}


def test_the_judge_sees_question_answer_and_evidence() -> None:
    seen: list[Item] = []

    def reply(items: Sequence[Item]) -> list[Verdict]:
        seen.extend(items)
        return [supported(item) for item in items]

    run(reply, claims=1)
    assert (seen[0].question, seen[0].answer, seen[0].evidence) == ("question 0", "answer 0", (PASSAGE,))


def test_no_claims_no_call() -> None:
    state = run(lambda items: [], claims=0)
    assert state["verdicts"] == []
    assert state["tools"].judge.batches == 0  # type: ignore[attr-defined]


def test_a_claim_without_evidence_is_judged_on_none() -> None:
    claim = Claim("q:0", "q", "q", "Anything.", 0, 9)
    seen: list[Item] = []
    state = State(claims=[claim], evidence={"q:0": ()}, failures=[])
    state["tools"] = SimpleNamespace(judge=FakeJudge(lambda items: seen.extend(items) or []))  # type: ignore[typeddict-item, func-returns-value]
    verify_claims(state)
    assert seen[0].evidence == ()
    assert state["verdicts"][0].label is Label.UNJUDGED


@pytest.mark.parametrize(("limit", "reason"), [({}, UNSOUGHT), ({"limit": "2 calls"}, ENDED)])
def test_a_claim_that_no_evidence_was_sought_for_is_not_judged(limit: dict[str, Any], reason: str) -> None:
    claims = [Claim(f"q:{n}", "q", "q", "The timeout is 5 seconds.", 0, 25) for n in range(2)]
    state = State(claims=claims, evidence={"q:1": (PASSAGE,)}, failures=[], **limit)
    state["tools"] = SimpleNamespace(judge=FakeJudge(lambda items: [supported(i) for i in items]))  # type: ignore[typeddict-item]
    verify_claims(state)
    assert [verdict.label for verdict in state["verdicts"]] == [Label.UNJUDGED, Label.SUPPORTED]
    assert state["verdicts"][0].reason == reason


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (lambda items: [supported(i) for i in items[1:]], "no verdict"),
        (lambda items: [], "no verdict"),
        (lambda items: [supported(i) for i in (items[0], *items)], "2 verdicts"),
        (
            lambda items: [supported(items[0], claim=replace(items[0].claim, id="other")), *map(supported, items[1:])],
            "no verdict",
        ),
    ],
)
def test_a_missing_double_or_foreign_verdict_is_unjudged(
    reply: Callable[[Sequence[Item]], list[Verdict]], reason: str
) -> None:
    state = run(reply)
    assert len(state["verdicts"]) == len(state["claims"])
    first = state["verdicts"][0]
    assert first.label is Label.UNJUDGED
    assert reason in first.reason


@pytest.mark.parametrize(
    "quote",
    [
        replace(GOOD, quote="The timeout is 6 seconds."),
        replace(GOOD, quote="the timeout is 5 seconds."),
        replace(GOOD, source="other.md"),
        replace(GOOD, quote=" \n"),
        replace(GOOD, quote=""),
    ],
)
def test_supported_without_words_of_the_documents_is_unjudged(quote: Quote) -> None:
    (verdict,) = run(lambda items: [supported(items[0], evidence=(quote,))], claims=1)["verdicts"]
    assert verdict.label is Label.UNJUDGED
    assert "showed no words" in verdict.reason


def test_a_quote_that_is_not_verbatim_is_left_out_and_told() -> None:
    bad = replace(GOOD, quote="invented words")
    (verdict,) = run(lambda items: [supported(items[0], evidence=(bad, GOOD))], claims=1)["verdicts"]
    assert verdict.label is Label.SUPPORTED
    assert verdict.evidence == (GOOD,)
    assert "1 quote not verbatim" in verdict.justification


def test_a_wrong_line_is_put_right() -> None:
    (verdict,) = run(lambda items: [supported(items[0], evidence=(replace(GOOD, line=999),))], claims=1)["verdicts"]
    assert verdict.evidence == (GOOD,)


def test_unsupported_needs_no_quote() -> None:
    reply = FakeJudge(
        lambda items: [Verdict(i.claim, Label.UNSUPPORTED, "Not there.", contradicted=True) for i in items]
    ).judge
    (verdict,) = run(reply, claims=1)["verdicts"]
    assert (verdict.label, verdict.contradicted) == (Label.UNSUPPORTED, True)


@pytest.mark.parametrize(("given", "kept"), [(float("nan"), 0.0), (7.0, 1.0), (-1.0, 0.0), (0.25, 0.25)])
def test_confidence_stays_a_probability(given: float, kept: float) -> None:
    (verdict,) = run(lambda items: [supported(items[0], confidence=given)], claims=1)["verdicts"]
    assert verdict.confidence == kept


def test_a_verdict_cannot_change_its_claim_or_contradict_itself() -> None:
    def reply(items: Sequence[Item]) -> list[Verdict]:
        return [
            supported(items[0], claim=replace(items[0].claim, text="Something nicer."), contradicted=True, reason="x")
        ]

    state = run(reply, claims=1)
    (verdict,) = state["verdicts"]
    assert verdict.claim == state["claims"][0]
    assert (verdict.contradicted, verdict.reason) == (False, "")


def test_an_unjudged_verdict_always_has_a_reason() -> None:
    (verdict,) = run(lambda items: [Verdict(items[0].claim, Label.UNJUDGED, "")], claims=1)["verdicts"]
    assert verdict.reason


@pytest.mark.parametrize("error", [TransientError("throttled"), BadReplyError("not JSON")])
def test_a_fault_costs_one_answer(error: Exception) -> None:
    def reply(items: Sequence[Item]) -> list[Verdict]:
        if any(item.claim.answer_id == "q1" for item in items):
            raise error
        return [supported(item) for item in items]

    state = run(reply, claims=2, answers=3)
    assert [v.label is Label.UNJUDGED for v in state["verdicts"]] == [False, False, True, True, False, False]
    assert [(failure.agent, failure.prompt_id) for failure in state["failures"]] == [(AGENT, "q1")]


@pytest.mark.parametrize("error", [SetupError("no key"), LimitError("cost")])
def test_a_fault_of_the_set_up_or_a_limit_ends_the_run_and_leaves_nothing_judged(error: Exception) -> None:
    def reply(items: Sequence[Item]) -> list[Verdict]:
        raise error

    claims = [Claim("q:0", "q", "q", "Anything.", 0, 9)]
    state = State(claims=claims, evidence={"q:0": ()}, failures=[])
    state["tools"] = SimpleNamespace(judge=FakeJudge(reply))  # type: ignore[typeddict-item]
    with pytest.raises(type(error)):
        verify_claims(state)
    assert [verdict.label for verdict in state["verdicts"]] == [Label.UNJUDGED]
