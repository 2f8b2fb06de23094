"""What ingestion opens: the index to write, and where the documents are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import DEFAULT_PATH, Config, load
from gate.errors import UsageError
from gate.toolbox import Toolbox, resolve

if TYPE_CHECKING:
    from gate.store.base import Index


@dataclass(frozen=True, slots=True)
class Ingestion:
    """What ingestion needs: where the documents are, and the index to write."""

    paths: list[str]
    index: Index


@contextmanager
def open_for_ingest(config_path: str | None, paths: Sequence[str]) -> Iterator[Ingestion]:
    """The index and the sources: the paths given, else the doc_sources of the configuration.

    With paths and no --config the default configuration is read if it is there. Errors: ConfigError, UsageError.
    """
    named = Path(config_path or DEFAULT_PATH)
    config = load(named) if config_path or named.exists() or not paths else None
    sources = list(paths)
    if not sources and config is not None:
        sources = addresses(config, named.parent)
    if not sources:
        raise UsageError("there is nothing to index", "name files or folders, or give doc_sources in the configuration")
    tools = Toolbox(config or bare(), named.parent)
    try:
        yield Ingestion(sources, tools.index)
    finally:
        tools.close()


def addresses(config: Config, base: Path) -> list[str]:
    """The doc_sources: paths as `Toolbox.path` has them, and buckets as they are."""
    return [source.path if source.type == "s3" else str(resolve(base, source.path)) for source in config.doc_sources]


def bare() -> Config:
    """A configuration that says nothing: indexing named paths needs none."""
    return Config.model_validate({"use_case": "-", "model": {"provider": "replay", "path": "-"}})
