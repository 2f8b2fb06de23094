"""Which heading a line or a piece of a chunk stands under, and stored turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.records import Chunk, heading_at, heading_of, innermost_heading, parse_turns

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


def test_the_innermost_heading_is_the_last_of_a_path() -> None:
    assert [innermost_heading(path) for path in ("", "Store", "Store > Trash")] == ["", "Store", "Trash"]
