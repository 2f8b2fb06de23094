"""Probes vary a prompt and nothing else: never its numbers, names and code, never the prompt as it stands."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.probes import probes
from gate.generation.probes_order import reordered
from gate.generation.probes_paraphrase import NUMBER, paraphrases
from gate.generation.probes_words import case, politeness, typos
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


@pytest.mark.parametrize(
    ("question", "varied"),
    [
        ("Please name the limit.", "Name the limit."),
        ("Could you please tell me the limit?", "Could you tell me the limit?"),
        ("Hello, what is the limit? Thank you!", "What is the limit?"),
        ("Wie lange gilt die Garantie?", None),
        ("", None),
    ],
)
def test_courtesy_goes_where_it_is(question, varied):
    assert politeness(question, 0) == varied


def test_courtesy_comes_where_there_is_none_with_the_question_whole():
    varied = politeness("What is the limit?", 3)
    assert varied is not None
    assert "What is the limit?" in varied
    assert re.search("please|grateful", varied, re.IGNORECASE)


@pytest.mark.parametrize(
    ("question", "varied"),
    [
        ("What happens if the tank is empty?", "If the tank is empty, what happens?"),
        ("If the tank is empty, what happens?", "What happens if the tank is empty?"),
        ("How do I set a timeout in HTTPX?", "In HTTPX, how do I set a timeout?"),
        ("With regard to Safety: is it allowed to smoke?", "Is it allowed to smoke with regard to Safety?"),
        ("What is the default (in “Pump”)?", "In “Pump”, what is the default?"),
        ("What is it for?", None),
        ("What does it depend on in winter?", None),
        ("How do I log in with it?", None),
        ("Who is in charge of this?", None),
        ("Name it.", None),
        ("", None),
    ],
)
def test_clauses_change_places_where_the_joint_is_plain(question, varied):
    assert reordered(question) == varied


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("What does E18 mean?", "What is the meaning of E18?"),
        ("What is the default for `timeout`?", "Which value does `timeout` have by default?"),
        ("How much does the Basic plan cost per month?", "What is the price of the Basic plan per month?"),
        ("Can I return goods?", "Is it possible to return goods?"),
        ("What happens if it rains (in “Pump”)?", "What is the result if it rains (in “Pump”)?"),
        ("With regard to Use: is it necessary to clean it?", "With regard to Use: does one have to clean it?"),
        ("What is the capital of France?", "I want to know what the capital of France is."),
        ("Is the child lock on by default?", "Is the child lock on by default or not?"),
        ("Which colours are there?", "What colours are there?"),
    ],
)
def test_a_question_is_asked_in_other_words(question, one):
    found = paraphrases(question)
    assert found[0] == one
    assert len(found) <= NUMBER


@pytest.mark.parametrize("question", ["", "Wie lange gilt die Garantie?", "x" * 3000, "List five planets."])
def test_a_question_of_no_known_form_has_no_paraphrase(question):
    assert paraphrases(question) == []


def test_what_a_model_wrote_comes_before_the_templates():
    given = Given((), (), 0, ("In which way is it paid?",))
    made = probes("consistency", Prompt("p", "How do I pay?"), given)
    assert [probe.question for probe in made] == ["In which way is it paid?", "In what way can I pay?"]


def test_evidence_is_withheld_only_where_there_is_some():
    assert probes("retrieval_dependency", Prompt("p", "How long?"), Given((), (), 0)) == []
    (made, _) = probes("retrieval_dependency", Prompt("p", "How long is Eco?"), Given(("Eco is 3 hours long.",), (), 0))
    assert (made.contexts, made.own_contexts) == ((), True)


def test_another_question_goes_to_the_same_passages():
    made = probes("sensitivity", Prompt("p", "How long is Eco?"), Given(("Eco is 3 hours long.",), (), 0))
    assert {(probe.contexts, probe.own_contexts) for probe in made} == {(("Eco is 3 hours long.",), True)}
