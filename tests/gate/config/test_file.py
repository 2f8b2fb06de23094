"""A configuration file: bounded YAML, variables, and every fault at once with its line and the nearest key."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gate.config import Config, load
from gate.config.file import Unset, faults_of, read_values
from gate.errors import ConfigError, Fault

VALUES = {"use_case": "x", "model": {"provider": "replay", "path": "a.jsonl"}}


def write(tmp_path, text):
    path = tmp_path / "c.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def told(tmp_path, text, environ=None):
    with pytest.raises(ConfigError) as caught:
        load(write(tmp_path, text), environ or {})
    return [str(fault) for fault in caught.value.faults]


def faults(values, lines=()):
    with pytest.raises(ValidationError) as caught:
        Config.model_validate(values)
    return faults_of(caught.value, Config, dict(lines))


def test_every_fault_comes_at_once_with_its_line(tmp_path):
    text = (
        "use_case: x\nrisk_tolerence: {}\nmodel:\n  provider: replya\n  paht: y\n"
        "limits:\n  concurrency: 0\nlimits: {}\n"
    )
    assert told(tmp_path, text) == [
        "line 2: risk_tolerence: unknown key; did you mean `risk_tolerance`?",
        "line 4: model.provider: 'replya' is not one of replay, command, http, python, bedrock, ollama, "
        "openai, anthropic; "
        "did you mean `replay`?",
        "line 5: model.paht: unknown key; did you mean `path`?",
        "line 8: limits: is given twice",
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "the file is empty"),
        ("- a\n", "must be a mapping"),
        ("a: [1\n", "line 2: is not valid YAML"),
        ("a: &a [*a]\n", "nested too deeply"),
        ("a: " + "[" * 20_000, "nested too deeply"),
        ("model: {provider: replay, path: a}\n", "use_case: is required"),
    ],
)
def test_a_file_that_is_no_configuration(tmp_path, text, part):
    assert part in "\n".join(told(tmp_path, text))


def test_an_alias_bomb_ends_at_the_bound(tmp_path):
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    assert "grows too large by aliases" in "\n".join(told(tmp_path, "\n".join(rows)))


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match="there is no such file") as caught:
        load(tmp_path / "none.yaml")
    assert "--config" in caught.value.hint
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
    (tmp_path / "big.yaml").write_bytes(b"# \n" * 400_000)
    with pytest.raises(ConfigError, match="is larger than"):
        load(tmp_path / "big.yaml")
    (tmp_path / "c.yaml").write_bytes("a: 1\nuse_case: Gerät\n".encode("latin-1"))
    with pytest.raises(ConfigError, match="line 2: is not UTF-8"):
        load(tmp_path / "c.yaml")


def test_variables_are_filled_in_and_a_missing_one_is_a_fault(tmp_path):
    text = "use_case: for ${TEAM}\nmodel: {provider: replay, path: '${WHERE}/a.jsonl'}\n"
    assert load(write(tmp_path, text), {"TEAM": "us", "WHERE": "x"}).model.path == "x/a.jsonl"
    assert told(tmp_path, text, {"TEAM": "us"}) == ["line 2: model.path: the environment variable WHERE is not set"]


def test_what_is_wrong_with_a_value_without_its_variable_is_not_a_second_fault():
    values = {"use_case": Unset(""), "model": {"provider": "replay", "path": 1}, "limits": {"max_calls": Unset("")}}
    assert [fault.where for fault in faults(values)] == ["model.path"]


def test_every_value_has_its_line_and_yamls_own_type(tmp_path):
    text = "a:\n  b: 1\n  c:\n    - x\n    - {d: 0.5}\ns: '3'\nn: null\n"
    tree, found = read_values(write(tmp_path, text), {})
    lines = tree.lines
    assert tree.value == {"a": {"b": 1, "c": ["x", {"d": 0.5}]}, "s": "3", "n": None}
    assert (lines[("a", "b")], lines[("a", "c", 0)], lines[("a", "c", 1, "d")], found) == (2, 4, 5, [])


def test_what_is_merged_stands_behind_what_is_written(tmp_path):
    tree, _ = read_values(write(tmp_path, "a: &a {x: 1, y: 2}\nb: {x: 3, <<: *a}\n"), {})
    assert tree.value["b"] == {"x": 3, "y": 2}
    assert tree.repeated == []


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system ['true']", "!!binary '%%%'", "!own x"])
def test_a_tag_that_makes_objects_is_never_obeyed(tmp_path, tag):
    tree, found = read_values(write(tmp_path, f"a: {tag}\n"), {})
    value = tree.value["a"]
    assert value in (["true"], b"", None)
    assert isinstance(value, list) or found or value == b""


@pytest.mark.parametrize("value", ["!!int ''", "!!bool x", "!!timestamp x", '"a\\0b"'])
def test_a_value_that_cannot_be_read_is_a_fault_with_its_line(tmp_path, value):
    tree, (fault,) = read_values(write(tmp_path, f"a: 1\nb: {value}\n"), {})
    assert tree.value["b"] is None
    assert (fault.line, fault.where) == (2, "b")
    assert "cannot read the value" in fault.message


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        ({"doc_sources": [{"path": "a", "typ": 1}]}, "doc_sources[0].typ", "unknown key; did you mean `type`?"),
        ({"prices": {"input": {"input": 1, "output": 2, "ouput": 3}}}, "prices.input.ouput", "mean `output`?"),
        ({"limits": {"concurrency": 0}}, "limits.concurrency", "input should be greater than or equal to 1, not 0"),
        ({"limits": {"zzz": 1}}, "limits.zzz", "known here: concurrency, max_calls, max_cost_usd, max_seconds"),
        ({"evaluation": {"prompt_categories": ["edge_case"]}}, "evaluation.prompt_categories[0]", "`edge_cases`"),
        ({"evaluation": {"prompt_categories": []}}, "evaluation.prompt_categories", "must have at least 1 item"),
        ({"doc_sources": "docs"}, "doc_sources", "must be a list"),
        ({"limits": [1]}, "limits", "must be a mapping of keys to values"),
    ],
)
def test_every_kind_of_fault_has_its_words(change, where, message):
    (fault,) = faults(VALUES | change)
    assert fault.where == where
    assert message in fault.message


def test_rules_between_keys_stand_where_the_keys_are():
    tolerance = {"risk_tolerance": {"deploy_threshold": 0.5, "warn_threshold": 0.1}}
    (fault,) = faults(VALUES | tolerance, {("risk_tolerance",): 4})
    assert fault == Fault(4, "risk_tolerance", "deploy_threshold (0.5) must not be above warn_threshold (0.1)")
    values = {"use_case": "x", "model": {"provider": "command", "command": ["ask"]},
              "measures": {"sensitivity": {"max": 0.1}, "retrieval_dependency": {"min": 0.5}}}  # fmt: skip
    lines = {("measures",): 4, ("measures", "sensitivity"): 5, ("measures", "retrieval_dependency"): 7}
    assert [(fault.line, fault.message.split()[0]) for fault in faults(values, lines)] == [
        (5, "measures.sensitivity"), (7, "measures.retrieval_dependency"),
    ]  # fmt: skip


def test_a_long_value_is_cut_and_a_terminal_escape_is_not_passed_on():
    (fault,) = faults(VALUES | {"limits": {"concurrency": "\x1b[31m" + "x" * 5000}})
    assert "\x1b" not in fault.message
    assert len(fault.message) < 200


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=200))
def test_any_text_is_read_or_refused_with_an_error_of_ours(tmp_path_factory, text):
    try:
        tree, _ = read_values(write(Path(tmp_path_factory.mktemp("y")), text), {})
    except ConfigError as error:
        assert error.faults
    else:
        assert isinstance(tree.value, dict)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*Config.model_fields]) | st.text(max_size=5), ANY, max_size=5))
def test_whatever_a_file_holds_every_fault_has_a_place_and_words(values):
    try:
        Config.model_validate(values)
    except ValidationError as error:
        found = faults_of(error, Config, {})
        assert 0 < len(found) <= error.error_count()
        assert not any(re.search(r"\b(tuple|dict|instance of)\b", fault.message.lower()) for fault in found)
        assert all(fault.message.strip() for fault in found)
