from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.frame import Words, chain, framed, said_elsewhere
from gate.judges.reading import read

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A is started after B.", True),
        ("Take plan A.", True),
        ("A board is a list.", False),
        ("It is a board.", False),
    ],
)
def test_a_capital_a_that_names_something_is_no_article(text: str, named: bool) -> None:
    words = Words(read(text))
    assert any(words.content(i) for i, term in enumerate(words.terms) if term.word == "a") is named


@pytest.mark.parametrize(
    ("sentence", "extra", "fits"),
    [
        ("Keys are stored in vaults.", 0, True),
        ("Keys are stored safely in vaults.", 0, False),
        ("Keys are stored safely in vaults.", 1, True),
        ("Vaults store keys.", 2, False),
        ("Keys are stored.", 2, False),
        ("Keys are stored in vaults, and copies go to the owner of the board.", 0, True),
    ],
)
def test_a_sentence_fits_a_claim_in_its_order(sentence: str, extra: int, fits: bool) -> None:
    claim = chain(read("Keys are stored in vaults."), ())
    assert (framed(claim, chain(read(sentence), ()), extra) is not None) is fits


def test_another_sentence_with_the_words_of_the_claim_may_say_it(laid: Laid) -> None:
    seen = laid("Keys are stored in vaults.", "Keys are stored in vaults. Vaults are where keys are stored.")
    assert said_elsewhere(seen, {0})
    assert not said_elsewhere(seen, {0, 1})


def test_a_sentence_that_two_passages_share_is_one(laid: Laid) -> None:
    seen = laid("Keys are stored in vaults.", "Keys are stored in vaults.", "Keys are stored in vaults. Ask us.")
    assert not said_elsewhere(seen, {0})
