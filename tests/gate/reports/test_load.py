"""Stored verdicts: what is whole is read, everything else is refused with the fault and its place."""

from __future__ import annotations

import copy
import json

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.errors import InputFileError
from gate.reports.load import load, schema
from gate.reports.schema_check import faults


def stored(tmp_path, value):
    path = tmp_path / "verdict.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def refusal(tmp_path, value):
    with pytest.raises(InputFileError) as caught:
        load(stored(tmp_path, value))
    assert "verdict.json" in caught.value.message
    assert caught.value.hint
    return caught.value.message


def test_what_was_written_is_read_back(tmp_path, document, compared, empty):
    for each in (document, compared, empty):
        assert load(stored(tmp_path, each)) == each


def test_unknown_keys_of_a_later_minor_version_are_kept(tmp_path, document):
    later = {**document, "schema_version": "1.7", "mood": "calm"}
    assert load(stored(tmp_path, later))["mood"] == "calm"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "line 1: not JSON"),
        ("[]", "no schema_version"),
        ("{}", "no schema_version"),
        ('{"schema_version": "2.0"}', "'2.0' is not one"),
        ('{"schema_version": null}', "no schema_version"),
        ('{"schema_version": "1.0"}', "decision: missing"),
        ('{"schema_version": NaN}', "NaN is not a JSON number"),
        ("[" * 100_000, "not JSON"),
        ("9" * 5000, "not JSON"),
    ],
)
def test_other_files_are_refused(tmp_path, text, words):
    assert words in refusal(tmp_path, text)


def test_other_encodings_are_refused(tmp_path):
    path = tmp_path / "verdict.json"
    path.write_bytes('{"schema_version": "é"}'.encode("utf-16"))
    with pytest.raises(InputFileError, match="not UTF-8"):
        load(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputFileError, match="cannot be read"):
            load(path)


def test_a_huge_file_is_not_read(tmp_path, document):
    with pytest.raises(InputFileError, match="larger than 100 bytes"):
        load(stored(tmp_path, document), max_bytes=100)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(supported=2), "supported: 2 in the ledger, 1 in details"),
        (lambda d: d.update(total_claims=6), "total_claims: 6, but the four labels add up to 5"),
        (lambda d: d["details"].pop(), "unjudged: 1 in the ledger, 0 in details"),
        (lambda d: d["details"][0].update(label="fine"), "details[0].label: 'fine' is none of supported"),
        (lambda d: d["details"][0].update(prompt_id="q9"), "no prompt has the id 'q9'"),
        (lambda d: d["prompts"].append(d["prompts"][0]), "the id 'q1' is there 2 times"),
        (
            lambda d: d["details"][0]["evidence"][0].update(line="12"),
            "details[0].evidence[0].line: '12' is not of type",
        ),
        (lambda d: d["details"][0].update(confidence=1.5), "details[0].confidence: 1.5 is above 1"),
        (lambda d: d.update(interval=[0.1]), "interval: 1 items where 2"),
        (lambda d: d.update(interval=[0.9, 0.1]), "the low end is above"),
        (lambda d: d["thresholds"].update(deploy_threshold=0.9), "deploy_threshold is above warn_threshold"),
        (lambda d: d.update(score=True), "score: True is not of type number or null"),
        (lambda d: d["usage"].update(calls=-1), "usage.calls: -1 is below 0"),
        (lambda d: d["measures"].update(x=3), "measures.x: 3 is not of type object"),
        (lambda d: d.update(timings={"a": "b"}), "timings.a: 'b' is not of type number"),
    ],
)
def test_a_verdict_that_is_not_whole_is_refused(tmp_path, document, change, words):
    change(document)
    assert words in refusal(tmp_path, document)


def test_only_the_first_faults_are_told(tmp_path, document):
    document["details"] = [dict(document["details"][0], label="x" * 5000) for _ in range(50)]
    message = refusal(tmp_path, document)
    assert message.count("\n") == 5
    assert len(message) < 1000


KEYWORDS = {
    "$schema", "$id", "$defs", "$ref", "title", "description", "type", "enum", "pattern", "minLength", "minimum",
    "maximum", "items", "minItems", "maxItems", "required", "properties", "additionalProperties",
}  # fmt: skip


def test_the_schema_uses_only_what_the_checker_knows():
    def walk(part):
        assert set(part) <= KEYWORDS
        for name in ("properties", "$defs"):
            for each in part.get(name, {}).values():
                walk(each)
        for name in ("items", "additionalProperties"):
            if isinstance(part.get(name), dict):
                walk(part[name])

    walk(schema())


def places(value, path=()):
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_the_checker_agrees_with_a_full_validator(compared, data):
    changed = copy.deepcopy(compared)
    path = data.draw(st.sampled_from([path for path in places(changed) if path]))
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    new = data.draw(
        st.sampled_from([None, True, -1, 0, 0.5, 3, 1e9, "", "supported", [], {}, [1, 2], ["a"], {"a": 1}, "absent"])
    )
    if new == "absent":
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    full = jsonschema.Draft202012Validator(schema()).is_valid(changed)
    assert full == (not list(faults(changed, schema(), schema())))
