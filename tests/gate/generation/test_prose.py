"""The prose of a chunk: code and tables are blanked."""

from hypothesis import given
from hypothesis import strategies as st

from gate.generation.prose import prose
from gate.records import Chunk


def chunk(text):
    return Chunk("c", text, "a.md", "Pump", tuple(range(1, text.count("\n") + 2)))


TEXT = """The pump runs.

    gate run   # code
    more code

| name | value |
| --- | --- |

```
fenced code
```

- an item
"""


def test_code_and_tables_are_blanked_and_lines_stay():
    found = prose(chunk(TEXT)).text
    assert [line.strip() for line in found.split("\n") if any(map(str.isalnum, line))] == [
        "The pump runs.", "- an item",
    ]  # fmt: skip
    assert found.count("\n") == TEXT.count("\n")
    assert found.index("an item") == TEXT.index("an item")


@given(st.text(alphabet="ab `|#-\n\t.", max_size=80))
def test_blanking_moves_nothing(text):
    found = prose(chunk(text)).text
    assert len(found) == len(text)
    assert all(one == other or one == " " for one, other in zip(found, text, strict=True))
