"""Questions in other languages ask; those that tell, or that have a reason with them, may be claims."""

import pytest

from gate.extraction.abroad import asks
from gate.extraction.extract import extract


@pytest.mark.parametrize(
    "text",
    [
        "Möchten Sie, dass ich das buche?",
        "Haben Sie noch Fragen?",
        "Kann ich Ihnen sonst noch helfen?",
        "Wie lange gilt die Garantie?",
        "Welchen Tarif nutzen Sie?",
        "Voulez-vous que je réserve ?",
        "Avez-vous d'autres questions ?",
        "Est-ce que cela vous aide ?",
        "¿Quieres saber más?",
        "Vuoi altre informazioni?",
        "Você quer saber mais?",
        "Wilt u meer weten?",
        "Czy chcesz wiedzieć więcej?",
        "Hangi planı kullanıyorsunuz?",
        "Хотите узнать больше?",
        "هل تريد أن أساعدك؟",
        "ما هي الرسوم؟",
        "什么是超时？",
        "何時ですか？",
    ],
)
def test_asks(text: str) -> None:
    assert asks(text)
    assert extract(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Wussten Sie, dass die Gebühr 5 Euro beträgt?",
        "Soll ich buchen, weil die Gebühr nur 5 Euro beträgt?",
        "Die Gebühr beträgt 5 Euro, oder?",
        "Die Gebühr beträgt 5 Euro?",
        "Saviez-vous que c'est gratuit ?",
        "¿Sabía que es gratis?",
        "Wist u dat het gratis is?",
        "Знаете ли вы, что это бесплатно?",
        "هل تعلم أن الرسوم خمسة يورو؟",
        "الرسوم خمسة يورو؟",
    ],
)
def test_tells(text: str) -> None:
    assert not asks(text)
    assert len(extract(text)) == 1
