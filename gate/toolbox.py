"""The tools of a run, opened from the configuration when first used and closed at the end.

What loads numpy, or the judges of a model, is imported where it is first used: a run loads what its judge needs.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from gate.claims.local import LocalExtractor
from gate.config import DEFAULT_PATH, Config, DocSource, Elasticsearch, JudgeSettings, load
from gate.conversation import every_turn
from gate.errors import SetupError, StoreError, UsageError
from gate.providers.budget import Budget
from gate.providers.calls import Cache, Calls, Locks, Renewal
from gate.providers.chain import Chain, Patience, Tuned, check_judge
from gate.providers.connect import connect_target, connect_writer, keys_for
from gate.providers.pool import Counting, uncounted
from gate.providers.replay import Replay, read_answers, read_dataset
from gate.reports.safe import line
from gate.store import index_for_writing, store_for_reading

if TYPE_CHECKING:
    from gate.claims.local import Extractor
    from gate.judges.base import Judge
    from gate.providers.base import Embedder, Provider, Remote
    from gate.providers.local_embedder import LocalEmbedder
    from gate.records import Prompt
    from gate.reports.document import UsageEntry
    from gate.store.base import Index, Store

FOLDER = ".gate"


@dataclass
class Toolbox:
    """Opens what the configuration names, each thing once. `base` is the configuration's folder."""

    config: Config
    base: Path = field(default_factory=Path)
    folder: Path = field(default_factory=lambda: Path(FOLDER))
    limit: int | None = None
    shard: tuple[int, int] | None = None
    trial: bool = False  # every call is made once and alone: no retries, and no call to the judge before the first
    use_cache: bool = True
    reuse: bool = False  # answers of the application that an earlier, finished run was decided by
    use_fit: bool = True
    index_file: Path | None = None  # another index than that of `folder`
    counting: Counting = uncounted
    _open: ExitStack = field(default_factory=ExitStack)
    _target: Cache | None = None

    def check(self) -> None:
        """Open what a run cannot do without, so that a fault shows before anything is asked or paid."""
        _ = self.store
        warm = getattr(self.embedder, "warm", None)
        if warm is not None:
            warm()
        _ = self.provider, self.judge
        if self._target is not None:
            _ = self._scope  # once, before many threads want it

    def uncached(self) -> Toolbox:
        """The same tools under the same limits, but each of their calls is really made."""
        other = replace(self, use_cache=False, _open=ExitStack(), _target=None)
        other.budget = self.budget
        self._open.callback(other.close)
        return other

    def close(self) -> None:
        """Close whatever was opened."""
        self._open.close()

    def path(self, name: str) -> Path:
        """A path of the configuration: beside the configuration file, else as seen from the current folder."""
        return resolve(self.base, name)

    def load_prompts(self) -> list[Prompt]:
        """The prompts of a dataset or of the recorded answers, and of the turns before where these are judged.
        Errors: InputFileError with file and line, UsageError."""
        rows: list[tuple[Prompt, str | None]]
        if self.config.evaluation.source == "recorded":
            rows = [(one.prompt, one.answer) for one in read_answers(self.path(self.config.model.path or ""))]
        else:
            rows = [(prompt, None) for prompt in read_dataset(self.path(self.config.evaluation.dataset or ""))]
        return every_turn(rows) if self.config.evaluation.turns == "all" else [prompt for prompt, _ in rows]

    @cached_property
    def budget(self) -> Budget:
        """The limits of the run; its seconds begin when it is first used."""
        return Budget(self.config.limits, self.config.prices, warn=warn)

    @cached_property
    def chain(self) -> Chain:
        """What is put around every provider that reaches something: the record of calls, limits, retries.

        Errors: StoreError.
        """
        path, sleep = self.folder / "calls.sqlite", self.budget.sleep
        calls = Calls(path)
        calls.prune()
        self._open.callback(calls.close)
        patience = Patience(attempts=1, sleep=sleep) if self.trial else Patience(sleep=sleep)
        locks = Locks(path.with_suffix(".lock"), sleep)
        self._open.callback(locks.close)
        return Chain(self.budget, calls, self.config.limits.concurrency, not self.use_cache, patience, warn, locks)

    @cached_property
    def provider(self) -> Provider:
        """The model under test."""
        model = self.config.model
        if model.provider == "replay":
            return Replay(self.path(model.path or ""), model.model_id)
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
        the repository. A run that was stopped does not go on from answers to others."""
        from gate.providers.command import committed

        seen = f"{self.store.fingerprint()} {committed(self.base)}"
        return hashlib.sha256(seen.encode()).hexdigest()

    def finish(self) -> None:
        """Note that the run is decided: the next one asks the application anew. A record that cannot be written costs
        the verdict nothing."""
        try:
            if self._target is not None:
                self._target.finish()
        except StoreError as error:
            warn(f"{error.message}; the next run may take these answers again: run it with --no-cache")

    def _ready(self, check: Callable[[], None]) -> None:
        """The application is well, which costs nothing to ask; the first paid answer is of use only if there is a judge
        for it. Errors: SetupError."""
        check()
        if self._judge_server is not None:
            check_judge(self._judge_server, self.budget)

    @cached_property
    def extractor(self) -> Extractor:
        """Who takes answers apart into claims."""
        if self.config.judge.extract == "model" and self.judge_model is not None:
            from gate.claims.by_model import ModelExtractor

            return ModelExtractor(self.judge_model)
        return LocalExtractor()

    @cached_property
    def embedder(self) -> Embedder:
        """Who turns texts into vectors for a run: the calls of a model are recorded, and bound by its limits."""
        return shipped_embedder() if self.config.embedding.provider == "local" else self._served_embedder(self.chain)

    def _served_embedder(self, chain: Chain | None) -> Embedder:
        """The embedder of a model server; without a `chain` its calls are neither recorded nor limited.

        Errors: SetupError.
        """
        from gate.providers.embedding import connect_embedder

        chosen = self.config.embedding
        environ = keys_for(self.config, chosen, os.environ)
        remote = connect_embedder(chosen.provider, chosen.model_id or "", environ, chosen, chosen.dimension, chain)
        self._open.callback(remote.provider.close)
        return remote

    @cached_property
    def store(self) -> Store:
        """The index, for reading."""
        store = store_for_reading(self._elasticsearch, self._index_file, self.embedder, os.environ)
        self._open.callback(store.close)
        return store

    @cached_property
    def index(self) -> Index:
        """The index, for writing: it keeps the vectors, and no limit of a run ends it half made."""
        embedder = self.embedder if self.config.embedding.provider == "local" else self._served_embedder(None)
        index = index_for_writing(self._elasticsearch, self._index_file, embedder, os.environ)
        self._open.callback(index.close)
        return index

    @property
    def _index_file(self) -> Path:
        return self.index_file or self.folder / "index.sqlite"

    @property
    def _elasticsearch(self) -> Elasticsearch | None:
        settings = self.config.elasticsearch
        return settings.located(self.path) if settings else None

    @cached_property
    def judge_model(self) -> Provider | None:
        """The model that the judge asks; None where it asks none."""
        server = self._judge_server
        return Tuned(self.chain.around(server), self.config.judge) if server is not None else None

    @cached_property
    def _judge_server(self) -> Remote | None:
        """The judge's model, before the chain is put around it. Errors: SetupError where no call could succeed."""
        settings = self.config.judge
        if settings.served_by is None:
            return None
        model_id = model_of(settings, os.environ)
        if not model_id:
            raise SetupError("the Bedrock judge has no model", "set judge.model_id or BEDROCK_MODEL_ID", "setup")
        environ = keys_for(self.config, settings, os.environ)
        remote = connect_writer(settings.served_by, model_id, environ, settings)
        self._open.callback(remote.close)
        return remote

    @cached_property
    def judge(self) -> Judge:
        """Who labels the claims."""
        if self.judge_model is None:
            return self._local_judge()
        from gate.judges.llm import LlmJudge, TieredJudge

        model = LlmJudge(self.judge_model)
        return TieredJudge(self._local_judge(), model) if self.config.judge.provider == "tiered" else model

    def _local_judge(self) -> Judge:
        from gate.judges.local import open_local

        settings = self.config.judge
        reader = self.path(settings.model_path) if settings.model_path else None
        # Behind a model each answer comes by itself, and the answers are counted.
        counting = self.counting if settings.served_by is None else uncounted
        return open_local(settings, reader, self.folder if self.use_fit else None, warn, counting)

    def usage(self) -> UsageEntry:
        """What the run has used so far."""
        spent = asdict(self.budget.spent())
        if not spent["estimated"]:
            del spent["estimated"]
        return cast("UsageEntry", spent)


def resolve(base: Path, name: str) -> Path:
    """`name` beside the configuration file if it is there, else as seen from the current folder."""
    beside = base / name
    return Path(name) if not beside.exists() and Path(name).exists() else beside


def warn(message: str) -> None:
    """Write a fault to stderr that costs the run nothing. The message may hold a stranger's words."""
    sys.stderr.write(f"warning: {line(message)}\n")


def model_of(settings: JudgeSettings, environ: Mapping[str, str]) -> str:
    """The name of the judge's model; BEDROCK_MODEL_ID goes before the configuration."""
    override = environ.get("BEDROCK_MODEL_ID", "").strip() if settings.served_by == "bedrock" else ""
    return override or settings.model_id or ""


@cache
def shipped_embedder() -> LocalEmbedder:
    """The embedder that ships with the gate: its weights are loaded once a process. Errors: ModelFileError."""
    from gate.providers.local_embedder import LocalEmbedder

    return LocalEmbedder()


@contextmanager
def open_for_ingest(config_path: str | None, paths: Sequence[str]) -> Iterator[tuple[list[str | DocSource], Index]]:
    """(the sources, the index to write); the sources are the paths given, else the doc_sources of the configuration.

    With paths and no --config the default configuration is read if it is there. Errors: ConfigError, UsageError.
    """
    named = Path(config_path or DEFAULT_PATH)
    config = load(named) if config_path or named.exists() or not paths else None
    sources: list[str | DocSource] = list(paths)
    if not sources and config is not None:
        sources += documents_of(config, named.parent)
    if not sources:
        raise UsageError("there is nothing to index", "name files or folders, or give doc_sources in the configuration")
    with closing(Toolbox(config or bare(), named.parent)) as tools:
        yield sources, tools.index


def documents_of(config: Config, base: Path) -> list[DocSource]:
    """The doc_sources: paths as `Toolbox.path` has them, and buckets as they are."""
    return [
        source if source.type == "s3" else source.model_copy(update={"path": str(resolve(base, source.path))})
        for source in config.doc_sources
    ]


def bare() -> Config:
    """A configuration that says nothing: indexing named paths needs none."""
    return Config.model_validate({"use_case": "-", "model": {"provider": "replay", "path": "-"}})
