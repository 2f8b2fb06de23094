"""Questions from documents without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.local import candidates, generate
from gate.generation.templates import clean, questions_about
from gate.records import Category, Chunk

ALL = tuple(Category)
GARDEN = (
    "The pump starts by default at 06:00 every morning.\n"
    "If the tank is empty, the pump stops and a red light blinks.\n"
    "You must not open the valve while the pump is running.\n"
    "The `max_flow` setting limits the flow to 12 litres per minute."
)


def chunk(text=GARDEN, source="garden.md", heading="Watering", identity="c"):
    return Chunk(identity, text, source, heading, tuple(range(10, 10 + text.count("\n") + 1)))


def asked(prompts):
    return [prompt.question for prompt in prompts]


@pytest.mark.parametrize(
    ("sentence", "category", "question"),
    [
        (
            "The pump starts by default at 06:00 every morning.",
            Category.FACTUAL_RECALL,
            "Which figures does the documentation give for Watering?",
        ),
        (
            "If the tank is empty, the pump stops and a red light blinks.",
            Category.EDGE_CASES,
            "What happens if the tank is empty (in \u201cWatering\u201d)?",
        ),
        (
            "You must not open the valve while the pump is running.",
            Category.POLICY_BOUNDARIES,
            "With regard to Watering: is it possible or allowed to open the valve while the pump is running?",
        ),
        (
            "Every gardener must wear gloves near the pump.",
            Category.POLICY_BOUNDARIES,
            "With regard to Watering: is it necessary to wear gloves near the pump?",
        ),
        (
            "The `max_flow` setting limits the flow to 12 litres.",
            Category.AMBIGUOUS_QUERIES,
            "What should I know about Watering?",
        ),
    ],
)
def test_a_sentence_gives_the_question_that_it_answers(sentence, category, question):
    assert (category, question) in list(questions_about(sentence, "Watering"))


@pytest.mark.parametrize("fragment", ["", "Usage:", "See below.", "x" * 500, "- one two"])
def test_a_fragment_is_not_asked_about(fragment):
    assert list(questions_about(fragment, "Watering")) == []


def test_marks_go_but_the_words_of_links_stay():
    assert clean("- See [the **manual**](http://x/y) for `a`") == "See the manual for `a`"


def test_each_candidate_knows_its_line():
    lines = {c.question: c.line for c in candidates(chunk())}
    assert lines["What happens if the tank is empty (in \u201cWatering\u201d)?"] == 11


def test_categories_take_turns_and_documents_too():
    chunks = [chunk(source=f"{name}.md", heading=name, identity=name) for name in ("a", "b", "c")]
    prompts = generate(chunks, 12, ALL, 0)
    assert [p.category for p in prompts] == list(ALL) * 3
    assert {p.source for p in prompts if p.category is Category.EDGE_CASES} == {"a.md", "b.md", "c.md"}


def test_the_seed_decides_and_nothing_else():
    chunks = [chunk(source=f"{i}.md", heading=f"Part {i}", identity=str(i)) for i in range(6)]
    assert generate(chunks, 8, ALL, 3) == generate(list(chunks), 8, ALL, 3)
    assert asked(generate(chunks, 8, ALL, 3)) != asked(generate(chunks, 8, ALL, 4))


def test_no_question_twice_even_from_copied_documents():
    chunks = [chunk(source="a.md"), chunk(source="copy.md")]
    questions = asked(generate(chunks, 100, ALL, 0))
    assert len(questions) == len(set(questions)) > 3


def test_ids_are_unique_and_stay_when_more_are_asked_for():
    few, many = (generate([chunk()], n, ALL, 0) for n in (3, 50))
    assert [p.id for p in few] == [p.id for p in many[:3]]
    assert len({p.id for p in many}) == len(many)


def test_one_category_alone():
    assert {p.category for p in generate([chunk()], 5, (Category.EDGE_CASES,), 0)} == {Category.EDGE_CASES}


def test_a_heading_inside_the_chunk_is_the_topic_from_there_on():
    text = "The pump starts by default at six.\n\n## Winter\n\nThe pipes are emptied by default in November."
    questions = [c.question for c in candidates(chunk(text))]
    assert "What does the documentation say about Watering?" in questions
    assert "What does the documentation say about Winter?" in questions
    assert not [question for question in questions if "#" in question]


def test_a_heading_of_another_markup_is_the_topic_from_there_on():
    text = "## Summer\n\nThe pump starts by default at six.\n\nWinter\n------\n\nThe pipes are empty by default."
    lines = tuple(range(1, text.count("\n") + 2))
    turned = Chunk("c", text, "garden.md", "Garden > Summer", lines, ((4, "Garden > Winter"),))
    questions = [c.question for c in candidates(turned)]
    assert "What does the documentation say about Summer?" in questions
    assert "What does the documentation say about Winter?" in questions
    assert list(candidates(Chunk("c", text, "a.md", "Changelog", lines, ((4, "License"),))))[0].line == 3


def test_a_changelog_is_not_asked_about():
    assert list(candidates(chunk(heading="Releases > Changelog"))) == []


def test_without_a_heading_the_file_gives_the_topic():
    assert "What does the documentation say about garden shed?" in [
        c.question for c in candidates(chunk(source="a/garden_shed.md", heading=""))
    ]


@given(st.text(max_size=300), st.text(max_size=30), st.integers(0, 5))
def test_any_text_gives_at_most_what_was_asked_for(text, heading, number):
    prompts = generate([chunk(text=text, heading=heading)], number, ALL, 1)
    assert len(prompts) <= number
    assert all(prompt.question.strip() for prompt in prompts)
