"""The agent with a judge that asks a server: answer by answer, and no fault of one costs another."""

import threading
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from gate.agents.ahead import Ahead
from gate.agents.verify_claims import ENDED, verify_claims
from gate.config import Config
from gate.errors import BadReplyError, GateError, LimitError, SetupError, StoreError, TransientError
from gate.providers.budget import Budget
from gate.records import Claim, Evidence, Item, JudgeInfo, Label, Quote, Verdict
from gate.state import State

TEXT = "Intro.\nThe pump runs at 40 watts. The pump is red."


class Fake:
    """Supports everything with the whole second line; or does what `script` says of an item."""

    def __init__(self, script=None, remote: bool = False, details=None) -> None:
        self.script = script or (lambda item: supported(item))
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


def supported(item: Item, quote: str = "The pump runs at 40 watts.", line: int = 2, source: str = "m.md") -> Verdict:
    return Verdict(item.claim, Label.SUPPORTED, "found", evidence=(Quote(source, line, quote, 1.0),))


def run(judge: Fake, answers: int = 2, claims: int = 2, **limits: object) -> State:
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "-"}, "limits": limits})
    state = State(config=config, failures=[], void=[])
    state["tools"] = SimpleNamespace(judge=judge, budget=Budget(config.limits))  # type: ignore[typeddict-item]
    state["claims"] = [
        Claim(f"q{a}:{n}", f"q{a}", f"q{a}", f"Claim {n}.", 0, 1) for a in range(answers) for n in range(claims)
    ]
    passage = Evidence("m.md", 1, TEXT, 1.0, "", (1, 2))
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
    passage = Evidence("m.md", 1, TEXT, 1.0, "", (1, 2))
    state["evidence"] = {"q0:0": (passage,)}

    def search(claims: Sequence[Claim]) -> dict[str, tuple[Evidence, ...]]:
        if fault is not None and claims[0].id == "q2:0":
            raise fault
        return {claim.id: (passage,) for claim in claims}

    state["ahead"] = Ahead(search, [[claim] for claim in state["claims"][1:]], state["evidence"])
    state["ahead"].begin()
    verify_claims(state)
    return state


def test_answers_are_judged_as_their_evidence_is_found() -> None:
    assert labels(run_ahead(Fake(remote=True))) == ["q0:0 supported", "q1:0 supported", "q2:0 supported"]


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
    assert labels(run(local)) == labels(run(remote)) == ALL
    assert local.calls == [["q0:0", "q0:1", "q1:0", "q1:1"]]
    assert sorted(remote.calls) == [["q0:0", "q0:1"], ["q1:0", "q1:1"]]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (lambda item: [], "gave no verdict"),
        (lambda item: [supported(item)] * 2, "gave 2 verdicts"),
        (lambda item: supported(item, "The pump flies."), "showed no words"),
    ],
)
def test_what_a_remote_judge_does_not_show_is_unjudged(script, reason) -> None:
    state = run(Fake(script, remote=True))
    assert {v.label for v in state["verdicts"]} == {Label.UNJUDGED}
    assert all(reason in v.reason for v in state["verdicts"])


def test_a_quote_from_another_claims_evidence_of_the_same_answer_counts_and_gets_its_true_line() -> None:
    state = run(Fake(lambda item: supported(item, line=77)))
    assert [q.line for v in state["verdicts"] for q in v.evidence] == [2, 2, 2, 2]


@pytest.mark.parametrize("remote", [False, True])
def test_a_fault_of_one_answer_costs_that_answer(remote) -> None:
    fault = TransientError("busy", kind="throttled")
    state = run(Fake(lambda item: fault if item.claim.prompt_id == "q0" else supported(item), remote))
    assert labels(state) == ["q0:0 unjudged", "q0:1 unjudged", *ALL[2:]]
    assert [(f.agent, f.prompt_id, f.kind, f.message) for f in state["failures"]] == [
        ("verify_claims", "q0", "throttled", "busy")
    ]
    assert all(v.reason for v in state["verdicts"][:2])


def test_set_up_ends_at_once() -> None:
    with pytest.raises(SetupError):
        run(Fake(lambda item: SetupError("no key"), remote=True))


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
    state["evidence"] = {c.id: (Evidence("m.md", 1, TEXT, 1.0, "", (1, 2)),) for c in state["claims"]}
    with pytest.raises(LimitError):
        verify_claims(state)
    assert labels(state) == ["q0:0 supported", "q1:0 unjudged", "q2:0 unjudged"]
    assert [v.reason for v in state["verdicts"][1:]] == [ENDED] * 2


@pytest.mark.parametrize(("supported_", "words"), [(1, "a canary"), (3, "3 canaries")])
def test_a_supported_canary_makes_the_run_void(supported_, words) -> None:
    for remote in (False, True):
        state = run(Fake(remote=remote, details={"canaries_supported": supported_}))
        assert len(state["void"]) == 1
        assert words in state["void"][0]
    assert run(Fake(details={"canaries_supported": 0}))["void"] == []


def test_nothing_to_judge_asks_nothing() -> None:
    judge = Fake(lambda item: BadReplyError("never"))
    state = run(judge, answers=0)
    assert (state["verdicts"], judge.calls) == ([], [])
