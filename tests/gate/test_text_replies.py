"""Lists of objects out of what a model wrote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text_replies import Twice, each_of, entries, twice_given


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": [{"x": 1}, {"x": 2}]}', ([{"x": 1}, {"x": 2}], True)),
        ('```json\n{"a" : [\n{"x": 1} ]}\n``` done', ([{"x": 1}], True)),
        ('{"a": [{"x": 1}]} no: {"a": [{"x": 2}]}', ([{"x": 2}], True)),
        ('{"a": [{"x": "\\"a\\": [{}]"}]}', ([{"x": '"a": [{}]'}], True)),
        ('{"a": [{"x": 1}, {"x": 2', ([{"x": 1}], False)),
        ('{"a": [{"x": 1}, 5, "y", [], {"x": 2}]}', ([{"x": 1}, {"x": 2}], True)),
        ('{"a": [{"x": 1, "x": 2}, {"x": 1, "x": 1}]}', ([{"x": Twice((1, 2))}, {"x": 1}], True)),
        ('{"a": []}', ([], True)),
        ('{"b": [{"x": 1}]}', ([], False)),
        ('{"a": {"x": 1}}', ([], False)),
        ('[{"x": 1}, {"x": 2}]', ([{"x": 1}, {"x": 2}], True)),
        ('```json\n[\n{"x": 1} ]\n```\n', ([{"x": 1}], True)),
        ('[{"x": 1}, {"x', ([{"x": 1}], False)),
        ('[{"x": 1}] no: [{"x": 2}]', ([], False)),
        ('So: [{"x": 1}]', ([], False)),
        ('[{"x": 1}], {"a": [{"x": 2}]}', ([{"x": 2}], True)),
        ("[]", ([], False)),
        ('["x", {"x": 1}]', ([], False)),
        ("", ([], False)),
        ('{"a": [' + "[" * 100_000, ([], False)),
    ],
)
def test_entries(text, expected) -> None:
    assert entries(text, "a") == expected


def test_a_key_given_several_values_keeps_them_apart() -> None:
    ((entry, plain), _) = entries('{"a": [{"y": 0, "x": 1, "x": [2], "x": 1, "x": null}, {"x": 1}]}', "a")
    assert (twice_given(entry), twice_given(plain)) == ("x", "")
    assert each_of(entry["x"]) == (1, [2], None)
    assert each_of(plain["x"]) == (1,)


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9) | st.integers(), max_size=3), max_size=4))
def test_what_was_written_is_read(objects) -> None:
    assert entries(f"Sure:\n{json.dumps({'a': objects})}\nDone.", "a") == (objects, True)


@given(st.text(alphabet='{}[]":a, 1\\', max_size=60))
def test_any_text_is_read(text) -> None:
    found, _ = entries(text, "a")
    assert all(isinstance(entry, dict) for entry in found)
