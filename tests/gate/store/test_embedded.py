"""The embedded store: what is found, what writing does, and what it costs."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gate.errors import IndexMissingError, StoreError
from gate.records import Chunk
from gate.store.base import Change
from gate.store.embedded import MANY, EmbeddedStore, advice, open_for_reading, open_for_writing
from tests.support.words_embedder import WordsEmbedder, chunk

REDIRECTS = "The client follows redirects only with follow_redirects=True.\nElse it hands back the answer."
TIMEOUTS = "A time-out is five seconds unless it is set."
PROXIES = "Proxies are given by mounting a transport on the client."


@pytest.fixture
def embedder() -> WordsEmbedder:
    return WordsEmbedder()


@pytest.fixture
def store(tmp_path: Path, embedder: WordsEmbedder) -> Iterator[EmbeddedStore]:
    store = open_for_writing(tmp_path / "index.sqlite", embedder)
    store.replace("a.md", "1", [chunk(REDIRECTS, "a.md", 3, "Guide > Redirects"), chunk(TIMEOUTS, "a.md", 9)])
    store.replace("b.md", "1", [chunk(PROXIES, "b.md")])
    yield store
    store.close()


def texts(store: EmbeddedStore, query: str, k: int = 3) -> list[str]:
    return [found.text for found in store.search([query], k)[0]]


def embedded(embedder: WordsEmbedder) -> int:
    return sum(map(len, embedder.batches))


def vectors(store: EmbeddedStore) -> int:
    with store._transaction() as connection:
        return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])


def test_a_new_index_is_for_readers_when_it_is_whole(tmp_path: Path, embedder: WordsEmbedder) -> None:
    path = tmp_path / "index.sqlite"
    store = open_for_writing(path, embedder)
    store.begin()
    store.replace("a.md", "1", [chunk(TIMEOUTS, "a.md")])
    store.close()  # stopped here
    with pytest.raises(IndexMissingError, match="is not whole") as caught:
        open_for_reading(path, embedder)
    assert "gate ingest" in caught.value.hint
    store = open_for_writing(path, embedder)
    store.begin()
    store.replace("b.md", "1", [chunk(PROXIES, "b.md")])
    store.finish()
    store.begin()  # one that was whole stays open to readers
    open_for_reading(path, embedder).close()
    store.close()


def test_evidence_is_the_chunk_with_its_place(store: EmbeddedStore) -> None:
    found = store.search(["follow_redirects"], 1)[0][0]
    assert (found.source, found.line, found.lines, found.heading) == ("a.md", 3, (3, 4), "Guide > Redirects")
    assert (found.text, found.chunk_id) == (REDIRECTS, chunk(REDIRECTS).id)
    assert found.score == pytest.approx(6 / 61, abs=1e-6)  # first by words (weight 5) and by vectors
    written = chunk("Pools\n\nPools hold ten.", "c.md", 5, "Guide", ((2, 'Guide > "Größe"'), (3, "")))
    store.replace("c.md", "1", [written])
    assert written in store.chunks()
    found = store.search(["pools hold ten"], 1)[0][0]
    assert (found.heading, found.turns) == (written.heading, written.turns)


def test_a_batch_is_answered_in_order_each_text_embedded_once(store: EmbeddedStore, embedder: WordsEmbedder) -> None:
    embedder.batches.clear()
    assert store.search([], 3) == []
    assert embedder.batches == []
    queries = ["time-out seconds", "mounting proxies", "", "time-out seconds", "?!"]
    found = [[one.text for one in answer] for answer in store.search(queries, 1)]
    assert found == [[TIMEOUTS], [PROXIES], [], [TIMEOUTS], []]
    assert embedder.batches == [["time-out seconds", "mounting proxies"]]


def test_no_vector_is_made_where_words_settle_a_query(store: EmbeddedStore, embedder: WordsEmbedder) -> None:
    embedder.batches.clear()
    said, unsaid = "Proxies are given by mounting it on a client.", "Proxies are given by mounting it on a lamp."
    found = store.search([said, unsaid], 2)
    assert embedder.batches == [[unsaid]]
    assert [answer[0].text for answer in found] == [PROXIES, PROXIES]
    assert found[0][0].score == pytest.approx(5 / 61, abs=1e-6)  # by words alone
    apart = store.rankings([said], 2)[0]
    assert [one.text for one in apart.vectors][0] == PROXIES  # asked for by itself, it is there
    assert list(apart.fused) == found[0]
    assert [one.score for one in apart.vectors] == [1.0, 0.5]


def test_what_a_query_was_said_about_helps_to_find_it(store: EmbeddedStore, embedder: WordsEmbedder) -> None:
    embedder.batches.clear()
    said, unsaid = "Proxies are given by mounting it on a client.", "Each of them has one."
    about = ["Are redirects followed?", "How long is a time-out in seconds?", "Are redirects followed?"]
    found = store.search([said, unsaid, unsaid], 1, about)
    assert [answer[0].text for answer in found] == [PROXIES, TIMEOUTS, REDIRECTS]
    assert embedder.batches == [[f"{about[1]}\n{unsaid}", f"{about[2]}\n{unsaid}"]]


def test_an_ingest_between_both_searches_is_seen_by_both(tmp_path: Path, embedder: WordsEmbedder) -> None:
    writer = open_for_writing(tmp_path / "index.sqlite", embedder)
    writer.replace("b.md", "1", [chunk(PROXIES, "b.md")])

    class Meanwhile(WordsEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            writer.replace("a.md", "1", [chunk(TIMEOUTS, "a.md")])
            return super().embed(texts)

    reader = open_for_reading(tmp_path / "index.sqlite", Meanwhile())
    assert [found.text for found in reader.search(["seconds"], 2)[0]] == [TIMEOUTS, PROXIES]
    reader.close()
    writer.close()


def test_a_query_is_answered_alike_alone_and_among_others(store: EmbeddedStore) -> None:
    queries = ["client", "seconds of the client", "redirects", "it", "mounting"]
    assert store.search(queries, 3) == [store.search([query], 3)[0] for query in queries]


def test_replacing_counts_chunks_and_embeds_only_what_is_new(store: EmbeddedStore, embedder: WordsEmbedder) -> None:
    before = embedded(embedder)
    changed = store.replace("a.md", "2", [chunk(TIMEOUTS), chunk("Pools hold ten connections."), chunk("More.")])
    assert changed == Change(added=2, unchanged=1, removed=1)
    assert sorted(embedder.batches[-1]) == ["More.", "Pools hold ten connections."]  # one batch
    assert embedded(embedder) == before + 2
    assert texts(store, "follow_redirects redirects", 9).count(REDIRECTS) == 0
    assert store.digests() == {"a.md": "2", "b.md": "1"}


def test_what_was_embedded_ahead_is_no_part_of_the_index_before_its_document(
    store: EmbeddedStore, embedder: WordsEmbedder
) -> None:
    before, held = embedded(embedder), store.fingerprint()
    store.embed([chunk("News.", "n.md"), chunk(TIMEOUTS, "m.md"), chunk("More.", "m.md"), chunk("News.", "m.md")])
    assert (embedded(embedder), store.fingerprint()) == (before + 2, held)
    store.replace("n.md", "1", [chunk("News.", "n.md")])
    store.replace("m.md", "1", [chunk(TIMEOUTS, "m.md"), chunk("More.", "m.md")])
    assert embedded(embedder) == before + 2


def test_a_text_that_moves_is_not_embedded_again_before_the_store_is_closed(
    tmp_path: Path, store: EmbeddedStore, embedder: WordsEmbedder
) -> None:
    before = embedded(embedder)
    store.remove("a.md")  # gone in between: its vectors stay until the store is closed
    assert store.replace("c.md", "1", [chunk(REDIRECTS, "c.md")]) == Change(added=1)
    assert embedded(embedder) == before
    assert store.search(["follow_redirects"], 1)[0][0].source == "c.md"
    assert vectors(store) == 3
    store.close()
    again = open_for_writing(tmp_path / "index.sqlite", embedder)
    assert vectors(again) == 2
    again.close()


def test_the_fingerprint_knows_texts_places_and_embedder(tmp_path: Path, store: EmbeddedStore) -> None:
    seen = {store.fingerprint()}
    others = [{"line": 2}, {"heading": "H"}, {"turns": ((1, "H"),)}, {"turns": ((1, "I"),)}]
    for number, changed in enumerate([chunk(PROXIES + "!"), *(chunk(PROXIES, **other) for other in others)]):
        store.replace("b.md", "1", [changed])
        seen.add(store.fingerprint())
        assert len(seen) == number + 2
    other = open_for_writing(tmp_path / "other.sqlite", WordsEmbedder("other"))
    other.replace("b.md", "1", [chunk(PROXIES, heading="H")])
    store.remove("a.md")
    assert other.fingerprint() != store.fingerprint()
    other.close()


def test_an_empty_index_is_named(tmp_path: Path, embedder: WordsEmbedder) -> None:
    path = tmp_path / "index.sqlite"
    store = open_for_writing(path, embedder)
    with pytest.raises(IndexMissingError, match="empty") as caught:
        store.search(["client"], 1)
    assert "gate ingest" in caught.value.hint
    store.close()
    with pytest.raises(IndexMissingError, match="empty"):
        open_for_reading(path, embedder)


def test_closing_twice_and_using_it_then(store: EmbeddedStore) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.search(["client"], 1)


def test_threads_may_share_a_store(store: EmbeddedStore) -> None:
    expected = store.search(["redirects", "client"], 3)

    def work(number: int) -> object:
        found = store.search(["redirects", "client"], 3)
        store.replace(f"z{number}.md", "1", [chunk(f"Zebra {number}.")])
        return found

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))
    assert len(store.digests()) == 8
    assert store.search(["redirects"], 1)[0][0].text == expected[0][0].text


def test_vectors_that_another_process_drops_meanwhile_are_made_again(store: EmbeddedStore, tmp_path: Path) -> None:
    store.close()
    path = tmp_path / "index.sqlite"

    class Pruning(WordsEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if not self.batches:
                other = open_for_writing(path, WordsEmbedder())
                other.remove("a.md")
                other.close()
            return super().embed(texts)

    racing = open_for_writing(path, Pruning())
    racing.replace("n.md", "1", [chunk(REDIRECTS, "n.md"), chunk("News.", "n.md")])
    assert racing.search(["follow_redirects"], 1)[0][0].source == "n.md"
    assert vectors(racing) == 3
    racing.close()


words = st.sampled_from(["alpha", "beta", "gamma", "delta", "follow_redirects", "AsyncClient", "the"])
documents = st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), max_size=4)
steps = st.lists(st.tuples(st.sampled_from(["a.md", "b.md", "c.md"]), documents | st.none()), min_size=2, max_size=8)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_any_history_ends_like_a_fresh_index(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, list[str] | None]]
) -> None:
    folder = tmp_path_factory.mktemp("history")
    lived, model = open_for_writing(folder / "lived.sqlite", WordsEmbedder()), dict[str, list[Chunk]]()
    for source, document in history:
        if document is None:
            lived.remove(source)
            model.pop(source, None)
        else:
            model[source] = [chunk(text, source, number) for number, text in enumerate(document, 1)]
            lived.replace(source, "d", model[source])
    fresh = open_for_writing(folder / "fresh.sqlite", WordsEmbedder())
    for source in sorted(model):
        fresh.replace(source, "d", model[source])
    assert list(lived.chunks()) == [one for source in sorted(model) for one in model[source]]
    assert lived.fingerprint() == fresh.fingerprint()
    if any(model.values()):
        queries = ["alpha beta", "follow_redirects", "async the", "delta gamma alpha"]
        assert lived.search(queries, 5) == fresh.search(queries, 5)
    lived.close()
    fresh.close()


def test_a_large_index_is_better_kept_on_a_server() -> None:
    assert advice(MANY) == ""
    assert "200,001 chunks" in advice(MANY + 1)
    assert "Elasticsearch" in advice(1_000_000)
