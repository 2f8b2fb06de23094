"""From a name in the configuration to the provider or embedder that it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from gate.config import Model
from gate.errors import SetupError
from gate.providers.base import EmbeddingServer, Remote
from gate.providers.chain import Chain
from gate.providers.embedding import RemoteEmbedder

# Characters that surely fit the models: OpenAI's own and Titan read 8,000 tokens, what others serve as few as 512.
_LARGE_WINDOW, _SMALL_WINDOW = 8000, 1500
_OF_OPENAI = ("openai.com", ".azure.com")
EMBEDDING_BATCHES = {"ollama": 64, "openai": 64, "bedrock": 1}  # texts that one call takes


class ModelServer(Remote, EmbeddingServer, Protocol):
    """What can be asked and can embed."""


def connect(name: str, model_id: str, environ: Mapping[str, str], base_url: str = "") -> ModelServer:
    """The provider `bedrock`, `ollama` or `openai` for one model; to be put into a Chain, and closed at the end.

    Read from `environ`: OPENAI_API_KEY, OLLAMA_API_KEY and, where `base_url` is empty, OPENAI_BASE_URL, OLLAMA_HOST;
    boto3 reads AWS_*. Errors: SetupError where it can be told before any call.
    """
    if name == "openai":
        from gate.providers.openai import OpenAI

        return OpenAI(model_id, base_url or environ.get("OPENAI_BASE_URL", ""), environ.get("OPENAI_API_KEY", ""))
    if name == "ollama":
        from gate.providers.ollama import Ollama

        host, key = base_url or environ.get("OLLAMA_HOST", ""), environ.get("OLLAMA_API_KEY", "")
        return Ollama(model_id, host, key=key)
    if name == "bedrock":
        from gate.providers.bedrock import Bedrock

        return Bedrock(model_id)
    raise ValueError(f"no remote provider {name!r}")


def connect_target(model: Model, folder: Path, environ: Mapping[str, str]) -> Remote:
    """The model under test: a program in `folder`, or a served model. Errors: SetupError."""
    if model.provider == "command":
        from gate.providers.command import Command

        return Command(model.command or (), folder, version=model.model_id or "")
    return connect(model.provider, model.model_id or "", environ, model.base_url or "")


def connect_embedder(
    name: str,
    model_id: str,
    environ: Mapping[str, str],
    base_url: str = "",
    dimension: int | None = None,
    chain: Chain | None = None,
) -> RemoteEmbedder:
    """The embedder of a provider; `model_id` may be empty for `bedrock` (TITAN_MODEL_ID, else Titan V2).

    With a `chain`, its calls are those of that run. `close` its `provider` at the end. Errors: SetupError.
    """
    if name == "bedrock":
        from gate.providers.bedrock import TITAN, TITAN_DIMENSIONS

        model_id = model_id or environ.get("TITAN_MODEL_ID", "") or TITAN
        if "titan-embed-text-v2" in model_id and dimension not in (None, *TITAN_DIMENSIONS):
            hint = f"set embedding.dimension to one of {', '.join(map(str, TITAN_DIMENSIONS))}"
            raise SetupError(f"{model_id} has no vectors of {dimension} numbers", hint, "setup")
    provider = connect(name, model_id, environ, base_url)
    window = _LARGE_WINDOW if name == "bedrock" or _is_of_openai(provider.identity) else _SMALL_WINDOW
    return RemoteEmbedder(provider, dimension, EMBEDDING_BATCHES[name], window=window, chain=chain)


def _is_of_openai(address: str) -> bool:
    return (urlsplit(address).hostname or "").endswith(_OF_OPENAI)
