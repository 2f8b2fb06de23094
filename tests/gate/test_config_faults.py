"""A fault of a configuration in words: the right line, the nearest key, and nothing of a stranger's text at length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gate.config import Config
from gate.config_faults import faults_of
from gate.config_file import Unset
from gate.errors import Fault

SMALL = {"use_case": "x", "model": {"provider": "replay", "path": "a.jsonl"}}


def faults(values, lines=()):
    with pytest.raises(ValidationError) as caught:
        Config.model_validate(values)
    return faults_of(caught.value, Config, dict(lines))


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        ({"use_cas": 1}, "use_cas", "unknown key; did you mean `use_case`?"),
        ({"evaluation": {"num_prompt": 1}}, "evaluation.num_prompt", "unknown key; did you mean `num_prompts`?"),
        ({"limits": {"max_cost": 1}}, "limits.max_cost", "unknown key; did you mean `max_cost_usd`?"),
        ({"doc_sources": [{"path": "a", "typ": 1}]}, "doc_sources[0].typ", "unknown key; did you mean `type`?"),
        ({"prices": {"m": {"input": 1}}}, "prices.m.output", "is required"),
        ({"limits": {"concurrency": 0}}, "limits.concurrency", "input should be greater than or equal to 1, not 0"),
        ({"evaluation": {"num_prompts": "many"}}, "evaluation.num_prompts", "not 'many'"),
        ({"evaluation": {"source": "datset"}}, "evaluation.source", "did you mean `dataset`?"),
        (
            {"evaluation": {"prompt_categories": ["factual_recall", "edge_case"]}},
            "evaluation.prompt_categories[1]",
            "`edge_cases`",
        ),
        ({"evaluation": {"prompt_categories": ["edge_case"]}}, "evaluation.prompt_categories[0]", "`edge_cases`"),
        ({"evaluation": {"prompt_categories": []}}, "evaluation.prompt_categories", "must have at least 1 item"),
        ({"evaluation": {"prompt_categories": 3}}, "evaluation.prompt_categories", "must be a list"),
        ({"doc_sources": "docs"}, "doc_sources", "must be a list"),
        ({"limits": [1]}, "limits", "must be a mapping of keys to values"),
        ({"prices": 2}, "prices", "must be a mapping of keys to values"),
        ({"risk_tolerance": {"deploy_threshold": True}}, "risk_tolerance.deploy_threshold", "must not be yes"),
    ],
)
def test_every_kind_of_fault_has_its_words(change, where, message):
    (fault,) = faults(SMALL | change)
    assert fault.where == where
    assert message in fault.message


def test_without_a_near_key_all_that_are_known_there_are_named():
    (fault,) = faults(SMALL | {"limits": {"zzz": 1}})
    assert fault.message == "unknown key; known here: concurrency, max_calls, max_cost_usd, max_seconds"


@pytest.mark.parametrize("name", ["gpt-4o", "input"])
def test_the_keys_of_a_price_are_known_whatever_its_model_is_called(name):
    (fault,) = faults(SMALL | {"prices": {name: {"input": 1, "output": 2, "ouput": 3}}})
    assert fault.message == "unknown key; did you mean `output`?"
    (fault,) = faults(SMALL | {"prices": {name: {"input": 1, "output": 2, "zzz": 3}}})
    assert fault.message == "unknown key; known here: input, output"


def test_a_word_far_from_all_others_gets_no_suggestion():
    (fault,) = faults(SMALL | {"evaluation": {"source": "zzz"}})
    assert fault.message == "'zzz' is not one of generated, dataset, recorded"


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ({("limits", "concurrency"): 7, ("limits",): 6}, 7),
        ({("limits",): 6}, 6),
        ({("model",): 3}, 0),
        ({}, 0),
    ],
)
def test_a_fault_stands_on_the_nearest_line_that_is_known(lines, line):
    assert [fault.line for fault in faults(SMALL | {"limits": {"concurrency": 0}}, lines)] == [line]


def test_a_rule_between_two_keys_is_told_as_it_is_written():
    (fault,) = faults(
        SMALL | {"risk_tolerance": {"deploy_threshold": 0.5, "warn_threshold": 0.1}}, {("risk_tolerance",): 4}
    )
    message = "deploy_threshold (0.5) must not be above warn_threshold (0.1)"
    assert fault == Fault(4, "risk_tolerance", message)


def test_a_value_whose_variable_is_not_set_is_not_told_twice():
    values = {"use_case": Unset(""), "model": {"provider": "replay", "path": 1}, "limits": {"max_calls": Unset("")}}
    assert [fault.where for fault in faults(values)] == ["model.path"]


def test_all_faults_come_at_once():
    found = faults({"use_case": "", "model": {"provider": "replay"}, "limits": {"max_calls": -1}, "nonsense": 1})
    assert {fault.where for fault in found} == {"use_case", "model", "limits.max_calls", "nonsense"}


def test_a_long_value_is_cut_and_a_terminal_escape_is_not_passed_on():
    (fault,) = faults(SMALL | {"limits": {"concurrency": "\x1b[31m" + "x" * 5000}})
    assert "\x1b" not in fault.message
    assert len(fault.message) < 200


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from([*Config.model_fields]) | st.text(max_size=5)


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_whatever_a_file_holds_every_fault_has_a_place_and_words(values):
    try:
        Config.model_validate(values)
    except ValidationError as error:
        found = faults_of(error, Config, {})
        assert 0 < len(found) <= error.error_count()
        assert not any(word in fault.message.lower() for fault in found for word in ("tuple", "dict", "instance of"))
        assert all(fault.message.strip() for fault in found)


def test_rules_between_keys_stand_on_the_line_of_the_key_that_they_name_first():
    values = {"use_case": "x", "model": {"provider": "command", "command": ["ask"]},
              "measures": {"sensitivity": {"max": 0.1}, "retrieval_dependency": {"min": 0.5}}}  # fmt: skip
    lines = {("measures",): 4, ("measures", "sensitivity"): 5, ("measures", "retrieval_dependency"): 7}
    with pytest.raises(ValidationError) as caught:
        Config.model_validate(values)
    found = faults_of(caught.value, Config, lines)
    assert [(fault.line, fault.message.split()[0]) for fault in found] == [
        (5, "measures.sensitivity"), (7, "measures.retrieval_dependency"),
    ]  # fmt: skip
