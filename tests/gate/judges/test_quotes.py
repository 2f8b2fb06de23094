from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.judges.checks.finding import Finding
from gate.judges.look import Scorer, look
from gate.judges.quotes import quotes
from gate.judges.seen import Look
from gate.providers.base import Embedder
from gate.records import Evidence, Item


class Certain:
    """A reader that supports what says yes and contradicts what says no."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        rows = [[0.9 if "yes" in e else 0.1, 0.9 if "no." in e else 0.05, 0.05] for _, e in pairs]
        return np.array(rows, dtype=np.float32)


class Akin:
    """An embedder to which two texts about birds are alike."""

    name, dimension = "akin", 2

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1.0, 0.0] if "bird" in t.lower() else [0.0, 1.0] for t in texts], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        return [text]


def _seen(item: Item, embedder: Embedder | None = None, reader: Scorer | None = None) -> Look:
    (found,) = look([item], embedder, reader)
    assert found is not None
    return found


def test_the_quote_is_cut_verbatim_with_its_line(item: Callable[..., Item], passage: Callable[..., Evidence]) -> None:
    text = "# Limits\n\nFirst come first served.\nThe *pool* keeps\n20 idle sockets.\n\nBye now."
    given = item("The pool keeps twenty idle sockets.", "Nothing here.", passage(text, "limits.md", 40))
    (quote, *_) = quotes(given, _seen(given))
    assert quote.quote in text
    assert "20 idle sockets" in quote.quote
    assert (quote.source, quote.line) == ("limits.md", 40 + text.count("\n", 0, text.index(quote.quote)))


def test_a_conflict_is_shown_by_its_own_sentence(item: Callable[..., Item]) -> None:
    given = item("The pool keeps 30 idle sockets.", "The pool keeps idle sockets. There are 20 idle sockets.")
    seen = replace(_seen(given), findings=(Finding("number", 1.0, "", True, 1),))
    (quote,) = quotes(given, seen, contradicted=True)
    assert quote.quote == "There are 20 idle sockets."


def test_no_more_than_two_quotes(item: Callable[..., Item]) -> None:
    given = item("Ducks swim, cats climb and dogs dig.", "Ducks swim. Cats climb. Dogs dig.")
    assert len(quotes(given, _seen(given))) == 2


@pytest.mark.parametrize("contradicted", [False, True])
def test_the_sentence_that_convinced_the_reader_comes_first(item: Callable[..., Item], contradicted: bool) -> None:
    yes = "It was said: yes, every bird floats about all day long."
    no = "Ducks in the old harbour of the town, people say no."
    given = item("Any bird, ducks too, swims in the harbour.", no, yes)
    first, *_ = quotes(given, _seen(given, Akin(), Certain()), contradicted)
    assert first.quote == (no if contradicted else yes)


def test_the_second_quote_has_what_the_first_lacks(item: Callable[..., Item]) -> None:
    text = "It was said: yes, every bird floats about all day long. Nobody feeds them there in winter at all."
    given = item("Nobody feeds a bird in winter.", text)
    assert [quote.quote for quote in quotes(given, _seen(given, Akin(), Certain()))] == [
        "It was said: yes, every bird floats about all day long.",
        "Nobody feeds them there in winter at all.",
    ]


@pytest.mark.parametrize(
    ("other", "quoted"),
    [
        ("Yes, ducks swim here, as everybody in the town knows.", True),
        ("Nothing is known of what geese do here.", False),
        ("Ducks swim here, yes.", False),  # the same sentence in another passage
    ],
)
def test_of_what_one_sentence_settles_another_is_quoted_that_says_it_too(
    item: Callable[..., Item], other: str, quoted: bool
) -> None:
    given = item("Ducks swim here.", "Ducks swim here, yes.", other)
    seen = _seen(given, reader=Certain())
    assert len(seen.reads) == 1
    found = [quote.quote for quote in quotes(given, seen)]
    assert found == (["Ducks swim here, yes.", other] if quoted else ["Ducks swim here, yes."])


def test_of_what_one_sentence_settles_the_one_is_quoted_that_has_the_rest(item: Callable[..., Item]) -> None:
    text = "Ducks swim in the harbour, yes. The old keeper feeds them. In the evening they fly home."
    given = item("Ducks swim in the harbour and the keeper feeds them.", text, "Ducks swim in the harbour a lot.")
    seen = _seen(given, reader=Certain())
    assert len(seen.reads) == 1
    assert [quote.quote for quote in quotes(given, seen)] == [
        "Ducks swim in the harbour, yes.",
        "The old keeper feeds them.",
    ]
