"""The tools of a run, opened from the configuration when first used and closed at the end.

What loads numpy, or the judges of a model, is imported where it is first used: a run loads what its judge needs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from gate.claims.local import LocalExtractor
from gate.config import DEFAULT_PATH, Config, DocSource, Elasticsearch, load
from gate.conversation import every_turn
from gate.errors import UsageError
from gate.providers.budget import Budget
from gate.providers.pool import Counting, uncounted
from gate.providers.replay import Replay, read_answers, read_dataset
from gate.reports.safe import line
from gate.store import index_for_writing, store_for_reading

if TYPE_CHECKING:
    from gate.claims.local import Extractor
    from gate.judges.base import Judge
    from gate.providers.base import Embedder, Provider
    from gate.providers.connect import Servers
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

    def check(self) -> None:
        """Open what a run cannot do without, so that a fault shows before anything is asked or paid."""
        _ = self.store
        warm = getattr(self.embedder, "warm", None)
        if warm is not None:
            warm()
        _ = self.provider, self.judge
        if self._reaches_target:
            self.servers.check()

    def uncached(self) -> Toolbox:
        """The same tools under the same limits, but each of their calls is really made."""
        other = replace(self, use_cache=False, _open=ExitStack())
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
    def servers(self) -> Servers:
        """The models that are reached. A replay with the local judge and embedder does without."""
        from gate.providers.connect import Servers

        found = Servers(
            self.config,
            self.base,
            self.folder,
            self.budget,
            lambda: self.store.fingerprint(),
            warn,
            self.trial,
            self.use_cache,
            self.reuse,
        )
        self._open.callback(found.close)
        return found

    @cached_property
    def provider(self) -> Provider:
        """The model under test."""
        model = self.config.model
        if self._reaches_target:
            return self.servers.target
        return Replay(self.path(model.path or ""), model.model_id)

    def finish(self) -> None:
        """Note that the run is decided: the next one asks the application anew."""
        if self._reaches_target:
            self.servers.finish()

    @property
    def _reaches_target(self) -> bool:
        return self.config.model.provider != "replay"

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
        if self.config.embedding.provider == "local":
            return shipped_embedder()
        return self.servers.embedder(self.servers.chain)

    @cached_property
    def store(self) -> Store:
        """The index, for reading."""
        store = store_for_reading(self._elasticsearch, self._index_file, self.embedder, os.environ)
        self._open.callback(store.close)
        return store

    @cached_property
    def index(self) -> Index:
        """The index, for writing: it keeps the vectors, and no limit of a run ends it half made."""
        embedder = self.embedder if self.config.embedding.provider == "local" else self.servers.embedder(None)
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
        return self.servers.judge_model if self.config.judge.served_by is not None else None

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
