"""The search that runs beside the judge: order, waiting, what ends it."""

import threading
from collections.abc import Sequence

import pytest

from gate.agents.ahead import Ahead, Found
from gate.errors import LimitError, StoreError
from gate.records import Claim, Evidence

PASSAGE = Evidence("m.md", 1, "Text.", 1.0, "", (1,))
CLAIMS = [Claim(f"q{n}:0", f"q{n}", f"q{n}", f"Claim {n}.", 0, 1) for n in range(3)]
GROUPS = [[claim] for claim in CLAIMS]


def every(claims: Sequence[Claim]) -> Found:
    return {claim.id: (PASSAGE,) for claim in claims}


def test_what_is_waited_for_is_there_and_groups_come_in_order() -> None:
    order: list[str] = []
    found: Found = {}

    def search(claims: Sequence[Claim]) -> Found:
        order.extend(claim.id for claim in claims)
        return every(claims)

    ahead = Ahead(search, GROUPS, found)
    ahead.begin()
    ahead.wait(CLAIMS)
    assert list(found) == order == [claim.id for claim in CLAIMS]
    assert ahead.end() is None


def test_a_group_is_given_out_while_the_next_is_sought() -> None:
    gate = threading.Event()

    def search(claims: Sequence[Claim]) -> Found:
        if claims != GROUPS[0]:
            gate.wait(30)
        return every(claims)

    found: Found = {}
    ahead = Ahead(search, GROUPS, found)
    ahead.begin()
    ahead.wait(GROUPS[0])
    assert list(found) == ["q0:0"]
    gate.set()
    ahead.wait(CLAIMS)
    assert ahead.end() is None


def test_a_fault_reaches_those_who_wait_and_the_end_and_no_group_follows() -> None:
    asked: list[str] = []

    def search(claims: Sequence[Claim]) -> Found:
        asked.append(claims[0].id)
        if len(asked) == 2:
            raise StoreError("the index is gone", "ingest again")
        return every(claims)

    found: Found = {}
    ahead = Ahead(search, GROUPS, found)
    ahead.begin()
    with pytest.raises(StoreError, match="gone"):
        ahead.wait(CLAIMS[2:])
    ahead.wait(CLAIMS[:1])
    assert isinstance(ahead.end(), StoreError)
    assert asked == ["q0:0", "q1:0"]


def test_who_waits_is_let_go_when_the_run_has_ended() -> None:
    gate = threading.Event()

    def over() -> None:
        raise LimitError("the run was interrupted", "run again")

    ahead = Ahead(lambda claims: every(claims) if gate.wait(30) else {}, GROUPS, {})
    ahead.begin()
    with pytest.raises(LimitError):
        ahead.wait(CLAIMS, over)
    gate.set()
    ahead.end()


def test_the_end_waits_for_the_group_in_work_and_begins_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, gate, join = threading.Event(), threading.Event(), threading.Thread.join
    asked: list[str] = []

    def search(claims: Sequence[Claim]) -> Found:
        asked.append(claims[0].id)
        begun.set()
        gate.wait(30)
        return every(claims)

    found: Found = {}
    ahead = Ahead(search, GROUPS, found)
    ahead.begin()
    begun.wait(30)

    def let_go(thread: threading.Thread) -> None:  # whoever joins has said that the end has come
        gate.set()
        join(thread)

    monkeypatch.setattr(threading.Thread, "join", let_go)
    assert ahead.end() is None
    assert asked == list(found) == ["q0:0"]
