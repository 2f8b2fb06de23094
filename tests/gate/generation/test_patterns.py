"""Questions from documents without a model, sentence by sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.dataset import generate
from gate.generation.patterns import candidates, prose, questions_about
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


def test_no_question_twice_even_from_copied_documents():
    chunks = [chunk(source="a.md"), chunk(source="copy.md")]
    questions = asked(generate(chunks, 100, ALL, 0))
    assert len(questions) == len(set(questions)) > 3


def test_a_heading_of_another_markup_is_the_topic_from_there_on():
    text = "## Summer\n\nThe pump starts by default at six.\n\nWinter\n------\n\nThe pipes are empty by default."
    lines = tuple(range(1, text.count("\n") + 2))
    turned = Chunk("c", text, "garden.md", "Garden > Summer", lines, ((4, "Garden > Winter"),))
    questions = [c.question for c in candidates(turned)]
    assert "What does the documentation say about Summer?" in questions
    assert "What does the documentation say about Winter?" in questions
    assert list(candidates(Chunk("c", text, "a.md", "Changelog", lines, ((4, "License"),))))[0].line == 3


@given(st.text(max_size=300), st.text(max_size=30), st.integers(0, 5))
def test_any_text_gives_at_most_what_was_asked_for(text, heading, number):
    prompts = generate([chunk(text=text, heading=heading)], number, ALL, 1)
    assert len(prompts) <= number
    assert all(prompt.question.strip() for prompt in prompts)


FACT, EDGE = Category.FACTUAL_RECALL, Category.EDGE_CASES
RULE, VAGUE = Category.POLICY_BOUNDARIES, Category.AMBIGUOUS_QUERIES


def asked_of(sentence: str, category: Category, topic: str = "Beehives") -> list[str]:
    return [question for kind, question in questions_about(sentence, topic) if kind == category]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The `smoker` needs dry grass and a little air.",
         "What does the documentation say about `smoker` (in “Beehives”)?"),
        ("A colony has about 40000 workers in the summer.",
         "Which figures does the documentation give for Beehives?"),
        ("Bees return to the place where they were born.", "What does the documentation say about Beehives?"),
        ("Open the `hives` only on a warm and windless day.", "What does the documentation say about `hives`?"),
    ],
)  # fmt: skip
def test_a_fact(sentence: str, expected: str) -> None:
    topic = "Beehives"
    assert asked_of(sentence, FACT, topic) == [expected]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("When the queen is missing, the colony grows loud.",
         ["What happens when the queen is missing (in “Beehives”)?"]),
        ("The frames break unless the comb has cooled down.",
         ["What happens unless the comb has cooled down (in “Beehives”)?"]),
        ("If rain falls early, wait; if frost comes late, feed them.",
         ["What happens if rain falls early (in “Beehives”)?"]),
        ("If they swarm early, the keeper waits below.", []),
        ("A colony that swarms when rain comes is caught first, for a day.", []),
    ],
)  # fmt: skip
def test_a_condition(sentence: str, expected: list[str]) -> None:
    assert asked_of(sentence, EDGE) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Visitors must not open the hives.",
         ["With regard to Beehives: is it possible or allowed to open the hives?"]),
        ("Keepers have to wear a veil at all times.",
         ["With regard to Beehives: is it necessary to wear a veil at all times?"]),
        ("Members can't sell the honey, but should label every jar.",
         ["With regard to Beehives: is it possible or allowed to sell the honey?",
          "With regard to Beehives: is it necessary to label every jar?"]),
        ("Frames must be scraped clean before the winter.", []),
    ],
)  # fmt: skip
def test_a_rule(sentence: str, expected: list[str]) -> None:
    assert asked_of(sentence, RULE) == expected


@pytest.mark.parametrize(
    "sentence", ["", "Bees fly.", "Frequently-asked-questions about-honey", "bees " * 100, "- | * # >", "```" * 30]
)
def test_a_fragment_lets_one_ask_nothing(sentence: str) -> None:
    assert list(questions_about(sentence, "Beehives")) == []


WORDS = st.lists(
    st.sampled_from(
        ["if", "when", "unless", "must", "must not", "should", "cannot", "by default", "`lid`", "`", "[x](y)", "**",
         "7 kg", "the bees", "swarm early", ",", ".", "\n", "(", "“", "\x1b[2J", "雪"]
    ), max_size=30,
).map(" ".join)  # fmt: skip


@given(WORDS | st.text(max_size=450), st.text(max_size=30))
def test_any_sentence_gives_questions_in_one_line(sentence: str, topic: str) -> None:
    found = list(questions_about(sentence, topic))
    assert all(question.endswith("?") for _, question in found)
    assert all(isinstance(kind, Category) for kind, _ in found)
    bare = "".join(question for _, question in found).replace(topic, "") if topic else ""
    assert "\n" not in bare
    assert not found or {FACT, VAGUE} <= {kind for kind, _ in found}


def page(text):
    return Chunk("c", text, "a.md", "Pump", tuple(range(1, text.count("\n") + 2)))


TEXT = """The pump runs.

    gate run   # code
    more code

| name | value |
| --- | --- |

```
fenced code
```

- an item
"""


def test_code_and_tables_are_blanked_and_lines_stay():
    found = prose(page(TEXT)).text
    assert [line.strip() for line in found.split("\n") if any(map(str.isalnum, line))] == [
        "The pump runs.", "- an item",
    ]  # fmt: skip
    assert found.count("\n") == TEXT.count("\n")
    assert found.index("an item") == TEXT.index("an item")


@given(st.text(alphabet="ab `|#-\n\t.", max_size=80))
def test_blanking_moves_nothing(text):
    found = prose(page(text)).text
    assert len(found) == len(text)
    assert all(one == other or one == " " for one, other in zip(found, text, strict=True))
