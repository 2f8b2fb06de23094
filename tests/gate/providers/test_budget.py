"""The budget: no call beyond a limit, and a true account of what was used."""

import threading
from typing import Any

import pytest

from gate.config import Limits, Price
from gate.errors import BadReplyError, LimitError, SetupError, TransientError
from gate.providers.base import Reply
from gate.providers.budget import Budget, Metered, Spent
from gate.records import Usage

PRICES = {"script-1": Price(input=1.0, output=10.0)}


def limits(**more: Any) -> Limits:
    return Limits(**{"max_cost_usd": None, "max_calls": None, "max_seconds": None, **more})


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_calls_tokens_and_cost_are_counted(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(), PRICES)
    metered = Metered(scripted(Reply("a", Usage(1000, 100)), Reply("b", Usage(500, 50, estimated=True))), budget)
    metered.complete(ask())
    metered.complete(ask())
    budget.cached()
    spent = budget.spent()
    assert (spent.calls, spent.cached_calls, spent.input_tokens, spent.output_tokens) == (2, 1, 1500, 150)
    assert spent.cost_usd == pytest.approx(0.003)
    assert spent.estimated
    assert spent.unpriced == ()


def test_the_call_after_the_last_is_not_made(scripted: Any, ask: Any) -> None:
    inner = scripted(Reply("x"))
    metered = Metered(inner, Budget(limits(max_calls=2)))
    metered.complete(ask())
    metered.complete(ask())
    with pytest.raises(LimitError, match=r"2 calls \(limits\.max_calls\)") as caught:
        metered.complete(ask())
    assert len(inner.requests) == 2
    assert "recorded" in caught.value.hint


def test_no_calls_at_all_is_a_limit_too(scripted: Any, ask: Any) -> None:
    with pytest.raises(LimitError):
        Metered(scripted(Reply("x")), Budget(limits(max_calls=0))).complete(ask())


def test_the_cost_limit_holds_for_the_worst_case(scripted: Any, ask: Any) -> None:
    # One call may cost 100 output tokens = 0.001 USD (and a little for the prompt), and costs half of it.
    inner = scripted(Reply("x", Usage(0, 50)))
    budget = Budget(limits(max_cost_usd=0.0021), PRICES)
    metered = Metered(inner, budget)
    for _ in range(3):
        metered.complete(ask(max_tokens=100))
    with pytest.raises(LimitError, match="limits.max_cost_usd"):
        metered.complete(ask(max_tokens=100))
    assert len(inner.requests) == 3
    assert (budget.spent().cost_usd or 1) <= 0.0021


def test_calls_in_flight_never_pass_the_cost_limit_together(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_cost_usd=0.0105), PRICES)
    inner = scripted(Reply("x", Usage(0, 100)))
    metered, stopped = Metered(inner, budget), []

    def work() -> None:
        try:
            metered.complete(ask(max_tokens=100))
        except LimitError:
            stopped.append(1)

    threads = [threading.Thread(target=work) for _ in range(25)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(inner.requests) == 10
    assert len(stopped) == 15
    assert budget.spent().cost_usd == pytest.approx(0.01)


def test_a_model_without_a_price_is_named_and_costs_unknown(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_cost_usd=0.0))
    metered = Metered(scripted(Reply("x", Usage(10**6, 10**6))), budget)
    metered.complete(ask())
    metered.complete(ask())
    assert budget.spent() == Spent(2, 0, 2 * 10**6, 2 * 10**6, None, False, ("script-1",))


def test_a_model_without_a_price_does_not_lift_the_limit_for_the_others(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_cost_usd=0.0021), PRICES)
    unpriced = scripted(Reply("x", Usage(10, 10)))
    unpriced.model = "nameless"
    Metered(unpriced, budget).complete(ask())
    inner = scripted(Reply("x", Usage(0, 100)))
    metered = Metered(inner, budget)
    for _ in range(2):
        metered.complete(ask(max_tokens=100))
    with pytest.raises(LimitError, match=r"0\.0020 are spent"):
        metered.complete(ask(max_tokens=100))
    assert (len(inner.requests), budget.spent().cost_usd) == (2, None)


def test_a_free_model_is_within_any_cost(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_cost_usd=0.0), {"script-1": Price(input=0, output=0)})
    Metered(scripted(Reply("x", Usage(5, 5))), budget).complete(ask())
    assert budget.spent().cost_usd == 0.0


@pytest.mark.parametrize(
    ("error", "tokens"),
    [
        (BadReplyError("empty"), (5, 0)),
        (BadReplyError("empty", usage=Usage(7, 90)), (7, 90)),
        (TransientError("429"), (0, 0)),
        (SetupError("401"), (0, 0)),
    ],
)
def test_a_fault_is_a_call_and_what_arrived_was_paid(
    scripted: Any, ask: Any, error: Exception, tokens: tuple[int, int]
) -> None:
    budget = Budget(limits(max_cost_usd=1.0), PRICES)
    with pytest.raises(type(error)):
        Metered(scripted(error), budget).complete(ask())
    spent = budget.spent()
    assert (spent.calls, (spent.input_tokens, spent.output_tokens)) == (1, tokens)


def test_seconds_run_out(scripted: Any, ask: Any) -> None:
    clock = Clock()
    budget = Budget(limits(max_seconds=30), clock=clock)
    metered = Metered(scripted(Reply("x")), budget)
    metered.complete(ask())
    clock.now += 29
    assert budget.remaining() == pytest.approx(1)
    metered.complete(ask())
    clock.now += 2
    assert budget.remaining() == 0.0
    with pytest.raises(LimitError, match=r"30 s \(limits\.max_seconds\)"):
        metered.complete(ask())
    with pytest.raises(LimitError):
        budget.sleep(5)


def test_a_run_whose_seconds_went_to_a_server_that_fails_says_so(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_seconds=30))
    failing = Metered(scripted(TransientError("x: HTTP 503: no memory left", "wait", "server")), budget)
    with pytest.raises(TransientError):
        failing.complete(ask())
    assert budget.out_of_time().message.endswith("is reached; the last call failed: x: HTTP 503: no memory left")
    Metered(scripted(Reply("x")), budget).complete(ask())
    assert budget.out_of_time().message.endswith("(limits.max_seconds) is reached")


def test_without_a_time_limit_nothing_runs_out() -> None:
    budget = Budget(limits())
    assert budget.remaining() is None
    budget.sleep(0.0)


def test_a_stop_wakes_who_waits_and_lets_no_call_pass(scripted: Any, ask: Any) -> None:
    budget, caught = Budget(limits()), []

    def wait() -> None:
        try:
            budget.sleep(1000)
        except LimitError as error:
            caught.append(error.message)

    thread = threading.Thread(target=wait)
    thread.start()
    budget.stop(LimitError("interrupted"))
    budget.stop(LimitError("later"))
    thread.join(10)
    assert caught == ["interrupted"]
    with pytest.raises(LimitError, match="interrupted"):
        Metered(scripted(Reply("x")), budget).complete(ask())
    assert budget.spent().calls == 0


def test_a_limit_that_cannot_hold_is_told_once_before_the_first_call(scripted: Any, ask: Any) -> None:
    told: list[str] = []
    calls_then: list[int] = []
    inner = scripted(Reply("x"))
    budget = Budget(
        limits(max_cost_usd=2.0), warn=lambda said: (told.append(said), calls_then.append(len(inner.requests)))
    )
    for _ in range(2):
        Metered(inner, budget).complete(ask())
    assert (len(told), calls_then) == (1, [0])
    assert all(words in told[0] for words in ("'script-1'", "2 USD", "`prices`"))
    assert "\n" not in told[0]


@pytest.mark.parametrize(
    ("given", "prices"),
    [(Limits(), {}), (limits(), {}), (limits(max_cost_usd=2.0), PRICES)],
    ids=["nobody asked for it", "there is none", "there is a price"],
)
def test_of_a_limit_that_holds_or_is_not_asked_for_nothing_is_told(
    scripted: Any, ask: Any, given: Limits, prices: dict[str, Price]
) -> None:
    told: list[str] = []
    Metered(scripted(Reply("x")), Budget(given, prices, warn=told.append)).complete(ask())
    assert told == []
