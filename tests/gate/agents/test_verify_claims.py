"""Every claim gets one verdict, by its id, with quotes that are verbatim; no fault of one answer costs another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from gate.agents.retrieve_evidence import Ahead
from gate.agents.verify_claims import ENDED, UNSOUGHT, verify_claims
from gate.config import Config
from gate.errors import GateError, LimitError, SetupError, StoreError, TransientError
from gate.providers.budget import Budget
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


PUMP = "Intro.\nThe pump runs at 40 watts. The pump is red."


class Fake:
    """Supports everything with the whole second line; or does what `script` says of an item."""

    def __init__(self, script=None, remote: bool = False, details=None) -> None:
        self.script = script or (lambda item: found_it(item))
        self.remote = remote
        self.details = details or {}
        self.calls: list[list[str]] = []
        self._lock = threading.Lock()

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        with self._lock:
            self.calls.append([item.claim.id for item in items])
        made = [self.script(item) for item in items]
        for one in made:
            if isinstance(one, GateError):
                raise one
        return [verdict for one in made for verdict in (one if isinstance(one, list) else [one])]

    def info(self) -> JudgeInfo:
        return JudgeInfo("fake", "f", "1", self.details)


def found_it(item: Item, quote: str = "The pump runs at 40 watts.", line: int = 2, source: str = "m.md") -> Verdict:
    return Verdict(item.claim, Label.SUPPORTED, "found", evidence=(Quote(source, line, quote, 1.0),))


def run_all(judge: Fake, answers: int = 2, claims: int = 2, **limits: object) -> State:
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "-"}, "limits": limits})
    state = State(config=config, failures=[], void=[])
    state["tools"] = SimpleNamespace(judge=judge, budget=Budget(config.limits))  # type: ignore[typeddict-item]
    state["claims"] = [
        Claim(f"q{a}:{n}", f"q{a}", f"q{a}", f"Claim {n}.", 0, 1) for a in range(answers) for n in range(claims)
    ]
    passage = Evidence("m.md", 1, PUMP, 1.0, "", (1, 2))
    # Only the first claim of an answer found something.
    state["evidence"] = {claim.id: (passage,) if claim.id.endswith(":0") else () for claim in state["claims"]}
    verify_claims(state)
    return state


def run_ahead(judge: Fake, fault: Exception | None = None) -> State:
    """Three answers; the evidence of the first is there, that of the others is sought meanwhile, up to a fault."""
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "-"}})
    state = State(config=config, failures=[], void=[])
    state["tools"] = SimpleNamespace(judge=judge, budget=Budget(config.limits))  # type: ignore[typeddict-item]
    state["claims"] = [Claim(f"q{a}:0", f"q{a}", f"q{a}", "Claim.", 0, 1) for a in range(3)]
    passage = Evidence("m.md", 1, PUMP, 1.0, "", (1, 2))
    state["evidence"] = {"q0:0": (passage,)}

    def search(claims: Sequence[Claim]) -> dict[str, tuple[Evidence, ...]]:
        if fault is not None and claims[0].id == "q2:0":
            raise fault
        return {claim.id: (passage,) for claim in claims}

    state["ahead"] = Ahead(search, [[claim] for claim in state["claims"][1:]], state["evidence"])
    verify_claims(state)
    return state


def test_an_embedder_that_fails_on_the_way_makes_the_run_void_and_costs_no_other_answer() -> None:
    state = run_ahead(Fake(remote=True), TransientError("no vectors", "ollama"))
    assert labels(state) == ["q0:0 supported", "q1:0 supported", "q2:0 unjudged"]
    assert state["void"] == ["the evidence could not be retrieved: no vectors"]


@pytest.mark.parametrize("fault", [StoreError("the index is gone"), SetupError("no such key"), ZeroDivisionError()])
def test_an_index_that_fails_on_the_way_ends_the_run(fault: Exception) -> None:
    with pytest.raises(type(fault)):
        run_ahead(Fake(remote=True), fault)


def labels(state: State) -> list[str]:
    return [f"{v.claim.id} {v.label.value}" for v in state["verdicts"]]


ALL = ["q0:0 supported", "q0:1 supported", "q1:0 supported", "q1:1 supported"]


def test_a_local_judge_gets_all_at_once_a_remote_one_answer_by_answer() -> None:
    local, remote = Fake(), Fake(remote=True)
    assert labels(run_all(local)) == labels(run_all(remote)) == ALL
    assert local.calls == [["q0:0", "q0:1", "q1:0", "q1:1"]]
    assert sorted(remote.calls) == [["q0:0", "q0:1"], ["q1:0", "q1:1"]]


def test_a_quote_from_another_claims_evidence_of_the_same_answer_counts_and_gets_its_true_line() -> None:
    state = run_all(Fake(lambda item: found_it(item, line=77)))
    assert [q.line for v in state["verdicts"] for q in v.evidence] == [2, 2, 2, 2]


@pytest.mark.parametrize("remote", [False, True])
def test_a_fault_of_one_answer_costs_that_answer(remote) -> None:
    fault = TransientError("busy", kind="throttled")
    state = run_all(Fake(lambda item: fault if item.claim.prompt_id == "q0" else found_it(item), remote))
    assert labels(state) == ["q0:0 unjudged", "q0:1 unjudged", *ALL[2:]]
    assert [(f.agent, f.prompt_id, f.kind, f.message) for f in state["failures"]] == [
        ("verify_claims", "q0", "throttled", "busy")
    ]
    assert all(v.reason for v in state["verdicts"][:2])


def test_a_limit_keeps_the_verdicts_that_are_there() -> None:
    class Kept(Fake):
        def judge(self, items: Sequence[Item]) -> list[Verdict]:
            if items[0].claim.prompt_id == "q1":
                raise LimitError("enough")
            return super().judge(items)

    judge = Kept(remote=True)
    config = Config.model_validate(
        {"use_case": "x", "model": {"provider": "replay", "path": "-"}, "limits": {"concurrency": 1}}
    )
    state = State(config=config, failures=[], void=[])
    state["tools"] = SimpleNamespace(judge=judge, budget=Budget(config.limits))  # type: ignore[typeddict-item]
    state["claims"] = [Claim(f"q{a}:0", f"q{a}", f"q{a}", "Claim.", 0, 1) for a in range(3)]
    state["evidence"] = {c.id: (Evidence("m.md", 1, PUMP, 1.0, "", (1, 2)),) for c in state["claims"]}
    with pytest.raises(LimitError):
        verify_claims(state)
    assert labels(state) == ["q0:0 supported", "q1:0 unjudged", "q2:0 unjudged"]
    assert [v.reason for v in state["verdicts"][1:]] == [ENDED] * 2


@pytest.mark.parametrize(("supported_", "words"), [(1, "a canary"), (3, "3 canaries")])
def test_a_supported_canary_makes_the_run_void(supported_, words) -> None:
    for remote in (False, True):
        state = run_all(Fake(remote=remote, details={"canaries_supported": supported_}))
        assert len(state["void"]) == 1
        assert words in state["void"][0]
    assert run_all(Fake(details={"canaries_supported": 0}))["void"] == []
