"""For pytest: the fixture `assert_grounded`. pytest finds it by itself where the gate is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

import gate
from gate.reports.safe import line, place

if TYPE_CHECKING:
    from gate.records import Verdict


@pytest.fixture(scope="session")
def assert_grounded() -> Callable[..., list[Verdict]]:
    """A function that fails a test unless every claim of an answer is supported:
    `assert_grounded(answer, question="", contexts=None, index=None, config=None, allow_doubtful=False)`.

    It gives the verdicts back. An answer without a claim fails too: nothing of it was judged.
    """
    return check_grounded


def check_grounded(answer: str, question: str = "", *, allow_doubtful: bool = False, **where: Any) -> list[Verdict]:
    """See `assert_grounded`; `where` goes to `gate.judge`. Errors: AssertionError; those of `gate.judge`."""
    __tracebackhide__ = True
    verdicts = gate.judge(question, answer, **where)
    if not verdicts:
        raise AssertionError("nothing was judged: the answer states nothing that documents could support")
    good = {"supported", "weakly_supported"} if allow_doubtful else {"supported"}
    if bad := [verdict for verdict in verdicts if verdict.label not in good]:
        raise AssertionError(_describe(bad, len(verdicts)))
    return verdicts


def _describe(bad: Sequence[Verdict], total: int) -> str:
    rows = [f"{len(bad)} of {total} claims are not supported"]
    for verdict in bad:
        label = "contradicted" if verdict.contradicted else verdict.label.value.replace("_", " ")
        rows.append(f"  {label}: {line(verdict.claim.text)}")
        rows.append(f"    {line(verdict.justification or verdict.reason)}")
        rows += [f"    {place(quote.source, quote.line)}: {line(quote.quote)}" for quote in verdict.evidence[:1]]
    return "\n".join(rows)
