"""The index on a server: its mapping, by what it was made, and the one that the alias leads to."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from gate.errors import EmbedderMismatchError, IndexMissingError, StoreError
from gate.providers.base import Embedder
from gate.store.elasticsearch_server import Server
from gate.store.faults import remedy

FORMAT = 3  # raise it when the mapping, the terms or the scale of the vectors change: an index of its own is built
MAX_DIMENSIONS = 4096
_SETTINGS = {
    # One shard: BM25 counts words in all chunks, not in those of a shard. Deleted chunks count until they are merged
    # away, so a merge leaves none.
    "number_of_shards": 1,
    "auto_expand_replicas": "0-1",
    "index.mapping.nested_objects.limit": 100_000,
    "index.merge.policy.expunge_deletes_allowed": 0,
}


def made_by(embedder: Embedder, int8: bool) -> dict[str, Any]:
    """What is recorded in the mapping's `_meta`."""
    return {"format": FORMAT, "embedder": embedder.name, "dimension": embedder.dimension, "int8": int8}


def target_name(alias: str, made: dict[str, Any]) -> str:
    """The first index behind the alias: another embedder, another index; after a stop the same one is found again."""
    return f"{alias}-{hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()[:12]}"


def definition(made: dict[str, Any]) -> dict[str, Any]:
    """Settings and mapping. Two kinds of entries: a chunk (id: its hash) with its windows' vectors, and a document
    (id: see `document_id`) with its places: chunk, heading, lines and turns of each. A document's places are one entry,
    so that it is replaced whole or not at all. `text` is for people who search; `words` holds the same terms as the
    embedded store's, identifiers in parts and whole. Vectors and words are not given back: they stay out of _source."""
    vector = {
        "type": "dense_vector",
        "dims": made["dimension"],
        "index": True,
        "similarity": "cosine",
        "index_options": {"type": "int8_hnsw" if made["int8"] else "hnsw", "m": 16, "ef_construction": 100},
    }
    return {
        "settings": _SETTINGS,
        "mappings": {
            "dynamic": "strict",
            "_meta": {"gate": made},
            "_source": {"excludes": ["windows", "words"]},
            "properties": _properties(vector),
        },
    }


def _properties(vector: dict[str, Any]) -> dict[str, Any]:
    unsearched = {"index": False, "doc_values": False}
    return {
        "chunk": {"type": "keyword"},
        "text": {"type": "text", "analyzer": "english"},
        "words": {"type": "text", "analyzer": "english"},
        "windows": {"type": "nested", "properties": {"vector": vector}},
        "source": {"type": "keyword"},
        "digest": {"type": "keyword", **unsearched},
        "chunks": {"type": "keyword", **unsearched},
        "places": {
            "properties": {
                "heading": {"type": "keyword", **unsearched},
                "lines": {"type": "integer", **unsearched},
                "turns": {
                    "properties": {
                        "line": {"type": "integer", **unsearched},
                        "heading": {"type": "keyword", **unsearched},
                    }
                },
            }
        },
    }


def document_id(source: str) -> str:
    """The id of a document's entry: no longer than a server takes, and never that of a chunk."""
    return "document-" + hashlib.sha256(source.encode()).hexdigest()


def behind(server: Server, alias: str) -> tuple[str, dict[str, Any]]:
    """(index, what it was made by) behind the alias, ("", {}) where there is none. Errors: StoreError where the name
    stands for something that is not an index of the gate."""
    found = server.ask("GET", f"/{alias}/_mapping", missing=True)
    with server.understood():
        made = {name: entry["mappings"].get("_meta", {}).get("gate") for name, entry in found.items()}
    if not made:
        return "", {}
    name, record = next(iter(made.items()))
    if len(made) > 1 or name == alias or not isinstance(record, dict):
        raise StoreError(
            f"`{alias}` on {server.name} is not an index of the gate", "set `elasticsearch.index` to another name"
        )
    return name, record


def find(server: Server, alias: str, made: dict[str, Any]) -> str:
    """The index to read. Errors: IndexMissingError, EmbedderMismatchError, StoreError."""
    name, record = behind(server, alias)
    if not name:
        raise IndexMissingError(f"there is no index `{alias}` on {server.name}", "run `gate ingest PATH...` first")
    if record.get("format") != made["format"]:
        raise StoreError(
            f"the index `{alias}` on {server.name} has format {record.get('format')!s:.20}, "
            f"this gate reads {made['format']}",
            "use the same version of the gate to ingest and to run, or run `gate ingest` with this one",
        )
    if (record.get("embedder"), record.get("dimension")) != (made["embedder"], made["dimension"]):
        raise EmbedderMismatchError(
            f"the index `{alias}` on {server.name} was made with the embedder {record.get('embedder')!s:.100} "
            f"({record.get('dimension')!s:.20} dimensions), the configuration asks for {made['embedder']} "
            f"({made['dimension']} dimensions)",
            remedy(str(record.get("embedder")), made["embedder"], "run `gate ingest` again to build it anew"),
        )
    return name
