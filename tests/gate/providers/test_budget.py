"""The budget: no call beyond a limit, and a true account of what was used."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gate.config import Limits, Price
from gate.errors import BadReplyError, LimitError, SetupError, TransientError
from gate.providers.base import Reply, count_tokens, reported_usage
from gate.providers.budget import Budget, Budgeted, price_of
from gate.records import Usage

PRICES = {"script-1": Price(input=1.0, output=10.0)}


def limits(**more: Any) -> Limits:
    return Limits(**{"max_cost_usd": None, "max_calls": None, "max_seconds": None, **more})


def test_calls_tokens_and_cost_are_counted(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(), PRICES)
    budgeted = Budgeted(scripted(Reply("a", Usage(1000, 100)), Reply("b", Usage(500, 50, estimated=True))), budget)
    budgeted.complete(ask())
    budgeted.complete(ask())
    budget.cached()
    spent = budget.spent()
    assert (spent.calls, spent.cached_calls, spent.input_tokens, spent.output_tokens) == (2, 1, 1500, 150)
    assert spent.cost_usd == pytest.approx(0.003)
    assert spent.estimated


def test_the_call_after_the_last_is_not_made(scripted: Any, ask: Any) -> None:
    inner = scripted(Reply("x"))
    budgeted = Budgeted(inner, Budget(limits(max_calls=2)))
    budgeted.complete(ask())
    budgeted.complete(ask())
    with pytest.raises(LimitError, match=r"2 calls \(limits\.max_calls\)") as caught:
        budgeted.complete(ask())
    assert len(inner.requests) == 2
    assert "recorded" in caught.value.hint


def test_the_cost_limit_holds_for_the_worst_case(scripted: Any, ask: Any) -> None:
    # One call may cost 100 output tokens = 0.001 USD (and a little for the prompt), and costs half of it.
    inner = scripted(Reply("x", Usage(0, 50)))
    budget = Budget(limits(max_cost_usd=0.0021), PRICES)
    budgeted = Budgeted(inner, budget)
    for _ in range(3):
        budgeted.complete(ask(max_tokens=100))
    with pytest.raises(LimitError, match="limits.max_cost_usd"):
        budgeted.complete(ask(max_tokens=100))
    assert len(inner.requests) == 3
    assert (budget.spent().cost_usd or 1) <= 0.0021


def test_calls_in_flight_never_pass_the_cost_limit_together(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_cost_usd=0.0105), PRICES)
    inner = scripted(Reply("x", Usage(0, 100)))
    budgeted, stopped = Budgeted(inner, budget), []

    def work(_: int) -> None:
        try:
            budgeted.complete(ask(max_tokens=100))
        except LimitError:
            stopped.append(1)

    with ThreadPoolExecutor(25) as pool:
        list(pool.map(work, range(25)))
    assert len(inner.requests) == 10
    assert len(stopped) == 15
    assert budget.spent().cost_usd == pytest.approx(0.01)


def test_a_model_without_a_price_does_not_lift_the_limit_for_the_others(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_cost_usd=0.0021), PRICES)
    unpriced = scripted(Reply("x", Usage(10, 10)))
    unpriced.model = "nameless"
    Budgeted(unpriced, budget).complete(ask())
    inner = scripted(Reply("x", Usage(0, 100)))
    budgeted = Budgeted(inner, budget)
    for _ in range(2):
        budgeted.complete(ask(max_tokens=100))
    with pytest.raises(LimitError, match=r"0\.0020 are spent"):
        budgeted.complete(ask(max_tokens=100))
    assert (len(inner.requests), budget.spent().cost_usd) == (2, None)


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
        Budgeted(scripted(error), budget).complete(ask())
    spent = budget.spent()
    assert (spent.calls, (spent.input_tokens, spent.output_tokens)) == (1, tokens)


def test_seconds_run_out(scripted: Any, ask: Any) -> None:
    now = [100.0]
    budget = Budget(limits(max_seconds=30), clock=lambda: now[0])
    budgeted = Budgeted(scripted(Reply("x")), budget)
    budgeted.complete(ask())
    now[0] += 29
    assert budget.remaining() == pytest.approx(1)
    budgeted.complete(ask())
    now[0] += 2
    assert budget.remaining() == 0.0
    with pytest.raises(LimitError, match=r"30 s \(limits\.max_seconds\)"):
        budgeted.complete(ask())
    with pytest.raises(LimitError):
        budget.sleep(5)


def test_a_run_whose_seconds_went_to_a_server_that_fails_says_so(scripted: Any, ask: Any) -> None:
    budget = Budget(limits(max_seconds=30))
    failing = Budgeted(scripted(TransientError("x: HTTP 503: no memory left", "wait", "server")), budget)
    with pytest.raises(TransientError):
        failing.complete(ask())
    assert budget.out_of_time().message.endswith("is reached; the last call failed: x: HTTP 503: no memory left")
    Budgeted(scripted(Reply("x")), budget).complete(ask())
    assert budget.out_of_time().message.endswith("(limits.max_seconds) is reached")


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
        Budgeted(scripted(Reply("x")), budget).complete(ask())
    assert budget.spent().calls == 0


def test_a_limit_that_cannot_hold_is_told_once_before_the_first_call(scripted: Any, ask: Any) -> None:
    told: list[str] = []
    calls_then: list[int] = []
    inner = scripted(Reply("x"))
    budget = Budget(
        limits(max_cost_usd=2.0), warn=lambda said: (told.append(said), calls_then.append(len(inner.requests)))
    )
    for _ in range(2):
        Budgeted(inner, budget).complete(ask())
    assert (len(told), calls_then) == (1, [0])
    assert all(words in told[0] for words in ("'script-1'", "2 USD", "`prices`"))
    assert "\n" not in told[0]


@pytest.mark.parametrize(
    ("provider", "model", "price"),
    [
        ("bedrock", "anthropic.claude-3-5-haiku-20241022-v1:0", (0.80, 4.00)),
        ("bedrock", "eu.anthropic.claude-sonnet-4-20250514-v1:0", (3.30, 16.50)),
        ("openai", "gpt-4o-2024-08-06", (2.50, 10.00)),
        ("ollama", "gpt-4o", (0.0, 0.0)),
        ("command", "./app.sh", (9.0, 9.0)),
        ("openai", "gpt-4o-realtime-preview", None),
        ("command", "gpt-4o", None),
    ],
)
def test_prices_are_those_configured_or_of_the_table(
    provider: str, model: str, price: tuple[float, float] | None
) -> None:
    found = price_of(provider, model, {"./app.sh": Price(input=9, output=9)})
    assert (found and (found.input, found.output)) == (price and pytest.approx(price))


def test_tokens_are_counted_for_any_script_and_only_counts_that_a_call_can_have_are_believed() -> None:
    assert [count_tokens(text) for text in ("", "a", "x" * 400, "保修期为两年", "\ud83d")] == [0, 1, 100, 5, 1]
    assert reported_usage(11, 5) == Usage(11, 5)
    read: Any
    for read in (-1, "11", 10**400, None):
        assert reported_usage(read, 5) is None
