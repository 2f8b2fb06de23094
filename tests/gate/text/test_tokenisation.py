"""Sentences of prose and Markdown; tokens, content words, identifiers and stems; which texts are not in English."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import identifiers, parts, sentences, stem, words
from gate.text.tokenisation import is_foreign

PAIRS = Path(__file__).parents[3] / "benchmarks" / "likeness_pairs.jsonl"


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5.50 a day, e.g. for Dr. Smith vs. Mr. Jones.",
        "See https://a.b/c.html?x=1.2 for version 1.2.3, or `a. B. C`.",
        "J. Doe of the U.S. Army wrote approx. 3.5 pages in zone C.",
        "Version 2 came out on Jan. 5, 2024, and version 3 on Sept. 30.",
        "The shop is open Mon. 9 to 5, and Sat. 10 a.m. to 2 p.m.",
        "The pump (see page 4.) starts at noon.",
        "It is open until 5 p.m. Monday to Friday.",
        "It is open from 9 a.m. to 5 p.m. (Mon to Fri).",
    ],
)
def test_a_full_stop_need_not_end_a_sentence(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You can't. It won’t. Ask.", ["You can't.", "It won’t.", "Ask."]),
        ('"Stop." He left!', ['"Stop."', "He left!"]),
        ("Is it? Yes! fine", ["Is it?", "Yes!", "fine"]),
        ("你好。世界很大！是吗？", ["你好。", "世界很大！", "是吗？"]),
        ("Done. <!-- a note --> It goes on.", ["Done.", "<!-- a note -->", "It goes on."]),
        ("It opens at 9 a.m. Doors close at 10 p.m. Tea is free.",
         ["It opens at 9 a.m.", "Doors close at 10 p.m.", "Tea is free."]),
        ("Oats keep for 30 d. Rye is within 100 m. Bran lasts 5 h.",
         ["Oats keep for 30 d.", "Rye is within 100 m.", "Bran lasts 5 h."]),
        ("Name: x\nPlace: y", ["Name: x", "Place: y"]),
        ("Take red | green | blue. Each is new.", ["Take red | green | blue.", "Each is new."]),
    ],
)  # fmt: skip
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_a_row_and_an_option_of_a_program_are_one() -> None:
    text = "| a | One. Two. |\n\n```\n--add <A B>...\n        Adds it. Twice.\nOne. Two.\n```"
    assert cut(text) == ["| a | One. Two. |", "--add <A B>...\n        Adds it. Twice.", "One.", "Two."]


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n-`*|#>~\"'(]é。"), max_size=120))
def test_spans_are_in_order_and_lose_no_letter(text: str) -> None:
    spans = sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
    inside = "".join(text[start:end] for start, end in spans)
    fences = sum(line.lstrip("> \t").startswith(("```", "~~~")) for line in text.splitlines())
    markers = sum(c in "aB1" for c in text) - sum(c in "aB1" for c in inside)
    assert markers == 0 or fences or any(c in "1aB" for line in text.splitlines() for c in line.strip(" >")[:3])


@pytest.mark.parametrize(
    "hostile", ["`", "a`", "[", "*a ", ".", "- ", "> ", "\n", "```\n~~~\n", "|", "A. ", "<!--", "1)"]
)
def test_hostile_repetition_comes_to_an_end(hostile: str) -> None:
    text = hostile * (40_000 // len(hostile))
    assert all(start < end for start, end in sentences(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pass `follow=True` to tool.Client().", ["pass", "follow=true", "tool.client"]),
        ("--flag -v ./run.sh /etc/app.conf", ["--flag", "-v", "./run.sh", "/etc/app.conf"]),
        ("utf-8, v1.2.3 and C++", ["utf-8", "v1.2.3", "c++"]),
        ("It doesn't, cannot, won't", ["not", "not", "not"]),
        ("never only all must", ["never", "only", "all", "must"]),
        ("退款政策", ["退款", "款政", "政策"]),
    ],
)
def test_words_that_carry_content(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_parts_of_identifiers() -> None:
    assert parts("follow_redirects=True") == ["follow", "redirects", "true"]
    assert parts("HTTPTransport2") == ["http", "transport", "2"]


def test_identifiers_are_told_from_words() -> None:
    text = "Use HTTPTransport, `retries=1`, --force, HTTP/2 and app.py, e.g. a well-known and/or new one. GET it."
    assert identifiers(text) == ["HTTPTransport", "retries=1", "--force", "HTTP/2", "app.py", "GET"]


@pytest.mark.parametrize(
    "family",
    [
        "cache caches cached caching",
        "policy policies",
        "add adds added adding",
    ],
)
def test_a_family_has_one_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("a", "b"), [("policy", "police"), ("use", "us"), ("port", "portal"), ("generate", "general"), ("on", "only")]
)
def test_strangers_stay_apart(a: str, b: str) -> None:
    assert stem(a) != stem(b)


@pytest.mark.parametrize("word", ["a_b", "http2", "is", "größe", "x" * 50, "", "HTTP"])
def test_what_is_no_plain_word_stays(word: str) -> None:
    assert stem(word) == word


def test_threads_do_not_share_a_stemmer() -> None:
    made = [f"{a}{b}{c}nnings" for a in "bcdfghjk" for b in "aeiou" for c in "lmnprst"]
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(stem.__wrapped__, made))
    finally:
        sys.setswitchinterval(often)
    assert found == [stem(word) for word in made]


@given(st.from_regex(r"[a-z]{3,12}", fullmatch=True))
def test_a_stem_is_a_beginning_of_about_the_word(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word) + 1
    assert stem(word)[0] == word[0]


@pytest.mark.parametrize(
    "text",
    [
        "Die Gebühr beträgt 8 Euro pro Monat.",
        "Цена 800 рублей",
        "価格は800円です。",
        "¿Cuánto cuesta el servicio básico?",
    ],
)
def test_other_languages(text: str) -> None:
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Rs 800",
        "PATCH /orders/{id}",
        "Open app, tap Cards, choose Freeze, enter PIN",
        "Do you support München, Zürich and São Paulo?",
        "def f(x):\n    return x",
        "What does '¿Cuánto cuesta?' mean?",
    ],
)
def test_english_code_names_and_what_is_too_short_to_tell(text: str) -> None:
    assert not is_foreign(text)


def test_written_english() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    assert not [row for row in rows for key in ("question", "answer", "passage") if is_foreign(row[key])]
