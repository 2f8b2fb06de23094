"""Names of the configuration become providers, with what the environment adds."""

from pathlib import Path

import pytest

from gate.config import Model
from gate.errors import SetupError
from gate.providers.base import Message, Request
from gate.providers.connect import connect, connect_embedder, connect_target
from gate.providers.openai import OpenAI


def test_openai_takes_address_and_key_from_where_they_are() -> None:
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://env/v1"}
    first, second = connect("openai", "m", environ), connect("openai", "m", environ, "http://own/v1")
    assert (first.identity, second.identity) == ("http://env/v1", "http://own/v1")
    assert isinstance(first, OpenAI)
    assert first._connections.headers["Authorization"] == "Bearer k"
    first.close()
    second.close()


def test_ollama_takes_its_host_from_the_environment() -> None:
    model = connect("ollama", "m", {"OLLAMA_HOST": "http://gpu:11434"})
    assert (model.name, model.identity) == ("ollama", "http://gpu:11434")
    model.close()


@pytest.mark.parametrize(
    ("model_id", "environ", "name"),
    [
        ("", {}, "bedrock:amazon.titan-embed-text-v2:0"),
        ("", {"TITAN_MODEL_ID": "t"}, "bedrock:t"),
        ("own", {"TITAN_MODEL_ID": "t"}, "bedrock:own"),
    ],
)
def test_titan_is_the_embedder_of_bedrock(aws: object, model_id: str, environ: dict[str, str], name: str) -> None:
    embedder = connect_embedder("bedrock", model_id, environ, dimension=256)
    assert (embedder.name, embedder.wanted, embedder.window) == (name, 256, 8000)
    connect("bedrock", "m", {}).close()


@pytest.mark.parametrize(
    ("name", "url", "window"),
    [
        ("openai", "", 8000),
        ("openai", "https://eu.api.openai.com/v1", 8000),
        ("openai", "https://mine.openai.azure.com/openai/v1", 8000),
        ("openai", "http://localhost:8080/v1", 1500),
        ("openai", "https://openai.com.example.org/v1", 1500),
        ("ollama", "", 1500),
    ],
)
def test_what_strangers_serve_may_read_no_more_than_512_tokens(name: str, url: str, window: int) -> None:
    embedder = connect_embedder(name, "bge-small", {}, url)
    assert embedder.window == window
    embedder.provider.close()


def test_other_names_are_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="no remote provider 'replay'"):
        connect("replay", "m", {})


def test_the_model_under_test_may_be_a_program(tmp_path: Path) -> None:
    (tmp_path / "app.sh").write_text("#!/bin/sh\necho yes\n")
    (tmp_path / "app.sh").chmod(0o755)
    app = connect_target(Model(provider="command", command=("./app.sh",), model_id="v2"), tmp_path, {})
    assert (app.name, app.model) == ("command", "v2")
    assert app.complete(Request((Message("user", "q"),))).text == "yes"
    app.close()


def test_the_model_under_test_may_be_served() -> None:
    model = Model(provider="openai", model_id="m", base_url="http://h")
    served = connect_target(model, Path(), {"OPENAI_BASE_URL": "http://other"})
    assert (served.name, served.model, served.identity) == ("openai", "m", "http://h/v1")
    served.close()


@pytest.mark.parametrize("dimension", [None, 256, 512, 1024])
def test_titan_has_vectors_of_these_lengths(aws: object, dimension: int | None) -> None:
    connect_embedder("bedrock", "", {}, dimension=dimension).provider.close()


def test_titan_has_vectors_of_no_other_length(aws: object) -> None:
    with pytest.raises(SetupError, match="no vectors of 300 numbers") as caught:
        connect_embedder("bedrock", "", {}, dimension=300)
    assert "256, 512, 1024" in caught.value.hint
    connect_embedder("bedrock", "another-model", {}, dimension=300).provider.close()
