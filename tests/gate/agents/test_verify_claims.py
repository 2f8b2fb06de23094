"""Every claim gets one verdict, by its id, with quotes that are verbatim; no fault of one answer costs another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from gate.agents.retrieve_evidence import Ahead
from gate.agents.verify_claims import ENDED, UNSOUGHT, verify_claims
from gate.errors import GateError, LimitError, SetupError, StoreError, TransientError
from gate.records import Answer, Claim, Evidence, Item, JudgeInfo, Label, Prompt, Quote, Verdict
from gate.state import State
from tests.support.states import state_of

TEXT = "First line.\nThe timeout is 5 seconds.\nLast line."
PASSAGE = Evidence("guide.md", 10, TEXT, 1.0, "", (10, 11, 12))
GOOD = Quote("guide.md", 11, "The timeout is 5 seconds.", 0.9)


def supported(item: Item, **changes: Any) -> Verdict:
    return replace(Verdict(item.claim, Label.SUPPORTED, "Found.", confidence=0.9, evidence=(GOOD,)), **changes)


class Fake:
    """Answers with what `reply` makes of the items, which by default supports them all."""

    def __init__(
        self,
        reply: Callable[[Sequence[Item]], list[Verdict]] = lambda items: [supported(item) for item in items],
        remote: bool = False,
        canaries: int = 0,
    ) -> None:
        self.reply, self.remote, self.canaries = reply, remote, canaries
        self.items: list[list[Item]] = []
        self._lock = threading.Lock()

    @property
    def calls(self) -> list[list[str]]:
        return [[item.claim.id for item in items] for items in self.items]

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        with self._lock:
            self.items.append([*items])
        return self.reply(items)

    def info(self) -> JudgeInfo:
        return JudgeInfo("fake", "f", "1", {"canaries_supported": self.canaries})


def made(judge: Any, answers: int, claims: int, **limits: object) -> State:
    state = state_of({"judge": judge}, {"limits": limits, "judge": {"provider": "ollama", "model_id": "m"}})
    state["prompts"] = [Prompt(f"q{a}", f"question {a}") for a in range(answers)]
    state["responses"] = [Answer(f"q{a}", f"q{a}", f"answer {a}") for a in range(answers)]
    state["claims"] = [
        Claim(f"q{a}:{n}", f"q{a}", f"q{a}", "It is 5 seconds.", 0, 16) for a in range(answers) for n in range(claims)
    ]
    # Only the first claim of an answer found something.
    state["evidence"] = {claim.id: (PASSAGE,) if claim.id.endswith(":0") else () for claim in state["claims"]}
    return state


def run(judge: Fake, answers: int = 2, claims: int = 2, **limits: object) -> State:
    state = made(judge, answers, claims, **limits)
    verify_claims(state)
    return state


def labels(state: State) -> list[str]:
    return [f"{v.claim.id} {v.label.value}" for v in state["verdicts"]]


ALL = ["q0:0 supported", "q0:1 supported", "q1:0 supported", "q1:1 supported"]


def test_one_verdict_a_claim_in_the_order_of_the_claims() -> None:
    judge = Fake(lambda items: [supported(item) for item in reversed(items)])
    state = run(judge)
    assert [verdict.claim for verdict in state["verdicts"]] == state["claims"]
    assert labels(state) == ALL
    (item, *_), *_ = judge.items
    assert (item.evidence, item.question, item.answer) == ((PASSAGE,), "question 0", "answer 0")


@pytest.mark.parametrize(("limit", "reason"), [({}, UNSOUGHT), ({"limit": "2 calls"}, ENDED)])
def test_a_claim_that_no_evidence_was_sought_for_is_not_judged(limit: Any, reason: str) -> None:
    state = made(Fake(), 1, 2)
    del state["evidence"]["q0:0"]
    state.update(limit)
    state["evidence"]["q0:1"] = (PASSAGE,)
    verify_claims(state)
    assert labels(state) == ["q0:0 unjudged", "q0:1 supported"]
    assert state["verdicts"][0].reason == reason


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (lambda items: [supported(i) for i in items[1:]], "no verdict"),
        (lambda items: [supported(i) for i in (items[0], *items)], "2 verdicts"),
        (lambda items: [supported(items[0], claim=replace(items[0].claim, id="other"))], "no verdict"),
    ],
)
def test_a_missing_double_or_foreign_verdict_is_unjudged(reply: Any, reason: str) -> None:
    state = run(Fake(reply))
    assert len(state["verdicts"]) == len(state["claims"])
    first = state["verdicts"][0]
    assert first.label is Label.UNJUDGED
    assert reason in first.reason


@pytest.mark.parametrize(
    "changes",
    [{"quote": "The timeout is 6 seconds."}, {"quote": "the timeout is"}, {"source": "other.md"}, {"quote": " \n"}],
)
def test_supported_without_words_of_the_documents_is_unjudged(changes: Any) -> None:
    quote = replace(GOOD, **changes)
    (verdict,) = run(Fake(lambda items: [supported(items[0], evidence=(quote,))]), 1, 1)["verdicts"]
    assert verdict.label is Label.UNJUDGED
    assert "showed no words" in verdict.reason


def test_a_quote_that_is_not_verbatim_is_left_out_and_a_wrong_line_put_right() -> None:
    quotes = (replace(GOOD, quote="invented words"), replace(GOOD, line=999))
    (verdict,) = run(Fake(lambda items: [supported(items[0], evidence=quotes)]), 1, 1)["verdicts"]
    assert verdict.label is Label.SUPPORTED
    assert verdict.evidence == (GOOD,)
    assert "1 quote not verbatim" in verdict.justification


@pytest.mark.parametrize(("given", "kept"), [(float("nan"), 0.0), (7.0, 1.0), (-1.0, 0.0), (0.25, 0.25)])
def test_confidence_stays_a_probability(given: float, kept: float) -> None:
    (verdict,) = run(Fake(lambda items: [supported(items[0], confidence=given)]), 1, 1)["verdicts"]
    assert verdict.confidence == kept


def test_a_verdict_cannot_change_its_claim_or_contradict_itself() -> None:
    def reply(items: Sequence[Item]) -> list[Verdict]:
        return [supported(items[0], claim=replace(items[0].claim, text="Nicer."), contradicted=True, reason="x")]

    state = run(Fake(reply), 1, 1)
    (verdict,) = state["verdicts"]
    assert verdict.claim == state["claims"][0]
    assert (verdict.contradicted, verdict.reason) == (False, "")


def run_ahead(fault: Exception) -> State:
    """Three answers; the evidence of the first is there, that of the others is sought meanwhile, up to a fault."""
    state = made(Fake(remote=True), 3, 1)
    state["evidence"] = {"q0:0": (PASSAGE,)}

    def search(claims: Sequence[Claim]) -> dict[str, tuple[Evidence, ...]]:
        if claims[0].id == "q2:0":
            raise fault
        return {claim.id: (PASSAGE,) for claim in claims}

    state["ahead"] = Ahead(search, [[claim] for claim in state["claims"][1:]], state["evidence"])
    verify_claims(state)
    return state


def test_an_embedder_that_fails_on_the_way_makes_the_run_void_and_costs_no_other_answer() -> None:
    state = run_ahead(TransientError("no vectors", "ollama"))
    assert labels(state) == ["q0:0 supported", "q1:0 supported", "q2:0 unjudged"]
    assert state["void"] == ["the evidence could not be retrieved: no vectors"]


@pytest.mark.parametrize("fault", [StoreError("the index is gone"), SetupError("no such key"), ZeroDivisionError()])
def test_an_index_that_fails_on_the_way_ends_the_run(fault: Exception) -> None:
    with pytest.raises(type(fault)):
        run_ahead(fault)


def test_a_local_judge_gets_all_at_once_a_remote_one_answer_by_answer() -> None:
    local, remote = Fake(), Fake(remote=True)
    assert labels(run(local)) == labels(run(remote)) == ALL
    assert local.calls == [["q0:0", "q0:1", "q1:0", "q1:1"]]
    assert sorted(remote.calls) == [["q0:0", "q0:1"], ["q1:0", "q1:1"]]


def failing(prompt: str, fault: GateError) -> Callable[[Sequence[Item]], list[Verdict]]:
    """Fails on that prompt, and supports all others."""

    def reply(items: Sequence[Item]) -> list[Verdict]:
        if any(item.claim.prompt_id == prompt for item in items):
            raise fault
        return [supported(item) for item in items]

    return reply


@pytest.mark.parametrize("remote", [False, True])
def test_a_fault_of_one_answer_costs_that_answer(remote: bool) -> None:
    state = run(Fake(failing("q0", TransientError("busy", kind="throttled")), remote))
    assert labels(state) == ["q0:0 unjudged", "q0:1 unjudged", *ALL[2:]]
    assert [(f.agent, f.prompt_id, f.kind, f.message) for f in state["failures"]] == [
        ("verify_claims", "q0", "throttled", "busy")
    ]
    assert all(v.reason for v in state["verdicts"][:2])


def test_a_limit_keeps_the_verdicts_that_are_there() -> None:
    state = made(Fake(failing("q1", LimitError("enough")), remote=True), 3, 1, concurrency=1)
    with pytest.raises(LimitError):
        verify_claims(state)
    assert labels(state) == ["q0:0 supported", "q1:0 unjudged", "q2:0 unjudged"]
    assert [v.reason for v in state["verdicts"][1:]] == [ENDED] * 2


@pytest.mark.parametrize("remote", [False, True])
def test_a_supported_canary_makes_the_run_void(remote: bool) -> None:
    (reason,) = run(Fake(remote=remote, canaries=3))["void"]
    assert "3 canaries" in reason
    assert run(Fake(remote=remote))["void"] == []
