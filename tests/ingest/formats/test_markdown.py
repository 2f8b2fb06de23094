"""Markdown: verbatim lines with their numbers, without what is no text; the marks of site generators go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.base import Kind, SourceBlock
from ingest.formats.markdown import read_markdown
from tests.support.steps import growth


def read(text: str) -> list[SourceBlock]:
    return read_markdown(text.encode())


def texts(text: str) -> list[str]:
    return [block.text for block in read(text)]


def test_lines_stay_as_they_stand_and_know_where() -> None:
    blocks = read("# Title\n\nUse `a.b()` or [this](x.md),\nand **that**.\n\n\n* one\n* two\n")
    assert [(block.kind, block.text, block.lines) for block in blocks] == [
        (Kind.HEADING, "# Title", (1,)),
        (Kind.PROSE, "Use `a.b()` or [this](x.md),\nand **that**.", (3, 4)),
        (Kind.LIST, "* one\n* two", (7, 8)),
    ]


def test_headings_of_both_kinds_make_a_path() -> None:
    blocks = read("Top\n===\n\n## The `get` [call](x)\n\ntext\n\nPart\n----\nmore\n### Deep {#id}\nend")
    assert [block.heading for block in blocks if block.kind is Kind.PROSE] == [
        ("Top", "The get call"),
        ("Top", "Part"),
    ] + [("Top", "Part", "Deep")]


def test_code_is_one_block_and_nothing_in_it_is_markup() -> None:
    code = "```python\n# not a heading\n\n<!-- kept -->\n---\n```"
    blocks = read(f"Look:\n\n{code}\n\nafter")
    assert [block.text for block in blocks] == ["Look:", code, "after"]
    assert blocks[1].kind is Kind.CODE
    assert blocks[1].lines == (3, 4, 5, 6, 7, 8)
    assert blocks[2].heading == ()


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_front_matter_says_its_title_and_description(mark: str) -> None:
    sign = ":" if mark == "---" else " ="
    matter = f"{mark}\ntitle{sign} 'The x'\ntags{sign} [a]\ndescription{sign} All about x.\n{mark}\n\n"
    blocks = read(f"{matter}Text.")
    found = [(block.text, block.lines, block.heading) for block in blocks]
    assert found == [("The x", (2,), ("The x",)), ("All about x.", (4,), ("The x",)), ("Text.", (7,), ("The x",))]
    assert [block.heading for block in read(f"{matter}# Own\n\nText.")] == [(), ("Own",), ("Own",)]


@pytest.mark.parametrize(("first", "begun"), [(" >-", []), (" |", []), (" All", ["All"]), (" 'All", ["All"])])
def test_a_description_may_have_several_lines(first: str, begun: list[str]) -> None:
    quote = "'" if "'" in first else ""
    text = f"---\ndescription:{first}\n  about x,\n\n  and y.{quote}\ntags: [a]\nsummary: |\n---\n\nText."
    assert [block.text.split("\n") for block in read(text)] == [[*begun, "about x,", "", "and y."], ["Text."]]
    assert read(text)[0].lines[-3:] == (3, 4, 5)


def test_titles_of_tabs_and_admonitions_bind_what_they_hold() -> None:
    text = (
        "# Install\n\n<Tabs>\n<TabItem\n  value='a'\n  label='Linux'\n>\n\napt\n\n### Then\n\nrun\n\n</TabItem>\n"
        "<TabItem label='macOS'>\n\nbrew\n\n</TabItem>\n</Tabs>\n\n:::tip Mind\n::::note\nin\n::::\n:::\n\nout\n\n"
        '=== "Pip"\n    pip\n\n```{tab-item} Conda\nconda\n```\nend\n'
    )
    found = {block.text.strip(): " > ".join(block.heading) for block in read(text)}
    assert {name: found[name] for name in ("apt", "run", "brew", "in", "out", "pip", "conda", "end")} == {
        "apt": "Install > Linux",
        "run": "Install > Linux > Then",
        "brew": "Install > macOS",
        "in": "Install > Mind",
        "out": "Install",
        "pip": "Install > Pip",
        "conda": "Install > Conda",
        "end": "Install",
    }


def test_programs_in_a_page_go_and_their_constants_are_put_in() -> None:
    text = (
        "import {\n  A,\n  B\n} from 'x';\nexport const port = 7070;\nexport const F = () => (\n  <p>\n\n  no</p>\n);\n"
        "\nOn {port} and {other}. {/* secret */}Yes <Tip x='1'>this</Tip>.\n\n{/*\nlong\n*/}\n\nexport the file\n\n"
        "export const open = (\n\nstays\n"
    )
    assert texts(text) == ["On 7070 and {other}. Yes this.", "export the file", "stays"]


def test_comments_are_dropped_and_what_stands_around_them_is_not() -> None:
    text = "a <!-- x --> b <!-- y -->c\n\n<!-- one\n\n```\ntwo -->rest <!-- z -->\n\nlast"
    assert texts(text) == ["a  b c", "rest", "last"]


def test_a_comment_that_never_ends_and_one_in_code_marks_are_text() -> None:
    assert texts("and `<!-- x -->` too\n\n<!-- open\n\nstill text") == [
        "and `<!-- x -->` too",
        "<!-- open",
        "still text",
    ]


def test_badges_images_targets_rules_and_bare_tags_are_dropped() -> None:
    noise = [
        "[![build](https://x.y/b.svg)](https://x.y) ![ok](a_(1).png)",
        "![screenshot](a.png)",
        '<p align="center">',
        "  <img src=\"a.png\" alt='x'> <br/> <br />",
        "</p>",
        "(install-guide)=",
        "***",
    ]
    assert texts("\n".join(["before", "", *noise, "", "after"])) == ["before", "after"]


def test_a_table_in_html_has_its_header_and_lines() -> None:
    text = "a\n<table>\n<tr><th>Plan</th>\n<th>Price</th></tr>\n<tr><td>Pro</td><td>`9`</td></tr>\n</table>\nb"
    blocks = read(text)
    assert [(block.kind, block.text, block.lines) for block in blocks] == [
        (Kind.PROSE, "a", (1,)),
        (Kind.TABLE, "| Plan | Price |\n| --- | --- |\n| Pro | `9` |", (3, 3, 5)),
        (Kind.PROSE, "b", (7,)),
    ]
    images = '<table>\n<tr><td><img src="a.png"></td></tr>\n</table>'
    assert texts(images + "\n\nb")[-1] == "b"


@pytest.mark.parametrize(
    ("markup", "title"),
    [("`Client(a_b)` ##", "Client(a_b)"), ("C#", "C#"), ("2. Use [it](x) {#use}", "2. Use it"), ("a\\*b ##", "a*b")],
)
def test_the_title_of_a_heading_has_no_markup(markup: str, title: str) -> None:
    assert read(f"# {markup}")[0].heading == (title,)


HOSTILE = [
    "!!! a ",
    "{% ",
    "<A ",
    "```{a} ",
    "<!-- ",
    "![",
    "<br />",
    "```\n",
    "- " * 3,
    "> ",
    "|",
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("end", ["", "\n"])
def test_repeated_markup_is_read_to_its_end(piece: str, end: str) -> None:
    """A reader that is quadratic or backtracks does not come back from this."""
    assert texts((piece + end) * (50_000 // len(piece)) + "\nlast words")[-1].endswith("last words")


@given(st.text(alphabet=st.sampled_from("ab #-=*`~<>!-[]()|:\n \t"), max_size=200))
def test_every_line_kept_stands_in_the_source(text: str) -> None:
    source = text.split("\n")
    for block in read(text):
        for line, number in zip(block.text.split("\n"), block.lines, strict=True):
            kept = source[number - 1]
            assert line == kept.rstrip() or "<!--" in kept or "-->" in kept or (":::" in kept and line in kept)


def placed(text: str) -> list[tuple[str, int]]:
    """The blocks, each with its first line."""
    return [(block.text, block.lines[0]) for block in read_markdown(text.encode())]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("a\n```{note}\n:class: wide\nMind **it**.\n\n```py\nx\n```\n```\nb",
         [("a", 1), ("Mind **it**.", 4), ("```py\nx\n```", 6), ("b", 10)]),
        ("```{tip}\n---\n```\nb\n\n---\nc", [("b", 4), ("c", 7)]),
        ("```{ls} -a```\n\n```\nx\n```\nb", [("```{ls} -a```", 1), ("```\nx\n```", 3), ("b", 6)]),
        (":::{admonition} Two words\n:class: tip\nJump.\n:::\nb", [("Two words", 1), ("Jump.", 3), ("b", 5)]),
        ("```{versionadded} 2.1\nIt waits.\n```", [("{versionadded} 2.1\nIt waits.", 1)]),
        ("```{py:data} LIMIT\n:noindex:\n:type: int\n\nThe limit.\n```",
         [("LIMIT", 1), (":type: int", 3), ("The limit.", 5)]),
        ("```{toctree}\n:maxdepth: 1\n\nsetup\n```\n\nb", [("b", 7)]),
        ("```{code-block} py\n:linenos:\nx = 1\n```", [("```{code-block} py\n\nx = 1\n```", 1)]),
        ("```{eval-rst}\n.. autoclass:: a.B\n   :members:\n\n   Text.\n```",
         [(".. autoclass:: a.B", 2), ("   Text.", 5)]),
        (":::note\na\n:::\n:::tip[Do it]\nb\n:::\n::: warning Take care\nc\n:::",
         [("a", 2), ("Do it", 4), ("b", 5), ("Take care", 7), ("c", 8)]),
        ("::: pkg.mod.Class\n    options:\n      members: [x]\n\nb", [("b", 5)]),
        ('a\n!!! note "Two words"\n    Mind it\n    well.\n\n    - one\n\nb',
         [("a", 1), ("Two words", 2), ("Mind it\nwell.", 3), ("- one", 6), ("b", 8)]),
        ('=== "pip"\n\n    ```sh\n    ls\n    ```\n\n=== "uv"\n    ??? tip\n        Jump.\n\n    c',
         [("pip", 1), ("```sh\nls\n```", 3), ("uv", 7), ("Jump.", 9), ("c", 11)]),
        ('<Card title="Two words" href="x">Mind it.</Card>', [("Two words", 1), ("Mind it.", 1)]),
        ("<Your name>\n\n{{< tip >}}Jump.{{< /tip >}}\n{% tip %}Run.{% end %}",
         [("<Your name>", 1), ("{{< tip >}}Jump.{{< /tip >}}\n{% tip %}Run.{% end %}", 3)]),
        ('--8<-- "a.md"\n{% hint style="info" %}\nMind it.\n{% endhint %}\n{{< x >}}\n[TOC]\n{: .lead }',
         [("Mind it.", 3)]),
        ("import Tabs from '@theme/Tabs';\n\n<Tabs>\n"
         "<TabItem value=\"a\" label=\"On Linux\">\na\n</TabItem>\n</Tabs>\n<Name>",
         [("On Linux", 4), ("a", 5), ("<Name>", 8)]),
    ],
)  # fmt: skip
def test_marks_go_and_words_stay(text: str, blocks: list[tuple[str, int]]) -> None:
    assert placed(text) == blocks


def test_a_table_written_as_a_list_has_its_header() -> None:
    text = ":::{list-table} Plans\n:header-rows: 1\n\n* - Plan\n  - Price\n* - Basic\n  - 5\n:::\n\nb"
    blocks = read_markdown(text.encode())
    assert [(block.kind, block.text) for block in blocks] == [
        (Kind.PROSE, "Plans"),
        (Kind.TABLE, "| Plan | Price |\n| --- | --- |\n| Basic | 5 |"),
        (Kind.PROSE, "b"),
    ]
    assert blocks[1].lines == (4, 4, 6)


@pytest.mark.parametrize(
    "text",
    [
        "```md\n!!! note\n    x\n:::tip\n{% if a %}\n```",
        "~~~\n<Tabs>\n</Tabs>\n~~~",
        "!!! wow that is much",
        "use {name} and ::: here\n=== equals",
        "```{r, echo=FALSE}\nx\n```",
        "```{python}\nx\n```",
    ],
)
def test_code_and_what_only_looks_like_a_mark_stay(text: str) -> None:
    assert "\n".join(texts(text)) == text


@pytest.mark.parametrize(
    "piece", ["```{note}\n", ":::{note}\n", "!!! a\n", "<!-- ", "<A>\n</A>\n", "```{toctree}\n", "    "]
)
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: texts("words\n\n" + piece * size), 300) < 3
