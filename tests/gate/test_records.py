"""The records: frozen; a ledger that proves its balance; the words that files spell; headings over a piece of text."""

import dataclasses
import inspect
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import records
from gate.records import (
    Category,
    Chunk,
    Decision,
    Label,
    Ledger,
    heading_at,
    heading_of,
    parse_turns,
)
from gate.reports.document import schema

KINDS = [kind for _, kind in inspect.getmembers(records, dataclasses.is_dataclass)]
COUNTS = st.integers(0, 50)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_record_is_frozen_and_has_slots(kind):
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.integers(-3, 3))
def test_the_ledger_balances_only_if_nothing_was_lost_or_found(supported, weakly, unsupported, unjudged, lost):
    total = supported + weakly + unsupported + unjudged
    book = Ledger(total + lost, supported, weakly, unsupported, unjudged)
    assert book.balanced == (lost == 0)
    assert book.judged == total - unjudged


PATHS = st.lists(st.sampled_from("ABC"), min_size=1, max_size=9)


@given(PATHS)
def test_every_line_is_under_the_last_turn_above_it(paths: list[str]) -> None:
    turns = tuple((row, path) for row, path in enumerate(paths) if row and path != paths[row - 1])
    text = "\n".join("word" for _ in paths)
    chunk = Chunk("c", text, "a.md", paths[0], tuple(range(len(paths))), turns)
    assert [heading_at(chunk, row) for row in range(len(paths))] == paths
    assert heading_of(chunk, 0, len(text)) == max(dict.fromkeys(paths), key=paths.count)
    assert [heading_of(chunk, 5 * row, 5 * row + 4) for row in range(len(paths))] == paths
    assert parse_turns(list(turn) for turn in turns) == turns


def test_a_piece_that_begins_within_a_line_has_its_heading() -> None:
    chunk = Chunk("c", "One. Two.\nThree.", "a.md", "A", (1, 2), ((1, "B"),))
    assert [heading_of(chunk, start, end) for start, end in ((5, 9), (0, 16), (10, 16), (12, 12))] == [*"AABB"]


@pytest.mark.parametrize("turns", [5, [5], [[1]], [[1, 2]], [["1", "A"]], [[0, "A"]], [[1, "A"], [1, "B"]], ["ab"]])
def test_what_is_no_turn_is_an_error(turns: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        parse_turns(turns)


def test_the_words_are_those_that_were_promised_and_the_schema_knows_them():
    assert list(Category) == ["factual_recall", "edge_cases", "policy_boundaries", "ambiguous_queries"]
    assert list(Label) == ["supported", "weakly_supported", "unsupported", "unjudged"]
    assert list(Decision) == ["deploy", "warn", "block", "inconclusive"]
    written = json.dumps(schema())
    assert json.dumps(list(Label)) in written
    assert json.dumps(list(Decision)) in written
