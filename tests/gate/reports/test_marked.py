"""Stretches of strangers' text: cut at claims, Markdown read, the deciding words marked, and nothing lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gate.reports.marked import SEVERITY, TAGS, Span, TextRun, quoted, stretches

SPANS = st.lists(
    st.builds(Span, st.integers(1, 99), st.sampled_from(SEVERITY), st.integers(-5, 40), st.integers(-5, 40)),
    max_size=12,
)
MARKUP = st.text(st.sampled_from("ab `*_[](!)~\n"), max_size=40)
LANGUAGE = re.compile(r"^ {0,3}(```+|~~~+) *[^ \n]+ *$", re.MULTILINE)  # one word behind a fence


def joined(runs: list[TextRun]) -> str:
    return "".join(run.text for run in runs)


def bare(text: str) -> str:
    return "".join(sign for sign in text if sign in "ab")


@given(st.text(st.characters(exclude_characters="`*_[~"), max_size=30), SPANS)
def test_the_stretches_are_the_text(text: str, spans: list[Span]) -> None:
    assert "".join(run.text for part in stretches(text, spans, str) for run in part.runs) == text


@given(MARKUP, SPANS)
def test_markdown_takes_no_word_away_and_knows_no_other_element(text: str, spans: list[Span]) -> None:
    assume(not LANGUAGE.search(text))
    runs = [run for part in stretches(text, spans) for run in part.runs]
    assert bare(joined(runs)) == bare(text)
    assert bare(joined(quoted(text, "a b", False))) == bare(text)
    assert {tag for run in runs for tag in run.tags} <= set(TAGS)


@given(st.text(st.characters(exclude_characters="`*_[~"), min_size=1, max_size=30), SPANS)
def test_every_place_has_the_worst_label_that_covers_it(text: str, spans: list[Span]) -> None:
    offset = 0
    for part in stretches(text, spans, str):
        size = sum(len(run.text) for run in part.runs)
        for place in range(offset, offset + size):
            covering = [span.kind for span in spans if span.start <= place < span.end]
            assert part.kind == (min(covering, key=SEVERITY.index) if covering else "")
        offset += size


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Set `a*b*` now", [("Set ", ()), ("a*b*", ("code",)), (" now", ())]),
        ("**Never** *do* _it_", [("Never", ("strong",)), (" ", ()), ("do", ("em",)), (" ", ()), ("it", ("em",))]),
        ("See [it](http://e.example)", [("See ", ()), ("it", ()), ("(http://e.example)", ("small",))]),
        ("2 * 3 * 4, snake_case_name", [("2 * 3 * 4, snake_case_name", ())]),
        ("a\n```sh\n*b*\n```\nc", [("a\n", ()), ("*b*\n", ("code",)), ("c", ())]),
        ("~~~Parking is free.\nYes", [("Parking is free.\n", ()), ("Yes", ("code",))]),
        ("a\n~~~free", [("a\n", ()), ("free", ())]),
        ("```free\n```\nb", [("free\n", ()), ("b", ())]),
        ("```a` b", [("```a` b", ())]),
        ("<b>&amp;</b>", [("<b>&amp;</b>", ())]),
        ("\x1b[2J", [("␛[2J", ())]),
    ],
)
def test_markdown_is_read_as_far_as_words_go(text: str, shown: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(run.text, run.tags) for part in stretches(text, ()) for run in part.runs] == shown


def test_a_claim_that_ends_in_hidden_marks_keeps_its_number() -> None:
    parts = stretches("It is **hot.** Yes.", [Span(7, "supported", 0, 14)])
    assert [part.ends for part in parts] == [(7,), ()]


@pytest.mark.parametrize(
    ("quote", "claim", "denied", "marked"),
    [
        ("Check-out is at 11 am.", "Check-out is at 2 pm.", True, ["11 am"]),
        ("Dogs are not allowed in the rooms.", "Dogs are allowed in the rooms.", True, ["not"]),
        ("The highest temperature is 1250 degrees.", "It reaches 1280 degrees.", True, ["1250"]),
        ("Pets stay at home.", "We welcome animals.", True, ["Pets stay at home"]),
        ("It has Bluetooth 5.2 and no Wi-Fi.", "The lamp has Wi-Fi.", True, ["It has Bluetooth 5.2 and no Wi-Fi"]),
        ("Open daily. The **kiln** holds 40 litres.", "The kiln holds 40 litres.", False, ["kiln", " holds 40 litres"]),
        ("Open at 9. Closed: at 9 pm.", "It opens at 9.", False, ["Open at 9"]),
        (
            "The read timeout is 5. A `ReadTimeout` raises.",
            "A timeout raises ReadTimeout",
            False,
            ["ReadTimeout", " raises"],
        ),
        ("Glazes want a second firing.", "Cats are welcome.", False, []),
        ("", "Cats are welcome.", True, []),
    ],
)
def test_the_deciding_words_of_a_quote_are_marked(quote: str, claim: str, denied: bool, marked: list[str]) -> None:
    assert [run.text for run in quoted(quote, claim, denied) if "mark" in run.tags] == marked


@pytest.mark.parametrize("piece", ["`", "**a", "[", "[a](", "*a ", "_a", "```\n", "~~~`"])
def test_a_long_row_of_marks_is_read_in_one_go(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    assert bare("".join(run.text for part in stretches(text, ()) for run in part.runs)) == bare(text)
