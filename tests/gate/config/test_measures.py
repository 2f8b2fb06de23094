"""The measures of the configuration: those of the table, and a threshold needs something to be measured by."""

import typing

import pytest
from pydantic import ValidationError

from gate.config import Config, Measures
from gate.config.parts import CHANGING_EVIDENCE, PROBING, REPEATING
from gate.measures.summary import MEASURES, plans

LIVE = {"provider": "command", "command": ["ask"]}
RECORDED = {"provider": "replay", "path": "answers.jsonl"}
COUNTING = {"consistency": {"min": 0.8}, "sensitivity": {"max": 0.2}, "retrieval_dependency": {"min": 0.8}}


def config(model, measures, **evaluation):
    return Config.model_validate({"use_case": "x", "model": model, "measures": measures, "evaluation": evaluation})


def test_the_configuration_knows_the_measures_of_the_table_and_what_they_need():
    options = {name: typing.get_args(field.annotation)[0] for name, field in Measures.model_fields.items()}
    assert options == {name: spec.options for name, spec in MEASURES.items()}
    assert list(options) == list(MEASURES)
    assert plans().keys() == PROBING
    assert {name for name, plan in plans().items() if plan.evidence} == CHANGING_EVIDENCE
    assert {n for n, spec in MEASURES.items() if spec.repeats or (spec.plan and spec.plan.repeats)} == REPEATING


def test_a_measure_without_options_is_asked_with_its_defaults():
    measures = config(LIVE, {"relevance": None, "latency": {"max": 900}}).measures
    assert [name for name, _ in measures.asked()] == ["relevance", "latency"]
    assert measures.options("relevance").question_weight == 0.4
    assert measures.options("correctness").pass_at == 4.0  # not asked for, and needed by another
    assert measures.thresholds() == {"latency": 900}


@pytest.mark.parametrize(
    ("name", "model", "evaluation", "hint"),
    [
        ("consistency", LIVE, {}, "add it to evaluation.probes, or set evaluation.repeats above 1"),
        ("consistency", RECORDED, {}, "measured by: set evaluation.repeats above 1"),
        ("sensitivity", LIVE, {"probes": ["consistency"], "repeats": 3}, "add it to evaluation.probes"),
        ("noise", LIVE, {}, "measured by: set evaluation.repeats above 1"),
        ("retrieval_dependency", RECORDED, {"repeats": 2}, "leave the threshold out, or ask a model"),
    ],
)
def test_a_threshold_without_what_feeds_it_is_a_fault(name, model, evaluation, hint):
    with pytest.raises(ValidationError) as caught:
        config(model, {name: COUNTING.get(name, {"max": 0.1})}, **evaluation)
    (fault,) = caught.value.errors()
    assert f"measures.{name} has a threshold" in fault["msg"]
    assert hint in fault["msg"]


@pytest.mark.parametrize(
    ("model", "measures", "evaluation"),
    [
        (LIVE, COUNTING, {"probes": list(COUNTING)}),
        (LIVE, {"consistency": {"min": 0.8}}, {"repeats": 2}),
        (RECORDED, {"consistency": {"min": 0.8}}, {"source": "recorded", "repeats": 2}),
        (LIVE, dict.fromkeys(COUNTING), {}),  # without a threshold it has no weight in the decision
    ],
)
def test_what_is_fed_or_does_not_count_is_valid(model, measures, evaluation):
    assert config(model, measures, **evaluation).evaluation.repeats in (1, 2)


@pytest.mark.parametrize("name", ["relevance", "overall"])
def test_weights_that_are_all_zero_are_refused(name):
    fields = [key for key in type(Measures().options(name)).model_fields if key.endswith("_weight")]
    with pytest.raises(ValidationError, match="must be above 0"):
        config(LIVE, {name: dict.fromkeys(fields, 0)})
