"""The evidence as sentences."""

from __future__ import annotations

from gate.judges.evidence import LONGEST, Known, split
from gate.records import Evidence


def test_long_sentences_are_cut_and_nothing_is_lost() -> None:
    text = "word " * 1000 + "x" * 2000
    pieces = split([Evidence("a.md", 1, text, 1.0)], Known())
    assert all(piece.end - piece.start <= LONGEST for piece in pieces)
    assert "".join(text[p.start : p.end] for p in pieces).replace(" ", "") == text.replace(" ", "")


def test_equal_passages_and_sentences_are_read_once() -> None:
    known = Known()
    texts = ("One thing. Another.", "One thing. Another.", "Another. A third.")
    a, b, c = (split([Evidence(f"{n}.md", 1, text, 1.0)], known) for n, text in enumerate(texts))
    assert a[0].reading is b[0].reading
    assert a[1].reading is c[0].reading
    assert (len(known.passages), len(known.readings)) == (2, 3)
