"""Terms: identifiers whole and in parts, any text a safe query."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.store.schema import TABLES
from gate.store.terms import MAX_LENGTH, MAX_TERMS, match_query, terms

HOSTILE = ['"', "'", "AND", "OR", "NOT", "NEAR(", ")", "*", "^", "terms:", "-", "{", "}", "+", "\0", "a_b", "\ud800"]
anything = st.text(st.characters(), max_size=200) | st.lists(st.sampled_from(HOSTILE), max_size=30).map(" ".join)


def index(*texts: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    for text in texts:
        connection.execute("INSERT INTO words (terms) VALUES (?)", (" ".join(terms(text)),))
    return connection


def found(connection: sqlite3.Connection, query: str) -> list[int]:
    rows = connection.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank", (match_query(query),))
    return [row[0] for row in rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Follow the redirects", "follow the redirects"),
        ("follow_redirects=True", "follow redirects follow_redirects true"),
        ("AsyncClient", "async client async_client"),
        ("httpx.AsyncClient", "httpx async client async_client httpx_async_client"),
        ("response.raise_for_status()", "response raise for status raise_for_status response_raise_for_status"),
        ("HTTPTransport", "http transport http_transport"),
        ("HTTP/2", "http 2 http_2"),
        ("--fail-on warn", "fail on fail_on warn"),
        ("Python 3.11", "python 3 11 3_11"),
        ("__init__", "init"),
        ("x" * 100, "x" * MAX_LENGTH),
        ("ﬁle ＡＢＣ", "file abc"),
        ("検索する", "検索 索す する"),
        ("API検索v2", "検索 api v2"),
        ("?!… \0 😀", ""),
    ],
)
def test_terms(text: str, expected: str) -> None:
    assert " ".join(terms(text)) == expected


@pytest.mark.parametrize("query", ["async_client", "AsyncClient", "httpx.AsyncClient", "client", "ASYNC"])
def test_an_identifier_is_found_in_any_style_and_by_its_parts(query: str) -> None:
    connection = index("Use `httpx.AsyncClient()` here.", "Nothing of that kind.")
    assert found(connection, query) == [1]


def test_the_whole_identifier_ranks_before_its_parts() -> None:
    connection = index("You follow it where redirects lead.", "Set follow_redirects where it leads.", "Nothing.", "No.")
    assert found(connection, "follow_redirects") == [2, 1]


def test_forms_of_a_word_and_accents_are_one() -> None:
    connection = index("Connections are pooled.", "Die Größe des Cafés")
    assert found(connection, "connection pooling") == [1]
    assert found(connection, "cafes grosse") == found(connection, "große cafés") or found(connection, "cafes") == [2]


def test_stop_words_count_only_alone() -> None:
    assert match_query("the client is on") == '"client"'
    assert match_query("is it on") == '"is" OR "it" OR "on"'


def test_a_query_is_bounded() -> None:
    assert match_query(" ".join(f"word{n}" for n in range(5000))).count(" OR ") == MAX_TERMS - 1


@pytest.mark.parametrize("piece", ["a-", "a_", "aA", "-_", "a::", "ab.", "検", "\u0301", "a" * 9])
def test_a_long_text_is_no_burden(piece: str) -> None:
    # A pattern that backtracks would not come back from this.
    assert len(match_query(piece * 30_000)) < (MAX_LENGTH + 6) * MAX_TERMS


CONNECTION = index("Some words to find and not to find")


@given(anything)
def test_any_text_is_a_safe_query(text: str) -> None:
    query = match_query(text)
    if query:
        CONNECTION.execute("SELECT rowid FROM words WHERE words MATCH ?", (query,)).fetchall()


@given(anything)
def test_a_text_is_found_by_itself(text: str) -> None:
    ascii_text = "".join(c for c in text if ord(c) < 128)
    if match_query(ascii_text):
        connection = index(ascii_text)
        assert found(connection, ascii_text) == [1]
        connection.close()
