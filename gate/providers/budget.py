"""The budget of a run: what its calls may cost in dollars, number and seconds, and what they have cost so far."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gate.config import Limits, Model, Price
from gate.errors import AskAgainError, BadReplyError, GateError, LimitError, TransientError
from gate.providers.base import Provider, Reply, Request, Wrapper, prompt_tokens
from gate.providers.wire import excerpt
from gate.records import Answer, Usage

_HINT = "raise the limit, or run again: what was answered is recorded and is not asked twice"
# USD per million tokens (input, output), on demand, as the providers' public price pages had them at AS_OF:
# aws.amazon.com/bedrock/pricing (us-east-1) and openai.com/api/pricing. Prices change: `prices` in the configuration
# goes before these.
AS_OF = "2025-11"
_TABLE: dict[str, tuple[float, float]] = {
    "anthropic.claude-3-haiku": (0.25, 1.25),
    "anthropic.claude-3-5-haiku": (0.80, 4.00),
    "anthropic.claude-3-5-sonnet": (3.00, 15.00),
    "anthropic.claude-3-7-sonnet": (3.00, 15.00),
    "anthropic.claude-sonnet-4": (3.00, 15.00),
    "anthropic.claude-sonnet-4-5": (3.00, 15.00),
    "anthropic.claude-haiku-4-5": (1.00, 5.00),
    "anthropic.claude-opus-4-20250514": (15.00, 75.00),
    "anthropic.claude-opus-4-1": (15.00, 75.00),
    "anthropic.claude-opus-4-5": (5.00, 25.00),
    "amazon.nova-micro": (0.035, 0.14),
    "amazon.nova-lite": (0.06, 0.24),
    "amazon.nova-pro": (0.80, 3.20),
    "amazon.titan-embed-text-v2": (0.02, 0.0),
    "meta.llama3-1-8b-instruct": (0.22, 0.22),
    "meta.llama3-1-70b-instruct": (0.72, 0.72),
    "meta.llama3-3-70b-instruct": (0.72, 0.72),
    "gpt-4o": (2.50, 10.00),
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4.1": (2.00, 8.00),
    "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1-nano": (0.10, 0.40),
    "gpt-5": (1.25, 10.00),
    "gpt-5.1": (1.25, 10.00),
    "gpt-5-mini": (0.25, 2.00),
    "gpt-5-nano": (0.05, 0.40),
    "o3": (2.00, 8.00),
    "o4-mini": (1.10, 4.40),
    "text-embedding-3-small": (0.02, 0.0),
    "text-embedding-3-large": (0.13, 0.0),
}
FREE = Price(input=0.0, output=0.0)
# A name may go on with a date or a version: -20241022, -2024-08-06, -v1:0.
_VERSION = re.compile(r"(-\d{8}|-\d{4}-\d{2}-\d{2})?(-v\d+)?(:\d+)*(:\d+k)?")
_REGION = re.compile(r"(us|global|eu|apac|jp|au|us-gov)\.")
# Some models cost a tenth more in a region of their own; which, the table does not know, so all are taken to.
_REGIONAL = 1.1


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used: calls made (each attempt is one), calls answered from the record, and the tokens and USD of
    the calls made. `cost_usd` is None once a model has no known price; `estimated`: some tokens were."""

    calls: int = 0
    cached_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    estimated: bool = False


class Budget:
    """Counts for all providers of a run together, and says no before a call that could go beyond a limit."""

    def __init__(
        self,
        limits: Limits,
        prices: Mapping[str, Price] | None = None,
        clock: Callable[[], float] = time.monotonic,
        warn: Callable[[str], None] = lambda message: None,
    ) -> None:
        """The seconds run from now on. `prices` (the configuration's) go before the built-in ones. `warn` is told,
        before the first call to a model without a price, that a limit of cost that was asked for cannot hold."""
        self._limits, self._prices, self._clock, self._warn = limits, dict(prices or {}), clock, warn
        self._begun = clock()
        self._spent = Spent()
        self._paid = 0.0  # USD of the models that have a price, also where others have none
        self._reserved = 0.0  # USD that the calls in flight may cost at most
        self._in_flight = 0
        self._unpriced: set[str] = set()  # the models that have no price
        self._change = threading.Condition()
        self._over: GateError | None = None
        self._halt = threading.Event()
        self.fault = ""  # why the last call failed; empty where it did not

    def spent(self) -> Spent:
        """What has been used so far."""
        with self._change:
            return self._spent

    def remaining(self) -> float | None:
        """Seconds left, at least 0; None without a limit."""
        if self._limits.max_seconds is None:
            return None
        return max(0.0, self._limits.max_seconds - (self._clock() - self._begun))

    def calls_left(self) -> int | None:
        """How many calls may still be made; None without a limit."""
        with self._change:
            return None if self._limits.max_calls is None else self._limits.max_calls - self._spent.calls

    def stop(self, error: GateError) -> None:
        """From now on no call is made: each would raise `error`. Waits for a retry end at once."""
        with self._change:
            self._over = self._over or error
            self._halt.set()
            self._change.notify_all()

    def check(self) -> None:
        """Raise LimitError if the run was stopped or its seconds are over."""
        if self._over is not None:
            raise self._over
        if self.remaining() == 0.0:
            raise self.out_of_time()

    def out_of_time(self) -> LimitError:
        """The error of a run whose seconds are over; it may be a server that fails on which they were spent."""
        told = f"; the last call failed: {self.fault}" if self.fault else ""
        return LimitError(f"the limit of {self._limits.max_seconds:g} s (limits.max_seconds) is reached{told}", _HINT)

    def sleep(self, seconds: float) -> None:
        """Wait, but not beyond the end of the run. Errors: LimitError."""
        left = self.remaining()
        self._halt.wait(seconds if left is None else min(seconds, left))
        self.check()

    def cached(self, calls: int = 1) -> None:
        """Count calls that were answered from the record."""
        with self._change:
            self._spent = replace(self._spent, cached_calls=self._spent.cached_calls + calls)

    def admit(self, name: str, model: str, request: Request) -> float:
        """Let one call pass and reserve what it can cost at most (returned, USD; give it back with `settle`).

        Where only the calls in flight stand in the way, their end is waited for. Errors: LimitError.
        """
        price = price_of(name, model, self._prices)
        worst = _cost(price, Usage(prompt_tokens(request), request.max_tokens)) if price else 0.0
        with self._change:
            while not self._admissible(worst):
                self._change.wait(self.remaining())
            self._spent = replace(self._spent, calls=self._spent.calls + 1)
            if price is None and model not in self._unpriced:
                self._spent = replace(self._spent, cost_usd=None)
                self._unpriced.add(model)
                self._tell_unpriced(model)
            self._reserved += worst
            self._in_flight += 1
        return worst

    def settle(self, name: str, model: str, reserved: float, usage: Usage | None) -> None:
        """Book what an admitted call has used (None: nothing that is known)."""
        used = usage or Usage()
        price = price_of(name, model, self._prices)
        with self._change:
            self._reserved -= reserved
            self._in_flight -= 1
            self._paid += _cost(price, used) if price is not None else 0.0
            spent = self._spent
            self._spent = replace(
                spent,
                input_tokens=spent.input_tokens + used.input_tokens,
                output_tokens=spent.output_tokens + used.output_tokens,
                cost_usd=None if spent.cost_usd is None or price is None else self._paid,
                estimated=spent.estimated or used.estimated,
            )
            self._change.notify_all()

    def _tell_unpriced(self, model: str) -> None:
        limit = self._limits.max_cost_usd
        if limit is not None and "max_cost_usd" in self._limits.model_fields_set:  # of the default nobody spoke
            told = f"the limit of {limit:g} USD does not hold for it (add it under `prices`)"
            self._warn(f"there is no price for the model {excerpt(model, 80)!r}: {told}")

    def _admissible(self, worst: float) -> bool:
        """Whether a call that may cost so much passes now. Errors: LimitError where it never will."""
        self.check()
        most_calls, most_cost = self._limits.max_calls, self._limits.max_cost_usd
        if most_calls is not None and self._spent.calls >= most_calls:
            raise LimitError(f"the limit of {most_calls} calls (limits.max_calls) is reached", _HINT)
        if most_cost is None or worst == 0.0 or self._paid + self._reserved + worst <= most_cost:
            return True
        if not self._in_flight:
            told = f"the limit of {most_cost:g} USD (limits.max_cost_usd) could be passed by the next call"
            raise LimitError(f"{told}: {self._paid:.4f} are spent, it may cost {worst:.4f}", _HINT)
        return False


class Budgeted(Wrapper):
    """A provider whose calls are counted; it stands inside the retries, so each attempt is a call, as is each request
    that a server refused and that is put differently."""

    def __init__(self, inner: Provider, budget: Budget) -> None:
        super().__init__(inner)
        self._budget = budget

    def complete(self, request: Request) -> Reply:
        """Ask, if the budget allows. Errors: LimitError, and those of the provider."""
        while True:  # it ends: a provider learns each thing once
            with contextlib.suppress(AskAgainError):
                return self._sent(request)

    def _sent(self, request: Request) -> Reply:
        reserved = self._budget.admit(self.name, self.model, request)
        usage: Usage | None = None
        try:
            reply = self._inner.complete(request)
            usage, self._budget.fault = reply.usage, ""
        except TransientError as error:
            self._budget.fault = error.message
            raise
        except BadReplyError as error:  # it arrived, so it was paid for
            usage = error.usage or Usage(prompt_tokens(request), 0, estimated=True)
            raise
        finally:
            self._budget.settle(self.name, self.model, reserved, usage)
        return reply


def price_of(provider: str, model: str, configured: Mapping[str, Price]) -> Price | None:
    """USD per million tokens of a model, or None where nobody has told.

    The built-in table counts for `anthropic`, `bedrock` and `openai` only; a model of Ollama, or a replayed one, costs
    nothing.
    """
    if model in configured:
        return configured[model]
    if provider in ("ollama", "replay"):
        return FREE
    if provider == "anthropic":  # the same models, at the same prices, under shorter names
        return _listed(f"anthropic.{model}")
    return _listed(model) if provider in ("bedrock", "openai") else None


def cost_of(answer: Answer, model: Model, prices: Mapping[str, Price]) -> float | None:
    """What an answer cost in USD; None where the price of its model is not known. A replayed answer goes by the model
    that its record names."""
    provider = "openai" if model.provider == "replay" and answer.model else model.provider  # the listed price
    price = price_of(provider, answer.model or model.model_id or "", prices)
    return None if price is None else _cost(price, answer.usage)


def _listed(model: str) -> Price | None:
    region = _REGION.match(model)
    name = model[region.end() :] if region else model
    factor = _REGIONAL if region and region[1] not in ("us", "global") else 1.0
    for known, (given, made) in _TABLE.items():
        if name.startswith(known) and _VERSION.fullmatch(name[len(known) :]):
            return Price(input=given * factor, output=made * factor)
    return None


def _cost(price: Price, usage: Usage) -> float:
    return (usage.input_tokens * price.input + usage.output_tokens * price.output) / 1e6
