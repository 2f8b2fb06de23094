"""Lists of tasks, of which some are ticked."""

from collections.abc import Callable

import pytest

from gate.judges.evidence import Known, split
from gate.judges.local import LocalJudge
from gate.judges.reader import Reader
from gate.judges.tasks import PLANNED, has_plans, told
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Evidence, Item, Label

ROADMAP = "# Roadmap\n\n- [x] Linux support\n- [ ] Windows support. It needs help.\n* [X] Import of CSV files\n"


@pytest.mark.parametrize(
    ("text", "plans"),
    [
        (ROADMAP, True),
        ("1. [x] Linux\n2. [ ] Windows", True),
        ("- [ ] Bring a passport\n- [ ] Pay the fee", False),
        ("- [x] Linux\n- [x] macOS", False),
        ("Tick [x] or [ ] here.", False),
    ],
)
def test_only_where_something_is_ticked_the_rest_is_planned(text: str, plans: bool) -> None:
    assert has_plans(text) is plans


def test_the_box_of_what_is_planned_stands_in_its_sentence() -> None:
    found = split([Evidence("a.md", 1, ROADMAP, 1.0)], Known())
    assert [ROADMAP[s.start : s.end] for s in found] == [
        "Roadmap", "Linux support", "[ ] Windows support.", "It needs help.", "Import of CSV files",
    ]  # fmt: skip
    assert found[2].reading.plain == PLANNED + "Windows support."
    checklist = "- [ ] Bring a passport"
    assert [checklist[s.start : s.end] for s in split([Evidence("a.md", 1, checklist, 1.0)], Known())] == [
        "Bring a passport"
    ]


def test_several_items_are_told_each() -> None:
    assert told("[ ] a\n- [ ] b\n3) [ ] c\n- [x] d") == f"{PLANNED}a\n{PLANNED}b\n{PLANNED}c\n- [x] d"


def test_what_is_planned_is_not_supported(item: Callable[..., Item]) -> None:
    judge = LocalJudge(LocalEmbedder(), reader=Reader())
    claims = ("Kiwi supports Linux.", "Kiwi supports Windows.", "Windows is not supported.")
    assert [verdict.label for verdict in judge.judge([item(claim, ROADMAP) for claim in claims])] == [
        Label.SUPPORTED, Label.UNSUPPORTED, Label.SUPPORTED,
    ]  # fmt: skip
