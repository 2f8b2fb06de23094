"""One form of characters, and text without its markup."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import code_spans, normalise, plain, versions
from tests.support.steps import growth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb\u202ec", "abc"),
        ("“x” ‘y’", "\"x\" 'y'"),
        ("10² and 2½", "10^2 and 2.5"),
        ("1–2 − 3", "1-2 - 3"),
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
        ("[words](https://a.b/c) ![alt](x.png) <https://a.b>", "words alt https://a.b"),
        ("# Head\n- item\n> said", "Head\nitem\nsaid"),
        ("snake_case_x and __init__ and 2 * 3 * 4", "snake_case_x and __init__ and 2 * 3 * 4"),
        ("`**kept**` \\*kept\\*", "**kept** *kept*"),
        ("<p>It is <b class='x'>5</b>.</p> <name>", " It is 5.  <name>"),
        # What stands behind code begins no line: no marker is taken away there.
        ("- `wait` - seconds\n* `tries` * 2", "wait - seconds\ntries * 2"),
        ("[`wait`](#wait) `-j`/`--jobs` `a/b`", "wait -j / --jobs a/b"),
        ("It costs ~~12~~ 9 euros[^1], `~~kept~~`, ~5, a~~b.", "It costs  9 euros, ~~kept~~, ~5, ab."),
    ],
)
def test_markdown_goes_and_words_stay(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Install it {ref}`via plugins <install>`.", "Install it via plugins."),
        ("A {class}`~llm.Prompt`, {py:func}`!llm.get`, :meth:`.query`", "A llm.Prompt, llm.get, query"),
        (":ref:`two\n   words <there>` in :file:`~/.bashrc`", "two\n   words in ~/.bashrc"),
        ("see :pep:`484`, :rfc:`2616#section-2` and {issue}`12`", "see PEP 484, RFC 2616 and issue 12"),
        ("as said [1]_, [#note]_ or [AB12]_.", "as said, or."),
        ("run `git clone <url>` in `/orders/{id}` or `a`:`b`", "run git clone <url> in /orders/{id} or a:b"),
        ("at 10:30: `x` and std::`y` for ${name}`x`", "at 10:30: x and std::y for ${name}x"),
        ("a `type_` or __init__ or FOO_ or my_name_ is kept", "a type_ or __init__ or FOO_ or my_name_ is kept"),
        (".. note:: Mind the gap.\n> .. py:data:: DEBUG", "Mind the gap.\nDEBUG"),
        ("one\n\n.. code-block:: bash\n\n   ls", "one\n\n\n\n   ls"),
        (
            ".. [1] A footnote.\n:param int size: How many.\nas follows::",
            "A footnote.\nint size: How many.\nas follows:",
        ),
        ("Text. {: .lead }\n{#here}\nMore.", "Text.\n\nMore."),
        ('[Go](x.md){ .button } {{< ref x >}}\n# A {#a .b c="d e"}', "Go  \nA"),
        ('f"{:>10} {:.2f} {: .3f}" and {#if a}', 'f"{:>10} {:.2f} {: .3f}" and {#if a}'),
        (r"$\sum_{i=1}^n i$, x^{n=2}, {id=5} or {a: 1}", r"$\sum_{i=1}^n i$, x^{n=2}, {id=5} or {a: 1}"),
    ],
)
def test_marks_of_documentation_tools_become_words_or_nothing(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_backticks_stay_around_names_where_they_are_asked_for() -> None:
    text = "**Use** the {ref}`via plugins <x>` way, {class}`~a.B`, {issue}`12`, `a_b`"
    assert plain(text, ticks=True) == "Use the via plugins way, `a.B`, issue 12, `a_b`"


def test_a_directive_that_says_since_when_names_a_version() -> None:
    assert [found for found, _, _ in versions(plain(".. versionadded:: 2.1\n   The name."))] == ["2.1"]


def test_inline_code_pairs_runs_of_equal_length() -> None:
    text = "a `b` ``c`d`` ` e"
    assert [text[start:end] for start, end in code_spans(text)] == ["`b`", "``c`d``"]


@pytest.mark.parametrize(
    "piece", [":a:`b` ", "{a}`b <c>` ", ".. note:: ", ":a:b", "x_ ", "[1]_", "{: ", "{.a .a ", ":: ", "[", "*a "]
)
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: plain(piece * size), 300) < 3
