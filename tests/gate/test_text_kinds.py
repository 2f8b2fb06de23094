import pytest

from gate.text_kinds import answers_shortly, exact, fits, gives, kind_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does it cost?", "amount"),
        ("What is the price of the lamp?", "amount"),
        ("What does a day pass cost?", "amount"),
        ("What is the daily limit?", "amount"),
        ("How long does it take?", "time"),
        ("when do I pay", "time"),
        ("What time does it open?", "time"),
        ("Who signs?", "person"),
        ("Why was it refused?", "reason"),
        ("How do I reset it?", "method"),
        ("Is it free?", "choice"),
        ("Which flag prints JSON?", "thing"),
        ("the price", "thing"),
        ("", "thing"),
    ],
)
def test_what_a_question_wants(question, kind):
    assert kind_of(question) == kind


@pytest.mark.parametrize(
    ("kind", "text", "given"),
    [
        ("amount", "It costs Rs 800.", True),
        ("amount", "It is free of charge.", True),
        ("amount", "Two pieces are included.", True),
        ("amount", "It has a good price.", False),
        ("time", "Within three days.", True),
        ("time", "On 4 May 2024.", True),
        ("time", "It opens at 9:30.", True),
        ("time", "In 1999 it was founded.", True),
        ("time", "Immediately.", True),
        ("time", "It is sent by post.", False),
        ("reason", "It came in too late, because the post was slow.", True),
        ("reason", "It was refused.", False),
        ("thing", "Anything.", True),
    ],
)
def test_whether_a_text_gives_it(kind, text, given):
    assert gives(kind, text) is given


def test_figures_are_exact():
    assert exact("amount", "It costs Rs 800.")
    assert not exact("amount", "It is free.")
    assert exact("time", "It takes 3 days.")
    assert not exact("thing", "It takes 3 days.")


@pytest.mark.parametrize(
    "text",
    ["One working day.", "5-7 business days", "In half an hour.", "It takes a week.", "It opens at nine.", "At 9.",
     "Nine o'clock", "Version 2 came out in March 2020.", "1999", "In 2020 it was sold.", "Sept. 2021"],
)  # fmt: skip
def test_times_as_people_write_them_are_exact(text):
    assert exact("time", text)


@pytest.mark.parametrize(
    "text", ["2048 MB", "It runs on 2 servers.", "A dozen users", "Look at one of them.", "Rs 800"]
)
def test_what_is_no_time(text):
    assert not exact("time", text)


@pytest.mark.parametrize(
    ("question", "text", "fit"),
    [
        ("How many hours do staff work per week?", "They work 38 hours.", True),
        ("How many hours do staff work per week?", "It is a 38-hour week.", True),
        ("How many hours do staff work per week?", "Allow two more working days.", False),
        ("How many hours do staff work per week?", "They work 38.", True),
        ("How many days of leave do I get?", "It is 25 working days.", True),
        ("How many days of leave do I get?", "Two more forms are needed.", False),
        ("How many days of leave do I get?", "It is paid with Rs 800.", False),
        ("How many working days does it take?", "It is done in two weeks.", True),
        ("How many items may I return without a fee?", "Up to 12 pieces.", True),
        ("How many items may I return without a fee?", "Within 14 days.", False),
        ("How many GB are included?", "It has 5 GB.", True),
        ("What does it cost?", "It is 800 taka.", True),
        ("What does it cost?", "It is Rs 800.", True),
        ("What does it cost?", "It is 2 % of the sum.", True),
        ("What does it cost?", "It is 800.", True),
        ("What does it cost?", "It takes three days.", False),
        ("What percentage of the price is refunded?", "It is 80 percent.", True),
        ("What percentage of the price is refunded?", "It is Rs 800.", False),
        ("What is the weight of the lamp?", "It has 2 kg.", True),
        ("How much does the lamp weigh?", "It has 30 cm.", False),
        ("How far does it reach?", "It is 3 km.", True),
        ("What is the width of the lamp?", "It has 2 kg.", False),
        ("How large may a file be?", "It is 10 MB.", True),
        ("What is the daily limit?", "Two.", True),
    ],
)
def test_an_amount_is_of_the_kind_that_is_named(question, text, fit):
    assert fits(question, text) is fit


@pytest.mark.parametrize(
    ("kind", "text", "answers"),
    [
        ("choice", "Yes.", True),
        ("choice", "No, never", True),
        ("choice", "Bananas", False),
        ("amount", "Rs 800", True),
        ("amount", "tomorrow", False),
        ("time", "in March", True),
        ("thing", "Rs 800", False),
    ],
)
def test_a_few_words(kind, text, answers):
    assert answers_shortly(kind, text) is answers
