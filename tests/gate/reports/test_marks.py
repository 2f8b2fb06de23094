"""Claims marked in their answer: nothing of the text is lost, and the worst label of a place wins."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate.reports.marks import SEVERITY, Piece, Span, pieces

spans = st.lists(
    st.builds(Span, st.integers(1, 99), st.sampled_from(SEVERITY), st.integers(-5, 40), st.integers(-5, 40)),
    max_size=12,
)


@given(st.text(max_size=30), spans)
def test_the_pieces_are_the_text(text, given_spans):
    assert "".join(piece.text for piece in pieces(text, given_spans)) == text


@given(st.text(min_size=1, max_size=30), spans)
def test_every_place_has_the_worst_label_that_covers_it(text, given_spans):
    offset = 0
    for piece in pieces(text, given_spans):
        for place in range(offset, offset + len(piece.text)):
            covering = [span.kind for span in given_spans if span.start <= place < span.end]
            assert piece.kind == (min(covering, key=SEVERITY.index) if covering else "")
        offset += len(piece.text)


@given(st.text(min_size=1, max_size=30), spans)
def test_every_claim_inside_the_text_ends_once(text, given_spans):
    ends = sorted(number for piece in pieces(text, given_spans) for number in piece.ends)
    assert ends == sorted(s.number for s in given_spans if max(0, s.start) < min(len(text), s.end))


def test_overlapping_claims():
    found = pieces("abcdef", [Span(1, "supported", 0, 4), Span(2, "unsupported", 2, 6)])
    assert found == [
        Piece("ab", "supported"),
        Piece("cd", "unsupported", (1,)),
        Piece("ef", "unsupported", (2,)),
    ]


def test_no_text_and_no_claims():
    assert pieces("", [Span(1, "supported", 0, 3)]) == []
    assert pieces("abc", []) == [Piece("abc")]


def test_many_claims_on_one_place_are_not_slow():
    many = [Span(n, "supported", n % 50, 5000 - n % 50) for n in range(5000)]
    assert len(pieces("x" * 5000, many)) == 99
