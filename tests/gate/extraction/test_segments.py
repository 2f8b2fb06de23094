"""An answer taken apart by its layout."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.segments import units

TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        [
            "\n",
            "\n\n",
            "- ",
            "  - ",
            "1. ",
            "```",
            "| a | b |",
            "|---|",
            "<table><tr><td>",
            "</table>",
            "    a = b",
            "Rye rises.",
            "We sell:",
            "# ",
            "麦",
        ]
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
        ("# Rye\n\nIt rises.", [("heading", "Rye", ""), ("sentence", "It rises.", "Rye:")]),
        ("We **sell**:\n- rye\n- oats",
         [("lead", "We **sell**:", ""), ("item", "rye", "We sell"), ("item", "oats", "We sell")]),
        ("- Flour\n  - rye\n- Salt", [("lead", "Flour", ""), ("item", "rye", "Flour"), ("item", "Salt", "")]),
        ("We sell:\n- rye\n\nThanks for it.\n- oats",
         [("lead", "We sell:", ""), ("item", "rye", "We sell"), ("sentence", "Thanks for it.", ""),
          ("item", "oats", "")]),
        ("| Flour | Price |\n|---|---|\n| Rye | 3 |", [("row", "| Rye | 3 |", "| Flour | Price |")]),
        ("| Rye | 3 |\n| Oats | 2 |", [("row", "| Rye | 3 |", ""), ("row", "| Oats | 2 |", "")]),
        ("Bake with:\n```\noven(9)\n```", [("lead", "Bake with:", ""), ("code", "oven(9)", "Bake with")]),
        ("Bake like so:\n\n    oven(9)", [("lead", "Bake like so:", ""), ("code", "oven(9)", "Bake like so")]),
        ("We sell\n\n- rye", [("lead", "We sell", ""), ("item", "rye", "We sell")]),
        ("- Rye – $5\n  - dark", [("lead", "Rye – $5", ""), ("item", "dark", "Rye - $5")]),
        ("We sell:\n<table><tr><td>Rye</td></tr></table>\nIt rises.",
         [("sentence", "We sell:", ""), ("row", "<tr><td>Rye</td></tr>", ""), ("sentence", "It rises.", "")]),
        ("The sign says \"Rye rises. Oats do not.\" It is old.",
         [("sentence", "The sign says \"Rye rises. Oats do not.\"", ""), ("sentence", "It is old.", "")]),
        ("“Rye rises. Oats do not.”", [("sentence", "Rye rises.", ""), ("sentence", "Oats do not.", "")]),
        ("They say \"Rye. Oats.\" and wait. Then they go.",
         [("sentence", "They say \"Rye. Oats.\" and wait.", ""), ("sentence", "Then they go.", "")]),
        ("A 5\" loaf. A 6\" loaf.", [("sentence", "A 5\" loaf.", ""), ("sentence", "A 6\" loaf.", "")]),
        ("```\nThe dough rests for one night.\n```", [("sentence", "The dough rests for one night.", "")]),
    ],
)  # fmt: skip
def test_units(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert shown(text) == expected


def test_an_item_knows_all_lead_ins_above_it() -> None:
    found = units("We sell:\n- Bread\n  - Rye\n    - dark\n- Salt")
    assert [(unit.outer, unit.lead) for unit in found[2:]] == [
        (("We sell",), "Bread"),
        (("We sell", "Bread"), "Rye"),
        ((), "We sell"),
    ]


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


@pytest.mark.parametrize(
    "unit", ["- ", "a:\n- ", "| ", "|a|\n|-|\n", "```\n", "x: ", '"a. ', "<table><td></table>", "    a()\n\n"]
)
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (10_000 // len(unit))
    assert all(0 <= found.start < found.end <= len(text) for found in units(text))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The plan has: • 5 seats • 10 GB of storage", ["The plan has 5 seats.", "The plan has 10 GB of storage."]),
        ("Warranty\n: Two years.\n: Three in May.", ["Warranty: Two years.", "Warranty: Three in May."]),
        ("The fee is 5 euros.[^1]\n\n[^1]: The fee rose in May.", ["The fee is 5 euros.", "The fee rose in May."]),
        ("The fee is 5 euros.[^1]\n\n[^1]: https://example.org", ["The fee is 5 euros."]),
    ],
)
def test_bullets_in_a_line_definitions_and_footnotes(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer)] == expected


def test_code_completes_a_lead_in_without_a_colon_and_ends_its_reach() -> None:
    said = "The limit is 40. Raise it with\n\n```\nlimit = 100\n```\n\nbut mind the cost.\n\nThe file is:\n\n"
    said += "```\nlid.toml\n```\n\n- Don't move the lid file."
    assert [claim.text for claim in extract(said)] == [
        "The limit is 40.",
        "Raise the limit with: limit = 100.",
        "Mind the cost.",
        "The file is: lid.toml.",
        "Don't move the lid file.",
    ]


def test_behind_the_code_of_a_lead_in_that_denies_it_goes_on_denying() -> None:
    said = "You must not use\n\n```\nlid --force\n```\n\n- Delete the old key at night."
    assert [claim.text for claim in extract(said)][1] == "You must not use Delete the old key at night."
