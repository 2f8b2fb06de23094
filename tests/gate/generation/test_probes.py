"""Probes vary a prompt and nothing else: never its numbers, names and code, never the prompt as it stands."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.probes import (
    LONGEST,
    PARAPHRASES,
    ProbeInputs,
    case,
    contradicted,
    distracted,
    make_probes,
    paraphrases,
    reordered,
    typos,
)
from gate.measures.summary import plans
from gate.records import Prompt

QUESTIONS = [
    "How long does the Eco programme take?",
    "What happens if the tank is empty (in “Pump”)?",
    "With regard to Safety: is it possible or allowed to wash down pillows in this machine?",
    "What is the default for `follow_redirects`?",
    "Please tell me how many users the free plan of acme.io holds.",
    "Wie lange gilt die Garantie?",
    "价格是多少？",
    'What does the option "dry run" do with /etc/gate.toml?',
    "Which status code does PATCH /users/{id} return?",
]
FIXED = re.compile(r"`[^`]+`|\"[^\"]+\"|\S*[\d_/{}]\S*\w|HTTPX")


def every(prompt, given):
    return [probe for name in plans() for probe in make_probes(name, prompt, given)]


def given_to(question, seed=0):
    return ProbeInputs((f"{question} It is 5 minutes.", "The pump is green."), ("Cats sleep on warm roofs.",), seed)


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_fixed_stays_in_every_probe(question):
    for probe in every(Prompt("p", question), given_to(question)):
        assert all(fixed in probe.question for fixed in FIXED.findall(question)), probe


@given(st.text(max_size=60), st.lists(st.text(max_size=40), max_size=3), st.integers(0, 3))
def test_no_probe_is_its_prompt_and_each_says_whose_it_is(question, contexts, seed):
    prompt = Prompt("p", question, contexts=tuple(contexts), reference="r")
    given = ProbeInputs(tuple(contexts), ("Cats sleep.",), seed)
    made = every(prompt, given)
    assert len({probe.id for probe in made}) == len(made)
    for probe in made:
        name, _, kind = probe.probe.partition(":")
        assert (probe.of, probe.reference, probe.id) == ("p", "r", f"p~{probe.probe.replace(':', '-')}")
        assert (probe.question, probe.contexts) != (question, tuple(contexts))
        assert kind in plans()[name].kinds


@given(st.sampled_from(QUESTIONS), st.integers(0, 99))
def test_typos_swap_letters_within_words_and_keep_all_of_them(question, seed):
    varied = typos(question, seed)
    if varied is None:
        return
    pairs = [(a, b) for a, b in zip(question.split(), varied.split(), strict=True) if a != b]
    assert 1 <= len(pairs) <= 3
    for before, after in pairs:
        assert sorted(before) == sorted(after)
        assert (before[0], before[-1]) == (after[0], after[-1])


@pytest.mark.parametrize(
    ("question", "varied"),
    [
        ("How long is Eco?", "how long is eco?"),
        ("how long is it?", "HOW LONG IS IT?"),
        ("Does `Client` use HTTPX?", "does `Client` use HTTPX?"),
        ("价格是多少？", None),
    ],
)
def test_case_changes_what_has_no_case_of_its_own(question, varied):
    assert case(question) == varied


GERMAN = "Wie lange gilt die Garantie für meine neue Waschmaschine?"


@pytest.mark.parametrize(
    ("question", "varied"),
    [
        ("If the tank is empty, what happens then?", "What happens then, if the tank is empty?"),
        ("How long does it take, if I pay by card?", "If I pay by card, how long does it take?"),
        ("What is it for?", None),
        ("Is it red, is it green, is it blue?", None),
        ("", None),
    ],
)
def test_two_halves_change_places_where_one_comma_stands_between_them(question, varied):
    assert reordered(question) == varied


@pytest.mark.parametrize("question", QUESTIONS[:5])
def test_a_question_is_asked_in_other_words_and_stands_in_them_whole(question):
    found = paraphrases(question)
    assert len(set(found)) == PARAPHRASES
    assert all(question in one and one != question for one in found)


@pytest.mark.parametrize("question", ["", GERMAN, "x" * (LONGEST + 1)])
def test_a_question_that_is_too_long_or_not_english_has_no_paraphrase(question):
    assert paraphrases(question) == []


def test_what_a_model_wrote_comes_before_the_templates():
    given = ProbeInputs((), (), 0, ("In which way is it paid?",))
    made = make_probes("consistency", Prompt("p", "How do I pay?"), given)
    assert [probe.question for probe in made] == ["In which way is it paid?", paraphrases("How do I pay?")[0]]


ECO = "The Eco programme takes 3 hours and 20 minutes. The Quick programme takes 28 minutes."
LOCK = "The child lock is off by default. Do not wash down pillows in this machine."
SHOP = "Items can be returned within 30 days. Damage from hard water is excluded."


@pytest.mark.parametrize(
    ("question", "reference", "context", "turned"),
    [
        ("How long does the Eco programme take?", None, ECO, "takes 5 hours and 20 minutes. The Quick"),
        ("Is the child lock on by default?", None, LOCK, "It is not true that the child lock is off"),
        ("Within how many days can items be returned?", None, SHOP, "can be returned within 45 days"),
        ("Is it covered?", "Damage from hard water is excluded.", SHOP, "days. It is not true that Damage"),
        ("What is the share of water?", None, "The share of water is 90%.", "is 55%"),
        ("How long is the warranty?", None, "The warranty lasts two years.", "not true that the warranty lasts two"),
    ],
)  # fmt: skip
def test_what_bears_on_the_question_says_something_else(question, reference, context, turned):
    found = contradicted(question, reference, ["Cats sleep on warm roofs.", context])
    assert found is not None
    assert turned in found[1]
    assert found[0] == "Cats sleep on warm roofs."


@pytest.mark.parametrize(
    ("question", "contexts"),
    [
        ("Who is the director?", [ECO]),
        ("How long?", []),
        ("", [ECO]),
    ],
)
def test_what_has_nothing_to_do_with_the_question_is_left(question, contexts):
    assert contradicted(question, None, contexts) is None


@given(st.text(max_size=40), st.none() | st.text(max_size=40), st.lists(st.text(max_size=80), max_size=3))
def test_what_is_turned_has_as_many_passages_and_is_not_what_it_was(question, reference, contexts):
    found = contradicted(question, reference, contexts)
    assert found is None or (len(found) == len(contexts) and found != tuple(contexts))


@given(st.lists(st.text(max_size=20), max_size=3), st.lists(st.text(max_size=20), max_size=3), st.integers(0, 9))
def test_a_distractor_is_one_more_passage_that_was_not_there(contexts, foreign, seed):
    found = distracted("How long does the Eco programme take?", contexts, foreign, seed)
    if found is not None:
        (new,) = [text for text in found if text not in contexts]
        assert [text for text in found if text != new] == contexts
