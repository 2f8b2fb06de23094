"""Terms: identifiers whole and in parts, any text a safe query. Passages: verbatim, with their own lines, never
overlapping, the telling one first."""

import hashlib
import sqlite3
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.records import Evidence
from gate.store.passages import MAX_LENGTH, MAX_TERMS, WORDS, Cut, best_passages, cut, match_query, terms
from gate.store.schema import TABLES

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
        ("follow_redirects=True", "follow redirects follow_redirects true"),
        ("httpx.AsyncClient", "httpx async client async_client httpx_async_client"),
        ("--fail-on warn", "fail on fail_on warn"),
        ("x" * 100, "x" * MAX_LENGTH),
        ("API検索v2", "検索 api v2"),
        ("?!… \0 😀", ""),
    ],
)
def test_terms(text: str, expected: str) -> None:
    assert " ".join(terms(text)) == expected


def test_an_identifier_is_found_in_any_style_and_by_its_parts_and_ranks_first_as_a_whole() -> None:
    connection = index("Use `httpx.AsyncClient()` here.", "Nothing of that kind.")
    for query in ("async_client", "httpx.AsyncClient", "client", "ASYNC"):
        assert found(connection, query) == [1]
    connection = index("You follow it where redirects lead.", "Set follow_redirects where it leads.", "Nothing.", "No.")
    assert found(connection, "follow_redirects") == [2, 1]


@pytest.mark.parametrize("piece", ["a-", "aA", "a::", "検", "a" * 9])
def test_a_long_text_is_no_burden(piece: str) -> None:
    # A pattern that backtracks would not come back from this.
    assert len(match_query(piece * 20_000)) < (MAX_LENGTH + 6) * MAX_TERMS


CONNECTION = index("Some words to find and not to find")


@given(anything)
def test_any_text_is_a_safe_query(text: str) -> None:
    query = match_query(text)
    if query:
        CONNECTION.execute("SELECT rowid FROM words WHERE words MATCH ?", (query,)).fetchall()


@settings(max_examples=40)
@given(anything)
def test_a_text_is_found_by_itself(text: str) -> None:
    ascii_text = "".join(c for c in text if ord(c) < 128)
    if match_query(ascii_text):
        connection = index(ascii_text)
        assert found(connection, ascii_text) == [1]
        connection.close()


GUIDE = """# Timeouts

The client waits five seconds for each answer. Pass `timeout=None` to wait forever.
Redirects are not followed unless you ask for it.

## Pools

- `max_connections`: how many connections are open at once, 100 by default.
- `max_keepalive_connections`: how many idle ones are kept, 20 by default.

```python
client = httpx.Client(limits=httpx.Limits(max_connections=10))
response = client.get("https://example.org")
```

| option | default |
| --- | --- |
| verify | true |
| trust_env | false |
"""


def evidence(text: str, source: str = "guide.md", line: int = 1, lines: bool = True) -> Evidence:
    places = tuple(range(line, line + text.count("\n") + 1)) if lines else ()
    return Evidence(source, line, text, 0.5, "Guide", places, hashlib.sha256(text.encode()).hexdigest())


def best(claim: str, *texts: str, count: int = 8) -> tuple[Evidence, ...]:
    return best_passages(claim, [cut(evidence(text, f"{n}.md")) for n, text in enumerate(texts)], count)


@pytest.mark.parametrize(
    ("claim", "line", "words"),
    [
        ("The client waits five seconds.", 3, "waits five seconds"),
        ("Idle connections kept by max_keepalive_connections: 20", 9, "20 by default"),
        ("trust_env is false by default", 19, "| trust_env | false |"),
        ("Limits(max_connections=10)", 12, "httpx.Limits(max_connections=10)"),
    ],
)
def test_the_telling_passage_comes_first_with_its_place(claim: str, line: int, words: str) -> None:
    padding = " ".join(["Nothing of it stands in these words here."] * 30)
    spread = GUIDE.replace("\n\n", f"\n\n{padding}\n\n")
    found = best(claim, spread)[0]
    assert words in found.text
    assert spread.split("\n").index(next(one for one in spread.split("\n") if words in one)) + 1 in found.lines
    plain = best(claim, GUIDE)[0]
    assert words in plain.text
    assert line in plain.lines


def test_a_marker_belongs_to_its_passage() -> None:
    assert [one.text for one in best("second", "- first thing\n- second thing")] == ["- first thing\n- second thing"]
    lists = "- " + "alpha " * 70 + "\n- second thing\n- " + "omega " * 79
    assert best("second", lists)[0].text.endswith("- second thing")
    assert best("omega", lists)[0].text.startswith("- omega")


def test_the_score_is_the_share_of_the_claim_that_is_there() -> None:
    text = "Redirects are followed."
    assert best("Redirects are followed", text)[0].score == pytest.approx(1, abs=0.01)
    assert 0 < best("Redirects are followed quickly", text)[0].score < 1.0
    assert best("Proxies", text) == ()


def test_words_apart_come_together_and_equal_passages_are_shown_once_from_the_better_chunk() -> None:
    text = "The pool has a limit. Nothing else is said. It is one hundred connections."
    found = best("pool limit one hundred connections", text, text)
    assert [(one.source, one.text) for one in found] == [("0.md", text)]
    bare = best_passages("seconds", [cut(evidence("Five seconds.", line=7, lines=False))], 1)[0]
    assert (bare.line, bare.lines) == (7, ())


def test_a_sentence_without_end_is_cut() -> None:
    text = "- " + " ".join(f"word{n}" for n in range(200)) + " needle " + " ".join(f"more{n}" for n in range(200))
    found = best("needle", text)[0]
    assert len(found.text.split()) == WORDS
    assert found.text in text
    assert best("word0 word199", text)[0].text.startswith("- word0 ")
    assert best("more199", text)[0].text.endswith(" more199")


@pytest.mark.parametrize(
    ("claim", "chunks"), [("", [GUIDE]), ("?!", [GUIDE]), ("client", []), ("client", ["", "\n", "—"])]
)
def test_nothing_to_find(claim: str, chunks: list[str]) -> None:
    assert best(claim, *chunks) == ()


lines = st.sampled_from(["", "- item one", "> quoted five", "# Head", "```", "| a | b |", "Five seconds. It waits! And then", "code = five()"])  # fmt: skip  # noqa: E501
markdown = st.lists(lines | st.text(max_size=60), max_size=40).map("\n".join) | st.text(max_size=400)


@settings(max_examples=40, deadline=None)
@given(
    st.text(max_size=60) | st.sampled_from(["five seconds", "item one waits", "code a b"]),
    st.lists(markdown, max_size=3),
)
def test_passages_are_verbatim_apart_and_sorted(claim: str, texts: list[str]) -> None:
    chunks = [cut(evidence(text, f"{n}.md", 10)) for n, text in enumerate(texts)]
    found = best_passages(claim, chunks, 6)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert len({one.text for one in found}) == len(found)
    for one in found:
        chunk = texts[int(one.source.removesuffix(".md"))]
        assert 0 < one.score <= 1
        assert one.text in chunk
        assert len(one.lines) == one.text.count("\n") + 1
        assert one.line == one.lines[0]
        assert "\n".join(chunk.split("\n")[one.lines[0] - 10 : one.lines[-1] - 9]).find(one.text) >= 0
        assert len(one.text.split()) <= WORDS + 20 or len(cut(one).units) == 1


@settings(max_examples=40)
@given(markdown)
def test_units_lie_in_order_and_hold_every_word(text: str) -> None:
    parts = cut(evidence(text)).units
    spans = [(unit.start, unit.end) for unit in parts]
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
    outside = list(text)
    for start, end in spans:
        outside[start:end] = " " * (end - start)
    assert not any(char.isalnum() for char in "".join(outside).replace("```", "")) or "```" in text


def sections(text: str, *turns: tuple[int, str]) -> Cut:
    return cut(replace(evidence(text), turns=turns))


def test_a_passage_has_the_heading_of_its_section() -> None:
    filler = "\n".join(["Nothing of it stands in these words here, nor will it ever."] * 8)
    text = (
        f"# Guide\n\nIt waits.\n{filler}\n\n## Sessions\n\n{filler}\nThe cookie is lax.\n{filler}\n\n## Ends\n\nDone."
    )
    chunk = sections(text, (12, "Guide > Sessions"), (32, "Guide > Ends"))
    found = {claim: best_passages(claim, [chunk], 1)[0] for claim in ("It waits.", "Sessions", "lax cookie", "Done.")}
    assert [one.heading for one in found.values()] == [
        "Guide",
        "Guide > Sessions",
        "Guide > Sessions",
        "Guide > Sessions",
    ]
    assert found["It waits."].turns == ()
    assert found["Done."].turns == ((0, "Guide > Sessions"), (7, "Guide > Ends"))


def test_a_passage_from_the_middle_of_a_table_has_its_header() -> None:
    rows = "".join(f"| option_{n} | {'word ' * 20}| {n} |\n" for n in range(30))
    found = best("The default of option_17 is 17.", f"| option | what it does | default |\n|---|---|---|\n{rows}")[0]
    assert "option_17" in found.text
    assert found.header == "| option | what it does | default |"
    assert best("The client waits five seconds.", GUIDE)[0].header == ""
