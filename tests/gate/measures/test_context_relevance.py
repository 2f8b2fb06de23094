"""Whether the contexts speak of the question that they were fetched for, whatever the answer makes of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.relevance import FOREIGN, IN_PART
from tests.support.measured import case, rated, reading

PLAN = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."
BILL = "The Standard plan is billed at Rs 800 on the first day of every month."
FERRY = "Pets travel on deck or in one of the pet cabins, which are to be booked ahead. Dogs are kept on a lead."
KIT = "The repair kit contains:\n\n- a pump\n- a hose\n- a valve\n- a gauge"
CLIENT = "Install the client from the package index:\n\n```sh\npip install orders\n```"
FOLDER = "```python\nimport os\nprint(os.getcwd())\n```"
TABLE = "| Plan | Price a month | Storage |\n|---|---|---|\n| Basic | Rs 300 | 1 GB |\n| Standard | Rs 800 | 5 GB |"
GERMAN = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."
PRICE, STORE = "How much does the Standard plan cost?", "How much storage does the Standard plan include?"
IN_KIT, INSTALL = "What is in the repair kit?", "How do I install the client?"
RIGHT, REFUSAL = "The Standard plan costs Rs 800 a month.", "I don't have that information."
ON, HALF, OFF = "on", "half", "off"  # 0.6 and more; between 0.3 and 0.7; 0.4 and less
CASES = [
    ("to the point", PRICE, RIGHT, (PLAN,), ON),
    ("beside the point", PRICE, RIGHT, (FERRY,), OFF),
    ("one of two", PRICE, RIGHT, (PLAN, FERRY), HALF),
    ("two to the point", PRICE, RIGHT, (PLAN, BILL), ON),
    ("two beside the point", PRICE, RIGHT, (FERRY, KIT), OFF),
    ("asked in other words", "What do I pay every month for the Standard plan?", RIGHT, (PLAN,), ON),
    ("an empty answer", PRICE, "", (PLAN,), ON),
    ("an empty answer, beside the point", PRICE, "", (FERRY,), OFF),
    ("a refusal", PRICE, REFUSAL, (PLAN,), ON),
    ("a refusal, beside the point", PRICE, REFUSAL, (FERRY,), OFF),
    ("a number", STORE, "5 GB", (PLAN,), ON),
    ("a number, beside the point", STORE, "5 GB", (FERRY,), OFF),
    ("a list", IN_KIT, "A pump, a hose, a valve and a gauge.", (KIT,), ON),
    ("a list, beside the point", PRICE, RIGHT, (KIT,), OFF),
    ("a table", PRICE, RIGHT, (TABLE,), ON),
    ("code", INSTALL, "Run `pip install orders`.", (CLIENT,), ON),
    ("code, beside the point", PRICE, RIGHT, (FOLDER,), OFF),
    ("an answer that is not English", PRICE, "Er kostet 800 Rupien.", (PLAN,), ON),
    ("very long, the place at its end", PRICE, RIGHT, (f"{FERRY} " * 200 + PLAN,), ON),
    ("very long, beside the point", PRICE, RIGHT, (f"{FERRY} " * 200,), OFF),
    ("a blank one beside it", PRICE, RIGHT, (PLAN, "  "), ON),
    ("a wrong price is to the point", PRICE, RIGHT, (PLAN.replace("800", "2000"),), ON),
]


@pytest.mark.parametrize(
    ("question", "answer", "contexts", "side"), [row[1:] for row in CASES], ids=[r[0] for r in CASES]
)
def test_known_cases(question, answer, contexts, side):
    value = rated("context_relevance", case(question, answer, *contexts)).value
    low, high = {ON: (0.6, 1.0), HALF: (0.3, 0.7), OFF: (0.0, 0.4)}[side]
    assert low <= value <= high


def test_contexts_that_are_not_there_or_cannot_be_read():
    assert "no context" in reading("context_relevance", case(PRICE, RIGHT)).skipped["p"]
    assert "no context" in reading("context_relevance", case(PRICE, RIGHT, "", "  ")).skipped["p"]
    assert "not in English" in reading("context_relevance", case(GERMAN, RIGHT, PLAN)).unjudged["p"]
    assert reading("context_relevance", case(PRICE, "It costs.", GERMAN)).unjudged == {"p": FOREIGN}
    found = reading("context_relevance", case(PRICE, "It costs.", GERMAN, PLAN))
    assert "another language or too long" in found.ratings[0].why
    assert found.unjudged == {"p": IN_PART}


def test_the_one_that_speaks_least_of_it_is_named():
    rating = rated("context_relevance", case(PRICE, RIGHT, PLAN, FERRY))
    assert rating.why.startswith("1 of 2 contexts speak of the question")
    assert "Pets travel on deck" in rating.why
    assert rating.parts["relevant"] == 0.5
    assert rating.parts["best"] >= 0.8


def test_a_question_that_leans_on_an_earlier_one_is_read_alone():
    """The limit that docs/explanation/measures.md tells, with its two figures."""
    leans, whole = (
        rated("context_relevance", case(question, RIGHT, PLAN)).value
        for question in ("What is included in it?", "What is included in the Standard plan?")
    )
    assert (leans, whole) == (pytest.approx(0.49, abs=0.02), pytest.approx(0.87, abs=0.02))


@given(st.permutations([PLAN, FERRY, KIT, CLIENT]), st.integers(1, 4))
@settings(max_examples=10, deadline=None)
def test_bounds_and_order(order, count):
    one = rated("context_relevance", case(PRICE, RIGHT, *order[:count]))
    other = rated("context_relevance", case(PRICE, RIGHT, *reversed(order[:count])))
    assert 0 <= one.value <= one.parts["best"] <= 1
    assert one.value == pytest.approx(other.value, abs=1e-6)
