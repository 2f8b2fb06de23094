"""Documents that are no longer as they were indexed: what a run quotes of them, and the line, is true no more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate.errors import SourceError
from gate.store.base import Store
from ingest.index import EDITION
from ingest.sources import LocalDocument, some


def stale(store: Store, root: Path) -> list[str]:
    """The indexed files that changed or are gone; names are relative to `root`, the folder that they were indexed in.

    Of an index on a server, which others may have filled, and of documents of a bucket nothing is known: they are not
    among them. Errors: StoreError.
    """
    from gate.store.embedded import EmbeddedStore

    if not isinstance(store, EmbeddedStore):
        return []
    known = store.digests().items()
    return [name for name, digest in known if "://" not in name and digest != _digest(LocalDocument(name, root / name))]


def told(names: Sequence[str]) -> str:
    """What is wrong, in one line."""
    return f"{some(names)} changed since {'it was' if len(names) == 1 else 'they were'} indexed"


def _digest(document: LocalDocument) -> str:
    """As the index has it; empty for a file that is gone."""
    try:
        return f"{EDITION}-{document.digest()}"
    except SourceError:
        return ""
