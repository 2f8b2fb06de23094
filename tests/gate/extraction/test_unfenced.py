"""Indented code without a fence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.unfenced import with_code
from gate.text import structure

TEXTS = st.lists(
    st.sampled_from(["\n", "\n\n", "    ", "- ", "oven = Oven(9)", "oven.bake(", "Rye rises.", "```\n", ")", "\t"])
).map("".join)


def shown(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end].strip()) for block in with_code(text, structure(text))]


@pytest.mark.parametrize(
    "line",
    [
        "oven = Oven(heat=9)",
        "oven.heat: int = 9",
        "oven.bake(rye)",
        "export HEAT=9",
        "oven.bake(",
        "from oven import Oven",
        "import oven",
        "def bake(rye):",
        "return oven(9)",
        "with Oven(9) as oven:",
        "$ bake rye",
        "pip install oven",
    ],
)
def test_lines_of_code(line: str) -> None:
    assert shown(f"Bake it:\n\n    {line}") == [("text", "Bake it:"), ("code", line)]
    assert shown(f"Bake it:\n    {line}\nIt rises.") == [("text", "Bake it:"), ("code", line), ("text", "It rises.")]


@pytest.mark.parametrize(
    "line",
    [
        "The oven (an old one) is hot.",
        "Import duties are paid by the buyer.",
        "If it rains, the oven stays cold.",
        "from May to June",
        "return the bread within a day",
        "the oven bakes rye",
        "Price: 5 euros",
        "heat = 9 is the default.",
        "the oven(s) are hot",
        "oven(s) are hot",
    ],
)
def test_indented_prose_stays(line: str) -> None:
    assert [kind for kind, _ in shown(f"Bake it.\n\n    {line}")] == ["text", "text"]


def test_code_goes_on_and_items_keep_their_kind() -> None:
    text = "- Bake it:\n\n      oven = Oven(\n          heat,\n          size)\n- Eat it."
    assert shown(text) == [
        ("item", "Bake it:"),
        ("code", "oven = Oven("),
        ("code", "heat,"),
        ("code", "size)"),
        ("item", "Eat it."),
    ]
    assert shown("oven = Oven(9)") == [("text", "oven = Oven(9)")]


@given(TEXTS)
def test_blocks_stay_in_order_and_lose_no_word(text: str) -> None:
    before, after, at = structure(text), list(with_code(text, structure(text))), 0
    for block in after:
        assert at <= block.start < block.end <= len(text)
        at = block.end
    words = [word for block in before for word in text[block.start : block.end].split()]
    assert [word for block in after for word in text[block.start : block.end].split()] == words
