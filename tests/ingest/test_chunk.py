"""Chunks: their size, their overlap, their lines; cuts at the best joints, no word lost."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.records import Chunk, heading_at
from ingest.base import Kind, SourceBlock
from ingest.chunk import OVERLAP, WORDS, Joint, atoms_of, chunk
from ingest.formats.markdown import read_markdown


def cut(text: str) -> list[Chunk]:
    return chunk(read_markdown(text.encode()), "doc.md")


def words(count: int, per_line: int = 10, start: int = 0) -> str:
    numbers = [f"w{at}" for at in range(start, start + count)]
    return "\n".join(" ".join(numbers[at : at + per_line]) for at in range(0, count, per_line))


def paragraph(count: int, tag: str) -> str:
    return " ".join([f"{tag}{at}" for at in range(count - 1)] + ["end."])


def shared(before: Chunk, after: Chunk) -> int:
    """Words at the end of one chunk that begin the next."""
    left, right = before.text.split(), after.text.split()
    return max(n for n in range(min(len(left), len(right)) + 1) if left[len(left) - n :] == right[:n])


def test_a_small_document_is_one_chunk_with_all_it_needs() -> None:
    (only,) = cut("# Guide\n\n## Use\n\nCall `get`.\nThen stop.\n\n\n- a\n- b\n")
    assert only.text == "# Guide\n\n## Use\n\nCall `get`.\nThen stop.\n\n- a\n- b"
    assert only.lines == (1, 2, 3, 4, 5, 6, 7, 9, 10)
    assert (only.source, only.heading) == ("doc.md", "Guide")
    assert only.id == hashlib.sha256(only.text.encode()).hexdigest()


def test_text_without_joints_is_cut_at_500_with_50_shared() -> None:
    chunks = cut(words(1400))
    assert [len(found.text.split()) for found in chunks] == [500, 500, 500]
    assert [shared(*pair) for pair in zip(chunks, chunks[1:], strict=False)] == [50, 50]
    assert chunks[1].lines[0] == 46


def test_a_cut_falls_between_paragraphs_rather_than_inside() -> None:
    first, second = cut("\n\n".join([paragraph(200, "a"), paragraph(230, "b"), paragraph(200, "c")]))
    assert first.text.endswith("b228 end.")
    assert "c0" in second.text
    assert shared(first, second) <= OVERLAP


def test_code_and_tables_stay_whole_where_they_fit() -> None:
    code = "```\n" + "\n".join(f"step {at} = f({at})" for at in range(60)) + "\n```"
    table = "a | b\n--|--\n" + "\n".join(f"{at} | x{at}" for at in range(60))
    for block in (code, table):
        chunks = cut(f"{paragraph(340, 'p')}\n\n{block}\n\n{paragraph(300, 'q')}")
        assert sum(block in found.text for found in chunks) == 1


def test_a_heading_is_never_left_at_the_end() -> None:
    text = "\n\n".join(f"### Part {at}\n\n{paragraph(90, f'p{at}x')}" for at in range(20))
    for found in cut(text):
        assert not found.text.split("\n")[-1].startswith("#")
        assert found.text.startswith("### ")


def test_a_chunk_of_several_sections_says_where_each_begins() -> None:
    (only,) = cut("# Guide\n\n## Use\n\nCall `get`.\n\n\nStop.\n\nOther\n-----\n\ntext\n")
    assert (only.heading, only.turns) == ("Guide", ((2, "Guide > Use"), (8, "Guide > Other")))
    assert [only.text.split("\n")[row] for row, _ in only.turns] == ["## Use", "Other"]


def test_scripts_without_spaces_and_endless_words_are_cut_too() -> None:
    for text, least in (("設定を変更する" * 1000, 7), ("x" * 100_000, 5)):
        chunks = cut(text)
        assert len(chunks) >= least
        assert all(len(found.text) <= 40 * WORDS for found in chunks)
        assert set("".join(found.text for found in chunks)) == set(text)


KINDS = st.sampled_from([Kind.PROSE, Kind.CODE, Kind.TABLE, Kind.LIST, Kind.HEADING, Kind.TERM])
ENDS = st.sampled_from(["", ".", ":", "!)", "日本", "-" * 90])


@st.composite
def documents(draw: st.DrawFn) -> list[SourceBlock]:
    """Blocks in which no word occurs twice, with gaps between their lines."""
    blocks, number, path = [], 1, ("h",)
    for at in range(draw(st.integers(0, 12))):
        sizes = draw(st.lists(st.one_of(st.integers(1, 12), st.integers(1, 700)), min_size=1, max_size=8))
        ends = draw(st.lists(ENDS, min_size=1, max_size=5))
        lines = [
            " ".join(f"b{at}l{line}w{word}{ends[word % len(ends)]}" for word in range(size))
            for line, size in enumerate(sizes)
        ]
        kind = draw(KINDS)
        level = draw(st.integers(1, 6)) if kind is Kind.HEADING else 0
        path = draw(st.sampled_from([path, (f"h{at}",), ("h", f"h{at}")]))
        blocks.append(SourceBlock("\n".join(lines), tuple(range(number, number + len(lines))), path, kind, level))
        number += len(lines) + draw(st.integers(0, 3))
    return blocks


@settings(max_examples=30, deadline=None)
@given(documents())
def test_chunks_hold_every_word_in_order_with_its_line(blocks: list[SourceBlock]) -> None:
    chunks = chunk(blocks, "d")
    assert chunks == chunk(blocks, "d")
    source = {
        number: text for block in blocks for text, number in zip(block.text.split("\n"), block.lines, strict=True)
    }
    heading = {number: " > ".join(block.heading) for block in blocks for number in block.lines}
    covered = dict.fromkeys(source, 0)  # line -> how many of its characters are in a chunk
    for found in chunks:
        lines = found.text.split("\n")
        assert len(lines) == len(found.lines)
        assert list(found.lines) == sorted(found.lines)
        assert found.heading == heading[found.lines[0]]
        assert all(heading_at(found, row) == heading[found.lines[row]] for row, text in enumerate(lines) if text)
        assert 0 < len(found.text.split()) <= WORDS
        for text, number in zip(lines, found.lines, strict=True):
            if text:
                start = source[number].index(text)
                assert not source[number][covered[number] : start].strip()
                covered[number] = max(covered[number], start + len(text))
    assert covered == {number: len(text) for number, text in source.items()}


def block(text: str, kind: Kind = Kind.PROSE, level: int = 0, first: int = 1) -> SourceBlock:
    return SourceBlock(text, tuple(range(first, first + text.count("\n") + 1)), ("Top",), kind, level)


def test_a_line_falls_into_its_sentences() -> None:
    atoms = atoms_of([block("It holds 3.5 litres. It is blue!\nIs it? Yes")])
    assert [(a.text, a.line, a.words, a.glue, a.joint) for a in atoms] == [
        ("It holds 3.5 litres.", 1, 4, "", Joint.BLOCK),
        ("It is blue!", 1, 3, " ", Joint.SENTENCE),
        ("Is it?", 2, 2, "\n", Joint.SENTENCE),
        ("Yes", 2, 1, " ", Joint.SENTENCE),
    ]
    assert {a.heading for a in atoms} == {("Top",)}


@pytest.mark.parametrize(
    ("before", "after", "glue", "joint"),
    [
        (block("a"), block("b"), "\n\n", Joint.BLOCK),
        (block("a"), block("B", Kind.HEADING, 2), "\n\n", Joint.SECTION),
        (block("A", Kind.HEADING, 1), block("b"), "\n\n", Joint.BOUND),
        (block("t", Kind.TERM), block("b"), "\n", Joint.BOUND),
        (block("- a", Kind.LIST), block("- b", Kind.LIST), "\n", Joint.BLOCK),
        (block("like this:"), block("x = 1", Kind.CODE), "\n\n", Joint.BOUND),
    ],
)
def test_seams_between_blocks(before: SourceBlock, after: SourceBlock, glue: str, joint: Joint) -> None:
    last = atoms_of([before, after])[-1]
    assert (last.glue, last.joint) == (glue, joint)
