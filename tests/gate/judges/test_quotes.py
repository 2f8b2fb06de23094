from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment, align, split
from gate.judges.checks.finding import Finding
from gate.judges.quotes import line_at, quotes
from gate.judges.reading import read
from gate.records import Evidence, Item


def _laid(item: Item) -> Alignment:
    found = align(read(item.claim.text), split(item.evidence, {}))
    assert found is not None
    return found


@pytest.mark.parametrize(("offset", "line"), [(0, 7), (3, 7), (4, 9), (8, 20)])
def test_the_line_of_an_offset_comes_from_the_lines(offset: int, line: int) -> None:
    assert line_at(Evidence("a.md", 7, "one\ntwo\nsix", 1.0, "", (7, 9, 20)), offset) == line


def test_without_lines_they_are_counted_from_the_first() -> None:
    assert line_at(Evidence("a.md", 7, "one\ntwo", 1.0), 5) == 8


def test_the_quote_is_cut_verbatim_with_its_line(item: Callable[..., Item], passage: Callable[..., Evidence]) -> None:
    text = "# Limits\n\nFirst come first served.\nThe *pool* keeps\n20 idle sockets.\n\nBye now."
    given = item("The pool keeps twenty idle sockets.", "Nothing here.", passage(text, "limits.md", 40))
    (quote, *_) = quotes(given, _laid(given), ())
    assert quote.quote in text
    assert "20 idle sockets" in quote.quote
    assert (quote.source, quote.line) == ("limits.md", 40 + text.count("\n", 0, text.index(quote.quote)))


def test_a_conflict_is_shown_by_its_own_sentence(item: Callable[..., Item]) -> None:
    given = item("The pool keeps 30 idle sockets.", "The pool keeps idle sockets. There are 20 idle sockets.")
    alignment = _laid(given)
    (quote,) = quotes(given, alignment, (Finding("number", 1.0, "", True, 1),))
    assert quote.quote == "There are 20 idle sockets."


def test_no_more_than_two_quotes(item: Callable[..., Item]) -> None:
    given = item("Ducks swim, cats climb and dogs dig.", "Ducks swim. Cats climb. Dogs dig.")
    assert len(quotes(given, _laid(given), ())) == 2
