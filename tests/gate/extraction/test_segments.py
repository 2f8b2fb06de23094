"""An answer taken apart by its layout."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.segments import cells, units

TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["\n", "\n\n", "- ", "  - ", "1. ", "```", "| a | b |", "|---|", "Rye rises.", "We sell:", "# ", "麦"]
    ),
    max_size=30,
).map("".join)


def shown(text: str) -> list[tuple[str, str, str]]:
    return [(unit.kind, text[unit.start : unit.end], unit.lead) for unit in units(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Rye rises. Oats do not.", [("sentence", "Rye rises.", ""), ("sentence", "Oats do not.", "")]),
        ("# Rye\n\nIt rises.", [("heading", "Rye", ""), ("sentence", "It rises.", "")]),
        ("We **sell**:\n- rye\n- oats",
         [("lead", "We **sell**:", ""), ("item", "rye", "We sell"), ("item", "oats", "We sell")]),
        ("- Flour\n  - rye\n- Salt", [("lead", "Flour", ""), ("item", "rye", "Flour"), ("item", "Salt", "")]),
        ("We sell:\n- rye\n\nThanks for it.\n- oats",
         [("lead", "We sell:", ""), ("item", "rye", "We sell"), ("sentence", "Thanks for it.", ""),
          ("item", "oats", "")]),
        ("| Flour | Price |\n|---|---|\n| Rye | 3 |", [("row", "| Rye | 3 |", "| Flour | Price |")]),
        ("| Rye | 3 |\n| Oats | 2 |", [("row", "| Rye | 3 |", ""), ("row", "| Oats | 2 |", "")]),
        ("Bake with:\n```\noven(9)\n```", [("lead", "Bake with:", ""), ("code", "oven(9)", "Bake with")]),
        ("```\nThe dough rests for one night.\n```", [("sentence", "The dough rests for one night.", "")]),
    ],
)  # fmt: skip
def test_units(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| Rye | **3** |", ["Rye", "3"]),
        ("Rye | 3", ["Rye", "3"]),
        ("| ✅ | ❌ | ✓ |", ["yes", "no", "yes"]),
        ("| a\\|b | c |", ["a b", "c"]),
        ("|| c |", ["", "c"]),
        ("", [""]),
    ],
)
def test_cells(row: str, expected: list[str]) -> None:
    assert cells(row) == expected


def test_much_code_is_shown_in_part() -> None:
    (unit,) = units("```\n" + "oven(9)\n" * 100 + "```")
    assert (unit.kind, unit.end - unit.start) == ("code", 400)


@given(TEXTS)
def test_units_are_in_order_and_in_bounds(text: str) -> None:
    at, paragraph = 0, 0
    for unit in units(text):
        assert at <= unit.start < unit.end <= len(text)
        assert unit.paragraph >= paragraph
        assert unit.kind in ("sentence", "lead", "item", "heading", "row", "code")
        at, paragraph = unit.end, unit.paragraph


@pytest.mark.parametrize("unit", ["- ", "a:\n- ", "| ", "|a|\n|-|\n", "```\n", "x: "])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (10_000 // len(unit))
    assert all(0 <= found.start < found.end <= len(text) for found in units(text))
