from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.alignment import AKIN, CONTEXT, EXACT, HEAD, LONGEST, Alignment, align, cover, match, split
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
    found = align(read("The Kiwi client of Orchard streams uploads."), split([passage], {}))
    assert found is not None
    assert found.cover_all > 0.9


def test_without_sentences_there_is_no_alignment() -> None:
    assert align(read("Anything."), split([], {})) is None
    assert align(read("Anything."), split([Evidence("a.md", 1, " \n ", 1.0)], {})) is None


def test_long_sentences_are_cut_and_nothing_is_lost() -> None:
    text = "word " * 1000 + "x" * 2000
    pieces = split([Evidence("a.md", 1, text, 1.0)], {})
    assert all(piece.end - piece.start <= LONGEST for piece in pieces)
    assert "".join(text[p.start : p.end] for p in pieces).replace(" ", "") == text.replace(" ", "")


def test_equal_passages_are_read_once() -> None:
    known: dict[str, list[tuple[int, int, object]]] = {}
    a, b = (split([Evidence(source, 1, "One thing. Another.", 1.0)], known) for source in ("a.md", "b.md"))  # type: ignore[arg-type]
    assert a[0].reading is b[0].reading
    assert len(known) == 1


@given(st.text(max_size=120), st.lists(st.text(max_size=120), max_size=3))
def test_shares_stay_within_bounds(claim: str, texts: list[str]) -> None:
    reading = read(claim)
    found = align(reading, split([Evidence("a.md", 1, text, 1.0) for text in texts], {})) if reading.content else None
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
