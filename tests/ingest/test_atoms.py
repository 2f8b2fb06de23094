"""Atoms: small, in order, with their lines, nothing lost, and cuts rated by how good they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.atoms import ATOM_WORDS, SENTENCE_END, WORD, Joint, atoms_of
from ingest.blocks import Block, Kind


def block(text: str, kind: Kind = Kind.PROSE, level: int = 0, first: int = 1) -> Block:
    return Block(text, tuple(range(first, first + text.count("\n") + 1)), ("Top",), kind, level)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("one two", 2),
        ("re-read, please!", 2),
        ("x" * 40, 1),
        ("x" * 41, 2),
        ("日本語", 2),
        ("한국어입니다", 3),
        ("abc日本", 2),
        ("\u00a0a\tb\n", 2),
    ],
)
def test_words_are_counted_in_scripts_with_and_without_blanks(text: str, count: int) -> None:
    assert len(WORD.findall(text)) == count


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("So.", True),
        ('He said "so."', True),
        ("(so!)", True),
        ("好。", True),
        ("so", False),
        ("1.5x", False),
        ("a,", False),
    ],
)
def test_where_a_sentence_ends(text: str, ends: bool) -> None:
    assert bool(SENTENCE_END.search(text)) is ends


def test_a_line_falls_into_its_sentences() -> None:
    atoms = atoms_of([block("It holds 3.5 litres. It is blue!\nIs it? Yes")])
    assert [(a.text, a.line, a.words, a.glue, a.joint) for a in atoms] == [
        ("It holds 3.5 litres.", 1, 4, "", Joint.BLOCK),
        ("It is blue!", 1, 3, " ", Joint.SENTENCE),
        ("Is it?", 2, 2, "\n", Joint.SENTENCE),
        ("Yes", 2, 1, " ", Joint.SENTENCE),
    ]
    assert {a.heading for a in atoms} == {("Top",)}


def test_a_line_that_ends_within_a_sentence_is_a_worse_cut() -> None:
    assert [a.joint for a in atoms_of([block("one two\nthree.")])] == [Joint.BLOCK, Joint.LINE]


@pytest.mark.parametrize(
    ("kind", "inside"), [(Kind.CODE, Joint.BOUND), (Kind.TABLE, Joint.BOUND), (Kind.LIST, Joint.SENTENCE)]
)
def test_code_and_tables_are_not_cut_at_sentences(kind: Kind, inside: Joint) -> None:
    atoms = atoms_of([block("a. b. c.\nd.", kind)])
    assert atoms[-1].joint is inside
    assert len(atoms) == (4 if kind is Kind.LIST else 2)


def test_a_blank_line_in_code_is_a_place_for_a_cut() -> None:
    atoms = atoms_of([block("a = 1\n\nb = 2\nc = 3", Kind.CODE)])
    assert [(a.glue, a.joint, a.line) for a in atoms] == [
        ("", Joint.BLOCK, 1),
        ("\n\n", Joint.LINE, 3),
        ("\n", Joint.BOUND, 4),
    ]
    assert atoms_of([block("a\n\nb", Kind.TABLE)])[1].joint is Joint.BOUND


@pytest.mark.parametrize(
    ("before", "after", "glue", "joint"),
    [
        (block("a"), block("b"), "\n\n", Joint.BLOCK),
        (block("a"), block("B", Kind.HEADING, 2), "\n\n", Joint.SECTION),
        (block("a"), block("B", Kind.HEADING, 3), "\n\n", Joint.HEADING),
        (block("A", Kind.HEADING, 1), block("b"), "\n\n", Joint.BOUND),
        (block("A", Kind.HEADING, 1), block("B", Kind.HEADING, 2), "\n\n", Joint.BOUND),
        (block("t", Kind.TERM), block("b"), "\n", Joint.BOUND),
        (block("- a", Kind.LIST), block("- b", Kind.LIST), "\n", Joint.BLOCK),
        (block("like this:"), block("x = 1", Kind.CODE), "\n\n", Joint.BOUND),
        (block("like this:"), block("- b", Kind.LIST), "\n\n", Joint.BOUND),
        (block("like this:"), block("b"), "\n\n", Joint.BLOCK),
        (block("like this."), block("x = 1", Kind.CODE), "\n\n", Joint.BLOCK),
    ],
)
def test_seams_between_blocks(before: Block, after: Block, glue: str, joint: Joint) -> None:
    last = atoms_of([before, after])[-1]
    assert (last.glue, last.joint) == (glue, joint)


def test_a_line_without_a_sentence_is_cut_at_the_limit() -> None:
    atoms = atoms_of([block(" ".join(["word"] * (2 * ATOM_WORDS + 3)))])
    assert [a.words for a in atoms] == [ATOM_WORDS, ATOM_WORDS, 3]
    assert [a.joint for a in atoms] == [Joint.BLOCK, Joint.WORD, Joint.WORD]


def test_blank_blocks_give_nothing() -> None:
    assert atoms_of([]) == atoms_of([block(" \n\t")]) == []


@given(
    st.lists(st.text(st.sampled_from("ab. !?日\t:"), max_size=80), min_size=1, max_size=6), st.sampled_from(list(Kind))
)
def test_nothing_but_white_space_is_lost(lines: list[str], kind: Kind) -> None:
    atoms = atoms_of([block("\n".join(lines), kind)])
    assert "".join("".join(a.glue + a.text for a in atoms).split()) == "".join("".join(lines).split())
    assert all(1 <= a.words <= ATOM_WORDS and a.text.strip() for a in atoms)
    assert [a.line for a in atoms] == sorted(a.line for a in atoms)
    assert all(a.text in lines[a.line - 1] for a in atoms)
