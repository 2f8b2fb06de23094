"""Statements that stand alone: discourse off, pronouns replaced only where that is safe."""

import pytest

from gate.extraction.context import Subject, carried_on, foreign, named_in, resolve, subject_of
from gate.extraction.polar import asked_for, claimed, declared, head


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The client pools connections.", "The client"),
        ("A `Client` is open.", "the `Client`"),
        ("Refunds are paid.", "Refunds"),
        ("It is open.", ""),
        ("You can call it.", ""),
        ("Pass `x` to the client.", ""),
        ("Something like this is open.", ""),
        ("What the client does is open.", ""),
    ],
)
def test_subjects(text: str, subject: str) -> None:
    assert subject_of(text).text == subject


def test_the_verb_shows_the_number() -> None:
    assert subject_of("Refunds are paid.") == Subject("Refunds", plural=True)
    assert subject_of("A list of refunds names the client.") == Subject("the list of refunds")
    assert subject_of("The price of the refunds can change.") == Subject("The price of the refunds")
    assert subject_of("The client cost 5 euros.") == Subject("The client")
    assert subject_of("HTTPS is on.") == Subject("HTTPS")
    assert subject_of("The limits can change.") == Subject("The limits", plural=True)


@pytest.mark.parametrize(
    ("text", "antecedent", "expected"),
    [
        ("It also drops the header.", "The client", "The client also drops the header."),
        ("It's open.", "the `Client`", "The `Client` is open."),
        ("Its default is 5.", "The client", "The client's default is 5."),
        ("They are paid.", "Refunds", "Refunds are paid."),
        ("Then, it drops the header.", "The client", "Then, the client drops the header."),
        ("Finally it's sent.", "`Client`", "Finally `Client` is sent."),
        ("It's been open since May.", "The client", "The client has been open since May."),
        ("Its default is 5.", "The client for tests", "The client's default is 5."),
        ("They've been paid.", "Refunds", "Refunds have been paid."),
        ("He paid.", "The client", "He paid."),
        ("They are paid.", "The client", "They are paid."),
        ("It is open.", "Refunds", "It is open."),
        ("It is possible to stay.", "The client", "It is possible to stay."),
        ("It's enough that the lid is shut.", "The client", "It's enough that the lid is shut."),
        ("It's a large country.", "The fee", "It's a large country."),
        ("It is open.", "", "It is open."),
        ("It is due at once.", "The tenant", "It is due at once."),
        ("It is cut short.", "The client", "The client is cut short."),
        ("Italy is open.", "The client", "Italy is open."),
    ],
)
def test_pronouns(text: str, antecedent: str, expected: str) -> None:
    assert resolve(text, Subject(antecedent, antecedent == "Refunds")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A crew of nine keeps the mill open.", "The old mill"),
        ("A crew of nine is paid.", "the crew of nine"),
        ("The crew keeps the mill open.", "The crew"),
        ("You can visit.", ""),
    ],
)
def test_a_newcomer_does_not_take_the_pronoun_from_what_is_talked_about(text: str, expected: str) -> None:
    assert carried_on(Subject("The old mill"), text).text == expected


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("Ada Smith was born in Ghent.", "She paid the fee.", "Ada Smith paid the fee."),
        ("Ada Smith was born in Ghent.", "Her fee was paid.", "Ada Smith's fee was paid."),
        ("Ada Smith is the CEO.", "She joined in May.", "Ada Smith joined in May."),
        ("The tenant must give notice.", "He pays until then.", "The tenant pays until then."),
        ("The tenant tells the landlord.", "He pays until then.", "He pays until then."),
        ("The tenant tells Bob.", "He pays until then.", "He pays until then."),
        ("Acme hired Bob.", "He paid the fee.", "He paid the fee."),
        ("Acme was bought by Bob.", "He paid the fee.", "He paid the fee."),
        ("The bank is in Ghent.", "He paid the fee.", "He paid the fee."),
    ],
)
def test_he_and_she_are_who_is_named_alone(before: str, text: str, expected: str) -> None:
    assert resolve(text, subject_of(before)) == expected


def test_foreign_text_is_not_read_by_english_grammar() -> None:
    assert foreign("周日休息。")
    assert foreign("Sie können jederzeit kündigen.")
    assert not foreign("You can cancel at any time.")
    assert not foreign("5 euros")


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Yes, it does. So there", "So there"),
        ("No refunds are given.", "No refunds are given."),
        ("Not by default: set it.", "set it."),
        ("Right now it is open.", "Right now it is open."),
        ("It can, if asked.", "It can, if asked."),
        ("**Yes.** It is open", "It is open"),
    ],
)
def test_yes_and_no_in_front(text: str, rest: str) -> None:
    stripped = text.lstrip("*")
    assert stripped[head(stripped) :] == rest


@pytest.mark.parametrize(
    ("question", "said", "expected"),
    [
        ("Can I give the client a longer timeout?", "Yes.", "you can give the client a longer timeout."),
        ("Will my card be charged?", "No", "your card will not be charged."),
        ("Do they answer within a day?", "Yes", "they answer within a day."),
        ("Did the firm raise prices?", "It didn't.", "the firm did not raise prices."),
        ("Is the pool open?", "Yes.", ""),
        ("Does it use A or B?", "Yes.", ""),
        ("Does the request limit apply to guests?", "No.", ""),
        ("Why is it open?", "Yes.", ""),
        ("Does it scale?", "Not by default.", ""),
    ],
)
def test_a_question_as_a_statement(question: str, said: str, expected: str) -> None:
    assert declared(question, said) == expected


def test_a_bare_yes_is_never_lost_unless_it_is_said_again() -> None:
    assert claimed("Yes.", "Is the pool open?", "") == "Is the pool open? Yes."
    assert claimed("Yes.", "", "") == "Yes."
    assert claimed("Yes.", "Is the pool open?", "The pool is open until 10.") == ""
    assert claimed("Sure!", "Tell me about it.", "") == ""


def test_the_last_question_counts() -> None:
    assert asked_for("It fails with x.y. Why? Can I stop it?") == "Can I stop it?"
    assert asked_for("Opening hours") == "Opening hours"
    assert len(asked_for("x" * 900 + "?")) <= 300


def test_figures_and_units_are_of_no_language() -> None:
    assert not foreign("Power: 230 V, 50 Hz")
    assert not foreign("Express: 1-2 business days, $14.99")
    assert foreign("Sí, puede cancelar en 14 días.")


def test_what_a_clause_names() -> None:
    assert named_in("guide dogs are in.") == "guide dogs"
    assert named_in("they are in.") == ""
    assert named_in("Shut it.") == ""


def test_an_amount_owns_nothing() -> None:
    assert resolve("Its three members decide.", subject_of("The deposit is 15 crowns.")) == "Its three members decide."
    assert resolve("It is paid back.", subject_of("The deposit is 15 crowns.")) == "The deposit is paid back."
    assert resolve("Its lid is red.", subject_of("The tank is dry.")) == "The tank's lid is red."


def test_code_and_small_words_tell_the_language() -> None:
    assert not foreign("Yes, within 9 days, using `mill sacks reopen SACK`.")
    assert foreign("Ja, innerhalb von 9 Tagen, mit `mill sacks reopen SACK`.")


def test_a_name_behind_words_of_place_keeps_its_case() -> None:
    assert (
        resolve("By default they're kept.", Subject("spare sacks", plural=True)) == "By default spare sacks are kept."
    )
    assert resolve("They're kept.", Subject("spare sacks", plural=True)) == "Spare sacks are kept."


def test_a_default_is_that_of_the_option_before_it() -> None:
    option = subject_of("`stone.speed` sets how fast it turns.")
    assert resolve("The default is `5`.", option) == "The default of `stone.speed` is `5`."
    assert resolve("The default is to wait.", option) == "The default is to wait."
    call = subject_of("`grind()` waits for the stone.")
    assert resolve("The default is 5 seconds.", call) == "The default is 5 seconds."


def test_code_is_of_a_kind() -> None:
    raised = subject_of("`StoneError` is raised.")
    assert resolve("It's a subclass of `MillError`.", raised) == "`StoneError` is a subclass of `MillError`."
    assert resolve("It's a good idea to catch it.", raised) == "It's a good idea to catch it."
    day = subject_of("The lid is red.")
    assert resolve("It is a Monday.", day) == "It is a Monday."
