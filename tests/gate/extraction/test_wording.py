"""How a claim is put into words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.wording import CHARACTERS, Extracted, coarse, distinct, names_of, one_line, sentence, tidy, windows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Oaks** grow\n  _slowly_.", "Oaks grow slowly."),
        ("Oaks grow [1] slowly [2, 3].", "Oaks grow slowly."),
        ("Oaks grow[^4].【5†source】", "Oaks grow."),
        ("Call `tree[1]` now", "Call `tree[1]` now"),
        ("See [the grove](https://oak.test)", "See the grove"),
        ("“Oak” – tree", '"Oak" - tree'),
        ("a\u200bcorn", "acorn"),
        ("", ""),
    ],
)
def test_one_line(text: str, expected: str) -> None:
    assert one_line(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use `grow` then", {"grow"}),
        ("oak.height and elm(3) and ash[0]", {"oak", "elm", "ash"}),
        ("`Oak` and Elm.height", set()),
        ("Oaks grow. Elms too", set()),
    ],
)
def test_names(text: str, expected: set[str]) -> None:
    assert names_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("oaks grow", "Oaks grow."),
        ("oaks grow!", "Oaks grow!"),
        ("Do oaks grow?", "Do oaks grow?"),
        ('They said "no."', 'They said "no."'),
        ("oaks grow,; ", "Oaks grow."),
        ("wait.", "Wait."),
        ("grow, then rest", "grow, then rest."),
        ("iOak grows", "iOak grows."),
        ("x2 grows", "x2 grows."),
        ("`oak` grows", "`oak` grows."),
        ("it's an oak", "It's an oak."),
        ("オークは育つ。", "オークは育つ。"),
        ("ओक बढ़ता है।", "ओक बढ़ता है।"),
    ],
)
def test_a_sentence(text: str, expected: str) -> None:
    assert sentence(text, frozenset({"grow"})) == expected


@pytest.mark.parametrize(
    ("said", "prefix", "text", "verbatim"),
    [
        ("oaks grow slowly, ", "", "Oaks grow slowly.", "oaks grow slowly"),
        ("bears acorns;", "the oak ", "The oak bears acorns.", "bears acorns"),
        ("**oaks** —", "", "Oaks.", "**oaks**"),
    ],
)
def test_tidy(said: str, prefix: str, text: str, verbatim: str) -> None:
    answer = f"Look: {said} and so on."
    claim = tidy(answer, prefix, 6, 6 + len(said))
    assert (claim.text, answer[claim.start : claim.end]) == (text, verbatim)


def test_windows_of_a_long_claim() -> None:
    claim = Extracted("leaf " * 1000, 3, 5003)
    pieces = windows(claim)
    assert len(pieces) == 4
    assert " ".join(piece.text for piece in pieces) == claim.text.strip()
    assert {(piece.start, piece.end) for piece in pieces} == {(3, 5003)}


@given(st.lists(st.text(st.sampled_from("ab é"), min_size=1, max_size=1800), min_size=1, max_size=5).map(" ".join))
def test_windows_keep_all_words_within_the_limit(text: str) -> None:
    pieces = windows(Extracted(text, 0, len(text)))
    assert all(len(piece.text) <= CHARACTERS for piece in pieces)
    assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(text.split())


@given(st.lists(st.integers(1, 900), min_size=1, max_size=12))
def test_coarse_claims_keep_all_words_within_the_limit(sizes: list[int]) -> None:
    claims = [Extracted(f"{i}".ljust(size, "x"), 1000 * i, 1000 * i + size) for i, size in enumerate(sizes)]
    joined = list(coarse(claims))
    assert " ".join(claim.text for claim in joined) == " ".join(claim.text for claim in claims)
    assert all(len(claim.text) <= CHARACTERS for claim in joined)
    assert (joined[0].start, joined[-1].end) == (claims[0].start, claims[-1].end)
    assert all(len(a.text) + len(b.text) >= CHARACTERS - 900 for a, b in zip(joined, joined[1:], strict=False))


def test_the_question_before_a_long_word_is_no_window_of_its_own() -> None:
    question = "How much is the plan?"
    assert question not in [piece.text for piece in windows(Extracted(f"{question} {'x' * 5000}", 0, 5000))]


@given(st.text(max_size=200), st.text(max_size=20))
def test_any_words_become_one_line_with_an_end(text: str, prefix: str) -> None:
    claim = tidy(text + "x", prefix, 0, len(text) + 1)
    assert "\n" not in claim.text
    assert claim.text == claim.text.strip()
    assert 0 <= claim.start < claim.end <= len(text) + 1
    assert sentence(claim.text) == claim.text


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The oak is 5 metres tall.", "The oak is five metres tall.", True),
        ("The oak has 12 boughs.", "**The oak** has twelve boughs!", True),
        ("The oak has 5 boughs.", "The oak has 6 boughs.", False),
        ("Oak 3.1 is old.", "Oak 3.10 is old.", False),
        ("One oak grows.", "No one grows an oak.", False),
    ],
)
def test_what_is_said_again(one: str, other: str, same: bool) -> None:
    found = distinct([Extracted(one, 0, 1), Extracted(other, 1, 2), Extracted("!", 2, 3)])
    assert [claim.text for claim in found] == ([one] if same else [one, other])


@pytest.mark.parametrize("shown", [", e.g.:", ", for example:", ": like so:", ", i.e.:"])
def test_what_is_only_shown_leaves_nothing_behind(shown: str) -> None:
    answer = f"Send the sack to the mill{shown}\n\n```\nmill send SACK\n```\n"
    assert [claim.text for claim in extract(answer)] == ["Send the sack to the mill."]


def test_a_for_example_that_is_said_stays() -> None:
    assert [claim.text for claim in extract("It keeps rye, for example.")] == ["It keeps rye, for example."]
