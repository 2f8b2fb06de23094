"""Documents that are not as the index has them: what a run quotes of a changed one, and the line, is true no more; what
only a new one says is called unsupported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate.errors import SourceError
from gate.store.base import Store
from ingest.formats import read_blocks
from ingest.sources import LocalDocument, first_names, open_sources, stamp

READ = 20  # unknown files that are looked into: an ingest leaves out what cannot be read, and it is not new


def describe_stale(store: Store, addresses: Sequence[str], root: Path) -> str:
    """What is wrong, in one line, with the index of the documents at `addresses` (paths, relative to `root`); empty
    where nothing is. Errors: StoreError."""
    changed, new = stale(store, root), missing(store, addresses, root)
    told = [_told(changed, "changed since {} indexed", "it was", "they were")] if changed else []
    told += [_told(new, "{} not in the index", "is", "are")] if new else []
    return "; ".join(told)


def stale(store: Store, root: Path) -> list[str]:
    """The indexed files that changed or are gone; names are relative to `root`, the folder that they were indexed in.

    Of an index on a server, which others may have filled, and of documents of a bucket nothing is known: they are not
    among them. Errors: StoreError.
    """
    known = (_known(store) or {}).items()
    return [name for name, digest in known if "://" not in name and digest != _digest(LocalDocument(name, root / name))]


def missing(store: Store, addresses: Sequence[str], root: Path) -> list[str]:
    """The files at `addresses` that can be read and are not in the index, by name. Of an index on a server, and of
    what is no path here, nothing is known. Errors: StoreError."""
    known = _known(store)
    if known is None:
        return []
    unknown = {entry.source: entry for entry in _local(addresses, root) if entry.source not in known}
    named = sorted(unknown)
    return [name for name in named[:READ] if _readable(unknown[name])] + named[READ:]


def _known(store: Store) -> dict[str, str] | None:
    """Name -> digest, of an index that is our own."""
    from gate.store.embedded import EmbeddedStore

    return store.digests() if isinstance(store, EmbeddedStore) else None


def _local(addresses: Sequence[str], root: Path) -> list[LocalDocument]:
    """The documents at these paths; none at a path that is not there."""
    found: list[LocalDocument] = []
    for source in open_sources([address for address in addresses if "://" not in address], root):
        try:
            found += [entry for entry in source.documents() if isinstance(entry, LocalDocument)]
        except SourceError:
            continue
    return found


def _readable(document: LocalDocument) -> bool:
    try:
        read_blocks(document.source, document.read())
    except SourceError:
        return False
    return True


def _told(names: Sequence[str], what: str, one: str, many: str) -> str:
    return f"{first_names(names)} {what.format(one if len(names) == 1 else many)}"


def _digest(document: LocalDocument) -> str:
    """As the index has it; empty for a file that is gone."""
    try:
        return stamp(document)
    except SourceError:
        return ""
