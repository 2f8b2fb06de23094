"""Lines that their neighbours explain."""

import pytest

from gate.text_blocks import structure
from tests.support.steps import growth


def shown(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end].strip()) for block in structure(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cold\n~~~~\n\nIt stops\nat once.\n\nWarm\n~~~~\n\nIt waits.",
         [("text", "Cold"), ("text", "It stops\nat once."), ("text", "Warm"), ("text", "It waits.")]),
        ("~~~~~~\nTitle\n~~~~~~\n\nText.", [("code", "Title"), ("text", "Text.")]),
        ("Run:\n~~~\nls -l\n~~~\nText.", [("text", "Run:"), ("code", "ls -l"), ("text", "Text.")]),
        ("A longer line\n~~~~\nls -l\n~~~~", [("text", "A longer line"), ("code", "ls -l")]),
        ("Run this::\n\n    make\n    # all\n\n      x\n\nDone.",
         [("text", "Run this::"), ("code", "make"), ("code", "# all"), ("code", "x"), ("text", "Done.")]),
        ("Run this::\nnow", [("text", "Run this::\nnow")]),
        ("Run this::\n\nnow", [("text", "Run this::"), ("text", "now")]),
        ("- Do::\n\n      a\n      b\n\n  then c",
         [("item", "Do::"), ("code", "a"), ("code", "b"), ("text", "then c")]),
        (".. code-block:: py\n   :linenos:\n\n   a = 1\n   b = 2\n\nEnd.",
         [("code", "a = 1"), ("code", "b = 2"), ("text", "End.")]),
        ("```\nOptions:\n  -p, --param TEXT   Named\n                     parameters\n  --long-name <A B>...\n"
         "                     Does it.\n  x\n\n  y\n```",
         [("code", "Options:"), ("code", "-p, --param TEXT   Named\n                     parameters"),
          ("code", "--long-name <A B>...\n                     Does it."), ("code", "x"), ("code", "y")]),
        ("```\n- a\n      b\nrun -x\n      y\n```",
         [("code", "- a"), ("code", "b"), ("code", "run -x"), ("code", "y")]),
        ("See the long `name of it\n<https://example.org/a>`_ and go.", [
            ("text", "See the long `name of it\n<https://example.org/a>`_ and go.")]),
        ("Plan | Price\n--- | ---\nBasic | 5\nPro | 9\n\nOne | two",
         [("row", "Plan | Price"), ("row", "Basic | 5"), ("row", "Pro | 9"), ("text", "One | two")]),
        ("Plan\n---\nBasic | 5", [("text", "Plan"), ("text", "Basic | 5")]),
        ("# Plan | Price\n--- | ---\nBasic | 5", [("heading", "Plan | Price"), ("text", "Basic | 5")]),
    ],
)  # fmt: skip
def test_kinds(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "piece", ["a\n~~~~\n", "a::\n\n  b\n", "a::\n\n", ".. code::\n", "a | b\n-- | --\n", "::\n", "```\n-a\n     b\n"]
)
def test_the_work_is_linear(piece: str) -> None:
    assert growth(lambda size: structure(piece * size), 300) < 3
