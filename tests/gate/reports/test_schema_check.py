"""Schema faults: every one named with its place, and the same verdict as a full validator's."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gate.reports.schema_check import faults

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "pattern": "^[a-z]*$"},
        "share": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        "n": {"type": "integer"},
        "done": {"type": "boolean"},
        "pair": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "#/$defs/label"}},
    },
    "additionalProperties": {"type": "string"},
    "$defs": {"label": {"type": "string", "enum": ["good", "bad"]}},
}


def told(value: Any, schema: dict[str, Any] = SCHEMA) -> list[str]:
    return list(faults(value, schema, schema))


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ({"name": "a"}, []),
        ({"name": "a", "share": None, "n": 2.0, "done": True, "pair": ["good", "bad"], "more": "x"}, []),
        ([], ["the file: [] is not of type object"]),
        ({}, ["name: missing"]),
        ({"name": ""}, ["name: must not be empty"]),
        ({"name": "A"}, ["name: 'A' does not match ^[a-z]*$"]),
        ({"name": "a", "share": -0.5}, ["share: -0.5 is below 0"]),
        ({"name": "a", "share": 2}, ["share: 2 is above 1"]),
        ({"name": "a", "share": True}, ["share: True is not of type number or null"]),
        ({"name": "a", "n": 2.5}, ["n: 2.5 is not of type integer"]),
        ({"name": "a", "n": True}, ["n: True is not of type integer"]),
        ({"name": "a", "done": 1}, ["done: 1 is not of type boolean"]),
        ({"name": "a", "pair": ["good"]}, ["pair: 1 items where 2 are expected"]),
        ({"name": "a", "pair": ["good", "odd"]}, ["pair[1]: 'odd' is none of good, bad"]),
        ({"name": "a", "more": 1}, ["more: 1 is not of type string"]),
        ({"name": 1, "n": "x"}, ["name: 1 is not of type string", "n: 'x' is not of type integer"]),
    ],
)
def test_every_fault_is_named(value: Any, faults: list[str]) -> None:
    assert told(value) == faults


def test_places_are_told_down_to_the_value() -> None:
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": SCHEMA}}, "$defs": SCHEMA["$defs"]}
    assert told({"rows": [{"name": "a"}, {"name": "a", "pair": ["x", "good"]}]}, schema) == [
        "rows[1].pair[0]: 'x' is none of good, bad"
    ]


@pytest.mark.parametrize("text", ["x" * 5000, "\x1b[2J" * 200, "\n" * 90])
def test_a_stranger_s_value_is_told_short_and_without_controls(text: str) -> None:
    (fault,) = told({"name": "a", "pair": ["good", text]})
    assert len(fault) < 120
    assert fault.isprintable()
    (key,) = told({"name": "a", text: 1})
    assert len(key) < 120
    assert key.isprintable()


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["", "a", "A", 1]),
        "share": st.sampled_from([None, 0, 1, 0.5, -1, 2, True, "0"]),
        "n": st.sampled_from([0, 1.0, 1.5, "1", None, False]),
        "done": st.sampled_from([True, 0, "yes"]),
        "pair": st.lists(st.sampled_from(["good", "bad", "odd", 1]), max_size=3),
        "other": st.sampled_from(["x", 1]),
    },
)


@given(VALUES)
def test_it_agrees_with_a_full_validator(value: dict[str, Any]) -> None:
    assert (told(value) == []) is Draft202012Validator(SCHEMA).is_valid(value)
