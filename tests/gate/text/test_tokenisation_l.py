"""Which texts are not in English."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.measures.texts import why_unread
from gate.text.tokenisation import is_foreign

PAIRS = Path(__file__).parents[3] / "benchmarks" / "likeness_pairs.jsonl"


@pytest.mark.parametrize(
    "text",
    [
        "Die Gebühr beträgt 8 Euro pro Monat.",
        "De prijs is 8 euro per maand en wordt elk jaar betaald.",
        "Цена 800 рублей",
        "価格は800円です。",
        "¿Cuánto cuesta el servicio básico?",
        "Quanto costa il piano?",
    ],
)
def test_other_languages(text: str) -> None:
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Rs 800",
        "😀",
        "PATCH /orders/{id}",
        "Open app, tap Cards, choose Freeze, enter PIN",
        "Do you support München, Zürich and São Paulo?",
        "München, Zürich, Köln",
        "def f(x):\n    return x",
        "What does '¿Cuánto cuesta?' mean?",
    ],
)
def test_english_code_names_and_what_is_too_short_to_tell(text: str) -> None:
    assert not is_foreign(text)


def test_written_english() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    assert not [row for row in rows for key in ("question", "answer", "passage") if is_foreign(row[key])]


def test_a_measure_says_which_texts_it_does_not_read() -> None:
    assert why_unread(question="Is it free?", answer="Yes.") == ""
    why = why_unread(question="Was ist der Preis und wie wird er bezahlt?", answer="Das ist leider nicht bekannt.")
    assert why.startswith("the question and the answer are not in English")


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    assert is_foreign(text) in (True, False)
