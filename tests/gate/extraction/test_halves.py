"""A half that leans on the one before has it in front; that one is a claim too, if it stands alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.clauses import split
from gate.extraction.extract import extract
from gate.extraction.halves import stands


def claims(text: str) -> list[str]:
    return [claim.text for claim in extract(text)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The mill grinds rye", "; the other two don't"),
        ("Rye may stay for 3 days", ", but oats get another 2"),
        ("`rye` waits a day", " and `oats` waits just that long"),
        ("You can bring rye", ", and you can take it home"),
        ("The miller weighs the rye", ", so you need not"),
        ("The miller keeps a key", ", so among other things he can open the barn at night"),
        ("The stone loses 1 percent a year", ", so after four years it stands at 96 percent"),
        ("The gate shuts at nine", ", so plan for it if you are late"),
        ("If it rains, the gate shuts at nine", ", so plan for it if you are late"),
        ("The wheel keeps its pace", ", so a full barrel is no danger"),
    ],
)
def test_the_first_half_is_told_alone_and_in_front_of_the_second(first: str, second: str) -> None:
    answer = f"{first}{second}."
    assert claims(answer) == [f"{first}.", answer]
    places = [(claim.start, claim.end) for claim in extract(answer)]
    assert places[0] == (0, len(first))
    assert len(first) < places[1][0] < places[1][1] == len(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "All barns are open, but the red one isn't.",
        "Every barn is open; only mine isn't.",
        "The mill isn't dry, but you can mend it.",
        "Most are shut; only `north` and `south` are.",
        "There are two ways, and only one of them is free.",
        "Probably it is dry, so bring the rye.",
        "You can, and you can take it home.",
        "The mill is shut so that nobody can enter.",
    ],
)
def test_what_does_not_stand_alone_stays_with_the_second_half(answer: str) -> None:
    assert claims(answer) == [answer]


def test_a_pronoun_that_stands_for_the_subject_needs_no_half_in_front() -> None:
    assert claims("The mill is old, but it runs at night.") == ["The mill is old.", "The mill runs at night."]


def test_both_have_the_name_that_the_first_has_from_before() -> None:
    assert claims("The barn is red. Its gate shuts at nine, so plan for it if you are late.") == [
        "The barn is red.",
        "The barn's gate shuts at nine.",
        "The barn's gate shuts at nine, so plan for it if you are late.",
    ]


def test_a_second_verb_of_a_conclusion_has_its_reason_in_front() -> None:
    found = claims("The miller is ill, so a boy opens the gate and closes the barn.")
    assert found[-1].startswith("The miller is ill, so a boy opens the gate and")


def test_the_talk_goes_on_about_the_subject_of_the_halves() -> None:
    found = claims("The mill has a gate, so you can leave your rye in it at night. It is old.")
    assert found[-1] == "The mill is old."


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("The mill is dry", True),
        ("Open the red gate", True),
        ("If it rains, the mill stops", True),
        ("When it is full you can wait outside", True),
        ("If it rains", False),
        ("The mill can", False),
        ("Use it", False),
        ("There are two ways", False),
        ("Nothing you'd miss", False),
        ("Not the mill is dry", False),
        ("Any barn will do for that", False),
        ("Two gates matter: the north gate", False),
        ("", False),
    ],
)
def test_which_halves_stand_alone(text: str, alone: bool) -> None:
    assert stands(text) is alone


WORDS = "the mill is so and but ; , if it `x` you can open : . which have their"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=25))
def test_each_piece_is_said_in_the_sentence(words: list[str]) -> None:
    text = " ".join(words)
    pieces = split(text, 0, len(text))
    assert all(0 <= piece.start <= piece.end <= len(text) for piece in pieces)
    assert all(a.end <= b.start for a, b in zip(pieces, pieces[1:], strict=False))
    assert len({piece.of(text) for piece in pieces}) == len(pieces) or len(set(words)) < len(words)
