from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.measured import case, rated, reading

PLAN = "The Standard plan costs Rs 800 a month. Cancel any time before the next month begins."
FERRY = "Pets travel on deck or in one of the pet cabins."
PRICE = "How much does the Standard plan cost?"
BOTH = "How much does the Standard plan cost and how do I cancel it?"
LAMP = "What are the price, size and weight of the Alva lamp?"
ALL, PART, NONE = "all", "part", "none"
CASES = [
    ("one question", PRICE, "The Standard plan costs Rs 800 a month.", ALL),
    ("in other words", PRICE, "You pay 800 rupees every month.", ALL),
    ("a few words", PRICE, "Rs 800.", ALL),
    ("no amount where one is asked for", PRICE, "The Standard plan has a very good price.", NONE),
    ("something else", PRICE, "Dogs are kept on a lead.", NONE),
    ("nothing", PRICE, "", NONE),
    ("a refusal", PRICE, "I could not find how much the Standard plan costs.", NONE),
    ("both", BOTH, "It is Rs 800 every month. You can cancel it until the next month starts.", ALL),
    ("one of two", BOTH, "The Standard plan costs Rs 800 a month.", PART),
    ("a refusal of one of two", BOTH, "The plan costs Rs 800 a month. I could not find how to cancel it.", PART),
    ("a list of attributes", LAMP, "The Alva lamp is 49 euros. It measures 20 by 30 cm and weighs two kilos.", ALL),
    ("two of three attributes", LAMP, "The Alva lamp costs 49 euros and weighs two kilos.", PART),
    ("things", "Does it support Linux, macOS and Windows?", "It runs on Linux and Windows.", PART),
    ("yes to all", "Does it support Linux, macOS and Windows?", "Yes.", ALL),
    ("how and when", "How and when do I pay?", "Pay by card in the app, at the end of every month.", ALL),
    ("no time where one is asked for", "How long does delivery take?", "Delivery is done by post.", NONE),
    ("a comparison of one side", "What is the difference between the Basic and the Pro plan?",
     "The Pro plan has 50 GB and phone support.", PART),
    ("code", "How do I limit the number of parallel jobs, and what is the default?",
     "```sh\ntallow build --jobs 4\n```\n\nBy default the number of jobs is that of the cores, for example 8.", ALL),
    ("very long", BOTH, "The Standard plan costs Rs 800 a month. " + "Dogs are kept on a lead. " * 100, PART),
    ("beside one of two", "Which ways to pay are there? How long is the warranty?",
     "Your card is reserved when you order. It is cancelled if your transfer is not there after seven days.", PART),
    ("of another matter", "Where do you deliver to? How many hours do staff work per week?",
     "Customers on islands can receive standard parcels only, and should allow two more working days.", NONE),
    ("an amount of another kind", "How many hours do staff work per week?",
     "Customers on islands can receive standard parcels only, and should allow two more working days.", NONE),
    ("a price where hours are asked for", "How many hours are the offices open, and what does a day pass cost?",
     "It is Rs 800.", PART),
    ("the subject stands in the question", "Where are sessions stored?", "They are kept in memory.", ALL),
    ("a definition of it", "What is the Pantry Box?", "It is a parcel of groceries that comes every month.", ALL),
    ("the same of another matter", "Where are sessions stored?", "They expire after two weeks.", NONE),
    ("another subject before it", "Where are sessions stored?", "Dogs like meat. They are kept in kennels.", NONE),
    ("an amount of another kind, near by", PRICE, "The Standard plan includes 5 GB.", NONE),
    ("a time in words", "How long does it take, and can I wait in the shop?",
     "A basic service takes one working day.", PART),
    ("a time and what it is of", "How do I get a refund and how long does it take?",
     "Send the form to get a refund. Refunds take 5 days.", ALL),
    ("the time alone is not the way", "How do I get a refund and how long does it take?",
     "Send the form to get a refund.", PART),
    ("an hour in words", "What time does the store open?", "The store opens at nine.", ALL),
    ("a reason that is told as such", "Why was my account locked?", "Because you entered a wrong password five times.",
     ALL),
    ("a word that might be a verb", "Which HTTP method updates an order?", "PATCH", ALL),
    ("who it is", "Who founded the company?", "Jane Smith.", ALL),
    ("a name", "Who approves expenses, and when are they paid?", "Your team lead approves them.", PART),
]  # fmt: skip


@pytest.mark.parametrize(("question", "answer", "side"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_known_cases(question, answer, side):
    value = rated("completeness", case(question, answer, PLAN)).value
    assert value == 1 if side == ALL else 0.3 <= value <= 0.7 if side == PART else value <= 0.25


def test_what_is_missing_is_named():
    rating = rated("completeness", case(LAMP, "The Alva lamp costs 49 euros and weighs two kilos."))
    assert rating.value == pytest.approx(2 / 3)
    assert '"size"' in rating.why
    assert '"price"' not in rating.why
    assert rating.parts["aspects"] == 3


def test_a_condition_counts_a_little():
    question = "How do I reset my password if I lost access to my e-mail?"
    rating = rated("completeness", case(question, "Reset your password in the settings of the account."))
    assert rating.value == pytest.approx(0.8)
    assert "does not come back" in rating.why
    met = "If you have no access to your e-mail, reset your password with a recovery code."
    assert rated("completeness", case(question, met)).value == 1


def test_a_refusal_where_nothing_speaks_of_the_question_is_no_fault():
    found = reading("completeness", case(PRICE, "I don't have that information.", FERRY))
    assert "declines" in found.skipped["p"]


NEAR_BY = "The Standard plan includes 5 GB of storage. The Basic plan includes 1 GB of storage."
DECLINED = "I don't have that information."


@pytest.mark.parametrize("name", ["completeness", "relevance", "overall"])
def test_a_right_refusal_is_no_fault_and_a_wrong_one_is(name):
    def asked(reference, context):
        one = case(PRICE, DECLINED, context)
        return replace(one, prompt=replace(one.prompt, reference=reference))

    assert "declines, as it should" in reading(name, asked(DECLINED, NEAR_BY)).skipped["p"]
    assert "declines, as it should" in reading(name, asked("It costs Rs 800.", NEAR_BY)).skipped["p"]
    assert rated(name, asked("It costs Rs 800.", PLAN)).value == 0
    assert rated(name, asked(None, PLAN)).value == 0


def test_what_it_does_not_apply_to():
    assert "asks for nothing" in reading("completeness", case("", "It costs Rs 800.")).skipped["p"]
    german = "Der Tarif kostet im Monat 8 Euro und wird nicht im Voraus bezahlt."
    assert "not in English" in reading("completeness", case(PRICE, german)).unjudged["p"]
    assert "not in English" in reading("completeness", case(german, "It costs Rs 800.")).unjudged["p"]


STATEMENTS = [
    "The Alva lamp costs 49 euros.",
    "The Alva lamp measures 20 by 30 cm.",
    "The Alva lamp weighs two kilos.",
    "Dogs are kept on a lead.",
]


@given(st.permutations(STATEMENTS), st.integers(1, 4))
@settings(max_examples=12, deadline=None)
def test_bounds_order_and_growth(order, count):
    one = rated("completeness", case(LAMP, " ".join(order[:count]))).value
    other = rated("completeness", case(LAMP, " ".join(reversed(order[:count])))).value
    whole = rated("completeness", case(LAMP, " ".join(order))).value
    assert one == other
    assert 0 <= one <= whole == 1


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=10, deadline=None)
def test_any_text_is_rated_skipped_or_not_judged(question, answer):
    found = reading("completeness", case(question, answer))
    assert len(found.ratings) + len(found.skipped) + len(found.unjudged) == 1
    assert all(0 <= rating.value <= 1 for rating in found.ratings)
