"""The tools of a run, opened from the configuration when first used and closed at the end."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import Config
from gate.providers.pool import Counting, uncounted
from gate.toolbox_chain import open_chain, warn

if TYPE_CHECKING:
    from gate.claims.base import Extractor
    from gate.config_parts import Elasticsearch
    from gate.judges.base import Judge
    from gate.providers.base import Embedder, Provider, Remote
    from gate.providers.budget import Budget
    from gate.providers.chain import Chain
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
    trial: bool = False  # what is asked is asked once, and nothing for another's sake
    use_cache: bool = True
    use_fit: bool = True
    counting: Counting = uncounted
    _open: ExitStack = field(default_factory=ExitStack)

    def check(self) -> None:
        """Open what a run cannot do without, so that a fault shows before anything is asked or paid."""
        _ = self.store
        warm = getattr(self.embedder, "warm", None)
        if warm is not None:
            warm()
        _ = self.provider, self.judge

    def close(self) -> None:
        """Close whatever was opened."""
        self._open.close()

    def path(self, name: str) -> Path:
        """A path of the configuration: beside the configuration file, else as seen from the current folder."""
        return resolve(self.base, name)

    def given_prompts(self) -> list[Prompt]:
        """The prompts of a dataset or of the recorded answers. Errors: InputFileError with file and line."""
        from gate.providers.replay import read_answers, read_dataset

        if self.config.evaluation.source == "recorded":
            return [recorded.prompt for recorded in read_answers(self.path(self.config.model.path or ""))]
        return read_dataset(self.path(self.config.evaluation.dataset or ""))

    @cached_property
    def budget(self) -> Budget:
        """The limits of the run; its seconds begin when it is first used."""
        from gate.providers.budget import Budget

        return Budget(self.config.limits, self.config.prices, warn=warn)

    @cached_property
    def chain(self) -> Chain:
        """What is put around every provider that reaches something."""
        path, concurrency = self.folder / "calls.sqlite", self.config.limits.concurrency
        fresh = not self.use_cache
        return open_chain(path, self.budget, concurrency, fresh=fresh, trial=self.trial, closing=self._open)

    @cached_property
    def provider(self) -> Provider:
        """The model under test."""
        from gate.providers.connect import connect_target
        from gate.providers.replay import Replay

        model = self.config.model
        if model.provider == "replay":
            return Replay(self.path(model.path or ""), model.model_id)
        remote = connect_target(model, self.base, os.environ)
        self._open.callback(remote.close)
        return self.chain.around(remote, None if self.trial else self._reach_judge)

    def _reach_judge(self) -> None:
        """The first paid answer is of use only if there is a judge for it. Errors: SetupError."""
        from gate.providers.chain import check_judge

        if self._judge_server is not None:
            check_judge(self._judge_server, self.budget)

    @cached_property
    def extractor(self) -> Extractor:
        """Who takes answers apart into claims."""
        from gate.toolbox_judge import open_extractor

        return open_extractor(self.config.judge, self.judge_model)

    @cached_property
    def embedder(self) -> Embedder:
        """Who turns texts into vectors for a run: the calls of a model are recorded, and bound by its limits."""
        from gate.toolbox_embedder import open_embedder

        chosen = self.config.embedding
        return open_embedder(chosen, None if chosen.provider == "local" else self.chain, self._open)

    @cached_property
    def store(self) -> Store:
        """The index, for reading."""
        from gate.store.connect import store_for_reading

        store = store_for_reading(self._elasticsearch, self.folder / "index.sqlite", self.embedder, os.environ)
        self._open.callback(store.close)
        return store

    @cached_property
    def index(self) -> Index:
        """The index, for writing: it keeps the vectors, and no limit of a run ends it half made."""
        from gate.store.connect import index_for_writing
        from gate.toolbox_embedder import open_embedder

        chosen = self.config.embedding
        embedder = self.embedder if chosen.provider == "local" else open_embedder(chosen, None, self._open)
        index = index_for_writing(self._elasticsearch, self.folder / "index.sqlite", embedder, os.environ)
        self._open.callback(index.close)
        return index

    @property
    def _elasticsearch(self) -> Elasticsearch | None:
        settings = self.config.elasticsearch
        return settings.located(self.path) if settings else None

    @cached_property
    def judge_model(self) -> Provider | None:
        """The model that the judge asks; None where it asks none."""
        return self.chain.around(self._judge_server) if self._judge_server is not None else None

    @cached_property
    def _judge_server(self) -> Remote | None:
        from gate.toolbox_judge import connect_judge

        if self.config.judge.served_by is None:
            return None
        remote = connect_judge(self.config.judge, os.environ)
        self._open.callback(remote.close)
        return remote

    @cached_property
    def judge(self) -> Judge:
        """Who labels the claims."""
        from gate.toolbox_judge import open_judge

        return open_judge(self.config.judge, self._local_judge, self.judge_model)

    def _local_judge(self) -> Judge:
        from gate.judges.line import FIT
        from gate.toolbox_local import open_local

        settings = self.config.judge
        reader = self.path(settings.model_path) if settings.model_path else None
        # Behind a model each answer comes by itself, and the answers are counted.
        counting = self.counting if settings.served_by is None else uncounted
        fit = self.folder / FIT if self.use_fit else None
        return open_local(settings, reader, fit, warn, counting)

    def usage(self) -> UsageEntry:
        """What the run has used so far."""
        spent = self.budget.spent()
        entry: UsageEntry = {
            "calls": spent.calls,
            "cached_calls": spent.cached_calls,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            "cost_usd": spent.cost_usd,
        }
        if spent.estimated:
            entry["estimated"] = True
        return entry


def resolve(base: Path, name: str) -> Path:
    """`name` beside the configuration file if it is there, else as seen from the current folder."""
    beside = base / name
    return Path(name) if not beside.exists() and Path(name).exists() else beside
