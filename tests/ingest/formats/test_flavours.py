"""What generators of sites add to Markdown: marks go, words and lines stay."""

import pytest

from ingest.blocks import Kind
from ingest.formats.flavours import unfolded
from ingest.formats.lines import numbered
from ingest.formats.markdown import read_markdown
from tests.support.steps import growth


def read(text: str) -> list[tuple[str, int]]:
    """The blocks, each with its first line."""
    return [(block.text, block.lines[0]) for block in read_markdown(text.encode())]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("a\n```{note}\n:class: wide\nMind **it**.\n\n```py\nx\n```\n```\nb",
         [("a", 1), ("Mind **it**.", 4), ("```py\nx\n```", 6), ("b", 10)]),
        ("````{tip}\n---\nname: x\n---\nJump.\n````", [("Jump.", 5)]),
        ("```{tip}\n---\n```\nb\n\n---\nc", [("b", 4), ("c", 7)]),
        ("```{ls} -a```\n\n```\nx\n```\nb", [("```{ls} -a```", 1), ("```\nx\n```", 3), ("b", 6)]),
        (":::{admonition} Two words\n:class: tip\nJump.\n:::\nb", [("Two words", 1), ("Jump.", 3), ("b", 5)]),
        ("```{versionadded} 2.1\nIt waits.\n```", [("{versionadded} 2.1\nIt waits.", 1)]),
        ("```{py:data} LIMIT\n:noindex:\n:type: int\n\nThe limit.\n```",
         [("LIMIT", 1), (":type: int", 3), ("The limit.", 5)]),
        ("```{figure} a.png\n:alt: x\n\nA caption.\n```", [("A caption.", 4)]),
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
        ("<Note>Mind it.</Note>\nUse <Name> here.", [("Mind it.", 1), ("Use <Name> here.", 2)]),
        ('<Card title="Two words" href="x">Mind it.</Card>', [("Two words", 1), ("Mind it.", 1)]),
        ("<Your name>\n\n{{< tip >}}Jump.{{< /tip >}}\n{% tip %}Run.{% end %}",
         [("<Your name>", 1), ("{{< tip >}}Jump.{{< /tip >}}\n{% tip %}Run.{% end %}", 3)]),
        ('<ParamField path="id" type="int" required>\n  Its number.\n</ParamField>',
         [('path="id" type="int" required', 1), ("  Its number.", 2)]),
        ("/// note | Two words\nMind it.\n///", [("Two words", 1), ("Mind it.", 2)]),
        ('--8<-- "a.md"\n{% hint style="info" %}\nMind it.\n{% endhint %}\n{{< x >}}\n[TOC]\n{: .lead }',
         [("Mind it.", 3)]),
        ("import Tabs from '@theme/Tabs';\n\n<Tabs>\n"
         "<TabItem value=\"a\" label=\"On Linux\">\na\n</TabItem>\n</Tabs>\n<Name>",
         [("On Linux", 4), ("a", 5), ("<Name>", 8)]),
    ],
)  # fmt: skip
def test_marks_go_and_words_stay(text: str, blocks: list[tuple[str, int]]) -> None:
    assert read(text) == blocks


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
        "<!-- !!! note -->\n    {% x",
    ],
)
def test_code_and_what_only_looks_like_a_mark_stay(text: str) -> None:
    assert [line.text for line in unfolded(numbered(text))] == text.split("\n")


@pytest.mark.parametrize(
    "piece", ["```{note}\n", ":::{note}\n", "!!! a\n", "<!-- ", "<A>\n</A>\n", "```{toctree}\n", "    "]
)
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: unfolded(numbered(piece * size)), 300) < 3
