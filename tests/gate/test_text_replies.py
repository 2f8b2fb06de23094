"""Lists of objects out of what a model wrote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text_replies import entries


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": [{"x": 1}, {"x": 2}]}', ([{"x": 1}, {"x": 2}], True)),
        ('```json\n{"a" : [\n{"x": 1} ]}\n``` done', ([{"x": 1}], True)),
        ('{"a": [{"x": 1}]} no: {"a": [{"x": 2}]}', ([{"x": 2}], True)),
        ('{"a": [{"x": "\\"a\\": [{}]"}]}', ([{"x": '"a": [{}]'}], True)),
        ('{"a": [{"x": 1}, {"x": 2', ([{"x": 1}], False)),
        ('{"a": [{"x": 1}, 5, "y", [], {"x": 2}]}', ([{"x": 1}, {"x": 2}], True)),
        ('{"a": [{"x": 1, "x": 2}, {"x": 1, "x": 1}]}', ([{"x": None}, {"x": 1}], True)),
        ('{"a": []}', ([], True)),
        ('{"b": [{"x": 1}]}', ([], False)),
        ('{"a": {"x": 1}}', ([], False)),
        ("", ([], False)),
        ('{"a": [' + "[" * 100_000, ([], False)),
    ],
)
def test_entries(text, expected) -> None:
    assert entries(text, "a") == expected


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9) | st.integers(), max_size=3), max_size=4))
def test_what_was_written_is_read(objects) -> None:
    assert entries(f"Sure:\n{json.dumps({'a': objects})}\nDone.", "a") == (objects, True)


@given(st.text(alphabet='{}[]":a, 1\\', max_size=60))
def test_any_text_is_read(text) -> None:
    found, _ = entries(text, "a")
    assert all(isinstance(entry, dict) for entry in found)
