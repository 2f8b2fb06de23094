"""The store on an Elasticsearch server: the same rankings, fused in the same way, as the embedded one."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gate.config import Elasticsearch
from gate.errors import IndexMissingError
from gate.providers.base import Embedder
from gate.records import Chunk, Evidence
from gate.store.base import Ranking
from gate.store.elasticsearch_mapping import find, made_by
from gate.store.elasticsearch_ranking import by_vectors, by_words
from gate.store.elasticsearch_reading import Documents, Snapshot
from gate.store.elasticsearch_server import Server
from gate.store.embedded import WORDS_WEIGHT
from gate.store.fusion import fuse
from gate.store.passages import cut
from gate.store.settled import LOOKED, settled, short, sought
from gate.store.vectors import quantise

Scored = list[tuple[int, float]]


def open_for_reading(settings: Elasticsearch, embedder: Embedder, environ: Mapping[str, str]) -> ElasticsearchStore:
    """The index for a run. Read from `environ`: ES_HOST, ES_API_KEY. Errors: IndexMissingError, EmbedderMismatchError,
    StoreError (not reached, refused, too old, another thing's index)."""
    server = Server(settings, environ)
    try:
        server.check_version()
        made = made_by(embedder, settings.int8)
        index = find(server, settings.index, made)
        store = ElasticsearchStore(server, index, embedder, lambda: find(server, settings.index, made))
        store.require_chunks()
    except BaseException:
        server.close()
        raise
    return store


@dataclass(frozen=True, slots=True)
class _View:
    """One index, and which chunks it had when it was first searched."""

    documents: Documents
    snapshot: Snapshot


class ElasticsearchStore:
    """Search one index; threads may share it. The chunks are those that were there when it was first searched. Where
    the index is deleted meanwhile, `locate` finds the one that took its place, which is searched instead."""

    def __init__(self, server: Server, index: str, embedder: Embedder, locate: Callable[[], str] | None = None) -> None:
        self._server = server
        self._embedder = embedder
        self._locate = locate
        self._documents = Documents(server, index)
        self._view: _View | None = None
        self._lock = threading.Lock()

    def search(self, queries: Sequence[str], k: int, about: Sequence[str] = ()) -> list[list[Evidence]]:
        """For every query the k best chunks, whole, best first: BM25 and kNN (best window), fused. A chunk that stands
        in several documents is shown in the first of them. Errors: StoreError, and the embedder's own."""
        return [list(ranking.fused) for ranking in self.rankings(queries, k, about, apart=False)]

    def rankings(self, queries: Sequence[str], k: int, about: Sequence[str] = (), apart: bool = True) -> list[Ranking]:
        """What `search` gives, and (with `apart`) the two rankings that it is fused from. Errors: as `search`."""
        index = self._documents.index
        try:
            return self._searched(queries, about, k, apart)
        except IndexMissingError:
            if not self._follow(index):
                raise
            return self._searched(queries, about, k, apart)

    def _searched(self, queries: Sequence[str], about: Sequence[str], k: int, apart: bool) -> list[Ranking]:
        view = self._current()
        known = by_words(view.documents, view.snapshot, [query for query in queries if not short(query)])
        shown: dict[int, Evidence] = {}
        done = self._settled(view, known, shown)
        texts = sought(queries, about, done)
        worded = {text: known[text] for text in texts if text in known}
        worded |= by_words(view.documents, view.snapshot, [text for text in texts if text not in known])
        left = [text for text in worded if apart or text not in done]
        vectors = quantise(self._embedder.embed(left)).tolist() if left else []
        nearest = dict(zip(left, by_vectors(view.documents, view.snapshot, vectors), strict=True))
        ranked: dict[str, list[Scored]] = {}
        for text, words in worded.items():
            near = nearest.get(text, [])
            fused = fuse((words, [] if text in done else near), order=int, weights=(WORDS_WEIGHT, 1.0))[:k]
            ranked[text] = [*(_by_rank(one[:k]) if apart else [] for one in (words, near)), fused]
        wanted = {place for lists in ranked.values() for one in lists for place, _ in one}
        shown |= self._shown(view, wanted - shown.keys())
        made = {
            text: Ranking(*(tuple(_scored(shown[at], score) for at, score in one if at in shown) for one in lists))
            for text, lists in ranked.items()
        }
        return [made.get(text, Ranking((), (), ())) for text in texts]

    def _settled(self, view: _View, worded: Mapping[str, list[int]], shown: dict[int, Evidence]) -> set[str]:
        """The queries, each with its places by words, that their own words settle; what was read for it goes into
        `shown`."""
        shown |= self._shown(view, {place for places in worded.values() for place in places[:LOOKED]})
        cuts = {place: cut(chunk) for place, chunk in shown.items()}
        return {q for q, found in worded.items() if settled(q, [cuts[at] for at in found[:LOOKED] if at in cuts])}

    def require_chunks(self) -> None:
        """Errors: IndexMissingError where nothing is indexed."""
        if self._documents.is_empty():
            hint = "run `gate ingest PATH...` with documents that hold text"
            raise IndexMissingError(f"the index {self._documents.index} on {self._server.name} is empty", hint)

    def chunks(self) -> Iterator[Chunk]:
        """All chunks by source and position; a text that stands twice comes twice."""
        return self._documents.chunks()

    def fingerprint(self) -> str:
        """SHA-256 (hex) over the embedder and all chunks with their places: that of the embedded store with the same
        documents."""
        digest = hashlib.sha256(f"{self._embedder.name} {self._embedder.dimension}".encode())
        for place in self._documents.occurrences():
            digest.update(json.dumps(place).encode())
        return digest.hexdigest()

    def forget(self) -> None:
        """Look again which chunks there are."""
        self._view = None

    def close(self) -> None:
        """Close the connections; safe to call twice."""
        self._server.close()

    def _current(self) -> _View:
        with self._lock:
            if self._view is None:
                self.require_chunks()
                self._view = _View(self._documents, self._documents.snapshot())
            return self._view

    def _follow(self, gone: str) -> bool:
        """Whether there is another index to search in the place of one that is gone."""
        with self._lock:
            if self._documents.index == gone and self._locate is not None:
                self._documents, self._view = Documents(self._server, self._locate()), None
            return self._documents.index != gone

    def _shown(self, view: _View, wanted: set[int]) -> dict[int, Evidence]:
        """Evidence at these places, without score; none for what is gone since the snapshot."""
        order, snapshot = sorted(wanted), view.snapshot
        texts = view.documents.by_id([snapshot.ids[place] for place in order], ["text"])
        places = view.documents.places(dict.fromkeys(snapshot.sources[place] for place in order))
        shown: dict[int, Evidence] = {}
        for place in order:
            name, source = snapshot.ids[place], snapshot.sources[place]
            if name in texts and name in places.get(source, {}):
                with self._server.understood():
                    text = str(texts[name]["text"])
                shown[place] = places[source][name].shown(text)
        return shown


def _by_rank(places: Sequence[int]) -> Scored:
    """A ranking of its own has no score that compares with others: 1 / rank."""
    return [(place, 1 / rank) for rank, place in enumerate(places, 1)]


def _scored(evidence: Evidence, score: float) -> Evidence:
    return replace(evidence, score=round(score, 6))
