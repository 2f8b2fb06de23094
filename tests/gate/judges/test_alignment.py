from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.alignment import AKIN, CONTEXT, EXACT, HEAD, Alignment, align, cover, match
from gate.judges.evidence import Known, split
from gate.judges.reading import read
from gate.records import Evidence

Laid = Callable[..., Alignment]


def _match(word: str, text: str, context: frozenset[str] = frozenset()) -> float:
    return match(read(word).content[0], read(text), context)


def test_what_a_match_is_worth() -> None:
    assert _match("redirects", "It follows a redirect.") == EXACT
    assert _match("httpx", "It follows a redirect.", frozenset({"httpx"})) == CONTEXT
    assert _match("delete", "It removes the file.") == AKIN
    assert _match("reproducibly", "a reproduction of it") == HEAD
    assert _match("timeout", "It follows a redirect.") == 0.0
    assert 0 < _match("`pool_timeout`", "the timeout of the pool") < EXACT


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("It has 2 GB of memory.", "It has 2048 MB of memory."),
        ("It has 2048 MB of memory.", "It has 2 GB of memory."),
        ("The notice period is 2 weeks.", "The notice period is 14 days."),
        ("The route is 5 km long.", "The route is 5000 m long."),
        ("It costs $3 million.", "It costs 3,000,000 dollars."),
        ("The share is 50 %.", "The share is 0.5."),
    ],
)
def test_an_amount_is_found_by_its_value_with_the_word_of_its_unit(laid: Laid, claim: str, document: str) -> None:
    assert laid(claim, document).cover_window == pytest.approx(1.0)


@pytest.mark.parametrize("document", ["It has 4096 MB of memory.", "It has 2048 KB of memory."])
def test_another_amount_is_not_found(laid: Laid, document: str) -> None:
    assert laid("It has 2 GB of memory.", document).cover_window < 0.8


def test_coverage_is_the_weighted_share() -> None:
    terms = read("zyzzyva data").content
    assert cover(terms, [1.0, 0.0]) > 0.5 > cover(terms, [0.0, 1.0])
    assert cover([], []) == 0.0


def test_the_window_holds_the_sentences_that_meet_the_claim(laid: Laid) -> None:
    found = laid(
        "The pool keeps twenty idle connections for five seconds.",
        "Welcome to the manual. The pool keeps at most 20 idle connections. Each is closed after 5 seconds. Have fun.",
    )
    assert [sentence.start > 0 for sentence in found.window] == [True, True]
    assert found.cover_window > found.cover_sentence
    assert "20 idle" in found.sentences[found.focus].reading.text


def test_windows_do_not_reach_across_passages(laid: Laid) -> None:
    found = laid("The pool keeps twenty idle connections.", "The pool is large.", "Twenty idle connections are kept.")
    assert len({sentence.passage for sentence in found.window}) == 1
    assert found.cover_all > found.cover_passage


def test_a_word_that_all_passages_have_decides_less(laid: Laid) -> None:
    others = [f"Gadget section {i}." for i in range(6)]
    found = laid("Gadget uploads are streamed.", *others, "Uploads are streamed.", "Gadget parts are described.")
    assert found.sentences[found.focus].reading.text == "Uploads are streamed."


def test_heading_and_file_name_are_context() -> None:
    passage = Evidence("docs/orchard.md", 1, "Uploads are streamed.", 1.0, "Kiwi client")
    found = align(read("The Kiwi client of Orchard streams uploads."), split([passage], Known()))
    assert found is not None
    assert found.cover_all > 0.9


def test_without_sentences_there_is_no_alignment() -> None:
    assert align(read("Anything."), split([], Known())) is None
    assert align(read("Anything."), split([Evidence("a.md", 1, " \n ", 1.0)], Known())) is None


@given(st.text(max_size=120), st.lists(st.text(max_size=120), max_size=3))
def test_shares_stay_within_bounds(claim: str, texts: list[str]) -> None:
    reading = read(claim)
    found = (
        align(reading, split([Evidence("a.md", 1, text, 1.0) for text in texts], Known())) if reading.content else None
    )
    if found is not None:
        shares = [found.cover_sentence, found.cover_window, found.cover_passage, found.cover_all]
        assert all(0 <= share <= 1 + 1e-9 for share in shares)
        assert found.cover_sentence <= found.cover_passage + 1e-9 <= found.cover_all + 2e-9
        assert found.first <= found.focus < found.last


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_passages_changes_no_share(laid: Laid, order: int) -> None:
    texts = ["The cache is flushed hourly.", "A cache entry lives for ten minutes.", "Entries are JSON."][::order]
    found = laid("Entries of the cache live for ten minutes.", *texts)
    assert found.cover_passage == pytest.approx(found.cover_window)
    assert "lives for ten" in found.sentences[found.focus].reading.text
