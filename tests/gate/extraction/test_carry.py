"""What the second of two clauses takes from the first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.carry import Cut, carried, governs
from gate.extraction.clauses import split
from gate.extraction.extract import extract
from gate.extraction.tokens import tokenise


@pytest.mark.parametrize(
    ("left", "right", "joiner", "expected"),
    [
        ("the barge carries coal", "drops it at noon", "and", "the barge "),
        ("the barge can carry coal", "drop it at noon", "and", "the barge can "),
        ("the barge carries coal", "the crane unloads it", "and", ""),
        ("the barge sank in May", "rose in June", "and", "the barge "),
        ("the barges are made of oak", "carry coal", "and", None),
        ("the barges are made of oak", "carry the coal", "and", "the barges "),
        ("the barges are full", "do not sink", "but", "the barges "),
        ("a leading minus excludes coal", "works for sand", "and", "a leading minus "),
        ("empty barges are free", "loaded barges are not", "while", ""),
        ("the barge is made of oak", "cost 900 crowns", "and", "the barge "),
        ("you can pay at the pier", "refunds take a day", "and", ""),
        ("the barge carries coal", "sand", "and", None),
        ("use `oar` to turn", "`pole` to stop", "and", "use "),
        ("use the oar", "it will turn", "and", None),
        ("the barge carries coal", "it sinks", "or", None),
    ],
)
def test_what_is_taken(left: str, right: str, joiner: str, expected: str | None) -> None:
    text = f"{left}, {joiner} {right}"
    tokens = tokenise(text, 0, len(text))
    comma = len(tokenise(left, 0, len(left)))
    assert carried(text, tokens, 0, Cut(comma, comma + 2, joiner, comma=True)) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("the coal", True), ("5 tons", True), ("in Ghent", True), ("coal", True), ("coal is", False)]
)
def test_what_a_verb_governs(text: str, expected: bool) -> None:
    assert governs(tokenise(text, 0, len(text)), 0) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The pool opened in 1921, closed in 1940 and reopened in 1950.",
            ["The pool opened in 1921", "The pool closed in 1940", "The pool reopened in 1950."],
        ),
        (
            "Founded in 1990, the firm employs 300 people and runs 3 plants.",
            ["Founded in 1990, the firm employs 300 people", "Founded in 1990, the firm runs 3 plants."],
        ),
        (
            "In Oslo, the shop opens at 9 and closes at 5.",
            ["In Oslo, the shop opens at 9", "In Oslo, the shop closes at 5."],
        ),
        (
            "In Oslo, the shop opens at 9, and in Rome it opens at 10.",
            ["In Oslo, the shop opens at 9", "In Oslo, the shop opens at 9, and in Rome it opens at 10."],
        ),
        (
            "Should the tide turn, the barge leaves at noon and the crew is told.",
            ["Should the tide turn, the barge leaves at noon", "Should the tide turn, the crew is told."],
        ),
        (
            "Ann was born in Ghent, studied in Rome and founded a bank.",
            ["Ann was born in Ghent", "Ann studied in Rome", "Ann founded a bank."],
        ),
        (
            "The pilot was trained in Ghent and tested in Rome.",
            ["The pilot was trained in Ghent and tested in Rome."],
        ),
        ("**The shop** opens at 9 and **closes** at 5.", ["**The shop** opens at 9", "**The shop** **closes** at 5."]),
    ],
)
def test_what_is_said_once_holds_for_both(text: str, expected: list[str]) -> None:
    assert [piece.prefix + text[piece.start : piece.end] for piece in split(text, 0, len(text))] == expected


@given(
    st.lists(st.sampled_from(["the", "barges", "carries", "can", "sank", ",", "and", "it", "`a`", "use", "coal", "5"]))
)
def test_any_words_can_be_read(words: list[str]) -> None:
    text = " ".join(words)
    tokens = tokenise(text, 0, len(text))
    for at in range(1, len(tokens) - 1):
        taken = carried(text, tokens, 0, Cut(at, at + 1, "and", comma=False))
        assert taken is None or taken.strip() in text or not taken


def test_a_sentence_may_be_cut_off() -> None:
    assert [claim.text for claim in extract("The pump can heat and can cool and can")]
    assert [claim.text for claim in extract("the can and can and can")]


def test_what_only_limits_the_left_side_stays_with_it() -> None:
    said = "Guests can oil the lids, but just for the wheels they have shut."
    assert [piece.of(said) for piece in split(said, 0, len(said))] == [said]


@pytest.mark.parametrize("name", ["Crews", "Crews (of nine)", "You"])
def test_what_several_have_to_do_has_its_subject(name: str) -> None:
    said = f"{name} can hire the barge, but have to do so in May."
    assert [claim.text for claim in extract(said)] == [f"{name} can hire the barge.", said]


def test_one_does_not_have() -> None:
    said = "The crew can hire the barge and have to pay in May."
    assert "The crew have to pay in May." not in [claim.text for claim in extract(said)]
