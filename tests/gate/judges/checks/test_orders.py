from __future__ import annotations

import pytest

from gate.judges.checks.orders import ORDER, kept, orders, turned_round
from gate.judges.reading import read


@pytest.mark.parametrize(
    "text",
    [
        "The soup is served before the salad.",
        "Before the salad, the soup is served.",
        "The salad is served after the soup.",
        "Serve the soup, then the salad.",
        "Serve the soup and then the salad.",
    ],
)
def test_what_comes_first_however_it_is_told(text: str) -> None:
    (found,) = orders(read(text))
    assert found.link == ORDER
    assert ("soup" in found.left, "salad" in found.right) == (True, True)


@pytest.mark.parametrize(
    "text", ["If the soup is cold, then the salad is served.", "The soup is hot.", "Then the soup is served."]
)
def test_no_order(text: str) -> None:
    assert list(orders(read(text))) == []


def test_the_steps_of_an_order_exchanged_and_kept() -> None:
    ((first,), (same,), (turned,)) = (
        list(orders(read(text)))
        for text in ("Lay the table, then call the guests.", "Lay the table before you call the guests.",
                     "Call the guests before you lay the table.")
    )  # fmt: skip
    assert turned_round(turned, first)
    assert turned_round(turned, same)
    assert not turned_round(same, first)
    assert kept(same, first)
    assert not kept(turned, first)
