from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.contexts import cut_contexts
from tests.support.measured import Said

PLAN = "The plan costs Rs 800 a month. It includes 5 GB of storage."
GERMAN = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."


def test_blank_and_repeated_contexts_do_not_count():
    found = cut_contexts((PLAN, "", " \n", PLAN))
    assert len(found.cuts) == 1
    assert found.unread == 0
    assert cut_contexts(()).cuts == ()


def test_what_stands_there_word_by_word():
    found = cut_contexts((PLAN, GERMAN))
    assert found.states("the plan costs rs 800 a month")
    assert found.states(GERMAN)
    assert not found.states("The plan costs Rs 800.")
    assert not found.states("")
    assert found.unread == 1


def test_passages_and_sentences_of_a_matter():
    found = cut_contexts((PLAN, "Dogs are kept on a lead."))
    assert found.passages("How much storage is included?", 1)[0].text == PLAN
    assert found.sentence("Is there storage?") == "It includes 5 GB of storage."
    assert found.sentence("zebra") == ""
    assert found.passages("zebra", 3) == ()


def test_a_claim_that_leans_on_its_answer_is_sought_with_its_context():
    found = cut_contexts((PLAN, "Dogs are kept on a lead."))
    assert found.passages_of(Said("No.", ""), 2) == ()
    assert found.passages_of(Said("No.", "Is storage included?"), 2)[0].text == PLAN


def test_contexts_that_are_too_long_are_told(monkeypatch):
    monkeypatch.setattr("gate.measures.contexts.LONGEST", 100)
    found = cut_contexts((f"{PLAN} " * 3,))
    assert len(found.cuts[0].chunk.text) == 100
    assert found.unread == 1


@given(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=40))
@settings(max_examples=50)
def test_any_text(contexts, claim):
    found = cut_contexts(contexts)
    assert len(found.passages(claim, 2)) <= 2
    assert found.states(claim) in (True, False)
