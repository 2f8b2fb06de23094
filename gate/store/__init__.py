"""Where evidence lives: the embedded store or an Elasticsearch server's, as the configuration asks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gate.config import Elasticsearch
    from gate.providers.base import Embedder
    from gate.store.base import Index, Store


def store_for_reading(
    settings: Elasticsearch | None, path: Path, embedder: Embedder, environ: Mapping[str, str]
) -> Store:
    """The index for a run: on the server of `settings`, else the file at `path`. Errors: StoreError."""
    here, there = "gate.store.embedded:open_for_reading", "gate.store.elasticsearch.reading:open_for_reading"
    store: Store = _open(here, path, embedder) if settings is None else _open(there, settings, embedder, environ)
    return store


def index_for_writing(
    settings: Elasticsearch | None, path: Path, embedder: Embedder, environ: Mapping[str, str]
) -> Index:
    """The index for ingestion, made where there is none. Errors: StoreError."""
    here, there = "gate.store.embedded:open_for_writing", "gate.store.elasticsearch.writing:open_for_writing"
    index: Index = _open(here, path, embedder) if settings is None else _open(there, settings, embedder, environ)
    return index


def _open(where: str, *arguments: Any) -> Any:
    """What the function at "module:function" opens: one of the stores is loaded, when it is used."""
    return resolve_name(where)(*arguments)
