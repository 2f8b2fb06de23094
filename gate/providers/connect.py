"""A provider by its name in the configuration, with the key that belongs to its server and to no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from gate.config import Config, Model, ModelSettings, ServerSettings
from gate.errors import SetupError
from gate.providers.base import ModelServer, Remote
from gate.providers.wire import USUAL_ADDRESSES

SECONDS, SLOW_SECONDS, PROGRAM_SECONDS = 120.0, 300.0, 60.0  # of a call: Ollama is a small machine's, as a rule
# provider -> the variables that hold its key, and its address, unless the configuration names others
KEYS = {"openai": "OPENAI_API_KEY", "ollama": "OLLAMA_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
ADDRESSES = {"openai": "OPENAI_BASE_URL", "ollama": "OLLAMA_HOST", "anthropic": "ANTHROPIC_BASE_URL"}
# provider -> its class, in the module of its name. It is loaded when it is used: a run asks one or two servers.
CLASSES = {"bedrock": "Bedrock", "ollama": "Ollama", "openai": "OpenAI", "anthropic": "Anthropic", "http": "Http"}


def _class_of(name: str) -> Any:
    if name not in CLASSES:
        raise ValueError(f"no remote provider {name!r}")
    return getattr(import_module(f"gate.providers.{name}"), CLASSES[name])


def connect(
    name: str,
    model_id: str,
    environ: Mapping[str, str],
    base_url: str = "",
    server: ServerSettings | None = None,
) -> ModelServer:
    """The provider `bedrock`, `ollama`, `openai` or `anthropic` (which has no embeddings) for one model; to be put into
    a Chain, and closed at the end.

    Read from `environ`: the variable that `server` names for its key, else the usual one of KEYS; where `base_url` is
    empty, that of ADDRESSES; boto3 reads AWS_*. Errors: SetupError where it can be told before any call.
    """
    server, opened = server or ServerSettings(), _class_of(name)
    seconds = server.timeout_seconds or (SLOW_SECONDS if name == "ollama" else SECONDS)
    if name == "bedrock":
        return cast(ModelServer, opened(model_id, seconds))
    variable, key = _key(name, server, environ)
    address = base_url or environ.get(ADDRESSES[name], "")
    headers = server.plain_headers()
    return cast(ModelServer, opened(model_id, address, key=key, timeout=seconds, headers=headers, variable=variable))


def connect_writer(name: str, model_id: str, environ: Mapping[str, str], server: ModelSettings) -> Remote:
    """A model that writes texts, the target's or the judge's. Errors: as `connect`."""
    return connect(name, model_id, environ, server.base_url or "", server)


def _key(name: str, server: ServerSettings, environ: Mapping[str, str]) -> tuple[str, str]:
    """The variable of a server's key, and the key. Errors: SetupError where the configuration names it and it is not
    set: without it, all that follows would be refused."""
    variable = server.api_key_env or KEYS.get(name, "")
    if server.api_key_env and not environ.get(variable, "").strip():
        raise SetupError(f"{name}: {variable} is not set", "`api_key_env` names it: set it to a key", "setup")
    return variable, environ.get(variable, "")


def keys_for(config: Config, part: ServerSettings, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment for one part of the configuration, without a variable that holds another server's key: what the
    target is asked with does not reach the judge.

    A variable that a part names (`api_key_env`) belongs to that part's server. A usual one, OPENAI_API_KEY say, belongs
    to the usual server; to one that `base_url` names it does where no other server is asked by that provider.
    """
    servers = [server for one in _parts(config) if (server := _server(*one, environ)) is not None]
    mine = next((server for server in servers if server.part is part), None)
    if mine is None or part.api_key_env:
        return environ
    others = [one for one in servers if one.variable == mine.variable and one.origin != mine.origin]
    if any(one.part.api_key_env or part.base_url is not None for one in others):
        return {name: value for name, value in environ.items() if name != mine.variable}
    return environ


@dataclass(frozen=True, slots=True)
class _Keyed:
    """A part whose server may want a key: the variable of the key, and where it would go."""

    part: ServerSettings
    variable: str
    origin: tuple[str, str]


def _parts(config: Config) -> Iterator[tuple[ServerSettings, str, str | None]]:
    """(part, its provider, its address) of all that may be asked."""
    model, judge, embedding = config.model, config.judge, config.embedding
    yield model, model.provider, model.url if model.provider == "http" else model.base_url
    yield judge, judge.served_by or "", judge.base_url
    yield embedding, embedding.provider, embedding.base_url


def _server(part: ServerSettings, provider: str, address: str | None, environ: Mapping[str, str]) -> _Keyed | None:
    variable = part.api_key_env or KEYS.get(provider)
    if variable is None:
        return None
    usual = environ.get(ADDRESSES.get(provider, ""), "") or USUAL_ADDRESSES.get(provider, "")
    where = urlsplit((address or usual).strip())
    return _Keyed(part, variable, (where.scheme, where.netloc.lower()))


def connect_target(model: Model, folder: Path, environ: Mapping[str, str]) -> Remote:
    """The model under test: a program or a function in `folder`, a server of any kind, or a served model.

    Errors: SetupError."""
    seconds = model.timeout_seconds
    if model.provider == "http":
        variable, key = _key("http", model, environ)
        return cast(Remote, _class_of("http")(model, key, seconds or SECONDS, variable or "model.api_key_env"))
    if not model.is_program:
        return connect_writer(model.provider, model.model_id or "", environ, model)
    from gate.providers.worker import open_program

    return open_program(model, folder, seconds or PROGRAM_SECONDS)
