import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.measures.language import unread, why_unread

PAIRS = Path(__file__).parents[3] / "benchmarks" / "likeness_pairs.jsonl"


@pytest.mark.parametrize(
    "text",
    [
        "Die Gebühr beträgt 8 Euro pro Monat.",
        "Le prix est de 8 euros.",
        "La cuota es de 8 euros al mes.",
        "Il prezzo è di 8 euro.",
        "De prijs is 8 euro per maand en wordt elk jaar betaald.",
        "A opłata wynosi 8 euro miesięcznie",
        "Aapka refund teen din mein aa jayega",
        "Цена 800 рублей",
        "価格は800円です。",
        "السعر ثمانية يورو",
        "¿Cuánto cuesta el servicio básico?",
        "¿Tiene garantía?",
        "Combien coûte le forfait ?",
        "Quand ouvrez-vous ?",
        "Was kostet die Karte?",
        "Quanto costa il piano?",
        "Hoeveel kost het?",
        "Das kostet 800 Euro.",
    ],
)
def test_other_languages(text):
    assert unread(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Rs 800",
        "Paris",
        "😀",
        "PATCH /orders/{id}",
        "Open app, tap Cards, choose Freeze, enter PIN",
        "Do you support München, Zürich and São Paulo?",
        "München, Zürich, Köln",
        "It is die-cast and made in Den Haag.",
        "pip install httpx",
        "def f(x):\n    return x",
        "What does 'la dolce vita' mean?",
        "What does '¿Cuánto cuesta?' mean?",
        "Café au lait, crème",
        "El Niño",
    ],
)
def test_english_code_names_and_what_is_too_short_to_tell(text):
    assert not unread(text)


def test_written_english():
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    assert not [row for row in rows for key in ("question", "answer", "passage") if unread(row[key])]


def test_why():
    assert why_unread(question="Is it free?", answer="Yes.") == ""
    told = why_unread(question="Was ist der Preis?", answer="Das ist nicht bekannt.")
    assert told.startswith("the question and the answer are not in English")


@given(st.text(max_size=200))
def test_any_text(text):
    assert unread(text) in (True, False)
