"""Refusals of a model and of a prompt, told apart by the words of servers."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import BadReplyError, SetupError
from gate.providers.faults import Server, status_fault
from gate.providers.unknown_model import names_the_model
from tests.support.fake_models import FakeModels

OF_THE_MODEL = [
    "Invalid model name passed in model=gpt-9. Call `/v1/models` to view available models for your key.",
    "400: {'error': '/chat/completions: Invalid model name passed in model=gpt-9. Call `/v1/models`'}",
    "Invalid model: gpt-9",
    "Invalid model: upstream-name-of-it",
    "Invalid model 'gpt-9'. Permitted models can be found in the documentation.",
    "Invalid model. Please select a different model to continue.",
    "invalid model ID",
    "system: Invalid model name",
    "The model `gpt-9` does not exist",
    "The model `upstream-name` does not exist or you do not have access to it.",
    "The requested model 'openai/gpt-9' does not exist",
    "Model Not Exist",
    "Unknown model: gpt-9",
    "openai/gpt-9 is not a valid model ID",
    "model 'gpt-9' not found",
    "Error from upstream: the model gpt-9 does not exist, says the provider",
    "litellm.BadRequestError: BedrockException - The provided model identifier is invalid.",
    "Invocation of model ID x with on-demand throughput isn\u2019t supported. Retry with an inference profile.",
]
OF_A_PROMPT = [
    "bad request",
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    "Input is too long for requested model gpt-9.",
    "max_tokens is too large: 99999. This model gpt-9 supports at most 4096 completion tokens.",
    "The prompt was flagged by the content policy of model gpt-9.",
    "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
    "Invalid prompt: 'Why do I see: the model does not exist?' is not allowed",
    "Invalid prompt: 'Invalid model: what does it mean?' is not allowed",
    "Unsupported parameter: 'temperature' is not supported with this model.",
    "Unsupported value: 'temperature' does not support 0 with this model gpt-9.",
    "Invalid model output: the reply was no JSON",
    "gpt-9 is not supported with response_format json_schema",
    "The file that the model was asked for does not exist",
    "the model gpt-9.1 does not exist",
    "",
]


@pytest.mark.parametrize("words", OF_THE_MODEL)
@pytest.mark.parametrize("model", ["gpt-9", "openai/gpt-9"])
def test_what_is_said_of_the_model(words: str, model: str) -> None:
    assert names_the_model(words, model)


@pytest.mark.parametrize("words", OF_A_PROMPT)
def test_what_is_said_of_one_prompt(words: str) -> None:
    assert not names_the_model(words, "gpt-9")


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"error": {"message": "no", "code": "model_not_found"}}, SetupError),
        ({"object": "error", "message": "no", "type": "invalid_model", "code": "1500"}, SetupError),
        ({"error": {"error": {"message": "no", "type": "Unknown_Model"}}}, SetupError),
        ({"error": {"message": "no", "type": "invalid_request_error", "code": None}}, BadReplyError),
        ({"detail": [{"msg": "too short", "input": "Unknown model: m"}]}, BadReplyError),
        ({"error": {"message": "Invalid model: m", "code": "content_filter"}}, BadReplyError),
        ("Unknown model: m", SetupError),
        ([{"input": "Unknown model: m"}], BadReplyError),
    ],
)
def test_codes_count_and_what_was_sent_does_not(said: Any, error: type[Exception]) -> None:
    fault = status_fault(Server("openai", "http://h/v1", "gpt-9"), 400, json.dumps(said), {})
    assert type(fault) is error


@pytest.mark.parametrize("words", ["Invalid model name passed in model=m", "Invalid model: m"])
@pytest.mark.parametrize("provider", ["openai", "ollama", "bedrock"])
def test_a_400_for_the_model_ends_the_run(
    server: FakeModels, remote: Any, ask: Any, monkeypatch: pytest.MonkeyPatch, provider: str, words: str
) -> None:
    monkeypatch.setitem(
        __import__("tests.support.fake_models").support.fake_models.STATUS, "400", (400, words, "ValidationException")
    )
    server.faults = ["400"]
    with pytest.raises(SetupError, match="Invalid model") as caught:
        remote(provider).complete(ask())
    assert "the model's name (m)" in caught.value.hint
    assert len(server.sent) == 1


@given(st.text(max_size=300), st.text(max_size=40))
def test_no_words_and_no_name_break_it(words: str, model: str) -> None:
    names_the_model(words, model)
    assert names_the_model(f"Invalid model: {model}", model)
