import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.questions import LONGEST, MOST, parts


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How much does it cost?", ["How much does it cost?"]),
        ("How much does it cost, and how long does it take?", ["How much does it cost", "how long does it take?"]),
        ("What are the terms and conditions?", ["What are the terms and conditions?"]),
        ("Where is the office? When is it open?", ["Where is the office?", "Where is the office? When is it open?"]),
        ("My card was stolen. What should I do about it?", ["My card was stolen. What should I do about it?"]),
        ("price of the basic plan", ["price of the basic plan"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_what_is_asked_for(question, found):
    assert list(parts(question)) == found


@given(st.text(max_size=300))
@settings(max_examples=100)
def test_any_text(question):
    assert len(parts(question)) <= MOST
    assert all(part.strip() for part in parts(question))


@pytest.mark.parametrize("run", ["a, and b, and ", "; ", ", and ", "what is it, and how, "])
def test_long_questions_are_quick(run):
    assert len(parts(run * LONGEST)) <= MOST
