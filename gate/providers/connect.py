"""The models that the parts of a configuration reach: a provider by its name, with the key that belongs to its server
and to no other, behind one chain."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple, cast
from urllib.parse import urlsplit

from gate.config import Config, JudgeSettings, Model, ServerSettings
from gate.errors import SetupError, StoreError
from gate.providers.base import TITAN, TITAN_DIMENSIONS, ModelServer, Provider, Remote
from gate.providers.budget import Budget
from gate.providers.calls import Cache, Calls, Locks, Renewal
from gate.providers.chain import Chain, Patience, Tuned, check_judge
from gate.providers.command import committed, revision
from gate.providers.embedding import EMBEDDING_BATCHES, RemoteEmbedder
from gate.providers.wire import USUAL_ADDRESSES
from gate.providers.worker import open_program

# Characters that surely fit the models: OpenAI's own and Titan read 8,000 tokens, what others serve as few as 512.
_LARGE_WINDOW, _SMALL_WINDOW = 8000, 1500
_OF_OPENAI = ("openai.com", ".azure.com")
PROGRAM_SECONDS = 60.0  # that an answer of a program may take


class ServerKind(NamedTuple):
    """A provider: its class, loaded when it is used, as a run asks one or two servers; the variables that hold its key,
    and its address, unless the configuration names others; and the seconds that a call may take."""

    where: str
    key: str = ""
    address: str = ""
    seconds: float = 120.0


PROVIDERS = {
    "bedrock": ServerKind("gate.providers.bedrock:Bedrock"),
    "ollama": ServerKind("gate.providers.ollama:Ollama", "OLLAMA_API_KEY", "OLLAMA_HOST", 300.0),  # of a small machine
    "openai": ServerKind("gate.providers.openai:OpenAI", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "anthropic": ServerKind("gate.providers.anthropic:Anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    "http": ServerKind("gate.providers.http:Http"),
}


def connect(
    name: str,
    model_id: str,
    environ: Mapping[str, str],
    base_url: str = "",
    server: ServerSettings | None = None,
) -> ModelServer:
    """The provider `bedrock`, `ollama`, `openai` or `anthropic` (which has no embeddings) for one model; to be put into
    a Chain, and closed at the end.

    Its address is `base_url`, else that of `server`. Read from `environ`: the variable that `server` names for its key,
    else the usual one; without an address, the usual variable of it; boto3 reads AWS_*. Errors: SetupError where it can
    be told before any call.
    """
    if name not in PROVIDERS:
        raise ValueError(f"no remote provider {name!r}")
    server, kind = server or ServerSettings(), PROVIDERS[name]
    opened, seconds = resolve_name(kind.where), server.timeout_seconds or kind.seconds
    if name == "bedrock":
        return cast(ModelServer, opened(model_id, seconds))
    variable, key = _key(name, server, environ)
    address = base_url or server.base_url or environ.get(kind.address, "")
    headers = server.plain_headers()
    return cast(ModelServer, opened(model_id, address, key=key, timeout=seconds, headers=headers, variable=variable))


def connect_embedder(
    name: str,
    model_id: str,
    environ: Mapping[str, str],
    server: ServerSettings | None = None,
    dimension: int | None = None,
    chain: Chain | None = None,
) -> RemoteEmbedder:
    """The embedder of a provider; `model_id` may be empty for `bedrock` (TITAN_MODEL_ID, else Titan V2). `server` has
    its address and what goes with each call.

    With a `chain`, its calls are those of that run. `close` its `provider` at the end. Errors: SetupError.
    """
    if name == "bedrock":
        model_id = model_id or environ.get("TITAN_MODEL_ID", "") or TITAN
        if "titan-embed-text-v2" in model_id and dimension not in (None, *TITAN_DIMENSIONS):
            hint = f"set embedding.dimension to one of {', '.join(map(str, TITAN_DIMENSIONS))}"
            raise SetupError(f"{model_id} has no vectors of {dimension} numbers", hint, "setup")
    provider = connect(name, model_id, environ, server=server)
    large = name == "bedrock" or (urlsplit(provider.identity).hostname or "").endswith(_OF_OPENAI)
    window = _LARGE_WINDOW if large else _SMALL_WINDOW
    return RemoteEmbedder(provider, dimension, EMBEDDING_BATCHES[name], window=window, chain=chain)


def _key(name: str, server: ServerSettings, environ: Mapping[str, str]) -> tuple[str, str]:
    """The variable of a server's key, and the key. Errors: SetupError where the configuration names it and it is not
    set: without it, all that follows would be refused."""
    variable = server.api_key_env or PROVIDERS[name].key
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
    kind = PROVIDERS.get(provider, ServerKind(""))
    if not (variable := part.api_key_env or kind.key):
        return None
    usual = environ.get(kind.address, "") or USUAL_ADDRESSES.get(provider, "")
    where = urlsplit((address or usual).strip())
    return _Keyed(part, variable, (where.scheme, where.netloc.lower()))


def connect_target(model: Model, folder: Path, environ: Mapping[str, str]) -> Remote:
    """The model under test: a program or a function in `folder`, a server of any kind, or a served model.

    Errors: SetupError."""
    seconds, http = model.timeout_seconds, PROVIDERS["http"]
    if model.provider == "http":
        variable, key = _key("http", model, environ)
        opened = resolve_name(http.where)(model, key, seconds or http.seconds, variable or "model.api_key_env")
        return cast(Remote, opened)
    if not model.is_program:
        return connect(model.provider, model.model_id or "", environ, server=model)
    return open_program(model, folder, seconds or PROGRAM_SECONDS)


def model_of(settings: JudgeSettings, environ: Mapping[str, str]) -> str:
    """The name of the judge's model; BEDROCK_MODEL_ID goes before the configuration."""
    override = environ.get("BEDROCK_MODEL_ID", "").strip() if settings.served_by == "bedrock" else ""
    return override or settings.model_id or ""


@dataclass
class Servers:
    """The models of one run, each opened when it is first used, behind one record of calls in `folder`. `base` is the
    configuration's folder, and `documents` the fingerprint of the index."""

    config: Config
    base: Path
    folder: Path
    budget: Budget
    documents: Callable[[], str]
    warn: Callable[[str], None]
    trial: bool = False  # every call is made once and alone: no retries, and no call to the judge before the first
    use_cache: bool = True
    reuse: bool = False  # answers of the application that an earlier, finished run was decided by
    _open: ExitStack = field(default_factory=ExitStack)
    _target: Cache | None = None

    def close(self) -> None:
        """Close whatever was opened."""
        self._open.close()

    @cached_property
    def chain(self) -> Chain:
        """What is put around every provider: the record of calls, limits, retries. Errors: StoreError."""
        path, sleep = self.folder / "calls.sqlite", self.budget.sleep
        calls = Calls(path)
        calls.prune()
        self._open.callback(calls.close)
        patience = Patience(attempts=1, sleep=sleep) if self.trial else Patience(sleep=sleep)
        locks = Locks(path.with_suffix(".lock"), sleep)
        self._open.callback(locks.close)
        return Chain(self.budget, calls, self.config.limits.concurrency, not self.use_cache, patience, self.warn, locks)

    @cached_property
    def target(self) -> Provider:
        """The model under test."""
        model = self.config.model
        remote = connect_target(model, self.base, keys_for(self.config, model, os.environ))
        self._open.callback(remote.close)
        check: Callable[[], None] = getattr(remote, "check", lambda: None)
        if self.trial:
            return self.chain.around(remote, check)
        renewal = Renewal(lambda: self._scope, self.reuse or model.reuse == "always")
        self._target = self.chain.around(remote, lambda: self._ready(check), renewal)
        return Tuned(self._target, model)

    @cached_property
    def _scope(self) -> str:
        """What the application may answer from, as far as the gate can see it: the documents, and what is committed in
        the repository; of a server also the code as it is, which may be the server's. A run that was stopped does not
        go on from answers to others."""
        code = revision(self.base) if self.config.model.provider == "http" else committed(self.base)
        return hashlib.sha256(f"{self.documents()} {code}".encode()).hexdigest()

    def check(self) -> None:
        """Look at what the application may answer from: once, before many threads want it."""
        if self._target is not None:
            _ = self._scope

    def finish(self) -> None:
        """Note that the run is decided: the next one asks the application anew. A record that cannot be written costs
        the verdict nothing."""
        try:
            if self._target is not None:
                self._target.finish()
        except StoreError as error:
            self.warn(f"{error.message}; the next run may take these answers again: run it with --no-cache")

    def _ready(self, check: Callable[[], None]) -> None:
        """The application is well, which costs nothing to ask; the first paid answer is of use only if there is a judge
        for it. Errors: SetupError."""
        check()
        if self.config.judge.served_by is not None:
            check_judge(self._judge_server, self.budget)

    @cached_property
    def judge_model(self) -> Provider:
        """The model that the judge asks."""
        return Tuned(self.chain.around(self._judge_server), self.config.judge)

    @cached_property
    def _judge_server(self) -> Remote:
        """The judge's model, before the chain is put around it. Errors: SetupError where no call could succeed."""
        settings = self.config.judge
        model_id = model_of(settings, os.environ)
        if not model_id:
            raise SetupError("the Bedrock judge has no model", "set judge.model_id or BEDROCK_MODEL_ID", "setup")
        environ = keys_for(self.config, settings, os.environ)
        remote = connect(settings.served_by or "", model_id, environ, server=settings)
        self._open.callback(remote.close)
        return remote

    def embedder(self, chain: Chain | None) -> RemoteEmbedder:
        """The embedder of a model server; without a `chain` its calls are neither recorded nor limited.

        Errors: SetupError.
        """
        chosen = self.config.embedding
        environ = keys_for(self.config, chosen, os.environ)
        remote = connect_embedder(chosen.provider, chosen.model_id or "", environ, chosen, chosen.dimension, chain)
        self._open.callback(remote.provider.close)
        return remote
