from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.providers.base import Request
from gate.records import Claim, Evidence, Item
from tests.support.scripted_judge import Scripted


def _passage(text: str, source: str = "guide.md", line: int = 1, heading: str = "") -> Evidence:
    lines = tuple(range(line, line + text.count("\n") + 1))
    return Evidence(source, line, text, 1.0, heading, lines)


def _item(claim: str, *passages: str | Evidence, name: str = "a:0", question: str = "", header: str = "") -> Item:
    found = tuple(_passage(p) if isinstance(p, str) else p for p in passages)
    return Item(Claim(name, "p", "a", claim, 0, len(claim), question, header), found, question)


@pytest.fixture
def passage() -> Callable[..., Evidence]:
    return _passage


@pytest.fixture
def item() -> Callable[..., Item]:
    return _item


def one_by_one(otherwise: Callable[[Request], object], *replies: object) -> Scripted:
    """A model that answers the requests so, one after the other; None, and all that follow, as `otherwise`."""
    provider = Scripted()

    def script(request: Request) -> object:
        said = dict(enumerate(replies, 1)).get(len(provider.requests))
        said = otherwise if said is None else said
        return said(request) if callable(said) else said

    provider.script = script  # type: ignore[assignment]
    return provider
