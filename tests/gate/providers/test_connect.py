"""Names of the configuration become providers, with what the environment adds."""

import pytest

from gate.errors import SetupError
from gate.providers.chain import connect
from gate.providers.embedding import connect_embedder
from gate.providers.openai import OpenAI


def test_addresses_and_keys_come_from_the_configuration_or_the_environment() -> None:
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://env/v1", "OLLAMA_HOST": "http://gpu:11434"}
    first, second = connect("openai", "m", environ), connect("openai", "m", environ, "http://own/v1")
    third = connect("ollama", "m", environ)
    assert [model.identity for model in (first, second, third)] == [
        "http://env/v1",
        "http://own/v1",
        "http://gpu:11434",
    ]
    assert isinstance(first, OpenAI)
    assert first._headers["Authorization"] == "Bearer k"
    for model in (first, second, third):
        model.close()
    with pytest.raises(ValueError, match="no remote provider 'replay'"):
        connect("replay", "m", {})


@pytest.mark.parametrize(
    ("model_id", "environ", "name"),
    [
        ("", {}, "bedrock:amazon.titan-embed-text-v2:0"),
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
        ("openai", "https://mine.openai.azure.com/openai/v1", 8000),
        ("openai", "http://localhost:8080/v1", 1500),
        ("openai", "https://openai.com.example.org/v1", 1500),
    ],
)
def test_what_strangers_serve_may_read_no_more_than_512_tokens(name: str, url: str, window: int) -> None:
    embedder = connect_embedder(name, "bge-small", {}, url)
    assert embedder.window == window
    embedder.provider.close()


def test_titan_has_vectors_of_no_other_length(aws: object) -> None:
    with pytest.raises(SetupError, match="no vectors of 300 numbers") as caught:
        connect_embedder("bedrock", "", {}, dimension=300)
    assert "256, 512, 1024" in caught.value.hint
    connect_embedder("bedrock", "another-model", {}, dimension=300).provider.close()
