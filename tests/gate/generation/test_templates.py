"""What can be asked about one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.templates import MAX_SENTENCE, clean, questions_about
from gate.records import Category

FACT, EDGE = Category.FACTUAL_RECALL, Category.EDGE_CASES
RULE, VAGUE = Category.POLICY_BOUNDARIES, Category.AMBIGUOUS_QUERIES


def asked(sentence: str, category: Category, topic: str = "Beehives") -> list[str]:
    return [question for kind, question in questions_about(sentence, topic) if kind == category]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("- **Smoke** calms [the bees](https://bees.test/a).", "Smoke calms the bees."),
        ("See ![a frame](f.png) and `lid_up`", "See a frame and `lid_up`"),
        ("> # A   heading\n in\ttwo lines", "A heading in two lines"),
        ("__init__", "__init__"),
        ("| cell |", "cell"),
        ("", ""),
    ],
)
def test_clean(sentence: str, expected: str) -> None:
    assert clean(sentence) == expected


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
    assert asked(sentence, FACT, topic) == [expected]


def test_a_heading_of_several_words_is_marked_off() -> None:
    topic, named = "What bees do not like", "“What bees do not like”"
    assert asked("Bees avoid all smoke and loud noise.", FACT, topic) == [
        f"What does the documentation say about {named}?"
    ]
    assert asked("Visitors must not open the hives.", RULE, topic) == [
        f"With regard to {named}: is it possible or allowed to open the hives?"
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("When the queen is missing, the colony grows loud.",
         ["What happens when the queen is missing (in “Beehives”)?"]),
        ("The frames break unless the comb has cooled down.",
         ["What happens unless the comb has cooled down (in “Beehives”)?"]),
        ("If rain falls early, wait; if frost comes late, feed them.",
         ["What happens if rain falls early (in “Beehives”)?"]),
        ("If so, the colony grows loud and restless.", []),
        ("If they swarm early, the keeper waits below.", []),
        ("A colony that swarms when rain comes is caught first, for a day.", []),
        ("Without a veil the visitor stays outside.", []),
        ("The whiff of smoke calms all of the bees.", []),
    ],
)  # fmt: skip
def test_a_condition(sentence: str, expected: list[str]) -> None:
    assert asked(sentence, EDGE) == expected


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
        ("The honey may keep for many years.", []),
    ],
)  # fmt: skip
def test_a_rule(sentence: str, expected: list[str]) -> None:
    assert asked(sentence, RULE) == expected


def test_a_vague_question_is_about_the_topic() -> None:
    assert asked("Set `depth` first and then `width` of the box.", VAGUE) == ["What should I know about Beehives?"]


@pytest.mark.parametrize(
    ("sentence", "good"),
    [
        ("The `flow` setting limits the flow to 12 litres.", True),
        ("Call `a` runs a program with ` b ` as its name today.", False),
        ("Send the code `on {state}` to the pump of the shop.", False),
    ],
)
def test_a_name_is_a_name(sentence: str, good: bool) -> None:
    assert ("`" in asked(sentence, FACT)[0]) is good


@pytest.mark.parametrize(
    "sentence", ["", "Bees fly.", "Frequently-asked-questions about-honey", "bees " * 100, "- | * # >", "```" * 30]
)
def test_a_fragment_lets_one_ask_nothing(sentence: str) -> None:
    assert list(questions_about(sentence, "Beehives")) == []


@pytest.mark.parametrize(("length", "some"), [(24, False), (25, True), (MAX_SENTENCE, True), (MAX_SENTENCE + 1, False)])
def test_the_bounds_of_a_sentence(length: int, some: bool) -> None:
    sentence = "a b c d e f ".ljust(length, "x")
    assert bool(list(questions_about(sentence, "Beehives"))) is some


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


@given(WORDS | st.text(max_size=450))
def test_clean_twice_changes_no_words(sentence: str) -> None:
    text = clean(sentence)
    assert "  " not in text
    assert "\n" not in text
