"""reStructuredText and plain text."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ingest.base import Kind, SourceBlock
from ingest.formats import read_blocks
from ingest.formats.rst import MOST_CHARS, MOST_LINES, read_rst, read_text
from tests.support.steps import growth


def read(text: str) -> list[SourceBlock]:
    return read_rst(text.encode())


def test_adornments_are_ranked_by_the_order_in_which_they_come() -> None:
    text = "=====\nGuide\n=====\n\nStart\n=====\n\nIntro.\n\nDeeper\n------\n\nText.\n\nNext\n====\n\nEnd."
    prose = {block.text: block.heading for block in read(text) if block.kind is Kind.PROSE}
    assert prose == {"Intro.": ("Guide", "Start"), "Text.": ("Guide", "Start", "Deeper"), "End.": ("Guide", "Next")}


def test_directives_with_words_stay_and_those_without_go() -> None:
    text = (
        ".. _top:\n\n.. comment that\n   goes on\n\n.. image:: a.png\n   :alt: x\n\n.. |logo| image:: b.png\n\n"
        ".. note:: Mind the gap.\n\n   It is wide.\n\n.. code-block:: python\n   :linenos:\n\n   x = 1\n\n"
        ".. [1] A footnote.\n\n.. versionadded:: 2.1\n\nText with... dots."
    )
    blocks = read(text)
    assert [block.text for block in blocks] == [
        ".. note:: Mind the gap.",
        "   It is wide.",
        ".. code-block:: python\n\n   x = 1",
        ".. [1] A footnote.",
        ".. versionadded:: 2.1",
        "Text with... dots.",
    ]
    assert [block.kind for block in blocks].count(Kind.CODE) == 1


def test_plain_text_has_paragraphs_and_underlined_headings() -> None:
    blocks = read_text(b"NOTES\n=====\n\n.. this is text\n\nline one\nline two\n")
    assert [(block.text, block.lines, block.heading) for block in blocks[1:]] == [
        (".. this is text", (4,), ("NOTES",)),
        ("line one\nline two", (6, 7), ("NOTES",)),
    ]


def test_stored_page_sources_are_read_by_their_inner_suffix() -> None:
    assert read_blocks("page.rst.txt", b".. comment\n\ntext")[0].text == "text"
    assert read_blocks("page.txt", b".. comment\n\ntext")[0].text == ".. comment"


def test_options_of_directives_are_no_words_and_what_they_hold_is() -> None:
    text = (
        ".. autoclass:: Flask\n   :members:\n   :undoc-members:\n\n.. only:: html\n\n   Kept.\n\n"
        ".. figure:: a.png\n   :alt: x\n\n   A caption.\n\n.. literalinclude:: a.py\n   :lines: 1-3\n\n"
        ".. warning::\n   :class: wide\n\n   Mind it.\n\n.. class:: wide\n\n.. class:: Flask(name)\n"
    )
    blocks = read(text)
    assert [(block.text.strip(), block.lines[0]) for block in blocks] == [
        (".. autoclass:: Flask", 1),
        ("Kept.", 7),
        ("A caption.", 12),
        (".. warning::", 17),
        ("Mind it.", 20),
        (".. class:: Flask(name)", 24),
    ]


def test_options_that_say_what_a_thing_is_stay() -> None:
    blocks = read(".. py:data:: LIMIT\n   :noindex:\n   :type: int\n   :value: 5\n\n   The limit.\n")
    assert [block.text for block in blocks] == [".. py:data:: LIMIT\n   :type: int\n   :value: 5", "   The limit."]
    assert blocks[0].lines == (1, 3, 4)


def test_a_title_has_no_roles_and_links() -> None:
    text = "The :meth:`~a.b.run` of `Guide <g>`_ in ``c``\n" + "=" * 60 + "\n\nText."
    assert read(text)[-1].heading == ("The a.b.run of Guide in c",)


def tables(text: str) -> list[SourceBlock]:
    return [block for block in read_rst(text.encode()) if block.kind is Kind.TABLE]


def table(text: str) -> tuple[list[str], tuple[int, ...]]:
    (found,) = tables(text)
    return found.text.split("\n"), found.lines


def test_a_simple_table_has_its_header_and_the_lines_of_its_rows() -> None:
    text = "=====  ======\nPlan   Price\n=====  ======\nBasic  5 a\n       month\n\nPro    a | b\n=====  ======\n\nEnd."
    assert table(text) == (
        ["| Plan | Price |", "| --- | --- |", "| Basic | 5 a month |", r"| Pro | a \| b |"],
        (2, 2, 4, 7),
    )


def test_a_grid_has_its_header_and_cells_of_several_lines() -> None:
    text = "\n".join(
        [
            "  +------+-------+",
            "  | Plan | Price |",
            "  +======+=======+",
            "  | One  | 5 a   |",
            "  |      | month |",
            "  +------+-------+",
            "  | Two  | 9     |",
            "  +------+-------+",
        ]
    )
    assert table(text) == (["| Plan | Price |", "| --- | --- |", "| One | 5 a month |", "| Two | 9 |"], (2, 2, 4, 7))
    bold = "+-------+-------+\n| **A** | **B** |\n+-------+-------+\n| 1     | 2     |\n+-------+-------+"
    assert table(bold)[0] == ["| **A** | **B** |", "| --- | --- |", "| 1 | 2 |"]


def test_a_list_of_lists_and_values_apart_by_commas() -> None:
    text = (
        ".. list-table:: Plans\n   :header-rows: 1\n   :widths: 1 2\n\n   * - Plan\n     - Price\n   * - Basic\n"
        "     - 5 a\n       month\n   * - Pro\n     -\n"
    )
    blocks = read_rst(text.encode())
    assert (blocks[0].text, blocks[0].lines) == ("Plans", (1,))
    assert table(text) == (["| Plan | Price |", "| --- | --- |", "| Basic | 5 a month |", "| Pro |  |"], (5, 5, 7, 10))
    values = '.. csv-table:: Birds\n   :header: "Name", "Price, net"\n\n   "Crow", 2\n   "Jay\n   bird", 3\n'
    assert table(values) == (
        ["| Name | Price, net |", "| --- | --- |", "| Crow | 2 |", "| Jay bird | 3 |"],
        (2, 2, 4, 5),
    )
    assert tables(".. csv-table:: Birds\n   :file: birds.csv\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "==== ====\na cell too wide\n==== ====\n",
        "+---+---+\n| a | b |\n+---+---+\n| of two |\n+---+---+",
    ],
)
def test_what_is_not_sure_stays_as_it_stands(text: str) -> None:
    assert "\n".join(block.text for block in read_rst(text.encode())) == text.rstrip("\n")


@pytest.mark.parametrize("piece", ["=== ===\n", "=== ===\na   b\n\n", "+--+--+\n", "+--+--+\n| a|\n\n", "=== ===\n\n"])
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: read_rst((piece * size).encode()), 300) < 3


def test_cells_that_stand_for_several_rows_and_columns_are_said_in_each() -> None:
    rows = "+---+---+\n| a | b |\n|   +---+\n|   | c |\n+---+---+"
    assert table(rows) == (["a | b", "a | c"], (2, 4))


def test_what_sphinx_alone_knows_is_text_and_what_it_holds_is_read() -> None:
    text = (
        "Call :py:meth:`~a.B.run` or |it|.\n\n.. tabs::\n\n   .. group-tab:: Bash\n\n      .. code-block:: sh\n\n"
        "         run\n\n   .. deprecated:: 2.1\n      Use `walk`_.\n.. seealso:: The guide.\n"
    )
    assert [(block.text.strip(), block.lines[0], block.kind) for block in read(text)] == [
        ("Call :py:meth:`~a.B.run` or |it|.", 1, Kind.PROSE),
        (".. tabs::", 3, Kind.PROSE),
        (".. group-tab:: Bash", 5, Kind.TERM),
        (".. code-block:: sh\n\n         run", 7, Kind.CODE),
        (".. deprecated:: 2.1\n      Use `walk`_.", 11, Kind.PROSE),
        (".. seealso:: The guide.", 13, Kind.PROSE),
    ]


def test_no_file_is_read_nothing_is_run_and_nothing_is_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("maple,7\n")
    text = "".join(
        f".. {name}\n\n"
        for name in (f"include:: {secret}", f"raw:: html\n   :file: {secret}", f"csv-table:: T\n   :file: {secret}",
                     f"literalinclude:: {secret}", "csv-table:: U\n   :url: http://127.0.0.1:9/x", "role:: x")
    )  # fmt: skip
    found = read(text + "Title\n=\n\n`open <\n\n|x|_ [nobody]_\n\nEnd of it.\n")
    assert "maple" not in "".join(block.text for block in found)
    assert found[-1].text == "End of it."
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "text",
    [
        "\n\n".join(" " * depth + "deep" for depth in range(600)),
        "- " * 2000 + "deep",
        "word\n\n" * (MOST_LINES // 2 + 1),
        "word " * (MOST_CHARS // 5 + 1),
    ],
    ids=["indents", "items", "lines", "characters"],
)
def test_what_docutils_is_not_given_or_gives_up_is_text(text: str) -> None:
    assert " ".join(block.text for block in read(text)).split() == text.split()


PIECES = [
    *("Title\n=====\n", "\n", "* item\n", "  more::\n", "    code()\n", ".. note:: words\n", "=== ===\n", "a   b\n"),
    *("+---+\n", "| c |\n", ".. [1] foot\n", ":field: body\n", "----\n", ">>> call()\n", "\tTabbed\n"),
]


@example(["+---+\n", "| c |\n", "+---+\n", "| c |\n"])
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_every_word_is_kept_in_order_on_its_line(pieces: list[str]) -> None:
    source = "".join(pieces).split("\n")
    placed = [
        (number, word, block.kind is Kind.TABLE)
        for block in read("".join(pieces))
        for number, line in zip(block.lines, block.text.split("\n"), strict=True)
        for word in re.findall(r"\w+", line)
    ]
    assert [word for _, word, _ in placed] == [word for line in source for word in re.findall(r"\w+", line)]
    # A table's row may take several lines, and stands at its first.
    assert all(word in "\n".join(source[number - 1 : None if row else number]) for number, word, row in placed)


def test_a_definition_and_a_description_stand_below_what_they_are_of() -> None:
    text = (
        "Guide\n=====\n\nwait\n   How long.\n\n   inner\n      Deep.\n\nretry : int\n   How often.\n\n"
        ".. py:function:: send(a)\n   :async:\n\n   Sends it.\n\n   :returns: the id\n\n.. note:: Mind.\n\n"
        "   It is here.\n\nEnd.\n"
    )
    found = {block.text.strip(): (" > ".join(block.heading), block.kind) for block in read(text)}
    assert found == {
        "Guide\n=====": ("Guide", Kind.HEADING),
        "wait": ("Guide", Kind.TERM),
        "How long.": ("Guide > wait", Kind.PROSE),
        "inner": ("Guide > wait", Kind.TERM),
        "Deep.": ("Guide > wait > inner", Kind.PROSE),
        "retry : int": ("Guide", Kind.TERM),
        "How often.": ("Guide > retry : int", Kind.PROSE),
        ".. py:function:: send(a)": ("Guide", Kind.TERM),
        "Sends it.": ("Guide > send(a)", Kind.PROSE),
        ":returns: the id": ("Guide > send(a)", Kind.PROSE),
        ".. note:: Mind.": ("Guide", Kind.PROSE),
        "It is here.": ("Guide", Kind.PROSE),
        "End.": ("Guide", Kind.PROSE),
    }


def test_what_stands_for_a_name_is_put_in() -> None:
    text = (
        "About |Limit|\n=============\n\n.. |limit| replace:: at most\n   500\n.. |logo| image:: a.png\n\n"
        "It holds |limit|, |other| and |logo|.\n\n::\n\n   a |limit|\n\n== ===\na  |limit|\n== ===\nb  c\n== ===\n"
    )
    texts = [block.text for block in read(text)]
    assert texts[:2] == ["About at most 500\n=============", "It holds at most 500, |other| and |logo|."]
    assert any("a |limit|" in block for block in texts)
    assert "| a | at most 500 |" in texts[-1]
