"""Questions that nobody would ask, and sentences that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.local import candidates
from gate.generation.prose import prose
from gate.generation.worth import rank, worth
from gate.records import Category, Chunk


def chunk(text, source="a.md"):
    return Chunk("c", text, source, "Pump", tuple(range(1, text.count("\n") + 2)))


def asked(sentence, category, source="a.md"):
    return [c.question for c in candidates(chunk(sentence, source)) if c.category is category and worth(c)]


@pytest.mark.parametrize(
    ("sentence", "good"),
    [
        ("If the tank runs dry, the pump stops and a light blinks.", True),
        ("The pump stops at once if the tank runs dry.", True),
        ("The pump stops, unless the second tank is open.", True),
        ("A pump that runs when SIGTERM comes is finished first, for up to a minute.", False),
        ("If this tank runs dry, the pump stops and a light blinks.", False),
        ("The pump stops at once if they run dry again.", False),
        ("If the tank runs dry then the pump will stop", False),
        ("The pump stops at once if needed.", False),
        ("The pump works without the second tank being open.", False),
    ],
)
def test_a_condition_is_whole_and_stands_alone(sentence, good):
    assert bool(asked(sentence, Category.EDGE_CASES)) is good


@pytest.mark.parametrize(
    ("sentence", "good"),
    [
        ("You must not open the valve while the pump is running.", True),
        ("Customers may not wait in the shop during a service.", True),
        ("The data cannot show how much the claims agree with it.", False),
        ("Every gardener must wear gloves near the pump.", True),
        ("To open the lid you need to turn the key twice.", True),
        ("If you need to open the lid of the pump, call us first.", False),
        ("You don't need to open the lid of the pump in winter.", False),
        ("You might need to open the lid of the pump in winter.", False),
        ("You should always open the lid, but you need to do so with care.", False),
        ("You must call `pump.open_all_of_them` in order to open the lid.", False),
    ],
)
def test_a_rule_is_one_for_people(sentence, good):
    assert bool(asked(sentence, Category.POLICY_BOUNDARIES)) is good


@pytest.mark.parametrize(
    ("sentence", "good"),
    [
        ("The `flow` setting limits the flow to 12 litres.", True),
        ("See the {ref}`list of pumps <pumps>` for the flow in litres.", False),
        ("Call `a` runs a program with ` b ` as its name today.", False),
        ("`.version``HTTP/2` or `HTTP/1.1` is the version of the pump.", False),
    ],
)
def test_a_name_is_a_name(sentence, good):
    assert bool(asked(sentence, Category.FACTUAL_RECALL)) is good


@pytest.mark.parametrize("source", ["CHANGELOG.md", "docs/release-notes.rst", "license.txt"])
def test_papers_about_the_project_are_not_asked_about(source):
    assert asked("The `flow` setting limits the flow to 12 litres.", Category.FACTUAL_RECALL, source) == []


def test_a_section_as_a_whole_is_vague():
    found = {c.question: rank(c) for c in candidates(chunk("The `flow` of the pump is 12 litres an hour at most."))}
    assert found["What does the documentation say about `flow` (in \u201cPump\u201d)?"] == 1
    assert found["How do I do it right with Pump?"] == 2


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
    found = prose(chunk(TEXT)).text
    assert [line.strip() for line in found.split("\n") if any(map(str.isalnum, line))] == [
        "The pump runs.", "- an item",
    ]  # fmt: skip
    assert found.count("\n") == TEXT.count("\n")
    assert found.index("an item") == TEXT.index("an item")


@given(st.text(alphabet="ab `|#-\n\t.", max_size=80))
def test_blanking_moves_nothing(text):
    found = prose(chunk(text)).text
    assert len(found) == len(text)
    assert all(one == other or one == " " for one, other in zip(found, text, strict=True))
