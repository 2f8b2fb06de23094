"""The store on a real Elasticsearch: the same evidence as the embedded one, and nothing lost when the server dies."""

import json
import os
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from gate.cli import main
from gate.config import Elasticsearch
from gate.errors import EmbedderMismatchError, IndexMissingError, StoreError
from gate.records import Chunk
from gate.store import index_for_writing, store_for_reading
from gate.store.base import Index
from gate.store.elasticsearch.client import Cluster, entry
from gate.store.elasticsearch.reading import made_by
from gate.store.elasticsearch.writing import GRACE, clear, target_name
from gate.text import sentences
from ingest.chunk import chunk as chunks_of
from ingest.formats import read_blocks
from tests.support.services import elasticsearch_to_kill, missing
from tests.support.words_embedder import WordsEmbedder, chunk

pytestmark = pytest.mark.services
HOST = os.environ.get("ES_HOST") or "http://127.0.0.1:9200"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def settings() -> Iterator[Elasticsearch]:
    settings = Elasticsearch(host=HOST, index=f"gate-test-{uuid.uuid4().hex[:12]}")
    try:
        Cluster(settings, os.environ).check_version()
    except StoreError as error:
        missing(error.message)
    yield settings
    for name in ask("GET", f"{settings.index}*/_mapping"):
        ask("DELETE", name)


def ask(method: str, path: str, host: str = HOST) -> dict[str, Any]:
    return httpx.request(method, f"{host}/{path}", timeout=30).raise_for_status().json()  # type: ignore[no-any-return]


def corpus() -> dict[str, list[Chunk]]:
    """The documents of the labelled answers, as chunks: they stay as they are, so a floor on them does, too."""
    paths = sorted(ROOT.glob("benchmarks/answers/*/docs/*.md"))
    return {path.name: chunks_of(read_blocks(path.name, path.read_bytes()), path.name) for path in paths}


def fill(index: Index, documents: dict[str, list[Chunk]]) -> None:
    for source, chunks in documents.items():
        index.replace(source, "1", chunks)
    index.finish()


@pytest.mark.parametrize("int8", [False, True])
def test_both_stores_find_the_same_top_evidence(settings: Elasticsearch, tmp_path: Path, int8: bool) -> None:
    """Close scores may change places: Lucene keeps the length of a text in one byte."""
    embedder, documents = WordsEmbedder(dimension=384), corpus()
    documents["zoo.md"] = [chunk("Zebras graze all day.\n\nLions hunt.", "zoo.md", turns=((2, "Zoo > Lions"),))]
    settings = settings.model_copy(update={"int8": int8})
    here = index_for_writing(None, tmp_path / "index.sqlite", embedder, {})
    there = index_for_writing(settings, tmp_path, embedder, {})
    fill(here, documents)
    fill(there, documents)
    texts = [one.text for chunks in documents.values() for one in chunks]
    queries = list(dict.fromkeys(text[a:b] for text in texts for a, b in sentences(text) if b - a > 30))[:300]
    pairs = list(zip(here.search(queries, 5), there.search(queries, 5), strict=True))
    assert len(pairs) > 100
    assert sum(a[0].chunk_id == b[0].chunk_id for a, b in pairs) / len(pairs) >= 0.95
    best = [(a[0].chunk_id, {x.chunk_id for x in b[:3]}, b[0].chunk_id, {x.chunk_id for x in a[:3]}) for a, b in pairs]
    assert sum(a in first and b in second for a, first, b, second in best) / len(best) >= 0.97
    shared = [len({x.chunk_id for x in a} & {x.chunk_id for x in b}) / len(a) for a, b in pairs]
    assert sum(shared) / len(shared) >= 0.9
    for a, b in pairs:
        known = {x.chunk_id: replace(x, score=0.0) for x in a}
        assert all(replace(one, score=0.0) == known.get(one.chunk_id, replace(one, score=0.0)) for one in b)
    assert here.fingerprint() == there.fingerprint()
    assert list(here.chunks()) == list(there.chunks())
    here.close()
    there.close()


def test_after_changes_it_holds_what_one_that_was_built_at_once_holds(settings: Elasticsearch, tmp_path: Path) -> None:
    embedder, documents = WordsEmbedder(), corpus()
    changed = index_for_writing(settings, tmp_path, embedder, {})
    fill(changed, documents)
    for number in range(30):
        changed.replace(f"x{number}.md", "1", [chunk(f"The judge labels claim {number} with care.", "x.md")])
    changed.finish()
    before = changed.fingerprint()
    for number in range(30):
        changed.remove(f"x{number}.md")
    changed.close()  # stopped: readers have what they had, and the next ingest goes on there
    reader = store_for_reading(settings, tmp_path, embedder, {})
    assert reader.fingerprint() == before
    reader.close()
    changed = index_for_writing(settings, tmp_path, embedder, {})
    assert set(changed.digests()) == set(documents)
    changed.finish()
    fresh_settings = settings.model_copy(update={"index": f"{settings.index}-fresh"})
    fresh = index_for_writing(fresh_settings, tmp_path, embedder, {})
    fill(fresh, documents)
    found = changed.search(["The judge labels claim 7 with care", "exit code of an inconclusive run"], 8)
    assert {one.source for answer in found for one in answer} <= set(documents)
    assert changed.fingerprint() == fresh.fingerprint()
    count = ask("GET", f"{settings.index}/_count?q=_exists_:chunk")["count"]
    assert count == len({one.id for chunks in documents.values() for one in chunks})
    changed.close()
    fresh.close()


def test_a_new_embedder_is_built_beside_and_swapped_in(settings: Elasticsearch, tmp_path: Path) -> None:
    documents = {"a.md": [chunk("A time-out is five seconds.", "a.md")]}
    first = index_for_writing(settings, tmp_path, WordsEmbedder(), {})
    first.replace("a.md", "1", documents["a.md"])
    with pytest.raises(IndexMissingError):
        store_for_reading(settings, tmp_path, WordsEmbedder(), {})
    first.finish()
    first.close()
    other = WordsEmbedder("other", 32)
    with pytest.raises(EmbedderMismatchError):
        store_for_reading(settings, tmp_path, other, {})
    second = index_for_writing(settings, tmp_path, other, {})
    second.replace("a.md", "1", documents["a.md"])
    assert store_for_reading(settings, tmp_path, WordsEmbedder(), {}).search(["five seconds"], 1)[0]
    second.finish()
    second.close()
    assert store_for_reading(settings, tmp_path, other, {}).search(["five seconds"], 1)[0]
    assert list(ask("GET", f"_alias/{settings.index}")) == [target_name(settings.index, made_by(other, False))]


def test_readers_never_see_half_of_an_ingest(settings: Elasticsearch, tmp_path: Path) -> None:
    embedder, documents = WordsEmbedder(), dict(list(corpus().items())[:24])
    index = index_for_writing(settings, tmp_path, embedder, {})
    fill(index, documents)
    early = store_for_reading(settings, tmp_path, embedder, {})
    whole = early.fingerprint()
    query = ["exit code of an inconclusive run"]
    evidence = early.search(query, 5)
    seen, done = [], threading.Event()

    def read() -> None:
        while not done.is_set():
            store = store_for_reading(settings, tmp_path, embedder, {})
            seen.append((store.fingerprint(), len(store.search(query, 5)[0])))
            store.close()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number, source in enumerate(documents):
            index.replace(source, "2", [chunk(f"The new text of {source}.", source)])
            if number % 8 == 7:
                index.search(["text"], 1)  # all of it has been sent, and can be found
        index.finish()
    finally:
        done.set()
        reader.join()
    assert len(seen) > 2
    assert set(seen) <= {(whole, 5), (index.fingerprint(), 5)}
    assert early.search(query, 5) == evidence  # to its end a run has what it began with
    assert store_for_reading(settings, tmp_path, embedder, {}).search(query, 1)[0][0].text.startswith("The new text")
    early.close()
    index.close()


def test_what_is_left_over_is_deleted_and_a_late_reader_follows_the_alias(
    settings: Elasticsearch, tmp_path: Path
) -> None:
    embedder = WordsEmbedder()
    given_up = index_for_writing(settings, tmp_path, WordsEmbedder("other", 32), {})
    given_up.replace("a.md", "1", [chunk("Half of a build.", "a.md")])
    given_up.close()
    index = index_for_writing(settings, tmp_path, embedder, {})
    fill(index, {"a.md": [chunk("A time-out is five seconds.", "a.md")]})
    late = store_for_reading(settings, tmp_path, embedder, {})
    assert late.search(["time-out"], 1)[0][0].text == "A time-out is five seconds."
    fill(index, {"a.md": [chunk("A time-out is six seconds.", "a.md")]})
    assert len(ask("GET", f"{settings.index}-*/_mapping")) == 3
    server = Cluster(settings, {})
    clear(server, settings.index, time.time() + GRACE + 60)
    live = target_name(settings.index, made_by(embedder, False)) + "-1"
    assert list(ask("GET", f"{settings.index}-*/_mapping")) == [live]
    assert late.search(["time-out"], 1)[0][0].text == "A time-out is six seconds."
    for one in (late, index, server):
        one.close()


def test_a_vector_of_the_wrong_dimension_is_told(settings: Elasticsearch, tmp_path: Path) -> None:
    index = index_for_writing(settings, tmp_path, WordsEmbedder(dimension=64), {})
    index.close()
    name = next(iter(ask("GET", f"{settings.index}-*/_mapping")))
    wrong = {"chunk": "x", "text": "x", "words": "x", "windows": [{"vector": [1] * 32}]}
    with pytest.raises(StoreError, match=r"did not take a.md \(400\): .*dimension"):
        Cluster(settings, {}).send(name, [entry("x", wrong, "a.md")])


def test_the_command_line_on_a_server(
    settings: Elasticsearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# Limits\n\nA request times out after five seconds of silence.\n")
    answer = {"question": "When does it time out?", "answer": "A request times out after five seconds of silence."}
    (tmp_path / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    (tmp_path / ".llm-reliability.yaml").write_text(
        "use_case: x\ndoc_sources: [docs]\nevaluation: {source: recorded}\n"
        "model: {provider: replay, path: answers.jsonl}\n"
        f"elasticsearch: {{host: '${{ES_HOST}}', index: {settings.index}}}\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ES_HOST", HOST)
    assert main(["run"]) == 2
    assert "there is no index" in capfd.readouterr().err
    assert main(["ingest"]) == 0
    assert main(["ingest"]) == 0
    assert "0 chunks added, 1 unchanged" in capfd.readouterr().out
    assert main(["run"]) == 0
    assert not (tmp_path / ".gate/index.sqlite").exists()


def test_killed_in_mid_bulk_and_started_again_nothing_is_lost_or_twice(tmp_path: Path) -> None:
    server = elasticsearch_to_kill(tmp_path / "state", HOST)
    server.prepare()
    server.up()
    try:
        settings, embedder = Elasticsearch(host=server.url, index=f"gate-test-{uuid.uuid4().hex[:12]}"), WordsEmbedder()
        index = index_for_writing(settings, tmp_path, embedder, {})
        embedded = index_for_writing(None, tmp_path / "index.sqlite", embedder, {})
        again = threading.Thread(target=server.up)
        for number in range(1500):
            text = f"Document {number} says that limit {number * 7} holds.\n" * 3
            for store in (index, embedded):
                store.replace(
                    f"{number}.md", "1", [chunk(text, f"{number}.md"), chunk("Shared by all.", f"{number}.md", 9)]
                )
            if number == 700:
                server.kill()
                again.start()
        index.finish()
        again.join()
        embedded.finish()
        assert index.fingerprint() == embedded.fingerprint()
        assert list(index.chunks()) == list(embedded.chunks())
        assert index.search(["4900"], 1)[0][0].text == embedded.search(["4900"], 1)[0][0].text
        index.close()
        embedded.close()
        for name in ask("GET", f"{settings.index}*/_mapping", server.url):
            ask("DELETE", name, server.url)
    finally:
        server.down()
