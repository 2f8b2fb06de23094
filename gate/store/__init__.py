"""Where evidence lives: the embedded store or an Elasticsearch server's, as the configuration asks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.config import Elasticsearch
    from gate.providers.base import Embedder
    from gate.store.base import Index, Store


def store_for_reading(
    settings: Elasticsearch | None, path: Path, embedder: Embedder, environ: Mapping[str, str]
) -> Store:
    """The index for a run: on the server of `settings`, else the file at `path`. Errors: StoreError."""
    if settings is None:
        from gate.store.embedded import open_for_reading as open_file

        return open_file(path, embedder)
    from gate.store.elasticsearch.reading import open_for_reading as open_remote

    return open_remote(settings, embedder, environ)


def index_for_writing(
    settings: Elasticsearch | None, path: Path, embedder: Embedder, environ: Mapping[str, str]
) -> Index:
    """The index for ingestion, made where there is none. Errors: StoreError."""
    if settings is None:
        from gate.store.embedded import open_for_writing as open_file

        return open_file(path, embedder)
    from gate.store.elasticsearch.writing import open_for_writing as open_remote

    return open_remote(settings, embedder, environ)
