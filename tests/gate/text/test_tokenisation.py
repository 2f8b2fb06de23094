"""Tokens, content words, identifiers and stems; which texts are not in English."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text import identifiers, parts, stem, words
from gate.text.tokenisation import is_foreign

PAIRS = Path(__file__).parents[3] / "benchmarks" / "likeness_pairs.jsonl"


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
