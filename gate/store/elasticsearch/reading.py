"""The index on a server as a run reads it: which one the alias leads to, its entries, both rankings, and the store.

An index has two kinds of entries: a chunk (id: its hash) with text, words and vectors, and a document (id: see
`document_id`) with the places of its chunks. `elasticsearch.writing` has the mapping.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from gate.config import Elasticsearch
from gate.errors import IndexMissingError, StoreError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence, parse_turns
from gate.store.base import Ranking, evidence_of, fingerprint_of, mismatch
from gate.store.elasticsearch.client import Cluster
from gate.store.passages import query_terms
from gate.store.ranking import DEPTH, begin, finish, quantise

FORMAT = 5  # raise it when mapping, terms, windows or the scale of the vectors change: an index of its own is built
CANDIDATES = 500  # windows that the graph looks at for a query: benchmarks/README.md, "Elasticsearch"
_PAGE = {"source": 100, "chunk": 5000}  # entries of a page, by the key that they are sorted by
_TEXTS = 200  # of one _mget
_SEARCHES = 100  # of one _msearch
_QUERIES = 50  # of one _mtermvectors
_PLACES = ("source", "tags", "chunks", "places")
_STATISTICS = {"fields": ["words"], "term_statistics": True, "positions": False, "offsets": False, "payloads": False}


def open_for_reading(settings: Elasticsearch, embedder: Embedder, environ: Mapping[str, str]) -> ElasticsearchStore:
    """The index for a run. Read from `environ`: ES_HOST, ES_API_KEY. Errors: IndexMissingError (none, or nothing in
    it), EmbedderMismatchError, StoreError (not reached, refused, too old, another thing's index)."""
    server = Cluster(settings, environ)
    try:
        server.check_version()

        def locate() -> str:
            return find(server, settings.index, embedder, settings.int8)

        store = ElasticsearchStore(server, locate(), embedder, locate)
        store.require_chunks()
    except BaseException:
        server.close()
        raise
    return store


def made_by(embedder: Embedder, int8: bool) -> dict[str, Any]:
    """What is recorded in the mapping's `_meta`."""
    return {"format": FORMAT, "embedder": embedder.name, "dimension": embedder.dimension, "int8": int8}


def behind(server: Cluster, alias: str) -> tuple[str, dict[str, Any]]:
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


def find(server: Cluster, alias: str, embedder: Embedder, int8: bool) -> str:
    """The index to read. Errors: IndexMissingError, EmbedderMismatchError, StoreError (another format)."""
    name, record = behind(server, alias)
    what, made = f"the index `{alias}` on {server.name}", made_by(embedder, int8)
    if not name:
        raise IndexMissingError(f"there is no index `{alias}` on {server.name}", "run `gate ingest` first")
    if record.get("format") != FORMAT:
        raise StoreError(
            f"{what} has format {record.get('format')!s:.20}, this gate reads {FORMAT}",
            "use the same version of the gate to ingest and to run, or run `gate ingest` with this one",
        )
    if any(record.get(key) != made[key] for key in ("embedder", "dimension")):
        known = (record.get("embedder"), record.get("dimension"))
        raise mismatch(what, known, embedder, "run `gate ingest` again to build it anew")
    return name


def document_id(source: str) -> str:
    """The id of a document's entry: no longer than a server takes, and never that of a chunk."""
    return "document-" + hashlib.sha256(source.encode()).hexdigest()


@dataclass(slots=True)
class Inventory:
    """What an index holds: digest and chunk ids of each document, and the ids of all chunks."""

    documents: dict[str, tuple[str, Counter[str]]]
    chunks: set[str]

    def used(self) -> set[str]:
        """The chunks that a document holds."""
        return {name for _, names in self.documents.values() for name in names}


@dataclass(frozen=True, slots=True)
class Documents:
    """The entries of one index on a server. A place is a Chunk without its text, which is an entry of its own. Every
    method: StoreError where the server fails."""

    server: Cluster
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
            answer = self.server.ask("POST", f"/{self.index}/_search?allow_partial_search_results=false", query)
            with self.server.understood():
                hits = answer["hits"]["hits"]
                found = [{"_id": hit["_id"], **hit.get("_source", {})} for hit in hits]
                query["search_after"] = hits[-1]["sort"] if hits else []
            yield from found
            if len(found) < _PAGE[key]:
                return

    def by_id(self, ids: Iterable[str], fields: Sequence[str]) -> dict[str, dict[str, Any]]:
        """id -> fields of those that are there."""
        left = iter(ids)
        found: dict[str, dict[str, Any]] = {}
        while some := list(islice(left, _TEXTS)):
            body = {"docs": [{"_id": name, "_source": list(fields)} for name in some]}
            answer = self.server.ask_parts(f"/{self.index}/_mget", body, "docs", len(some))
            with self.server.understood():
                found |= {one["_id"]: one["_source"] for one in answer if one.get("found")}
        return found

    def texts(self, ids: Iterable[str]) -> dict[str, str]:
        """id -> text of the chunks that are there."""
        found = self.by_id(ids, ["text"])
        with self.server.understood():
            return {name: str(one["text"]) for name, one in found.items()}

    def inventory(self) -> Inventory:
        """What a writer needs to know."""
        entries = self.entries("source", ["source", "digest", "chunks"])
        with self.server.understood():
            documents = {str(one["source"]): (str(one["digest"]), Counter[str](one["chunks"])) for one in entries}
        return Inventory(documents, {one["_id"] for one in self.entries("chunk", [])})

    def places(self) -> Iterator[Chunk]:
        """Every place, by source and position."""
        for entry in self.entries("source", _PLACES):
            yield from self._places_of(entry)

    def first_places(self, sources: Iterable[str]) -> dict[tuple[str, str], Chunk]:
        """(source, chunk id) -> the chunk's first place in the document."""
        entries = self.by_id((document_id(source) for source in dict.fromkeys(sources)), _PLACES).values()
        every = [place for entry in entries for place in self._places_of(entry)]
        return {(place.source, place.id): place for place in reversed(every)}

    def chunks(self) -> Iterator[Chunk]:
        """All chunks by source and position; a text that stands twice comes twice."""
        every = self.places()
        while some := list(islice(every, _TEXTS)):
            texts = self.texts(dict.fromkeys(place.id for place in some))
            yield from (replace(place, text=texts[place.id]) for place in some if place.id in texts)

    def _places_of(self, entry: dict[str, Any]) -> list[Chunk]:
        with self.server.understood():
            found, tags = [], tuple(map(str, entry["tags"]))
            for name, place in zip(entry["chunks"], entry["places"], strict=True):
                lines = tuple(int(line) for line in place["lines"])
                turns = parse_turns((turn["line"], turn["heading"]) for turn in place["turns"])
                found.append(Chunk(str(name), "", str(entry["source"]), str(place["heading"]), lines, turns, tags))
            return found


class RemoteListing:
    """One index, and the chunks that it had when this was made: `ids` by source and position of their first
    occurrence, `sources` the document of each. Every method: StoreError where the server fails."""

    def __init__(self, documents: Documents) -> None:
        """Errors: StoreError, IndexMissingError where nothing is indexed."""
        server, first = documents.server, dict[str, str]()
        for entry in documents.entries("source", ["source", "chunks"]):
            with server.understood():
                for name in entry["chunks"]:
                    first.setdefault(name, entry["source"])
        if not first:
            hint = "run `gate ingest` with documents that hold text"
            raise IndexMissingError(f"the index {documents.index} on {server.name} is empty", hint)
        self._documents, self._server = documents, server
        self._ids, self._sources = tuple(first), tuple(first.values())
        self._places = {name: place for place, name in enumerate(first)}

    def by_words(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """As Listing."""
        asked = {text: terms for text in texts if (terms := " ".join(query_terms(text)))}
        queries = word_queries(self._server, self._documents.index, list(asked.values()))
        return dict(zip(asked, self._ranked([{"query": query} for query in queries]), strict=True))

    def by_vectors(self, vectors: Sequence[Sequence[int]]) -> list[list[int]]:
        """The places of DEPTH chunks by kNN for each vector, best first, equal scores by place. A vector of zeros is
        near to nothing, and a fault to the server."""
        field = {"field": "windows.vector", "k": DEPTH, "num_candidates": CANDIDATES}
        nothing: dict[str, Any] = {"query": {"match_none": {}}}
        return self._ranked([{"knn": {**field, "query_vector": one}} if any(one) else nothing for one in vectors])

    def evidence_at(self, wanted: Iterable[int]) -> dict[int, Evidence]:
        """As Listing; none for what is gone since this was made."""
        order = sorted(wanted)
        texts = self._documents.texts(self._ids[at] for at in order)
        places = self._documents.first_places(self._sources[at] for at in order)
        chunks = {at: places.get((self._sources[at], self._ids[at])) for at in order if self._ids[at] in texts}
        return {at: evidence_of(replace(one, text=texts[one.id])) for at, one in chunks.items() if one}

    def _ranked(self, searches: Sequence[Mapping[str, Any]]) -> list[list[int]]:
        """For each search its hits as places; a chunk that no document holds (an ingest is going on, or was stopped) is
        left out. There is no answer from a part of the index."""
        # Equal scores are cut off by id, not by the order of writing: the same chunks give the same ranking.
        common: dict[str, Any] = {"size": DEPTH, "_source": False, "track_total_hits": False, "track_scores": True}
        common["sort"] = ["_score", {"chunk": "asc"}]
        head = json.dumps({"allow_partial_search_results": False})
        found: list[list[int]] = []
        for first in range(0, len(searches), _SEARCHES):
            some = searches[first : first + _SEARCHES]
            lines = [line for one in some for line in (head, json.dumps({**common, **one}, separators=(",", ":")))]
            path = f"/{self._documents.index}/_msearch"
            for answer in self._server.ask_parts(path, lines, "responses", len(some)):
                with self._server.understood():
                    hits = [(-float(hit["_score"]), self._places.get(hit["_id"])) for hit in answer["hits"]["hits"]]
                found.append([place for _, place in sorted((score, at) for score, at in hits if at is not None)])
        return found


def word_queries(server: Cluster, index: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    """A query for each text: its words as the index's analyzer makes them, weighted so that BM25 ranks as FTS5 does.

    Lucene gives a word that stands in n of N chunks the weight ln(1 + (N - n + 0.5) / (n + 0.5)); FTS5 leaves out the
    1 and gives nearly nothing to words of more than half of the chunks. All else in the two BM25s is alike (k1 = 1.2,
    b = 0.75), so each word is boosted by the quotient. Errors: StoreError.
    """
    queries: list[dict[str, Any]] = []
    for first in range(0, len(texts), _QUERIES):
        body = {"docs": [{"doc": {"words": text}, **_STATISTICS} for text in texts[first : first + _QUERIES]]}
        answer = server.ask_parts(f"/{index}/_mtermvectors", body, "docs", len(body["docs"]))
        with server.understood():
            found = [one.get("term_vectors", {}).get("words") for one in answer]
            queries += [_word_query(words) if words else {"match_none": {}} for words in found]
    return queries


def _word_query(words: Mapping[str, Any]) -> dict[str, Any]:
    chunks = int(words["field_statistics"]["doc_count"])
    clauses = []
    for term, statistics in words["terms"].items():
        if holding := int(statistics.get("doc_freq", 0)):
            # Deleted chunks may count among those that hold it, until a merge.
            ratio = (max(chunks - holding, 0) + 0.5) / (holding + 0.5)
            boost = int(statistics["term_freq"]) * max(1e-6, math.log(ratio)) / math.log1p(ratio)
            clauses.append({"term": {"words": {"value": term, "boost": boost}}})
    return {"bool": {"should": clauses}} if clauses else {"match_none": {}}


class ElasticsearchStore:
    """Search one index; threads may share it. The chunks are those that were there when it was first searched. Where
    the index is deleted meanwhile, `locate` finds the one that took its place, which is searched instead."""

    def __init__(
        self, server: Cluster, index: str, embedder: Embedder, locate: Callable[[], str] | None = None
    ) -> None:
        self._server = server
        self._embedder = embedder
        self._locate = locate
        self._documents = Documents(server, index)
        self._listing: RemoteListing | None = None
        self._lock = threading.Lock()

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        """As Store.search. Errors: StoreError, and the embedder's own."""
        return [list(ranking.fused) for ranking in self.rankings(queries, k, about, apart=False)]

    def rankings(self, queries: Sequence[str], k: int, about: Sequence[str] = (), apart: bool = True) -> list[Ranking]:
        """What `search` gives, and (with `apart`) the two rankings that it is fused from. Errors: as `search`."""
        index = self._documents.index
        try:
            return self._searched(queries, k, about, apart)
        except IndexMissingError:
            if not self._follow(index):
                raise
            return self._searched(queries, k, about, apart)

    def _searched(self, queries: Sequence[str], k: int, about: Sequence[str], apart: bool) -> list[Ranking]:
        listing = self.require_chunks()
        search = begin(listing, queries, about)
        texts = search.open(apart)
        vectors = quantise(self._embedder.embed(texts)).tolist() if texts else []
        near = dict(zip(texts, listing.by_vectors(vectors), strict=True))
        return finish(listing, search, near, k, apart)

    def require_chunks(self) -> RemoteListing:
        """What is searched. Errors: IndexMissingError where nothing is indexed."""
        with self._lock:
            if self._listing is None:
                self._listing = RemoteListing(self._documents)
            return self._listing

    def chunks(self) -> Iterator[Chunk]:
        """All chunks by source and position; a text that stands twice comes twice."""
        return self._documents.chunks()

    def fingerprint(self) -> str:
        """SHA-256 (hex): that of the embedded store with the same documents and embedder."""
        return fingerprint_of(self._embedder, self._documents.places())

    def forget(self) -> None:
        """Look again which chunks there are."""
        self._listing = None

    def close(self) -> None:
        """Close the connections; safe to call twice."""
        self._server.close()

    def _follow(self, gone: str) -> bool:
        """Whether there is another index to search in the place of one that is gone."""
        with self._lock:
            if self._documents.index == gone and self._locate is not None:
                self._documents, self._listing = Documents(self._server, self._locate()), None
            return self._documents.index != gone
