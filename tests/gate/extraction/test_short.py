"""Short answers: a denial in front of its reason, a mere condition behind yes or no."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.short import flatly, reason

ASKED = "Does the ticket cover the ferry?"
DENIED = "The ticket does not cover the ferry."
WORDS = ["No", "yes", "It doesn't", "you can", ":", " - ", ",", ".", " ", "the ferry", "if", "only", "because", "not"]
TEXTS = st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=12).map("".join)


def claims(answer: str, question: str = ASKED) -> list[str]:
    return [claim.text for claim in extract(answer, question)]


@pytest.mark.parametrize("said", ["It doesn't", "It does not", "No, it doesn't", "Sadly, it doesn’t", "No", "It’s not"])
@pytest.mark.parametrize("joint", [": ", "; ", " — ", " – ", " - ", " -- ", ". "])
def test_a_denial_in_front_of_its_reason_is_told(said: str, joint: str) -> None:
    begin = "N" if joint == ". " else "n"
    reason = f"{begin}ight boats are a service of their own."
    denied, told = claims(f"{said}{joint}{reason}")
    assert denied in (DENIED, f"{ASKED} It's not.", f"{ASKED} It’s not.")
    assert told == "Night boats are a service of their own."


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("It doesn't: the ferry is only in the day pass.", ASKED, [DENIED, "The ferry is only in the day pass."]),
        ("I don't think so. The ferry costs 5 euros.", ASKED, [DENIED, "The ferry costs 5 euros."]),
        ("It does: boats are public.", ASKED, ["The ticket covers the ferry.", "Boats are public."]),
        ("It does: the ticket covers every ferry.", ASKED, ["The ticket covers every ferry."]),
        ("It doesn't: the ticket does not cover boats.", ASKED, ["The ticket does not cover boats."]),
        (
            "You can't: boats are full.",
            "How do I get a seat?",
            ["How do I get a seat? You can't.", "Boats are full."],
        ),
        ("You can: boats are empty.", "How do I get a seat?", ["Boats are empty."]),
        ("Yes, boats are empty.", ASKED, ["Boats are empty."]),
    ],
)
def test_what_the_reason_says_again_is_told_once(answer: str, question: str, expected: list[str]) -> None:
    assert claims(answer, question) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes, but only if it is foggy.", f"{ASKED} Yes, only if it is foggy."),
        ("Only when it is foggy.", f"{ASKED} Only when it is foggy."),
        ("Not if it is foggy.", f"{ASKED} Not if it is foggy."),
        ("Not unless it is foggy.", f"{ASKED} Not unless it is foggy."),
        ("Yes, unless it is foggy.", f"{ASKED} Yes, unless it is foggy."),
        ("Not if it is foggy, the crew says.", "Not if it is foggy, the crew says."),
    ],
)
def test_a_mere_condition_takes_its_question(answer: str, expected: str) -> None:
    assert claims(answer) == [expected]


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        (
            "Without a ticket, you cannot board and the crew calls the guard.",
            "May I board?",
            ["Without a ticket, you cannot board.", "Without a ticket, the crew calls the guard."],
        ),
        (
            "Except on Sundays, the ferry leaves at 9 and the office opens at 10.",
            "When?",
            ["Except on Sundays, the ferry leaves at 9.", "Except on Sundays, the office opens at 10."],
        ),
        (
            "You might think that boats are free, but they cost 5 euros.",
            "Are boats free?",
            ["You might think that boats are free, but they cost 5 euros."],
        ),
        ("Not sure, but I think it is 3 days.", "How long is the return window?", ["The return window is 3 days."]),
        ("It's 5 euros, not 9.", "How high is the late fee?", ["The late fee is 5 euros, not 9."]),
        ("It is warm.", "How long is the boat warm?", ["It is warm."]),
    ],
)
def test_a_claim_keeps_what_limits_it_and_what_it_is_about(answer: str, question: str, expected: list[str]) -> None:
    assert claims(answer, question) == expected


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("No, please bring your own.", "Are oars provided?", ["Are oars provided? No.", "Please bring your own."]),
        (
            "Not by default - you have to pay for that.",
            "Is the ferry heated?",
            ["Is the ferry heated? Not by default.", "You have to pay for that."],
        ),
        (
            "Not yet: the pier closes in May.",
            "Is the pier closed?",
            ["Is the pier closed? Not yet.", "The pier closes in May."],
        ),
        (
            "No, don't: salt eats the hull.",
            "Should I rinse it with brine?",
            ["You should not rinse it with brine.", "Salt eats the hull."],
        ),
        (
            "No, please don't. Salt eats the hull.",
            "Should I rinse it with brine?",
            ["You should not rinse it with brine.", "Salt eats the hull."],
        ),
        ("No, don't rinse it with brine.", "Should I rinse it with brine?", ["Don't rinse it with brine."]),
        ("Please, take a seat.", "Are oars provided?", ["Please, take a seat."]),
        (
            "There is - 40 seats on deck - but they're for guests.",
            "Is there a canteen?",
            [
                "Is there a canteen? There is.",
                "Is there a canteen? There is - 40 seats on deck - but they're for guests.",
            ],
        ),
        (
            "Yes if you have a pass, no otherwise.",
            "Can I board at night?",
            ["Can I board at night? Yes if you have a pass, no otherwise."],
        ),
        (
            "Yes and no: it floats but leaks.",
            "Is the ferry tight?",
            ["Is the ferry tight? Yes and no: it floats but leaks."],
        ),
    ],
)
def test_a_no_that_nothing_behind_it_says_again_is_told(answer: str, question: str, expected: list[str]) -> None:
    assert claims(answer, question) == expected


@given(said=TEXTS, rest=TEXTS, question=TEXTS)
def test_any_text_is_read(said: str, rest: str, question: str) -> None:
    assert isinstance(flatly(said, rest, question), str)
    assert 0 <= reason(rest, 0, len(rest)) <= len(rest)


@pytest.mark.parametrize(
    "said",
    [
        "Only by turning the stone of the old mill (`stone.toml`) back.",
        "Yes, within 9 days, using `mill sacks reopen`.",
    ],
)
def test_a_way_is_told_with_the_question(said: str) -> None:
    asked = "Can I open a sack again?"
    assert [claim.text for claim in extract(said, asked)] == [f"{asked} {said}"]
