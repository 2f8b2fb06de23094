"""The schema of the configuration: defaults, rules between keys, and what is not given away."""

from typing import Any

import pytest
from pydantic import ValidationError

from gate.config import Config, JudgeSettings

REPLAY = {"provider": "replay", "path": "answers.jsonl"}
OLLAMA = {"provider": "ollama", "model_id": "m"}
HTTP = {"provider": "http", "url": "http://h/chat"}
AWS = "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"


def config(**parts: Any) -> Config:
    return Config.model_validate({"use_case": "x", "model": REPLAY, **parts})


def test_defaults_are_those_of_the_contract() -> None:
    made = config()
    tolerance = made.risk_tolerance
    assert (tolerance.deploy_threshold, tolerance.warn_threshold, tolerance.max_unjudged) == (0.10, 0.25, 0.0)
    assert (tolerance.min_claims, tolerance.decide_on, tolerance.fail_on_regression) == (1, "point", False)
    assert (made.evaluation.source, made.evaluation.num_prompts, made.evaluation.repeats) == ("generated", 20, 1)
    assert (made.limits.max_cost_usd, made.limits.max_calls, made.limits.concurrency) == (5.0, 2000, 16)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"risk_tolerance": {"deploy_threshold": 0.5}}, "must not be above warn_threshold"),
        ({"risk_tolerance": {"deploy_threshold": float("nan")}}, "deploy_threshold"),
        ({"risk_tolerance": {"warn_threshold": True}}, "must not be yes"),
        ({"evaluation": {"dataset": "qa.jsonl"}}, "`dataset` is read with source: dataset"),
        ({"evaluation": {"repeats": 3, "pass": 4}}, r"pass \(4\) must not be above repeats \(3\)"),
        ({"evaluation": {"pass": 0}}, "must be `all`, or how many"),
        ({"evaluation": {"pass": True}}, "must not be yes"),
        ({"judge": {**OLLAMA, "criteria": ["is short", "Is  short"]}}, "must not name a criterion twice"),
        ({"judge": {**OLLAMA, "criteria": ["  "]}}, "judge.criteria.0"),
        ({"evaluation": {"source": "recorded"}, "model": OLLAMA}, "needs model.provider: replay"),
        ({"evaluation": {"generator": "model"}}, "needs a judge with a model"),
        ({"measures": {"correctness": {"by": "model"}}}, "needs a judge with a model"),
        ({"evaluation": {"probes": ["sensitivity"]}}, "recorded answers have no answer"),
        ({"evaluation": {"probes": ["retrieval_dependency"]}, "model": OLLAMA}, "model.context: retrieved"),
        ({"model": {"provider": "command"}}, "needs the key `command`"),
        ({"judge": {"provider": "openai"}}, "needs the key `model_id`"),
        ({"judge": {"provider": "tiered", "model_id": "m"}}, "`escalate_to`"),
        ({"judge": {"model_path": "m", "labels": {"neither": 0}}}, "`supported` among them"),
        ({"embedding": {"model_id": "e"}}, "a model of its own, so `model_id`"),
        ({"doc_sources": [{"type": "s3", "path": "bucket/docs"}]}, "belong together"),
        ({"limits": {"max_seconds": float("inf")}}, "max_seconds"),
        ({"model": {"provider": "http"}}, "needs the key `url`"),
        ({"model": {"provider": "python", "function": "app.answer"}}, "function"),
        ({"model": {**HTTP, "body": {"q": "none"}}}, "nothing would be asked"),
        ({"model": {**HTTP, "body": {"q": ["{{question}}", "{{quesiton}}"]}}}, "{{quesiton}} is none of"),
        ({"model": {**HTTP, "body": {"q": "all: {{messages}}"}}}, "must stand alone"),
        ({"model": {**HTTP, "body": '{"q": '}}, "is no JSON"),
        ({"model": {**HTTP, "body": {"q": "{{question}}", "n": float("nan")}}}, "a value that JSON has not"),
        ({"model": {**HTTP, "method": "GET"}}, "nothing would be asked"),
        ({"model": {**HTTP, "url": "http://h/{{messages}}"}}, "in `body` only"),
        ({"model": {**HTTP, "answer": "data.answer"}}, "JSON pointer"),
        ({"model": {**HTTP, "context": "retrieved"}}, "goes with {{messages}}"),
        ({"model": {**HTTP, "system": "x"}}, "no use for the key `system`"),
        ({"model": {**OLLAMA, "worker": True}}, "no use for the key `worker`"),
        ({"model": {"provider": "command", "command": ["x"], "workers": 2}}, "`worker: true`"),
        ({"model": {"provider": "bedrock", "model_id": "m", "api_key_env": "X"}}, "as boto3 finds them"),
        ({"model": {**HTTP, "headers": {"A b": "x"}}}, "is no header"),
        ({"model": {**HTTP, "headers": {"Content-Length": "9"}}}, "is no header"),
        ({"judge": {"provider": "bedrock", "headers": {"a": "b"}}}, "as boto3 finds them"),
        ({"judge": {"system": "x"}}, "`system` has no sense"),
        ({"embedding": {"timeout_seconds": 5}}, "`timeout_seconds` has no sense"),
        ({"model": {"provider": "bedrock", "model_id": "m", "base_url": "http://h"}}, AWS),
        ({"judge": {"provider": "tiered", "escalate_to": "bedrock", "base_url": "http://h"}}, AWS),
        ({"embedding": {"provider": "bedrock", "base_url": "http://h"}}, AWS),
        ({"elasticsearch": {"host": "localhost:9200"}}, "must be the address of a server"),
        ({"elasticsearch": {"host": "http://[::1"}}, "must be the address of a server"),
        ({"elasticsearch": {"host": "https://u:pw@h"}}, "must not hold a user or a password"),
        ({"elasticsearch": {"host": "https://h/?key=pw"}}, r"must not hold a `\?`"),
        ({"elasticsearch": {"username": "u"}}, "belong together"),
        ({"elasticsearch": {"api_key": "k", "username": "u", "password": "p"}}, "not both"),
        ({"elasticsearch": {"api_key": ""}}, "is empty"),
        ({"elasticsearch": {"index": "Docs"}}, "must be 1 to 100"),
        ({"doc_sources": [{"path": "docs", "include": ["/etc/*"]}]}, "include"),
        ({"doc_sources": [{"path": "docs", "exclude": [""]}]}, "exclude"),
        ({"doc_sources": [{"path": "docs", "tags": ["a\nb"]}]}, "tags"),
        ({"doc_sources": [{"path": "docs", "tags": ["x" * 65]}]}, "tags"),
        ({"doc_sources": [{"path": "docs", "tags": "a"}]}, "tags"),
    ],
)
def test_what_cannot_work_is_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        config(**parts)


@pytest.mark.parametrize(
    "key", [{"second_look": True}, {"extract": "model"}, {"criteria": ["is short"]}, {"model_id": "m"}]
)
def test_what_needs_a_model_needs_a_judge_with_one(key: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(key))):
        JudgeSettings.model_validate(key)
    assert JudgeSettings.model_validate({**OLLAMA, **key}).served_by == "ollama"
    assert JudgeSettings(provider="tiered", escalate_to="bedrock").served_by == "bedrock"


def test_doc_sources_have_a_short_and_a_long_form() -> None:
    made = config(doc_sources=["docs/", "S3://b/p", {"type": "local", "path": "x"}])
    found = [(source.type, source.path) for source in made.doc_sources]
    assert found == [("local", "docs/"), ("s3", "S3://b/p"), ("local", "x")]


def test_a_header_s_value_is_neither_shown_nor_part_of_the_hash() -> None:
    one, other = (config(model={**HTTP, "headers": {"X-Key": word}}) for word in ("s3cret", "another"))
    assert "s3cret" not in f"{one} {one!r} {one.model_dump_json()}"
    assert one.hash() == other.hash()
    for wrong in ("s3cret\nX: y", "s3cret\u00e9", ["s3cret"]):
        with pytest.raises(ValidationError) as caught:
            config(model={**HTTP, "headers": {"X-Key": wrong}})
        assert "s3cret" not in str(caught.value.errors(include_input=False))


@pytest.mark.parametrize("body", ['{"q": "{{question}}"}', {"q": "{{question}}"}])
def test_a_body_is_yaml_or_the_text_of_json(body: Any) -> None:
    assert config(model={**HTTP, "body": body}).model.sent == {"q": "{{question}}"}


def test_secrets_are_neither_shown_nor_part_of_the_hash() -> None:
    one, other = config(elasticsearch={"api_key": "s3cret"}), config(elasticsearch={"api_key": "another"})
    assert "s3cret" not in f"{one} {one!r} {one.model_dump_json()}"
    assert one.hash() == other.hash() != config(elasticsearch={"index": "other"}).hash()
