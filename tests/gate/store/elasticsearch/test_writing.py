"""The store on a server, over the wire, against a fake: what is found, written, swapped, and taken up again."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate.config import Elasticsearch
from gate.errors import EmbedderMismatchError, IndexMissingError, StoreError
from gate.store import index_for_writing, store_for_reading
from gate.store.base import Change, Ranking
from gate.store.elasticsearch.reading import ElasticsearchStore, made_by, open_for_reading
from gate.store.elasticsearch.writing import (
    GRACE,
    ElasticsearchIndex,
    definition,
    document_body,
    open_for_writing,
)
from tests.support.fake_elasticsearch import FakeElasticsearch
from tests.support.words_embedder import WordsEmbedder, chunk

REDIRECTS = "The client follows redirects only with follow_redirects=True.\nElse it hands back the answer."
TIMEOUTS = "A time-out is five seconds unless it is set."
PROXIES = "Proxies are given by mounting a transport on the client."


class Bench:
    """A server, the embedder, and the indices that a test has open."""

    def __init__(self, fake: FakeElasticsearch) -> None:
        self.fake, self.embedder = fake, WordsEmbedder()
        self.settings = Elasticsearch.model_validate({"host": fake.url, "index": "docs"})
        self.opened: list[Any] = []

    def writer(self, filled: bool = False, by: WordsEmbedder | None = None) -> ElasticsearchIndex:
        """Filled with two documents and finished, or as it is."""
        index = open_for_writing(self.settings, by or self.embedder, {})
        self.opened.append(index)
        if filled:
            fill(index)
            index.finish()
        return index

    def reader(self, by: WordsEmbedder | None = None) -> ElasticsearchStore:
        self.opened.append(open_for_reading(self.settings, by or self.embedder, {}))
        return self.opened[-1]  # type: ignore[no-any-return]

    def found(self, query: str, by: WordsEmbedder | None = None) -> list[str]:
        return [one.text for one in self.reader(by).search([query], 3)[0]]

    def embedded(self) -> int:
        return sum(map(len, self.embedder.batches))


@pytest.fixture
def es(fake: FakeElasticsearch) -> Iterator[Bench]:
    bench = Bench(fake)
    yield bench
    for one in bench.opened:
        one.close()


def fill(index: Any) -> None:
    redirects = chunk(REDIRECTS, "a.md", 3, "Guide > Redirects", ((1, "Guide > Answers"),))
    index.replace("a.md", "1", [redirects, chunk(TIMEOUTS, "a.md", 9)])
    index.replace("b.md", "1", [chunk(PROXIES, "b.md"), chunk(TIMEOUTS, "b.md", 7)])


def scored(rankings: list[Ranking]) -> list[list[list[tuple[str, float]]]]:
    """Text and score of what is in each of the three rankings of each query."""
    lists = [[one.words, one.vectors, one.fused] for one in rankings]
    return [[[(hit.text, round(hit.score, 6)) for hit in ranked] for ranked in one] for one in lists]


def test_it_is_the_embedded_store_in_another_place(es: Bench, tmp_path: Path) -> None:
    here = index_for_writing(None, tmp_path / "index.sqlite", es.embedder, {})
    there = index_for_writing(es.settings, tmp_path, es.embedder, {})
    changes = []
    for index in (here, there):
        fill(index)
        turned = replace(chunk(REDIRECTS, "a.md", turns=((1, 'Ä "quoted" heading'),)), tags=("v 2", "ä"))
        changes.append([index.replace("a.md", "2", [turned]), index.remove("c.md")])
        index.finish()
    assert changes[0] == changes[1] == [Change(0, 1, 1), Change()]
    assert here.fingerprint() == there.fingerprint()
    assert list(here.chunks()) == list(there.chunks())
    assert {one.source: one.tags for one in there.chunks()} == {"a.md": ("v 2", "ä"), "b.md": ()}
    assert here.digests() == there.digests() == {"a.md": "2", "b.md": "1"}
    said, unsaid = "Proxies are given by mounting it on a client.", "Proxies are given by mounting it on a lamp."
    queries = ["mounting a transport", "five seconds", "redirects of the client", "?!", said, unsaid]
    assert scored(here.rankings(queries, 2)) == scored(there.rankings(queries, 2))
    about = ["How long?", "", "Is a transport mounted for proxies?", "", "", ""]
    assert scored(here.rankings(queries, 2, about)) == scored(there.rankings(queries, 2, about))
    here.close()
    there.close()
    read = store_for_reading(es.settings, tmp_path, es.embedder, {})
    local = store_for_reading(None, tmp_path / "index.sqlite", es.embedder, {})
    assert read.fingerprint() == local.fingerprint()
    es.embedder.batches.clear()
    assert read.search(queries, 1) == local.search(queries, 1)  # whole chunks at their first places
    assert set(es.embedder.batches[0]) == {*queries} - {"?!", said}  # words settle what was said
    assert sorted(es.embedder.batches[0]) == sorted(es.embedder.batches[1])
    read.close()
    local.close()


def test_a_repeat_embeds_and_writes_nothing_new(es: Bench) -> None:
    es.writer(filled=True).close()
    cost = es.embedded()
    again = es.writer()
    again.finish()
    assert (len(es.fake.indices), es.fake.count("_clone/")) == (1, 0)
    assert again.replace("a.md", "2", [chunk(TIMEOUTS, "a.md", 1)]) == Change(0, 1, 1)
    assert again.replace("c.md", "1", [chunk(REDIRECTS, "c.md", 5)]) == Change(1, 0, 0)  # moved: its vectors are there
    again.finish()
    assert es.embedded() == cost
    bulks = es.fake.count("_bulk")
    again.finish()
    assert es.fake.count("_bulk") == bulks
    again.embed([chunk("News.", "n.md"), chunk(TIMEOUTS, "a.md", 1)])  # ahead of its document
    assert again.replace("n.md", "1", [chunk("News.", "n.md")]) == Change(1, 0, 0)
    assert es.embedded() == cost + 1


def test_chunks_of_no_document_go_and_shared_ones_stay(es: Bench) -> None:
    index = es.writer(filled=True)
    assert index.remove("a.md") == Change(removed=2)
    index.finish()
    entries = es.fake.entries[es.fake.aliases["docs"]]
    assert {one["text"] for one in entries.values() if "text" in one} == {TIMEOUTS, PROXIES}
    assert es.fake.count("_forcemerge") == 1


def test_a_first_build_is_not_seen_before_it_is_finished(es: Bench) -> None:
    index = es.writer()
    fill(index)
    index.close()
    with pytest.raises(IndexMissingError, match="no index `docs`"):
        es.found("x")
    cost = es.embedded()
    again = es.writer()  # stopped, and taken up where it was
    assert again.digests() == {"a.md": "1", "b.md": "1"}
    again.finish()
    assert es.embedded() == cost
    assert es.found("five seconds")[0] == TIMEOUTS


def test_another_embedder_builds_beside_and_takes_the_place(es: Bench) -> None:
    es.writer(filled=True)
    other = WordsEmbedder("other", 32)
    with pytest.raises(EmbedderMismatchError, match=r"words \(64 dimensions\), the configuration asks for other"):
        es.found("x", by=other)
    with pytest.raises(EmbedderMismatchError) as caught:
        es.found("x", by=WordsEmbedder(dimension=32))
    assert "--no-cache" in caught.value.hint
    with_other = es.writer(by=other)
    assert with_other.digests() == {}
    with_other.replace("n.md", "1", [chunk(PROXIES, "n.md")])
    assert es.found("five seconds")[0] == TIMEOUTS  # readers still have the whole old one
    with_other.finish()
    assert es.found("proxies", by=other) == [PROXIES]
    assert list(es.fake.indices)[-1] == es.fake.aliases["docs"]


def test_readers_keep_what_they_have_until_all_changes_are_in(es: Bench) -> None:
    index = es.writer(filled=True)
    early = es.reader()
    before, cost = early.fingerprint(), es.embedded()
    assert index.replace("a.md", "2", [chunk("A time-out is nine seconds.", "a.md")]) == Change(1, 0, 2)
    index.remove("b.md")
    index.search(["seconds"], 1)  # all of it has been sent
    assert es.found("mounting a transport")[0] == PROXIES
    assert early.fingerprint() == before
    index.finish()
    assert es.found("seconds") == ["A time-out is nine seconds."]
    assert [one.text for one in early.search(["mounting a transport"], 1)[0]] == [PROXIES]  # until it is closed
    assert es.embedded() == cost + 5  # the new text, and four questions
    early.close()


def test_an_ingest_that_was_stopped_goes_on_in_its_copy(es: Bench) -> None:
    index = es.writer(filled=True)
    index.remove("b.md")
    index.close()
    again = es.writer()
    assert again.digests() == {"a.md": "1"}
    assert len(es.fake.indices) == 2
    assert es.found("mounting a transport")[0] == PROXIES
    again.finish()
    assert es.fake.count("_clone/") == 1
    assert PROXIES not in es.found("mounting a transport")


def test_back_to_the_embedder_before_last_readers_keep_what_they_have(es: Bench) -> None:
    es.writer(filled=True)
    reader = es.reader()
    before = reader.search(["proxies"], 1)
    es.writer(filled=True, by=WordsEmbedder("other", 32))
    again = es.writer()
    again.replace("b.md", "2", [chunk("Proxies are gone.", "b.md")])
    again.search(["proxies"], 1)  # all of it has been sent
    assert reader.search(["proxies"], 1) == before
    again.finish()
    assert es.found("proxies")[0] == "Proxies are gone."
    assert len(es.fake.indices) == 3
    reader.close()


def test_where_no_copy_can_be_made_changes_are_written_in_place(es: Bench) -> None:
    es.fake.flavor = "serverless"
    index = es.writer(filled=True)
    index.remove("b.md")
    index.finish()
    assert index.digests() == {"a.md": "1"}
    assert len(es.fake.indices) == 1


def test_indices_that_nobody_can_need_are_deleted(es: Bench) -> None:
    es.writer(by=WordsEmbedder("other", 32)).close()  # given up
    es.fake.indices["docs-of-others"] = {"mappings": {}}
    index = es.writer(filled=True)
    for name in ("b.md", "a.md"):
        index.remove(name)
        index.finish()
    kept = list(es.fake.indices)
    assert len(kept) == 5  # all are young
    assert es.fake.aliases["docs"] == kept[-1]
    for name in kept:
        es.fake.created[name] = es.fake.now - GRACE - 9
    es.fake.created[kept[0]] -= 9
    es.fake.created[kept[-2]] = es.fake.now - 60  # the one before it was replaced a minute ago
    es.fake.created[kept[-1]] = es.fake.now
    es.fake.faults = [("DELETE", 403)]
    index.finish()
    assert list(es.fake.indices) == kept  # what cannot be deleted does no harm
    es.writer().finish()
    assert list(es.fake.indices) == ["docs-of-others", *kept[-3:]]


def test_a_document_that_lacks_a_chunk_is_indexed_again(es: Bench) -> None:
    es.writer(filled=True)
    next(iter(es.fake.entries.values())).pop(chunk(REDIRECTS).id)
    assert es.writer().digests() == {"a.md": "", "b.md": "1"}


@pytest.mark.parametrize("change", ["prunes", "adds", "removes"])
def test_a_mixture_of_two_ingests_is_told_and_not_shown(es: Bench, change: str) -> None:
    """Both took up one new index: each would have said that it holds its own documents, and no others."""
    index = es.writer()
    fill(index)
    index.fingerprint()
    other = es.writer()
    if change == "adds":
        other.replace("c.md", "1", [chunk("The pump stops after nine seconds.")])
    elif change == "removes":
        other.remove("b.md")
    else:
        next(iter(es.fake.entries.values())).pop(chunk(REDIRECTS).id)
    other.fingerprint()
    with pytest.raises(StoreError, match="at the same time"):
        index.finish()
    assert "docs" not in es.fake.aliases


def test_a_chunk_without_a_document_is_no_evidence(es: Bench) -> None:
    es.writer(filled=True)
    entries = next(iter(es.fake.entries.values()))
    entries["0" * 64] = {"chunk": "0" * 64, "text": "Loose", "words": "five second", "windows": []}
    assert "Loose" not in es.found("five second")
    assert len(es.writer().digests()) == 2


def test_an_empty_text_has_no_vector_and_does_no_harm(es: Bench) -> None:
    index = es.writer()
    index.replace("a.md", "1", [chunk("", "a.md"), chunk(TIMEOUTS, "a.md")])
    index.replace("empty.md", "1", [])
    assert index.search(["seconds"], 2)[0][0].text == TIMEOUTS
    assert index.digests() == {"a.md": "1", "empty.md": "1"}


@pytest.mark.parametrize("meta", [{}, {"_meta": {"gate": "x"}}])
def test_a_foreign_index_is_left_alone(es: Bench, meta: dict[str, object]) -> None:
    es.fake.indices["docs"], es.fake.entries["docs"] = {"mappings": meta}, {}
    for opening in (open_for_reading, open_for_writing):
        with pytest.raises(StoreError, match="is not an index of the gate"):
            opening(es.settings, es.embedder, {})
    assert list(es.fake.indices) == ["docs"]


def test_an_index_of_another_format_or_changed_meanwhile(es: Bench) -> None:
    index = es.writer(filled=True)
    mappings = next(iter(es.fake.indices.values()))["mappings"]
    mappings["_meta"] = {"gate": {**mappings["_meta"]["gate"], "format": 99}}
    with pytest.raises(StoreError, match="has format 99"):
        es.found("x")
    with pytest.raises(StoreError, match="is not as the gate made it"):
        index.finish()


@pytest.mark.parametrize(("int8", "kind"), [(True, "int8_hnsw"), (False, "hnsw")])
def test_the_mapping_says_by_what_it_was_made_and_has_every_field(int8: bool, kind: str) -> None:
    def fields(value: object) -> object:
        if isinstance(value, list):
            return fields(value[0]) if value else None
        return {name: fields(one) for name, one in value.items()} if isinstance(value, dict) else None

    def declared(properties: dict[str, Any]) -> dict[str, Any]:
        return {name: declared(one["properties"]) if "properties" in one else None for name, one in properties.items()}

    made = made_by(WordsEmbedder("a", 8), int8)
    mapping = definition(made)["mappings"]
    vector = mapping["properties"]["windows"]["properties"]["vector"]
    assert (mapping["_meta"], mapping["dynamic"]) == ({"gate": made}, "strict")
    assert (vector["dims"], vector["index_options"]["type"], vector["similarity"]) == (8, kind, "cosine")
    body = document_body("a.md", "1", [chunk("One.\n\nTwo.", turns=((2, "Two"),))])
    known = declared(mapping["properties"])
    assert fields(json.loads(json.dumps(body))) == {name: known[name] for name in body}


def test_more_dimensions_than_a_server_takes(es: Bench) -> None:
    with pytest.raises(StoreError, match="5000 dimensions, Elasticsearch takes 4096"):
        es.writer(by=WordsEmbedder("wide", 5000))


def test_of_several_changes_of_one_document_the_last_one_counts(es: Bench) -> None:
    index = es.writer()
    for number in range(5):
        index.replace("a.md", str(number), [chunk(f"Version {number}.", "a.md")])
    index.remove("a.md")
    index.replace("a.md", "last", [chunk("The last.", "a.md")])
    index.finish()
    assert [one.text for one in index.chunks()] == ["The last."]
    index.close()
    with pytest.raises(StoreError, match="was closed"):
        index.replace("b.md", "1", [])


def test_many_documents_arrive_in_batches(es: Bench) -> None:
    index = es.writer()
    for number in range(250):
        index.replace(f"{number}.md", "1", [chunk(f"Limit {number}.", f"{number}.md")])
    assert es.fake.count("_bulk") > 0  # before all were offered
    index.finish()
    assert len(list(index.chunks())) == 250
