import pytest

from gate.text_kinds import answers_shortly, exact, gives, kind_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does it cost?", "amount"),
        ("What is the price of the lamp?", "amount"),
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
