"""Where a sentence is cut, and where it must not be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.clauses import split


def cut(text: str) -> list[str]:
    return [(piece.prefix + text[piece.start : piece.end]).rstrip(".") for piece in split(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X defaults to 5 and Y raises Z.", ["X defaults to 5", "Y raises Z"]),
        ("The plan costs $20 and includes 5 GB.", ["The plan costs $20", "The plan includes 5 GB"]),
        ("The warranty covers parts and labour but does not cover water damage.",
         ["The warranty covers parts and labour", "The warranty does not cover water damage"]),
        ("Users can open a case and close it.", ["Users can open a case", "Users can close it"]),
        ("If it fails, the client retries twice and the server logs an error.",
         ["If it fails, the client retries twice", "If it fails, the server logs an error"]),
        ("Use `a` to change that, and `b` to switch it off.", ["Use `a` to change that", "Use `b` to switch it off"]),
        ("Fork the repository, then run `test`.", ["Fork the repository", "run `test`"]),
        ("`a/b` sets it up and `a/c` runs the suite.", ["`a/b` sets it up", "`a/c` runs the suite"]),
        ("A key identifies a row, cannot be null, and is indexed.",
         ["A key identifies a row", "A key cannot be null", "A key is indexed"]),
        ("If it is cold, the pump stops, drains the tank and rings the bell.",
         ["If it is cold, the pump stops", "If it is cold, the pump drains the tank",
          "If it is cold, the pump rings the bell"]),
        ("Paris is in France, while Berlin is in Germany.", ["Paris is in France", "Berlin is in Germany"]),
    ],
)  # fmt: skip
def test_two_facts(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It supports proxies, cookies and sessions.",
        "If a and b are set, the call fails.",
        "The difference between `a` and `b` is the limit.",
        "The pump starts when the tank is full and the valve is open.",
        "Both the index and the table are locked.",
        "Functions for reading, writing and closing don't block.",
        "You may either call us or write a letter.",
        "It asks whether A is set and B is free.",
        "Add `a=1` and it will follow them.",
        "The server verifies it, so you need not.",
        'He said "a is b and c is d" twice.',
        "The result (a is b; c is d) is kept.",
        "`a is b; c is d`",
        "The value must be set, otherwise the call fails.",
        "Not only is the plan free, but it also includes support.",
        "The client, which pools connections, sends requests.",
        "The limits are 5, 6 and 7.",
        "The barge sails at noon, provided it is full.",
        "The pass lasts two years, counted from the day it was bought.",
    ],
)
def test_one_fact(text: str) -> None:
    assert len(cut(text)) == 1


WORDS = "the user is sends and but ; , if when it `x` a: files (y) not can or to"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=25))
def test_pieces_are_in_order_and_inside(words: list[str]) -> None:
    text = " ".join(words)
    pieces = split(text, 0, len(text))
    assert pieces[0].start == 0
    assert pieces[-1].end == len(text)
    assert all(piece.start <= piece.end for piece in pieces)
    assert all(a.end <= b.start for a, b in zip(pieces, pieces[1:], strict=False))
