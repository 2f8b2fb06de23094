from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from gate.measures.given import given

PLAN = "The plan costs Rs 800 a month. It includes 5 GB of storage."
GERMAN = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."


def test_blank_and_repeated_contexts_do_not_count():
    found = given((PLAN, "", " \n", PLAN))
    assert len(found.cuts) == 1
    assert found.unread == 0
    assert given(()).cuts == ()


def test_what_stands_there_word_by_word():
    found = given((PLAN, GERMAN))
    assert found.states("the plan costs rs 800 a month")
    assert found.states(GERMAN)
    assert not found.states("The plan costs Rs 800.")
    assert not found.states("")
    assert found.unread == 1


def test_passages_and_sentences_of_a_matter():
    found = given((PLAN, "Dogs are kept on a lead."))
    assert found.passages("How much storage is included?", 1)[0].text == PLAN
    assert found.sentence("Is there storage?") == "It includes 5 GB of storage."
    assert found.sentence("zebra") == ""
    assert found.passages("zebra", 3) == ()


def test_which_words_are_known():
    found = given((PLAN,))
    assert found.knows("storages")
    assert not found.knows("Tokyo")


def test_contexts_that_are_too_long_are_told(monkeypatch):
    monkeypatch.setattr("gate.measures.given.LONGEST", 100)
    found = given((f"{PLAN} " * 3,))
    assert len(found.cuts[0].chunk.text) == 100
    assert found.unread == 1


@drawn(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=40))
@settings(max_examples=50)
def test_any_text(contexts, claim):
    found = given(contexts)
    assert len(found.passages(claim, 2)) <= 2
    assert found.states(claim) in (True, False)
