"""A measure that counts has to have something to be measured by, or the configuration is at fault."""

import pytest
from pydantic import ValidationError

from gate.config import Config

LIVE = {"provider": "command", "command": ["ask"]}
RECORDED = {"provider": "replay", "path": "answers.jsonl"}
COUNTING = {"consistency": {"min": 0.8}, "sensitivity": {"max": 0.2}, "retrieval_dependency": {"min": 0.8}}


def config(model, measures, **evaluation):
    return Config.model_validate({"use_case": "x", "model": model, "measures": measures, "evaluation": evaluation})


@pytest.mark.parametrize(
    ("name", "model", "evaluation", "hint"),
    [
        ("consistency", LIVE, {}, "add it to evaluation.probes, or set evaluation.repeats above 1"),
        ("consistency", LIVE, {"probes": ["sensitivity"]}, "add it to evaluation.probes"),
        ("consistency", RECORDED, {}, "measured by: set evaluation.repeats above 1"),
        ("sensitivity", LIVE, {}, "add it to evaluation.probes"),
        ("sensitivity", LIVE, {"probes": ["consistency"], "repeats": 3}, "add it to evaluation.probes"),
        ("retrieval_dependency", LIVE, {}, "add it to evaluation.probes"),
        ("noise", LIVE, {}, "measured by: set evaluation.repeats above 1"),
        ("noise", RECORDED, {"source": "recorded"}, "measured by: set evaluation.repeats above 1"),
        ("retrieval_dependency", RECORDED, {"repeats": 2}, "leave the threshold out, or ask a model"),
    ],
)
def test_a_threshold_without_the_probes_that_feed_it_is_a_fault(name, model, evaluation, hint):
    with pytest.raises(ValidationError) as caught:
        config(model, {name: COUNTING.get(name, {"max": 0.1})}, **evaluation)
    (fault,) = caught.value.errors()
    assert f"measures.{name} has a threshold" in fault["msg"]
    assert hint in fault["msg"]


def test_all_of_them_are_told_at_once():
    with pytest.raises(ValidationError) as caught:
        config(LIVE, COUNTING)
    assert all(f"measures.{name} has a threshold" in str(caught.value) for name in COUNTING)


@pytest.mark.parametrize(
    ("model", "measures", "evaluation"),
    [
        (LIVE, COUNTING, {"probes": list(COUNTING)}),
        (LIVE, {"consistency": {"min": 0.8}}, {"repeats": 2}),
        (LIVE, {"noise": {"max": 0.1}}, {"repeats": 2}),
        (RECORDED, {"consistency": {"min": 0.8}}, {"source": "recorded", "repeats": 2}),
        (LIVE, dict.fromkeys(COUNTING), {}),  # told, and of no weight in the decision
        (RECORDED, {"faithfulness": {"min": 0.9}}, {"source": "recorded"}),
    ],
)
def test_what_is_fed_or_does_not_count_is_valid(model, measures, evaluation):
    assert config(model, measures, **evaluation).evaluation.repeats in (1, 2)
