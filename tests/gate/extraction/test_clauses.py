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
        ("Rye: 5 sacks; Sea oats: the fee is 3 crowns; Bran: free.",
         ["Rye: 5 sacks", "Sea oats: the fee is 3 crowns", "Bran: free"]),
        ("The mill keeps the bills and stone reports from the year.",
         ["The mill keeps the bills and stone reports from the year"]),
        ("The mill is shut and the miller reports to the owner.",
         ["The mill is shut", "the miller reports to the owner"]),
        ("The plan costs $20 and includes 5 GB.", ["The plan costs $20", "The plan includes 5 GB"]),
        ("The warranty covers parts and labour but does not cover water damage.",
         ["The warranty covers parts and labour", "The warranty does not cover water damage"]),
        ("Milling is free, and anyone who comes before noon gets a bag of bran.",
         ["Milling is free", "anyone who comes before noon gets a bag of bran"]),
        ("Ask the miller, and everyone who works there and knows the stone.",
         ["Ask the miller, and everyone who works there and knows the stone"]),
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
        ("Mills are slow: the wheel turns every minute and the stone cools at night.",
         ["Mills are slow: the wheel turns every minute", "Mills are slow: the stone cools at night"]),
        ("Then the cost: rye has a fee of 5 crowns, while oats have no fee.",
         ["Then the cost: rye has a fee of 5 crowns", "Then the cost: oats have no fee"]),
        ("The mill grinds rye, and it rests at night.", ["The mill grinds rye", "it rests at night"]),
        ("If it rains, the mill stops; in May, the wheel turns and drives the stone.",
         ["If it rains, the mill stops", "in May, the wheel turns", "in May, the wheel drives the stone"]),
        ("When the mill is full you can leave your rye outside, and bring it in later.",
         ["When the mill is full you can leave your rye outside", "When the mill is full you can bring it in later"]),
        ("Set the wheel to 3 and open the gate.", ["Set the wheel to 3", "open the gate"]),
        ("To grind rye, set the wheel to 3, and open the gate.",
         ["To grind rye, set the wheel to 3", "To grind rye, open the gate"]),
        ("If the gate jams, call the miller, or use the door.",
         ["If the gate jams, call the miller", "If the gate jams, use the door"]),
        ("Paris is in France, while Berlin is in Germany.", ["Paris is in France", "Berlin is in Germany"]),
        ("In winter the wheel stops at night and sends a report.",
         ["In winter the wheel stops at night", "In winter the wheel sends a report"]),
        ("The lease can be left after a month and requires a deposit.",
         ["The lease can be left after a month", "The lease requires a deposit"]),
        ("The mill runs once a day and sends a report.", ["The mill runs once a day", "The mill sends a report"]),
        ("The mill waits for rye and then has another try.",
         ["The mill waits for rye", "The mill then has another try"]),
    ],
)  # fmt: skip
def test_two_facts(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Let the wheel turn and open the gate.",
        "Ask the miller to clean the gate and open the door.",
        "Close the gate so that the wheel and the stone rest.",
        "The mill has turned so far, so good.",
        "Tell him that the wheel turns and open the gate.",
        "Press and hold the lever.",
        "It supports proxies, cookies and sessions.",
        "Leave the rye for two days and the miller sells it.",
        "Ask the miller, and your rye is ground at once.",
        "Whatever is wet stays outside and spoils the rye.",
        "The mill is dry, and so is the barn.",
        "Seed bags and flour are sold there.",
        "Bring the rye to the mill and to the barn as soon as you can.",
        "Clean the mill, then the barn, and last the yard.",
        "The miller takes nothing but what is dry.",
        "The miller opens the gate, and only then does the wheel turn.",
        "The mill comes with wheels and holds of iron.",
        "Rye is dry, and the other grain, `oats`, keeps the barn wet.",
        "By default it's shut, so the wheel rests and dries the stone.",
        "If a and b are set, the call fails.",
        "The difference between `a` and `b` is the limit.",
        "The pump starts when the tank is full and the valve is open.",
        "Both the index and the table are locked.",
        "Functions for reading, writing and closing don't block.",
        "You may either call us or write a letter.",
        "It asks whether A is set and B is free.",
        "Add `a=1` and it will follow them.",
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


@pytest.mark.parametrize("given", ["provided", "provided that", "as long as", "so long as", "assuming"])
def test_what_is_only_supposed_is_no_fact_of_its_own(given: str) -> None:
    said = f"The miller takes it back {given} you ask in May and the sack is unopened."
    assert cut(said) == [said.rstrip(".")]


@pytest.mark.parametrize(
    "said", ["Bran is provided and the rest is sold", "The loan runs as long as May and costs 5 crowns a year"]
)
def test_words_that_suppose_nothing_hold_nothing_back(said: str) -> None:
    assert len(cut(said)) == 2


@pytest.mark.parametrize(
    "said",
    [
        "`grind()` gives `None` if the sack is missing, has been opened, or the stone is shut.",
        "They keep the sack when the bran is wet, is of another year, or the label is torn.",
    ],
)
def test_the_second_of_several_cases_is_no_fact_of_its_own(said: str) -> None:
    assert cut(said) == [said.rstrip(".")]


def test_a_third_verb_behind_a_case_is_a_fact() -> None:
    said = "The mill rings if the sack is missing, stops the stone, and calls the miller."
    assert len(cut(said)) == 3
