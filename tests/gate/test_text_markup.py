"""What Sphinx, MyST and their kin add to text, as the reader of the page sees it."""

import pytest

from gate.text import plain, versions
from tests.support.steps import growth


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Install it {ref}`via plugins <install>`.", "Install it via plugins."),
        ("See {doc}`/setup` and {term}`cache`.", "See /setup and cache."),
        ("A {class}`~llm.Prompt` and {py:func}`!llm.get`", "A llm.Prompt and llm.get"),
        ("Call :meth:`.Database.query` or :py:meth:`run`.", "Call Database.query or run."),
        (":ref:`two\n   words <there>` on", "two\n   words on"),
        ("in :file:`~/.bashrc` or :file:`.env`", "in ~/.bashrc or .env"),
        ("see :pep:`484`, :rfc:`2616#section-2` and {issue}`12`", "see PEP 484, RFC 2616 and issue 12"),
        ("x\\ :sup:`2`", "x^2"),
        ("the `worker <guide>`:ref: stops", "the worker stops"),
        ("`the manual <https://example.org>`__, `guide`_ and Pydantic_ say", "the manual, guide and Pydantic say"),
        ("as said [1]_, [#note]_ or [AB12]_.", "as said, or."),
        ("run `git clone <url>` in `/orders/{id}` or `a`:`b`", "run git clone <url> in /orders/{id} or a:b"),
        ("use `#!python import os`, not `#!/bin/sh`", "use import os, not #!/bin/sh"),
        ("at 10:30: `x` and std::`y`", "at 10:30: x and std::y"),
        ("use type_ and the prefix whs_.", "use type_ and the prefix whs_."),
        (":code:`Vec<T>`, {literal}`a<b>` and {math}`x<2>`", "Vec<T>, a<b> and x<2>"),
        ("for ${name}`x`", "for ${name}x"),
        ("a `type_` or __init__ or FOO_ or my_name_ is kept", "a type_ or __init__ or FOO_ or my_name_ is kept"),
    ],
)
def test_roles_and_links_are_their_words(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_name_keeps_its_backticks_where_they_stay_and_words_have_none() -> None:
    text = "The {ref}`via plugins <x>` way, {class}`~a.B`, {issue}`12`"
    assert plain(text, ticks=True) == "The via plugins way, `a.B`, issue 12"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (".. note:: Mind the gap.", "Mind the gap."),
        ("one\n\n.. code-block:: bash\n\n   ls", "one\n\n\n\n   ls"),
        (".. py:data:: DEBUG", "DEBUG"),
        ("> .. note:: Mind it.", "Mind it."),
        ("Begin it with .. note:: or .. [1] there.", "Begin it with .. note:: or .. [1] there."),
        (".. math:: a = b + c", "a = b + c"),
        (".. versionadded:: 2.1", "New in version 2.1"),
        (".. versionchanged:: 2.1\n   It waits.", "Changed in version 2.1: It waits."),
        ("{deprecated} 3.0 Use b.", "Deprecated since version 3.0: Use b."),
        (".. [1] A footnote.\n.. [#a] More.", "A footnote.\nMore."),
        (":param int size: How many.\n:returns: The rest.", "int size: How many.\nreturns: The rest."),
        ("as follows::", "as follows:"),
        ("Text. {: .lead }\n{#here}\n*[API]: An interface", "Text.\n\nAPI: An interface"),
        ("[Go](x.md){ .button } on", "Go on"),
        ("a {{< ref x >}} b", "a   b"),
        ('## Title {#a .b c="d e"}\n{:toc}{: #x}', "Title\n"),
        ('f"{:>10} {:.2f} {: .3f}" and {#if a}', 'f"{:>10} {:.2f} {: .3f}" and {#if a}'),
        ("`a`{lang=py} and [Go](x.md){target=_blank} on\n# Title {data-x=1}", "a and Go on\nTitle"),
        (r"$\sum_{i=1}^n i$ and x^{n=2}", r"$\sum_{i=1}^n i$ and x^{n=2}"),
        ("Set it to {id=5} or {id=6}.", "Set it to {id=5} or {id=6}."),
        ("{name} and {a: 1} and x::y", "{name} and {a: 1} and x::y"),
    ],
)
def test_marks_of_lines_become_words_or_nothing(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_since_when_is_a_version() -> None:
    assert [found for found, _, _ in versions(plain(".. versionadded:: 2.1\n   The name."))] == ["2.1"]


@pytest.mark.parametrize(
    "piece", [":a:`b` ", "{a}`b <c>` ", ".. note:: ", ":a:b", "x_ ", "[1]_", "{: ", "{.a ", "{.a .a ", ":: ", "{a"]
)
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: plain(piece * size), 300) < 3
