"""The index on a server as ingestion writes it: its mapping, its entries, the generations behind one alias, and the
index itself, document by document, so that no reader sees half of it."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gate.config import Elasticsearch
from gate.errors import StoreError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence
from gate.store.base import Change, Ranking
from gate.store.elasticsearch.client import WRITE, Allowance, Cluster, Entry, entry
from gate.store.elasticsearch.reading import Documents, ElasticsearchStore, behind, document_id, made_by
from gate.store.passages import terms
from gate.store.ranking import embed_windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_DIMENSIONS = 4096
GRACE = 6 * 3600.0  # seconds that readers keep an index that was replaced: as long as a job in CI may take
_BATCH = 200  # entries that are sent together
_SECONDS = 2.0  # after which fewer are sent: a process that is killed loses no more than this
_MERGE = Allowance(300.0, 0.0)
_SETTINGS = {
    # One shard: BM25 counts words in all chunks, not in those of a shard. Deleted chunks count until they are merged
    # away, so a merge leaves none.
    "number_of_shards": 1,
    "auto_expand_replicas": "0-1",
    "index.mapping.nested_objects.limit": 100_000,
    "index.merge.policy.expunge_deletes_allowed": 0,
}


def open_for_writing(settings: Elasticsearch, embedder: Embedder, environ: Mapping[str, str]) -> ElasticsearchIndex:
    """The index for ingestion. Changes go to a copy of the one that is read, or for another embedder to a new one, and
    that takes its place in `finish`. Errors: StoreError."""
    server = Cluster(settings, environ)
    try:
        server.check_version()
        return ElasticsearchIndex(server, settings.index, made_by(embedder, settings.int8), embedder)
    except BaseException:
        server.close()
        raise


def definition(made: dict[str, Any]) -> dict[str, Any]:
    """Settings and mapping. A document's places (chunk, heading, lines and turns of each) are one entry, so that it is
    replaced whole or not at all. `text` is for people who search; `words` holds the same terms as the embedded store's,
    identifiers in parts and whole. Vectors and words are not given back: they stay out of _source."""
    vector = {
        "type": "dense_vector",
        "dims": made["dimension"],
        "index": True,
        "similarity": "cosine",
        "index_options": {"type": "int8_hnsw" if made["int8"] else "hnsw", "m": 16, "ef_construction": 100},
    }
    keyword, number = ({"type": kind, "index": False, "doc_values": False} for kind in ("keyword", "integer"))
    turns = {"properties": {"line": number, "heading": keyword}}
    properties = {
        "chunk": {"type": "keyword"},
        "text": {"type": "text", "analyzer": "english"},
        "words": {"type": "text", "analyzer": "english"},
        "windows": {"type": "nested", "properties": {"vector": vector}},
        "source": {"type": "keyword"},
        "digest": keyword,
        "tags": keyword,
        "chunks": keyword,
        "places": {"properties": {"heading": keyword, "lines": number, "turns": turns}},
    }
    source = {"excludes": ["windows", "words"]}
    mappings = {"dynamic": "strict", "_meta": {"gate": made}, "_source": source, "properties": properties}
    return {"settings": _SETTINGS, "mappings": mappings}


def chunk_entries(source: str, texts: Mapping[str, str], windows: Mapping[str, NDArray[np.int16]]) -> list[Entry]:
    """An entry for each text (chunk id -> text) of a document; `windows` holds their vectors."""
    entries = []
    for name, text in texts.items():
        # A vector of zeros has no direction: the server refuses it, and nothing is near to it.
        vectors = [{"vector": vector} for vector in windows[name].tolist() if any(vector)]
        body = {"chunk": name, "text": text, "words": " ".join(terms(text)), "windows": vectors}
        entries.append(entry(name, body, source))
    return entries


def document_body(source: str, digest: str, chunks: Sequence[Chunk]) -> dict[str, Any]:
    """A document with the places of its chunks."""
    turns = [[{"line": line, "heading": heading} for line, heading in chunk.turns] for chunk in chunks]
    places = [{"heading": one.heading, "lines": one.lines, "turns": of} for one, of in zip(chunks, turns, strict=True)]
    tags, names = chunks[0].tags if chunks else (), [chunk.id for chunk in chunks]
    return {"source": source, "digest": digest, "tags": tags, "chunks": names, "places": places}


@dataclass(frozen=True, slots=True)
class Generation:
    """An index that the gate made for an alias: when, in seconds of the server's clock, whether an alias leads to it,
    and when another one took its place, if readers ever had it."""

    name: str
    created: float
    aliased: bool
    replaced: float | None = None


def target_name(alias: str, made: dict[str, Any]) -> str:
    """The first index behind the alias: another embedder, another index; after a stop the same one is found again.
    Its copies have this name with a number behind."""
    return f"{alias}-{hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()[:12]}"


def generations(server: Cluster, alias: str) -> list[Generation]:
    """The indices that the gate made for this alias, with whatever embedder. Errors: StoreError."""
    ours = re.compile(re.escape(alias) + r"-[0-9a-f]{12}(-\d+)?")
    answer = server.ask("GET", f"/{alias}-*", missing=True)
    found = []
    with server.understood():
        for name, one in answer.items():
            meta = one["mappings"].get("_meta", {})
            if ours.fullmatch(name) and isinstance(meta.get("gate"), dict):
                created = int(one["settings"]["index"]["creation_date"]) / 1000
                replaced = None if meta.get("replaced") is None else float(meta["replaced"])
                found.append(Generation(name, created, bool(one["aliases"]), replaced))
    return found


def prepare(server: Cluster, alias: str, made: dict[str, Any]) -> tuple[str, bool]:
    """(the index to go on with, whether readers have it), made where there is none. An ingest that was stopped left a
    newer one than the live one: it is taken up. One that was replaced by another embedder's may still be open
    somewhere. Errors: StoreError."""
    if made["dimension"] > MAX_DIMENSIONS:
        raise StoreError(
            f"the embedder {made['embedder']} has {made['dimension']} dimensions, Elasticsearch takes {MAX_DIMENSIONS}",
            "set another `embedding`, or one of fewer dimensions",
        )
    live, _ = behind(server, alias)
    stem = target_name(alias, made)
    ours = [one for one in generations(server, alias) if _number(stem, one.name) >= 0]
    if not ours:
        _make(server, f"/{stem}", definition(made))
    newest = max(ours, key=lambda one: _number(stem, one.name), default=Generation(stem, 0.0, aliased=False))
    check_target(server, newest.name, made)
    return newest.name, newest.name == live or newest.replaced is not None


def copy(server: Cluster, alias: str, live: str, made: dict[str, Any]) -> str:
    """A copy of the live index, to be written while readers keep what they have. The server links its files: nothing
    is transferred or embedded again. Errors: StoreError."""
    stem = target_name(alias, made)
    target = f"{stem}-{_number(stem, live) + 1}"
    server.ask("PUT", f"/{live}/_settings", {"index.blocks.write": True}, patience=WRITE)
    _make(server, f"/{live}/_clone/{target}", {"settings": {"index.blocks.write": None}})
    server.ask("PUT", f"/{target}/_mapping", {"_meta": {"gate": made}}, patience=WRITE)  # no reader has had this one
    check_target(server, target, made)
    return target


def check_target(server: Cluster, target: str, made: dict[str, Any]) -> None:
    """Errors: StoreError where the index is not the one that was made (deleted, and made anew by something else)."""
    found = server.ask("GET", f"/{target}/_mapping", missing=True)
    with server.understood():
        record = found.get(target, {}).get("mappings", {}).get("_meta", {}).get("gate")
    if record != made:
        raise StoreError(
            f"the index `{target}` on {server.name} is not as the gate made it", "delete it and run `gate ingest` again"
        )


def swap(server: Cluster, alias: str, target: str, now: float) -> None:
    """From here on readers find `target` behind the alias, in one step; what stood there stays for those who have it
    open, and is marked as replaced `now`. Errors: StoreError."""
    before, made = behind(server, alias)
    if before == target:
        return
    actions: list[dict[str, Any]] = [{"add": {"index": target, "alias": alias}}]
    if before:
        actions.append({"remove": {"index": before, "alias": alias}})
    server.ask("POST", "/_aliases", {"actions": actions}, patience=WRITE)
    if before:
        with suppress(StoreError):  # readers have the new one
            server.ask("PUT", f"/{before}/_mapping", {"_meta": {"gate": made, "replaced": now}}, patience=WRITE)


def clear(server: Cluster, alias: str, now: float) -> None:
    """Delete what is left over at `now`. The index is right without it, so a fault here is none."""
    with suppress(StoreError):
        for name in left_over(generations(server, alias), now):
            server.ask("DELETE", f"/{name}", missing=True, patience=WRITE)


def left_over(found: Sequence[Generation], now: float) -> list[str]:
    """The indices that no alias leads to and no reader can need: replaced or, where readers never had it, followed by
    another, or begun as the last one and given up, longer than GRACE ago."""
    order = sorted(found, key=lambda one: (one.created, one.name))
    pairs = zip(order, [*order[1:], *order[-1:]], strict=True)
    ended = [(one, follower.created if one.replaced is None else one.replaced) for one, follower in pairs]
    return [one.name for one, end in ended if not one.aliased and now - end > GRACE]


def _make(server: Cluster, path: str, body: dict[str, Any]) -> None:
    try:
        server.ask("PUT", path, body, patience=WRITE)
    except StoreError as error:
        if "resource_already_exists" not in str(error.__cause__):  # another was faster, or an answer was lost
            raise


def _number(stem: str, name: str) -> int:
    """Which copy an index is: 0 for the first one, -1 for one of another embedder."""
    found = re.fullmatch(re.escape(stem) + r"(?:-(\d+))?", name)
    return int(found[1] or 0) if found else -1


class ElasticsearchIndex:
    """Search and change one index; for one thread. What is written is sent in the background, batch after batch, and
    all of it is there before the next read. What readers have is never written: the first change makes a copy of it."""

    def __init__(self, server: Cluster, alias: str, made: dict[str, Any], embedder: Embedder) -> None:
        self._server, self._alias, self._made, self._embedder = server, alias, made, embedder
        self._index, self._live = prepare(server, alias, made)
        self._refresh()
        self._store = ElasticsearchStore(server, self._index, embedder)
        self._held = Documents(server, self._index).inventory()
        self._changed = bool(self._held.chunks ^ self._held.used())  # what an ingest that was stopped left behind
        self._ready: dict[str, NDArray[np.int16]] = {}  # vectors of chunks that are not written yet
        self._chunks: list[Entry] = []
        self._documents: dict[str, Entry] = {}  # by id: of two changes of one document the last one is sent
        self._sender: ThreadPoolExecutor | None = ThreadPoolExecutor(1, "elasticsearch")
        self._sending: Future[None] | None = None
        self._sent = time.monotonic()
        self._written = self._failed = False  # since the last flush; a fault ends the ingest

    def digests(self) -> dict[str, str]:
        """source -> digest of the file as it was indexed; empty for a document that lacks a chunk."""
        known = self._held.chunks
        documents = self._held.documents.items()
        return {source: digest if names.keys() <= known else "" for source, (digest, names) in documents}

    def begin(self) -> None:
        """Nothing to do: a new index gets its name when it is whole."""

    def embed(self, chunks: Sequence[Chunk]) -> None:
        """As Index.embed. The vectors are kept until a document with their chunks is written."""
        known = self._held.chunks | self._ready.keys()
        self._ready |= embed_windows(self._embedder, {one.id: one.text for one in chunks if one.id not in known})

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        """Make these the document's chunks; only texts that the index does not hold are embedded."""
        self.embed(chunks)
        texts = {chunk.id: chunk.text for chunk in chunks if chunk.id not in self._held.chunks}
        written = chunk_entries(source, texts, {name: self._ready.pop(name) for name in texts})
        self._write(source, document_body(source, digest, chunks), written)
        before = self._held.documents.get(source, ("", Counter()))[1]
        after = Counter(chunk.id for chunk in chunks)
        self._held.chunks |= texts.keys()
        self._held.documents[source] = (digest, after)
        return Change.between(before, after)

    def remove(self, source: str) -> Change:
        """Drop a document; nothing happens where it is unknown."""
        if source not in self._held.documents:
            return Change()
        self._write(source, None, [])
        return Change(removed=self._held.documents.pop(source)[1].total())

    def finish(self) -> None:
        """All documents are in: chunks that none of them holds are dropped, and readers find this index from now on.
        What is left over of others is deleted. Errors: StoreError."""
        self._flush()
        check_target(self._server, self._index, self._made)
        if self._changed:
            self._leave_live()
            self._prune()
            self._changed = False
        swap(self._server, self._alias, self._index, time.time())
        self._live = True
        clear(self._server, self._alias, time.time())

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        """As the store for reading, over all that was written."""
        return self._whole().search(queries, k, about)

    def rankings(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[Ranking]:
        """As `search`, with the two rankings that it is fused from."""
        return self._whole().rankings(queries, k, about)

    def chunks(self) -> Iterator[Chunk]:
        """As the store for reading."""
        return self._whole().chunks()

    def fingerprint(self) -> str:
        """As the store for reading."""
        return self._whole().fingerprint()

    def close(self) -> None:
        """Send what waits, so that an ingest that was stopped goes on there; safe to call twice."""
        sender = self._sender
        if sender is None:
            return
        try:
            if not self._failed:
                self._flush()
        finally:
            self._sender = None
            sender.shutdown()
            self._server.close()

    def _write(self, source: str, body: dict[str, Any] | None, chunks: list[Entry]) -> None:
        if self._sender is None:
            raise StoreError(f"the index `{self._alias}` was closed", "open it again")
        self._leave_live()
        self._changed = self._written = True
        self._chunks += chunks
        document = entry(document_id(source), body, source)
        self._documents[document.id] = document
        if len(self._chunks) + len(self._documents) >= _BATCH or time.monotonic() - self._sent > _SECONDS:
            self._put()

    def _leave_live(self) -> None:
        """From here on changes go to a copy, if readers have this index; Elasticsearch Serverless makes none."""
        if self._live and not self._server.serverless:
            self._index = copy(self._server, self._alias, self._index, self._made)
            self._store = ElasticsearchStore(self._server, self._index, self._embedder)
        self._live = False

    def _whole(self) -> ElasticsearchStore:
        """The store, with all that was written."""
        self._flush()
        self._store.forget()
        return self._store

    def _put(self) -> None:
        """Send what waits when all before it has arrived. Errors: StoreError of the batch before."""
        self._wait()
        if self._sender is not None:
            self._sending = self._sender.submit(self._send, self._chunks, list(self._documents.values()))
        self._chunks, self._documents, self._sent = [], {}, time.monotonic()

    def _send(self, chunks: list[Entry], documents: list[Entry]) -> None:
        self._server.send(self._index, chunks)  # a document is not there before its chunks
        self._server.send(self._index, documents)

    def _wait(self) -> None:
        sending, self._sending = self._sending, None
        try:
            if sending is not None:
                sending.result()
        except Exception:
            self._failed = True
            raise

    def _flush(self) -> None:
        """Send what waits, and wait until it can be found."""
        if self._written and self._sender is not None:
            self._put()
            self._wait()
            self._refresh()
            self._written = False

    def _refresh(self) -> None:
        self._server.ask("POST", f"/{self._index}/_refresh", patience=WRITE)

    def _prune(self) -> None:
        """Drop the chunks that no document holds, by what the server has now. Errors: StoreError where that is not
        what was written here: another ingest took this index up too, and readers shall not have a mixture."""
        mine = self._held.documents
        self._held = Documents(self._server, self._index).inventory()
        used = self._held.used()
        if self._held.documents != mine or used - self._held.chunks:
            hint = "run `gate ingest` again, one at a time"
            raise StoreError(f"another ingest changed the index `{self._alias}` at the same time", hint)
        if stale := sorted(self._held.chunks - used):
            self._server.send(self._index, [entry(name, None, name) for name in stale])
            self._held.chunks -= set(stale)
            # Deleted chunks count in BM25 until they are merged away, which the server does when it has held them for
            # half a minute. The index is right without it, so a fault here is none.
            with suppress(StoreError):
                for action in ("_flush", "_forcemerge?only_expunge_deletes=true"):
                    self._server.ask("POST", f"/{self._index}/{action}", patience=_MERGE)
            self._refresh()
