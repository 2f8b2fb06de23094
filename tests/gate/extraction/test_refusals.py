"""Refusals in other languages: they are no claims, and nothing else is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.refusals import declined

REFUSALS = """Dazu habe ich keine Informationen.
Tut mir leid, dazu kann ich leider nichts sagen.
Zu dieser Frage finde ich in den Unterlagen keine Angaben.
Ich habe leider keine genauen Angaben über den Fahrplan am Sonntag.
Das weiß ich leider nicht.
Ich weiß es nicht.
Ich kann diese Frage leider nicht beantworten.
Die vorliegenden Dokumente enthalten keine Informationen zu Öffnungszeiten.
Leider sagt die Dokumentation darüber nichts.
Je ne sais pas.
Désolé, je n'ai pas d'informations à ce sujet.
Je ne dispose malheureusement d'aucune donnée.
Malheureusement, nous n’avons aucune information sur les horaires.
Je ne peux pas répondre à cette question.
Les documents fournis ne contiennent aucun détail concernant les tarifs.
No lo sé.
Lo siento, pero no tengo información sobre los horarios.
No dispongo de datos al respecto.
No puedo responder a esa pregunta.
La documentación no dice nada acerca de los precios."""
CLAIMS = """Dazu habe ich keine Informationen, aber die Gebühr beträgt zehn Euro.
Ich habe keine Angaben zu Gebühren und der Eintritt ist frei.
Die Dokumente enthalten keine Gebühren.
Ich weiß nicht mehr als 5 Regeln.
Wir haben keine Gebühren.
Nous n'avons pas de limite.
Je ne sais pas pourquoi le serveur efface tout.
Je n'ai pas d'informations sur les tarifs mais le musée est gratuit.
No tenemos límite de tamaño.
No tengo información sobre tarifas pero el museo es gratis.
No sé si es gratis."""


@pytest.mark.parametrize("text", REFUSALS.splitlines())
def test_a_refusal_is_no_claim(text: str) -> None:
    assert extract(text) == []


@pytest.mark.parametrize("text", CLAIMS.splitlines())
def test_what_says_more_stays_a_claim(text: str) -> None:
    assert extract(text)


@given(
    st.lists(
        st.sampled_from(
            [
                "leider",
                "ich",
                "habe",
                "keine",
                "informationen",
                "zu",
                "über",
                "no",
                "tengo",
                "y",
                ",",
                "je",
                "ne",
                "sais",
                "pas",
            ]
        )
    )
)
def test_any_words_can_be_read(words: list[str]) -> None:
    assert declined(" ".join(words)) in (True, False)


@pytest.mark.parametrize("unit", ["leider ", "no lo sé ", "dazu ", "ich habe keine informationen zu "])
def test_long_and_hostile_texts_end(unit: str) -> None:
    assert not declined(unit * (10_000 // len(unit)))
