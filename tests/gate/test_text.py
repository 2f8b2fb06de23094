"""Tokens, plain words, normalising: what every other part compares texts by."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import STOPWORDS, identifiers, normalise, parts, plain, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb\u202ec", "abc"),
        ("“x” ‘y’", "\"x\" 'y'"),
        ("10² and 2½", "10^2 and 2.5"),
        ("ﬁle\u00a0 name", "file name"),
        ("1–2 − 3", "1-2 - 3"),
        (" a \r\n b ", "a\nb"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
    ],
)
def test_one_form_of_characters(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text(max_size=200))
def test_normalised_text_is_stable_and_shows_everything(text: str) -> None:
    once = normalise(text)
    assert all(c in "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") for c in once)
    assert normalise(once) == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**a** _b_ ***c***", "a b c"),
        ("`x_y` and ``a`b``", "x_y and a`b"),
        ("[words](https://a.b/c) ![alt](x.png)", "words alt"),
        ("<https://a.b>", "https://a.b"),
        ("# Head\n- item\n> said", "Head\nitem\nsaid"),
        ("snake_case_x and __init__ and 2 * 3 * 4", "snake_case_x and __init__ and 2 * 3 * 4"),
        ("`**kept**` \\*kept\\*", "**kept** *kept*"),
        ("a<br>b <name>", "a b <name>"),
        ("<p>It is <b class='x'>5</b>.</p>", " It is 5. "),
        # What stands behind code begins no line: no marker is taken away there.
        ("- `wait` - seconds\n* `tries` * 2", "wait - seconds\ntries * 2"),
        ("`a` # not b, `c` > `d`", "a # not b, c > d"),
        ("*`wait`* - seconds, **`tries`**", "wait - seconds, tries"),
        ("[`wait`](#wait) `x`\n1. `y`", "wait x\ny"),
        ("\ue000 `a` \ue001", "\ue000 a \ue001"),
        ("It costs ~~12~~ 9 euros[^1], `~~kept~~`, ~5, a~~b.", "It costs  9 euros, ~~kept~~, ~5, ab."),
    ],
)
def test_markup_goes_and_words_stay(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_backticks_can_stay() -> None:
    assert plain("**Use** `a_b`", ticks=True) == "Use `a_b`"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pass `follow=True` to tool.Client().", ["pass", "follow=true", "tool.client"]),
        ("--flag -v ./run.sh /etc/app.conf", ["--flag", "-v", "./run.sh", "/etc/app.conf"]),
        ("utf-8, v1.2.3 and C++", ["utf-8", "v1.2.3", "c++"]),
        ("It doesn't, cannot, won't", ["not", "not", "not"]),
        ("the client's limits", ["client", "limits"]),
        ("10% of users", ["10%", "users"]),
        ("never only all must", ["never", "only", "all", "must"]),
        ("退款政策", ["退款", "款政", "政策"]),
    ],
)
def test_words_that_carry_content(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text(max_size=200))
def test_words_are_the_tokens_without_stopwords(text: str) -> None:
    assert words(text) == [token for token in tokens(text) if token not in STOPWORDS]
    assert all(token and token == token.lower() for token in tokens("x " + text.lower()))


def test_parts_of_identifiers() -> None:
    assert parts("follow_redirects=True") == ["follow", "redirects", "true"]
    assert parts("HTTPTransport2") == ["http", "transport", "2"]
    assert parts("tool.AsyncClient") == ["tool", "async", "client"]


def test_identifiers_are_told_from_words() -> None:
    text = "Use HTTPTransport, `retries=1`, --force, HTTP/2 and app.py, e.g. a well-known and/or new one. GET it."
    assert identifiers(text) == ["HTTPTransport", "retries=1", "--force", "HTTP/2", "app.py", "GET"]


def test_two_names_of_code_with_a_slash_between_are_two() -> None:
    assert plain("`-j`/`--jobs`") == "-j / --jobs"
    assert plain("`a`/`b`/`c`") == "a / b / c"
    assert plain("see `a/b`") == "see a/b"
