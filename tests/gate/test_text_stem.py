"""Forms of one word share a stem; other words do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import stem
from gate.text_stem import ends_plural


@pytest.mark.parametrize(
    "family",
    [
        "redirect redirects redirected redirecting redirection redirections",
        "configure configured configures configuring configuration",
        "cache caches cached caching",
        "run runs running",
        "policy policies",
        "size sizes sized",
        "use uses used using",
        "refund refunds refunded refunding",
    ],
)
def test_a_family_has_one_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(("a", "b"), [("policy", "police"), ("use", "us"), ("port", "portal")])
def test_strangers_stay_apart(a: str, b: str) -> None:
    assert stem(a) != stem(b)


@pytest.mark.parametrize("word", ["a_b", "http2", "is", "größe", "x" * 50, "", "HTTP"])
def test_what_is_no_plain_word_stays(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(("word", "plural"), [("limits", True), ("class", False), ("status", False), ("axis", False)])
def test_a_plural_ends_in_one_s(word: str, plural: bool) -> None:
    assert ends_plural(word) is plural


@given(st.from_regex(r"[a-z]{3,12}", fullmatch=True))
def test_a_stem_is_a_beginning_of_about_the_word(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word) + 1
    assert stem(word)[0] == word[0]
