"""Exact checks: what each decides, what no dataset may ask, and that none runs away."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.checks import LONGEST, STEPS, Checked, failed_checks, parse_checks

SAID = Checked("You have 30 days.\n", 1200.0, 0.02, (("search", '{"q": "refund"}'), ("reply", "{}")))
PRICED = {"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}, "id": {"pattern": "^b"}}}


def why(answer, **checks):
    return [fault.why for fault in failed_checks(parse_checks(checks), answer)]


@pytest.mark.parametrize(
    ("checks", "faults"),
    [
        ({"contains": "30 days"}, []),
        ({"contains": ["30 days", "60 days", "2 years"]}, ['contain "60 days"', 'contain "2 years"']),
        ({"not_contains": ["60 days", "30"]}, ['contains "30"']),
        ({"regex": r"\b\d+ days\b"}, []),
        ({"regex": ["^You", "weeks?"]}, ['matches "weeks?"']),
        ({"equals": " You have 30 days."}, []),
        ({"equals": "30 days"}, ['not "30 days"']),
        ({"min_chars": 18, "max_chars": 18}, []),
        ({"min_chars": 19}, ["18 characters, fewer than 19"]),
        ({"max_chars": 17}, ["18 characters, more than 17"]),
        ({"max_latency_ms": 1200, "max_cost_usd": 0.02}, []),
        ({"max_latency_ms": 1199.5, "max_cost_usd": 0}, ["took 1200 ms", "cost 0.02 USD"]),
        ({"json_schema": {}}, ["is not JSON"]),
        ({"called": ["reply", "search"], "not_called": "delete"}, []),
        ({"called": "delete", "not_called": "reply"}, ['"delete" was not called', '"reply" was called']),
        ({"called_in_order": ["search", "reply"]}, []),
        ({"called_in_order": ["reply", "search"]}, ['"search" was not called in its place']),
        ({"called_in_order": ["search", "search"]}, ['"search" was not called in its place']),
        ({"arguments": {"search": {"required": ["q"]}}}, []),
        (
            {"arguments": {"search": {"required": ["n"]}, "delete": {}}},
            ['"delete" was not called', "'n' is a required"],
        ),
    ],
)
def test_a_check_decides_exactly(checks, faults):
    found = why(SAID, **checks)
    assert len(found) == len(faults)
    assert all(part in fault for part, fault in zip(faults, found, strict=True))


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ('{"price": 3}', ""),
        ('{"price": "3"}', "$.price: '3' is not of type 'number'"),
        ('{"price": 3, "id": "a1"}', "$.id: 'a1' does not match '^b'"),
        ('```json\n{"price": 3}\n```', "is not JSON"),
        ('{"price": NaN}', "NaN is no number"),
        ("[" * 40_000, "deeper"),
        (" " * LONGEST + "{}", "tried on up to 50,000"),
    ],
)
def test_a_schema_is_for_the_whole_answer(said, fault):
    found = why(Checked(said), json_schema={"$schema": "http://json-schema.org/draft-07/schema#", **PRICED})
    assert [fault in text for text in found] == ([True] if fault else [])


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("[1, true, [], {}, [0], [false]]", ""),
        ("[1, 1.0]", "more than once"),
        ('[{"a": 1, "b": 2}, {"b": 2, "a": 1}]', "more than once"),
        ("[" + "9" * 400 + "]", "too large"),
        ("[1e400]", "too large"),
    ],
)
def test_entries_are_compared_as_values_and_no_number_ends_the_run(said, fault):
    schema = {"uniqueItems": True, "items": {"if": {"type": "number"}, "then": {"multipleOf": 0.5}}}
    assert [fault in text for text in why(Checked(said), json_schema=schema)] == ([True] if fault else [])


def test_a_property_may_have_any_name():
    schema = {"properties": {name: {"type": "string"} for name in ("$id", "$schema", "patternProperties", "$ref")}}
    schema["properties"]["again"] = {"$ref": "#/properties/$id"}
    assert why(Checked('{"$id": "x", "again": "y"}'), json_schema=schema) == []
    assert why(Checked("", calls=[("f", '{"$id": 1, "again": 2}')]), arguments={"f": schema}) == [
        "the argument object of \"f\" does not fit the schema: $['$id']: 1 is not of type 'string'"
    ]


def test_what_is_not_known_is_not_passed():
    assert why(Checked("x"), max_latency_ms=1, max_cost_usd=1, called="a") == [
        "the latency of the answer is not known",
        "the cost of the answer is not known: give the price of its model under `prices`",
        '"a" was not called',
    ]
    assert why(Checked("x"), regex="x", arguments={"a": {}}) == ['"a" was not called']


@pytest.mark.parametrize(
    ("checks", "fault"),
    [
        ([], "must be an object"),
        ({"contain": "x"}, '"contain" is no check; known are arguments, called,'),
        ({"contains": []}, "contains must be a text"),
        ({"contains": [""]}, "contains must be a text"),
        ({"equals": 3}, "equals must be a text"),
        ({"max_chars": True}, "max_chars must be a whole number"),
        ({"max_latency_ms": -1}, "not negative"),
        ({"max_cost_usd": float("nan")}, "not negative"),
        ({"regex": "("}, "unclosed group"),
        ({"regex": "(?=a)"}, "look-around"),
        ({"regex": r"(a)\1"}, "backreferences"),
        ({"regex": r"(\w{1000}){1000}"}, "size limit"),
        ({"regex": "a" * 501}, "501 characters"),
        ({"json_schema": "object"}, "must be a JSON Schema"),
        ({"json_schema": {"type": "strin"}}, "json_schema is no JSON Schema: $.type"),
        ({"json_schema": {"properties": {"a": {"$ref": "http://127.0.0.1:9/a"}}}}, "leads to nothing in it"),
        ({"json_schema": {"$ref": "#/$defs/a"}}, "leads to nothing in it"),
        ({"json_schema": {"$ref": "#/title", "title": "x"}}, "'x' is not of type 'object'"),
        ({"json_schema": {"$ref": "#/x", "x": {"required": 5}}}, "5 is not of type 'array'"),
        ({"json_schema": {"pattern": r"(a)\1"}}, "backreferences"),
        ({"json_schema": {"anyOf": [{"patternProperties": {"(a+)+$": {}}}]}}, "patternProperties"),
        ({"json_schema": {"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}}}, "$schema"),
        ({"json_schema": {"$ref": "#/properties", "properties": {"patternProperties": {}}}}, "leads to no schema"),
        ({"json_schema": {"properties": {"properties": {"properties": {"$id": {"$id": "x"}}}}}}, "uses $id"),
        ({"arguments": {}}, "arguments must be an object"),
        ({"arguments": {"search": {"type": 3}}}, "arguments is no JSON Schema"),
    ],
)
def test_what_cannot_be_decided_is_refused_when_it_is_read(checks, fault):
    with pytest.raises(ValueError, match="(?s).*") as caught:
        parse_checks(checks)
    assert fault in str(caught.value)


def test_no_check_runs_away():
    doubling = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(60)}
    found = why(
        Checked('"' + "a" * 30_000 + '!"'), json_schema={"$ref": "#/$defs/a0", "$defs": {**doubling, "a60": {}}}
    )
    assert found == [f"the answer takes more than {STEPS:,} steps of the schema"]
    assert why(Checked('"x"'), json_schema={"$ref": "#"}) == ["the answer goes deeper than a schema is followed"]
    ones = f"[{','.join('1' * 20_000)}]"
    assert "steps" in why(Checked(ones), json_schema={"items": {"enum": [*range(2, 10_000), 1]}})[0]
    assert why(Checked(f"[null,{','.join(map(str, range(8000)))}]"), json_schema={"uniqueItems": True}) == []
    assert len(why(Checked("a" * LONGEST), regex=r"^(a+)+$|(a|aa)+b")) == 0
    assert len(why(Checked("a" * 30_000 + "!"), regex=r"^(a+)+$", json_schema={"pattern": "^(a+)+$"})) == 2
    assert "tried on up to" in why(Checked("a" * (LONGEST + 1)), regex="a")[0]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda e: st.lists(e) | st.dictionaries(st.text(), e)
    )
)
def test_any_value_is_read_or_refused(value):
    for name in ("contains", "regex", "json_schema", "arguments", "max_chars", "equals"):
        try:
            ready = parse_checks({name: value})
        except ValueError:
            continue
        assert isinstance(failed_checks(ready, SAID), tuple)


def test_a_schema_without_the_library_is_refused_with_the_way_to_it():
    code = (
        "import sys; sys.modules['jsonschema'] = None\n"
        "from gate.checks import parse_checks\n"
        "parse_checks({'contains': 'x'})\n"
        "try: parse_checks({'json_schema': {}})\n"
        "except ValueError as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install jsonschema" in told
