"""The blocks of prose and Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text_blocks import blocks, structure

PIECES = st.lists(
    st.sampled_from(
        ["\n", "\r\n", "\n\n", "```", "~~~", "````", "- ", "* ", "1. ", "(a) ", "> ", "# ", "|", " | ", "---", "    ",
         "\t", "Snow fell", "ice", ",", ".", "\u2028", "\x85", "\x0b", "雪", "[x] ", "python"]
    ), max_size=40,
).map("".join)  # fmt: skip


def shown(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in structure(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n\t\n", []),
        ("***\n---\n", []),
        ("Snow fell.", [("text", "Snow fell.")]),
        ("Snow fell.\n\nIt melted.", [("text", "Snow fell."), ("text", "It melted.")]),
        ("snow fell on the hills\nand on the lake", [("text", "snow fell on the hills\nand on the lake")]),
        ("# Snow\nIt fell.", [("heading", "Snow"), ("text", "It fell.")]),
        ("   ### Snow", [("heading", "Snow")]),
        ("####### seven", [("text", "####### seven")]),
        ("#hashtag", [("text", "#hashtag")]),
        ("- rye\n* oats\n+ barley\n• spelt",
         [("item", "rye"), ("item", "oats"), ("item", "barley"), ("item", "spelt")]),
        ("1. rye\n2) oats\n(3) barley\n(a) spelt",
         [("item", "rye"), ("item", "oats"), ("item", "barley"), ("item", "spelt")]),
        ("- [x] done\n- [ ] open", [("item", "done"), ("item", "open")]),
        ("-5 degrees", [("text", "-5 degrees")]),
        ("2.5 litres", [("text", "2.5 litres")]),
        ("> Snow fell.", [("text", "Snow fell.")]),
        ("> > - rye", [("item", "rye")]),
        ("| Tree | Age |\n|---|---|\n| Oak | 300 |", [("row", "| Tree | Age |"), ("row", "| Oak | 300 |")]),
        ("Tree | Age | Height", [("row", "Tree | Age | Height")]),
        ("either | or", [("text", "either | or")]),
        ("Run `a | b | c`.", [("text", "Run `a | b | c`.")]),
        ("{{ a | b | c }} runs.", [("text", "{{ a | b | c }} runs.")]),
        ("- >= 3 kg\n- >5 kg", [("item", ">= 3 kg"), ("item", ">5 kg")]),
        (">= 3 kg", [("text", ">= 3 kg")]),
        (".. math:: a = b", [("text", "a = b")]),
        ("• rye • oats • barley", [("item", "rye"), ("item", "oats"), ("item", "barley")]),
        ("Sow: • rye • oats", [("text", "Sow:"), ("item", "rye"), ("item", "oats")]),
        ("Home • About • Contact", [("text", "Home • About • Contact")]),
        ("| Sow | • rye • oats |", [("row", "| Sow | • rye • oats |")]),
        ("[^1]: It snowed.\n[^b-2]: It rained.", [("text", "It snowed."), ("text", "It rained.")]),
        ("[^1]: https://example.org/snow", [("text", "[^1]: https://example.org/snow")]),
        ("Snow\n: Frozen rain.", [("text", "Snow"), ("item", "Frozen rain.")]),
        (".. note:: Mind\n   the gap.\n\n.. tip::\n   Jump.", [("text", "Mind\n   the gap."), ("text", "   Jump.")]),
        (".. versionadded:: 2.1\n   It waits.", [("text", ".. versionadded:: 2.1\n   It waits.")]),
        (".. [1] One.\n.. [#b] Two.", [("text", "One."), ("text", "Two.")]),
        (":param a: One\n  goes on.\n:raises E: Two.",
         [("item", ":param a: One\n  goes on."), ("item", ":raises E: Two.")]),
        ("-a, --all   All.\n--name NAME  The name\n   of it.",
         [("item", "-a, --all   All."), ("item", "--name NAME  The name\n   of it.")]),
        ("See [it].\n\n[it]: https://example.org/it \"Title\"\n[b c]: ./b.md\n[d]: <#d>\n[e]: words here",
         [("text", "See [it]."), ("text", "[e]: words here")]),
        ("> [!NOTE]\n> Mind the gap.", [("text", "Mind the gap.")]),
        ("one\r\n\r\ntwo", [("text", "one"), ("text", "two")]),
    ],
)  # fmt: skip
def test_kinds(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\nsow()\n\nreap()\n```\nThen rest.", [("code", "sow()"), ("code", "reap()"), ("text", "Then rest.")]),
        ("~~~ python\nsow()\n~~~", [("code", "sow()")]),
        ("````\n```\nsow()\n```\n````", [("code", "sow()")]),
        ("```\n# no heading\n- no item\n```", [("code", "# no heading"), ("code", "- no item")]),
        ("```\nSnow fell.", [("text", "Snow fell.")]),
        ("Melt ```ice``` first.", [("text", "Melt ```ice``` first.")]),
        ("```\nsow()\n~~~\n```", [("code", "sow()")]),
        ("``` The lake was frozen over.\n", [("text", " The lake was frozen over.")]),
    ],
)
def test_fences(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == expected


def test_an_open_fence_hides_nothing_behind_it() -> None:
    text = "```sh\n# Snow\n- rye\n| a | b |"
    assert [kind for kind, _ in shown(text)] == ["heading", "item", "row"]


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        ("The path follows the river for about nine miles until", "Dover, where it ends.", False),
        ("The path follows the river, passes three mills and reaches", "Dover, where it ends.", True),
        ("We need flour,", "Eggs and milk.", True),
        ("We need flour", "eggs and milk.", True),
        ("We need flour", "Eggs and milk.", False),
    ],
)
def test_a_line_break_that_was_meant(above: str, below: str, joined: bool) -> None:
    assert len(structure(f"{above}\n{below}")) == (1 if joined else 2)


def test_the_level_is_the_column_of_the_marker() -> None:
    text = "- oak\n  - acorn\n\t- leaf\nHedge"
    assert [(block.kind, block.level) for block in structure(text)] == [
        ("item", 0), ("item", 2), ("item", 4), ("text", 0)
    ]  # fmt: skip


@given(st.text(max_size=300) | PIECES)
def test_spans_are_in_order_and_in_bounds(text: str) -> None:
    at = 0
    for block in structure(text):
        assert at <= block.start <= block.end <= len(text)
        assert block.kind in ("text", "item", "heading", "row", "code")
        at = block.end
    assert blocks(text) == [(block.start, block.end) for block in structure(text)]


@given(st.text(max_size=300) | PIECES)
def test_no_code_without_two_fences(text: str) -> None:
    fences = text.count("```") + text.count("~~~")
    assert fences >= 2 or not [block for block in structure(text) if block.kind == "code"]


@given(st.lists(st.sampled_from(["Snow fell.", "Ice broke.", "Rain came."]), min_size=1, max_size=8))
def test_no_paragraph_is_lost(paragraphs: list[str]) -> None:
    assert shown("\n\n".join(paragraphs)) == [("text", paragraph) for paragraph in paragraphs]


@pytest.mark.parametrize("unit", ["```\n", "> ", "- ", "| ", "~~~ x\n", " \t", "#", "1.", "snow\n", "```x\n````\n"])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    assert all(0 <= start <= end <= len(text) for start, end in blocks(text))
