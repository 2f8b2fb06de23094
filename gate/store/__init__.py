"""Where evidence lives: the embedded store or an Elasticsearch server's, as configured; loaded when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from gate.config import Elasticsearch
    from gate.providers.base import Embedder
    from gate.store.base import Index, Store


def store_for_reading(
    settings: Elasticsearch | None, path: Path, embedder: Embedder, environ: Mapping[str, str]
) -> Store:
    """The index for a run: on the server of `settings`, else the file at `path`. Errors: StoreError."""
    here, there = "gate.store.embedded:open_for_reading", "gate.store.elasticsearch.reading:open_for_reading"
    if settings is None:
        return cast("Store", resolve_name(here)(path, embedder))
    return cast("Store", resolve_name(there)(settings, embedder, environ))


def index_for_writing(
    settings: Elasticsearch | None, path: Path, embedder: Embedder, environ: Mapping[str, str]
) -> Index:
    """The index for ingestion, made where there is none. Errors: StoreError."""
    here, there = "gate.store.embedded:open_for_writing", "gate.store.elasticsearch.writing:open_for_writing"
    if settings is None:
        return cast("Index", resolve_name(here)(path, embedder))
    return cast("Index", resolve_name(there)(settings, embedder, environ))
