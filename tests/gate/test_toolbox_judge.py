"""Which judge, extractor and model a configuration stands for."""

import pytest

from gate.claims.by_model import ModelExtractor
from gate.claims.local import LocalExtractor
from gate.config_parts import Judge as Settings
from gate.errors import ConfigError, SetupError
from gate.judges.llm import LlmJudge
from gate.judges.local import LocalJudge
from gate.judges.tiered import TieredJudge
from gate.toolbox_judge import connect_judge, model_of, open_extractor, open_judge
from tests.gate.test_config import faults, good
from tests.support.scripted_judge import Scripted
from tests.support.scripted_reader import words_judge

OPENAI = {"provider": "openai", "model_id": "m", "base_url": "http://localhost:1/v1"}
TIERED = {"provider": "tiered", "escalate_to": "ollama", "model_id": "m"}
SMALL = "use_case: Help desk\nmodel: {provider: replay, path: answers.jsonl}\n"


def test_who_judges() -> None:
    def never():
        raise AssertionError("the local judge is not needed")

    assert isinstance(open_judge(Settings(), words_judge, None), LocalJudge)
    assert isinstance(open_judge(Settings(**OPENAI), never, Scripted()), LlmJudge)
    assert isinstance(open_judge(Settings(**TIERED), words_judge, Scripted()), TieredJudge)


def test_who_takes_answers_apart() -> None:
    assert isinstance(open_extractor(Settings(**OPENAI), Scripted()), LocalExtractor)
    assert isinstance(open_extractor(Settings(**OPENAI, extract="model"), Scripted()), ModelExtractor)


def test_the_model_is_connected_by_name() -> None:
    remote = connect_judge(Settings(**OPENAI), {"OPENAI_API_KEY": "k"})
    assert (remote.name, remote.model, remote.identity) == ("openai", "m", "http://localhost:1/v1")
    remote.close()
    remote = connect_judge(Settings(**TIERED), {})
    assert (remote.name, remote.model) == ("ollama", "m")
    remote.close()


def test_bedrock_model_id_goes_before_the_configuration_and_only_for_bedrock() -> None:
    environ = {"BEDROCK_MODEL_ID": "env"}
    assert model_of(Settings(provider="bedrock", model_id="m"), environ) == "env"
    assert model_of(Settings(provider="tiered", escalate_to="bedrock"), environ) == "env"
    assert model_of(Settings(provider="bedrock", model_id="m"), {"BEDROCK_MODEL_ID": " "}) == "m"
    assert model_of(Settings(**OPENAI), environ) == "m"
    with pytest.raises(SetupError, match="no model"):
        connect_judge(Settings(provider="bedrock"), {})


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("judge: {provider: openai}", "needs the key `model_id`"),
        ("judge: {provider: tiered, model_id: m}", "`escalate_to`"),
        ("judge: {provider: openai, model_id: m, escalate_to: ollama}", "`escalate_to`"),
        ("judge: {provider: tiered, escalate_to: local}", "judge.escalate_to: 'local' is not one of"),
        ("judge: {model_id: m}", "`model_id` has no sense here"),
        ("judge: {extract: model}", "`extract` has no sense here"),
        ("judge: {provider: opnai, model_id: m}", "did you mean `openai`?"),
        ("evaluation: {generator: model}", "needs a judge with a model"),
    ],
)
def test_a_judge_that_cannot_work_is_a_fault_with_its_line(tmp_path, text, part) -> None:
    told = "\n".join(faults(tmp_path, f"{SMALL}{text}\n"))
    assert part in told
    with pytest.raises(ConfigError):
        good(tmp_path, f"{SMALL}{text}\n")


def test_what_works_is_read(tmp_path) -> None:
    text = "judge: {provider: tiered, escalate_to: bedrock, extract: model}\nevaluation: {generator: model}\n"
    config = good(tmp_path, SMALL + text)
    assert (config.judge.served_by, config.judge.extract, config.evaluation.generator) == ("bedrock", "model", "model")
    assert good(tmp_path, SMALL).judge.served_by is None
