"""What sentences and headings let one ask, without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.patterns import Around, drafts, questions_about, verbs
from gate.records import Category, Chunk
from gate.text import stems

BEES = Around(topic=stems("bees queen hives keepers smoker frames drone honey frost"))


def chunk(text, source="garden.md", heading="Watering", turns=()):
    return Chunk("c", text, source, heading, tuple(range(10, 10 + text.count("\n") + 1)), turns)


@pytest.mark.parametrize(
    ("sentence", "question", "reply"),
    [
        ("To clean the `smoker`, open the lid.", "How do I clean the `smoker`?", "Open the lid."),
        ("If you want to feed your bees, you need sugar.", "How do I feed my bees?", "You need sugar."),
        ("You can use the `comb` tool to scrape the frames.", "How do I scrape the frames?", "Use the `comb` tool"),
        ("A queen is the mother of all bees.", "What is a queen?", "The mother of all bees."),
        ("`drone`: a male bee without a sting.", "What does `drone` mean?", "A male bee without a sting."),
        ("The winter feed costs 12 euros a kilogram.", "How much does the winter feed cost?", "12 euros a kilogram."),
        ("When the queen is missing, the colony grows loud.", "What happens when the queen is missing?",
         "The colony grows loud."),
        ("If you lose the queen, you should close the hive.", "What should I do if I lose the queen?",
         "You should close the hive."),
        ("The colony is fed with sugar if frost comes late.", "What happens if frost comes late?",
         "The colony is fed with sugar"),
        ("Visitors must not open the hives.", "Can visitors open the hives?", "No."),
        ("You may also sell honey at markets.", "Can I sell honey at markets?", "Yes."),
        ("Inline comments are not supported by the hive.", "Are inline comments supported by the hive?", "No."),
        ("Keepers have to wear a veil, because bees sting.", "Do keepers have to wear a veil?", "Yes."),
    ],
)  # fmt: skip
def test_a_sentence_lets_one_ask(sentence, question, reply):
    assert (question, reply) in [(asked, said) for _, asked, said in questions_about(sentence, BEES)]


@pytest.mark.parametrize(
    "sentence",
    [
        "", "Bees fly.", "- | * # >", "```" * 30,
        "If they swarm early, the keeper waits below.",  # who?
        "It can be opened in the morning by the keeper.",
        "This page can be read below by the keeper.",
        "{% include 'nav.html' %} can be opened by the keeper.",
        "<nav> can be opened by the keeper of the hives.",
        "See the manual if you want to open the hives.",
        "Fixed in 2.10.3: the hive can be opened by keepers.",
        "Suitable if your remote counts bees or",
        "The beekeeper checks if the colony is alive.",  # asks whether
        "For the hives see: frames, combs, lids",
    ],
)  # fmt: skip
def test_what_is_no_prose_lets_one_ask_nothing(sentence):
    assert list(questions_about(sentence, BEES)) == []


def test_an_order_is_no_subject():
    sentence = "Click on the trash can icon next to the list of hives."
    assert list(questions_about(sentence, Around(verbs={"click": True}))) == []
    assert list(questions_about(sentence, BEES))


PAGE = """# Pump

The pump waters the whole garden.

## Resetting the pump

You press the red button to reset the pump.

## Does the pump need power?

The pump runs on mains power.

## Reset sequence

The reset sequence takes ten seconds in all.

## Notes

The valve stays open in winter.

## {{ page.title }}

The valve is a part of the pump.

    the code can be run by anyone

| The row can be asked about. |
| --- |
"""


def test_a_heading_asks_or_is_asked_about_and_debris_is_not():
    page = chunk(PAGE, heading="")
    found = {draft.prompt.question: draft for draft in drafts(page, verbs([page]))}
    assert set(found) == {
        "What should I know about pump?", "How do I reset the pump?", "Does the pump need power?",
        "How long does the reset sequence take?",
    }  # fmt: skip
    assert found["Does the pump need power?"].replies == ("Yes.", "No.")
    assert found["Does the pump need power?"].prompt.category is Category.POLICY_BOUNDARIES
    assert found["How do I reset the pump?"].prompt.line == page.lines[6]
    assert all(draft.prompt.reference in draft.passage for draft in found.values())


def test_a_heading_of_another_markup_is_the_topic_from_there_on():
    text = "## Summer\n\nSummer is the time of the pump.\n\nWinter\n------\n\nWinter is the time of the frost."
    turned = chunk(text, heading="Garden > Summer", turns=((4, "Garden > Winter"),))
    questions = [draft.prompt.question for draft in drafts(turned, {})]
    assert "What should I know about winter?" in questions


WORDS = st.lists(
    st.sampled_from(
        ["If", "when", "unless", "must", "must not", "should", "cannot", "To open the hive,", "`lid`", "`", "**",
         "[x](y)", "7 kg", "the bees", "You", "swarm early", ",", ".", "\n", "(", "“", "\x1b[2J", "雪", "is a", "costs"]
    ), max_size=30,
).map(" ".join)  # fmt: skip


@given(WORDS | st.text(max_size=450))
def test_any_sentence_gives_questions_in_one_line(sentence):
    for category, question, reply in questions_about(sentence, BEES):
        assert question.endswith("?")
        assert "\n" not in question
        assert reply.strip()
        assert isinstance(category, Category)
    assert all(draft.prompt.question.strip() for draft in drafts(chunk(sentence), {}))
