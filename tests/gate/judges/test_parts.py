"""What is too long is taken apart where a sentence, a clause, a word ends; nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.judges.parts import SHORTEST, parts


def words(most):
    return lambda text: len(text.split()) <= most


def test_what_fits_stays_as_it_is():
    assert parts("  Ducks swim, and geese fly. ", words(9)) == ["  Ducks swim, and geese fly. "]


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        (
            "Ducks can swim here. Geese can fly, and cats can climb.",
            7,
            ["Ducks can swim here.", "Geese can fly, and cats can climb."],
        ),
        (
            "Ducks can swim here, and geese can fly there; cats can climb.",
            5,
            ["Ducks can swim here,", "and geese can fly there;", "cats can climb."],
        ),
        (
            "A. One sentence is here. Another sentence is here. A third sentence is here.",
            9,
            ["A. One sentence is here. Another sentence is here.", "A third sentence is here."],
        ),
        (
            "The colours red, green, blue, black, white, grey",
            4,
            ["The colours red, green,", "blue, black, white, grey"],
        ),
        ("Rates of 1,000 and 2,000 and of 3,000 crowns", 4, ["Rates of 1,000 and", "2,000 and of 3,000", "crowns"]),
    ],
)
def test_it_is_cut_where_something_ends_and_as_much_as_fits_stays_together(text, most, expected):
    assert parts(text, words(most)) == expected


def test_what_has_no_words_is_left_out():
    assert parts("Ducks can swim here. " + "! " * 30, words(4)) == ["Ducks can swim here."]
    assert parts("!" * 90 + " Ducks swim.", lambda part: len(part) <= 30) == ["Ducks swim."]
    assert parts("!" * 90, lambda part: len(part) <= 30) == []


def test_writing_without_spaces_is_cut_too():
    text = "客户服务部门的工作时间是周一至周五上午八点到下午六点，退货的运费由客户自行承担。"
    found = parts(text, lambda part: len(part) <= 30)
    assert len(found) > 1
    assert "".join(found) == text
    assert "".join(parts("x" * 100, lambda part: len(part) <= 30)) == "x" * 100


def said(text):
    return "".join(c for c in text if c.isalnum())


TEXTS = st.text(alphabet="ab 1,.;:)、。，\n-é`and", max_size=300)


@given(TEXTS, st.integers(1, 40))
def test_nothing_is_lost_and_every_part_says_something(text, most):
    found = parts(text, lambda part: len(part) <= most)
    assert said("".join(found)) == said(text)
    if found != [text]:
        assert all(said(part) for part in found)


@given(TEXTS)
def test_a_reader_that_sees_nothing_whole_comes_to_an_end(text):
    assert said("".join(parts(text, lambda _: False))) == said(text)


@given(st.lists(st.sampled_from(["Ducks", "swim,", "and", "geese", "fly.", "if", "it", "rains;"]), max_size=60))
def test_parts_that_can_fit_do(words_of):
    most = 40
    for part in parts(" ".join(words_of), lambda text: len(text) <= most):
        assert len(part) <= max(most, SHORTEST)
