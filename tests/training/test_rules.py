"""Rule-made changes: what breaks a sentence changes it, what keeps it keeps its numbers and names."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training import rules

SENTENCES = [
    "The server must close the connection after 30 seconds.",
    "If the `max_age` option is set, every reader waits for `lock_file` before it starts.",
    "A client cannot delete more than 1,500 rows, unless AUTOVACUUM is disabled.",
    "Refunds are paid within 14 days by the seller, not by the BANK.",
]


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("seed", range(8))
def test_a_broken_sentence_differs_and_names_its_rule(text: str, seed: int) -> None:
    found = rules.broken(text, ["The `other_name` is used by UPSTREAM only."], random.Random(seed))
    assert found is not None
    kind, changed = found
    assert changed != text
    assert kind in {"number", "negation", "entity", "roles", "opposite", "unit", "duty", "amount"}


def test_a_sentence_without_a_handle_stays_unbroken() -> None:
    assert rules.broken("Hello there", [], random.Random(0)) is None


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("seed", range(8))
def test_keeping_a_sentence_keeps_its_numbers_and_names(text: str, seed: int) -> None:
    kept = rules.kept(text, random.Random(seed))
    assert rules.numbers(kept) == rules.numbers(text)
    assert set(rules.names(text)) <= {*rules.names(kept), "Refunds"} | set(rules.names(kept.lower()))


def test_a_conditional_may_be_turned_round() -> None:
    turned = {rules.kept("If the lock is held, the writer sleeps for a while.", random.Random(s)) for s in range(30)}
    assert any(t.lower().startswith("the writer sleeps for a while if") for t in turned)


@given(st.integers(0, 10**7), st.integers(0, 2**32))
def test_another_number_is_another_of_the_same_form(value: int, seed: int) -> None:
    old = f"{value:,}"
    new = rules.other_number(old, random.Random(seed))
    assert int(new.replace(",", "")) != value
    assert new == (f"{int(new.replace(',', '')):,}" if "," in old else str(int(new)))


@given(st.integers(0, 999), st.integers(0, 99999), st.integers(0, 2**32))
def test_another_decimal_keeps_its_decimals(whole: int, part: int, seed: int) -> None:
    old = f"{whole}.{part:05}"
    new = rules.other_number(old, random.Random(seed))
    assert float(new) != float(old)


def test_number_words_change_too() -> None:
    assert rules.number("it waits three times", random.Random(1)) not in (None, "it waits three times")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("It is not stored.", "It is stored."),
        ("It is stored.", "It is n"),
        ("They don't wait.", "They do wait."),
        ("We can't.", None),
    ],
)
def test_negation_goes_or_comes(text: str, changed: str | None) -> None:
    found = rules.negation(text, random.Random(0))
    assert found is None if changed is None else (found or "").startswith(changed)


def test_roles_are_exchanged() -> None:
    assert rules.roles("Copy `first_name` over `last_name`.", random.Random(0)) == "Copy `last_name` over `first_name`."


def test_renaming_spares_longer_words() -> None:
    assert rules.rename("a name, a surname, name_2", "name", "title") == "a title, a surname, name_2"


@given(st.text(max_size=200), st.integers(0, 2**32))
def test_no_text_makes_a_rule_fail(text: str, seed: int) -> None:
    rng = random.Random(seed)
    rules.kept(text, rng)
    rules.broken(text, ["Some `name` of 3 THINGS."], rng)
