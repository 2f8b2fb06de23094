"""Probes vary a prompt and nothing else: never its numbers, names and code, never the prompt as it stands."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.probes import probes
from gate.generation.probes_words import LONGEST, PARAPHRASES, case, paraphrases, politeness, reordered, typos
from gate.measures.base import Given
from gate.measures.table import plans
from gate.records import Prompt

QUESTIONS = [
    "How long does the Eco programme take?",
    "What does E18 mean?",
    "What happens if the tank is empty (in “Pump”)?",
    "With regard to Safety: is it possible or allowed to wash down pillows in this machine?",
    "What is the default for `follow_redirects`?",
    "How do I set a timeout of 2.5 seconds in HTTPX?",
    "Can I return goods after 30 days?",
    "Please tell me how many users the free plan of acme.io holds.",
    "Wie lange gilt die Garantie?",
    "价格是多少？",
    'What does the option "dry run" do with /etc/gate.toml?',
    "Which status code does PATCH /users/{id} return?",
]
FIXED = re.compile(r"`[^`]+`|\"[^\"]+\"|\S*[\d_/{}]\S*\w|HTTPX")


def every(prompt, given):
    return [probe for name in plans() for probe in probes(name, prompt, given)]


def given_to(question, seed=0):
    return Given((f"{question} It is 5 minutes.", "The pump is green."), ("Cats sleep on warm roofs.",), seed)


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_fixed_stays_in_every_probe(question):
    for probe in every(Prompt("p", question), given_to(question)):
        assert all(fixed in probe.question for fixed in FIXED.findall(question)), probe


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seed", [0, 7])
def test_equal_prompts_and_seeds_give_equal_probes(question, seed):
    prompt, given = Prompt("p", question), given_to(question, seed)
    assert every(prompt, given) == every(prompt, given)


@given(st.text(max_size=60), st.lists(st.text(max_size=40), max_size=3), st.integers(0, 3))
def test_no_probe_is_its_prompt_and_each_says_whose_it_is(question, contexts, seed):
    prompt = Prompt("p", question, contexts=tuple(contexts), reference="r")
    given = Given(tuple(contexts), ("Cats sleep.",), seed)
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
        ("Is 5 GB enough?", "is 5 GB enough?"),
        ("IT OR US?", None),
        ("价格是多少？", None),
    ],
)
def test_case_changes_what_has_no_case_of_its_own(question, varied):
    assert case(question) == varied


GERMAN = "Wie lange gilt die Garantie für meine neue Waschmaschine?"


def test_courtesy_comes_with_the_question_whole():
    varied = politeness("What is the limit?")
    assert varied is not None
    assert "What is the limit?" in varied
    assert varied.startswith("Could you please")
    assert politeness(GERMAN) is None


@pytest.mark.parametrize(
    ("question", "varied"),
    [
        ("If the tank is empty, what happens then?", "What happens then, if the tank is empty?"),
        ("How long does it take, if I pay by card?", "If I pay by card, how long does it take?"),
        ("What is it for?", None),
        ("Paris, or which city is it?", None),
        ("Is it red, is it green, is it blue?", None),
        ("Name it. Then, what is it for?", None),
        ("", None),
    ],
)
def test_two_halves_change_places_where_one_comma_stands_between_them(question, varied):
    assert reordered(question) == varied


@pytest.mark.parametrize("question", QUESTIONS[:8])
def test_a_question_is_asked_in_other_words_and_stands_in_them_whole(question):
    found = paraphrases(question)
    assert len(set(found)) == PARAPHRASES
    assert all(question in one and one != question for one in found)


@pytest.mark.parametrize("question", ["", GERMAN, "x" * (LONGEST + 1)])
def test_a_question_that_is_too_long_or_not_english_has_no_paraphrase(question):
    assert paraphrases(question) == []


def test_what_a_model_wrote_comes_before_the_templates():
    given = Given((), (), 0, ("In which way is it paid?",))
    made = probes("consistency", Prompt("p", "How do I pay?"), given)
    assert [probe.question for probe in made] == ["In which way is it paid?", paraphrases("How do I pay?")[0]]


def test_evidence_is_withheld_only_where_there_is_some():
    assert probes("retrieval_dependency", Prompt("p", "How long?"), Given((), (), 0)) == []
    (made, _) = probes("retrieval_dependency", Prompt("p", "How long is Eco?"), Given(("Eco is 3 hours long.",), (), 0))
    assert (made.contexts, made.own_contexts) == ((), True)


def test_another_question_goes_to_the_same_passages():
    made = probes("sensitivity", Prompt("p", "How long is Eco?"), Given(("Eco is 3 hours long.",), (), 0))
    assert {(probe.contexts, probe.own_contexts) for probe in made} == {(("Eco is 3 hours long.",), True)}
