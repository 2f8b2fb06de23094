"""Reads of the index on a server: its entries page by page, texts by id, and the order that its chunks stand in."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from gate.records import Chunk, Evidence, Turns, parse_turns
from gate.store.elasticsearch_mapping import document_id
from gate.store.elasticsearch_server import Server

_PAGE = {"source": 100, "chunk": 5000}  # entries of a page, by the key that they are sorted by
_TEXTS = 200
_STRICT = "allow_partial_search_results=false"


class Place(NamedTuple):
    """Where a chunk stands; the fields as in Chunk."""

    source: str
    id: str
    heading: str
    lines: tuple[int, ...]
    turns: Turns

    def shown(self, text: str) -> Evidence:
        """The chunk as evidence, without score."""
        line = self.lines[0] if self.lines else 0
        return Evidence(self.source, line, text, 0.0, self.heading, self.lines, chunk_id=self.id, turns=self.turns)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Which chunks there are: `ids` by source and position of their first occurrence, `places` the way back,
    `sources` the document of each."""

    ids: tuple[str, ...]
    places: Mapping[str, int]
    sources: tuple[str, ...]


@dataclass(slots=True)
class Held:
    """What the index holds: digest and chunk ids of each document, and the ids of all chunks."""

    documents: dict[str, tuple[str, Counter[str]]]
    chunks: set[str]

    def used(self) -> set[str]:
        """The chunks that a document holds."""
        return {name for _, names in self.documents.values() for name in names}


@dataclass(frozen=True, slots=True)
class Documents:
    """The entries of one index on a server."""

    server: Server
    index: str

    def entries(self, key: str, fields: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Every entry that has `key` (`source`: documents, `chunk`: chunks), sorted by it, with these fields."""
        query: dict[str, Any] = {
            "size": _PAGE[key],
            "query": {"exists": {"field": key}},
            "sort": [{key: "asc"}],
            "_source": list(fields),
            "track_total_hits": False,
        }
        while True:
            answer = self.server.ask("POST", f"/{self.index}/_search?{_STRICT}", query)
            with self.server.understood():
                hits = answer["hits"]["hits"]
                found = [{"_id": hit["_id"], **hit.get("_source", {})} for hit in hits]
                query["search_after"] = hits[-1]["sort"] if hits else []
            yield from found
            if len(found) < _PAGE[key]:
                return

    def is_empty(self) -> bool:
        """Whether no document has a chunk."""
        query = {"size": 1, "query": {"exists": {"field": "chunk"}}, "_source": False}
        answer = self.server.ask("POST", f"/{self.index}/_search?{_STRICT}", query)
        with self.server.understood():
            return not answer["hits"]["hits"]

    def by_id(self, ids: Iterable[str], fields: Sequence[str]) -> dict[str, dict[str, Any]]:
        """id -> fields of those that are there."""
        left = iter(ids)
        found: dict[str, dict[str, Any]] = {}
        while some := list(islice(left, _TEXTS)):
            body = {"docs": [{"_id": name, "_source": list(fields)} for name in some]}
            answer = self.server.ask_each(f"/{self.index}/_mget", body)
            with self.server.understood():
                found |= {one["_id"]: one["_source"] for one in answer if one.get("found")}
        return found

    def snapshot(self) -> Snapshot:
        """The order of all chunks."""
        first: dict[str, str] = {}
        for entry in self.entries("source", ["source", "chunks"]):
            with self.server.understood():
                for name in entry["chunks"]:
                    first.setdefault(name, entry["source"])
        return Snapshot(tuple(first), {name: place for place, name in enumerate(first)}, tuple(first.values()))

    def held(self) -> Held:
        """What a writer needs to know."""
        entries = self.entries("source", ["source", "digest", "chunks"])
        with self.server.understood():
            documents = {str(one["source"]): (str(one["digest"]), Counter[str](one["chunks"])) for one in entries}
        return Held(documents, {one["_id"] for one in self.entries("chunk", [])})

    def occurrences(self) -> Iterator[Place]:
        """Every place, by source and position."""
        for entry in self.entries("source", ["source", "chunks", "places"]):
            yield from self._occurrences(entry)

    def chunks(self) -> Iterator[Chunk]:
        """All chunks by source and position; a text that stands twice comes twice."""
        every = self.occurrences()
        while some := list(islice(every, _TEXTS)):
            texts = self.by_id(dict.fromkeys(place.id for place in some), ["text"])
            for source, name, heading, lines, turns in some:
                if name in texts:
                    with self.server.understood():
                        text = str(texts[name]["text"])
                    yield Chunk(name, text, source, heading, lines, turns)

    def places(self, sources: Iterable[str]) -> dict[str, dict[str, Place]]:
        """source -> chunk id -> its first place in the document."""
        entries = self.by_id([document_id(source) for source in sources], ["source", "chunks", "places"])
        found: dict[str, dict[str, Place]] = {}
        for entry in entries.values():
            for place in self._occurrences(entry):
                found.setdefault(place.source, {}).setdefault(place.id, place)
        return found

    def _occurrences(self, entry: dict[str, Any]) -> list[Place]:
        with self.server.understood():
            return [
                Place(
                    source=str(entry["source"]),
                    id=str(name),
                    heading=str(place["heading"]),
                    lines=tuple(int(line) for line in place["lines"]),
                    turns=parse_turns((turn["line"], turn["heading"]) for turn in place["turns"]),
                )
                for name, place in zip(entry["chunks"], entry["places"], strict=True)
            ]


def search_lines(body: Mapping[str, Any]) -> tuple[str, str]:
    """A search as `_msearch` takes it: ids and scores alone, and no answer from a part of the index."""
    # Equal scores are cut off by id, not by the order of writing: the same chunks give the same ranking.
    common = {"_source": False, "track_total_hits": False, "track_scores": True, "sort": ["_score", {"chunk": "asc"}]}
    return json.dumps({"allow_partial_search_results": False}), json.dumps({**common, **body}, separators=(",", ":"))
