"""The store on a server, over the wire, against a fake: what is found, written, swapped, and taken up again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gate.config import Elasticsearch
from gate.errors import EmbedderMismatchError, IndexMissingError, StoreError
from gate.records import Evidence
from gate.store.base import Change, Ranking
from gate.store.connect import index_for_writing, store_for_reading
from gate.store.elasticsearch import open_for_reading
from gate.store.elasticsearch_generations import GRACE
from gate.store.elasticsearch_mapping import definition, made_by, target_name
from gate.store.elasticsearch_writing import ElasticsearchIndex, open_for_writing
from tests.support.fake_elasticsearch import FakeElasticsearch
from tests.support.words_embedder import WordsEmbedder, chunk

MISSING = {"type": "index_not_found_exception", "reason": "no such index"}
GONE = {"_msearch": {"responses": [{"error": MISSING, "status": 404}]}, "_mget": {"docs": [{"error": MISSING}]}}
REDIRECTS = "The client follows redirects only with follow_redirects=True.\nElse it hands back the answer."
TIMEOUTS = "A time-out is five seconds unless it is set."
PROXIES = "Proxies are given by mounting a transport on the client."


@pytest.fixture
def fake() -> Iterator[FakeElasticsearch]:
    fake = FakeElasticsearch()
    yield fake
    fake.close()


@pytest.fixture
def embedder() -> WordsEmbedder:
    return WordsEmbedder()


Writer = Callable[[], ElasticsearchIndex]


@pytest.fixture
def writer(fake: FakeElasticsearch, embedder: WordsEmbedder) -> Iterator[Writer]:
    opened: list[ElasticsearchIndex] = []

    def make() -> ElasticsearchIndex:
        opened.append(open_for_writing(settings(fake), embedder, {}))
        return opened[-1]

    yield make
    for index in opened:
        index.close()


def settings(fake: FakeElasticsearch, **more: object) -> Elasticsearch:
    return Elasticsearch.model_validate({"host": fake.url, "index": "docs", **more})


def fill(index: ElasticsearchIndex) -> None:
    redirects = chunk(REDIRECTS, "a.md", 3, "Guide > Redirects", ((1, "Guide > Answers"),))
    index.replace("a.md", "1", [redirects, chunk(TIMEOUTS, "a.md", 9)])
    index.replace("b.md", "1", [chunk(PROXIES, "b.md"), chunk(TIMEOUTS, "b.md", 7)])


def found(fake: FakeElasticsearch, embedder: WordsEmbedder, *queries: str, k: int = 3) -> list[list[Evidence]]:
    store = open_for_reading(settings(fake), embedder, {})
    try:
        return store.search(queries, k)
    finally:
        store.close()


def told(rankings: list[Ranking]) -> list[list[list[tuple[str, float]]]]:
    """Text and score of what is in each of the three rankings of each query."""
    lists = [[one.words, one.vectors, one.fused] for one in rankings]
    return [[[(hit.text, round(hit.score, 6)) for hit in ranked] for ranked in one] for one in lists]


def embedded(embedder: WordsEmbedder) -> int:
    return sum(map(len, embedder.batches))


def test_evidence_is_the_chunk_with_its_first_place(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    first, nothing, again = found(fake, embedder, "follow_redirects", "?!", "follow_redirects", k=1)
    assert [(one.source, one.line, one.lines, one.heading, one.turns) for one in first] == [
        ("a.md", 3, (3, 4), "Guide > Redirects", ((1, "Guide > Answers"),))
    ]
    assert (first[0].text, first[0].chunk_id) == (REDIRECTS, chunk(REDIRECTS).id)
    assert first[0].score == pytest.approx(6 / 61, abs=1e-6)  # first by words (weight 5) and by vectors
    assert (nothing, again) == ([], first)
    assert [one.source for one in found(fake, embedder, "five seconds")[0]][0] == "a.md"


def test_it_is_the_embedded_store_in_another_place(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer, tmp_path: Path
) -> None:
    here = index_for_writing(None, tmp_path / "index.sqlite", embedder, {})
    there = index_for_writing(settings(fake), tmp_path, embedder, {})
    changes = []
    for index in (here, there):
        fill(index)
        turned = chunk(REDIRECTS, "a.md", turns=((1, 'Ä "quoted" heading'),))
        changes.append([index.replace("a.md", "2", [turned]), index.remove("c.md")])
        index.finish()
    assert changes[0] == changes[1] == [Change(0, 1, 1), Change()]
    assert here.fingerprint() == there.fingerprint()
    assert list(here.chunks()) == list(there.chunks())
    assert here.digests() == there.digests() == {"a.md": "2", "b.md": "1"}
    queries = ["mounting a transport", "five seconds", "redirects of the client"]
    assert [[one.text for one in answer] for answer in here.search(queries, 2)] == [
        [one.text for one in answer] for answer in there.search(queries, 2)
    ]
    assert told(here.rankings([*queries, "?!"], 2)) == told(there.rankings([*queries, "?!"], 2))
    about = ["How long?", "", "Is a transport mounted for proxies?"]
    assert told(here.rankings(queries, 2, about)) == told(there.rankings(queries, 2, about))
    assert told(here.rankings(queries, 2, about)) != told(here.rankings(queries, 2))
    here.close()
    there.close()
    read = store_for_reading(settings(fake), tmp_path, embedder, {})
    assert read.fingerprint() == store_for_reading(None, tmp_path / "index.sqlite", embedder, {}).fingerprint()


def test_no_vector_is_made_where_words_settle_a_query(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    embedder.batches.clear()
    said, unsaid = "Proxies are given by mounting it on a client.", "Proxies are given by mounting it on a lamp."
    answers = found(fake, embedder, said, unsaid, k=2)
    assert embedder.batches == [[unsaid]]
    assert [answer[0].text for answer in answers] == [PROXIES, PROXIES]
    assert answers[0][0].score == pytest.approx(5 / 61, abs=1e-6)  # by words alone


def test_a_repeat_embeds_and_writes_nothing_new(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    index.close()
    cost = embedded(embedder)
    again = writer()
    assert again.replace("a.md", "2", [chunk(TIMEOUTS, "a.md", 1)]) == Change(0, 1, 1)
    assert again.replace("c.md", "1", [chunk(REDIRECTS, "c.md", 5)]) == Change(1, 0, 0)  # moved: its vectors are there
    again.finish()
    assert embedded(embedder) == cost
    bulks = fake.count("_bulk")
    again.finish()
    assert fake.count("_bulk") == bulks


def test_chunks_of_no_document_go_and_shared_ones_stay(fake: FakeElasticsearch, writer: Writer) -> None:
    index = writer()
    fill(index)
    index.finish()
    assert index.remove("a.md") == Change(removed=2)
    index.finish()
    entries = fake.entries[fake.aliases["docs"]]
    assert {one["text"] for one in entries.values() if "text" in one} == {TIMEOUTS, PROXIES}
    assert fake.count("_forcemerge") == 1


def test_a_first_build_is_not_seen_before_it_is_finished(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.close()
    with pytest.raises(IndexMissingError, match="no index `docs`"):
        found(fake, embedder, "x")
    cost = embedded(embedder)
    again = writer()  # stopped, and taken up where it was
    assert again.digests() == {"a.md": "1", "b.md": "1"}
    again.finish()
    assert embedded(embedder) == cost
    assert found(fake, embedder, "five seconds")[0][0].text == TIMEOUTS


def test_another_embedder_builds_beside_and_takes_the_place(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    other = WordsEmbedder("other", 32)
    with pytest.raises(EmbedderMismatchError, match=r"words \(64 dimensions\), the configuration asks for other"):
        found(fake, other, "x")
    with pytest.raises(EmbedderMismatchError) as caught:
        found(fake, WordsEmbedder(dimension=32), "x")
    assert "--no-cache" in caught.value.hint
    with_other = open_for_writing(settings(fake), other, {})
    assert with_other.digests() == {}
    with_other.replace("n.md", "1", [chunk(PROXIES, "n.md")])
    assert found(fake, embedder, "five seconds")[0][0].text == TIMEOUTS  # readers still have the whole old one
    with_other.finish()
    with_other.close()
    assert [one.source for one in found(fake, other, "proxies")[0]] == ["n.md"]
    assert list(fake.indices)[-1] == fake.aliases["docs"]


def test_readers_keep_what_they_have_until_all_changes_are_in(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    early = open_for_reading(settings(fake), embedder, {})
    before, cost = early.fingerprint(), embedded(embedder)
    assert index.replace("a.md", "2", [chunk("A time-out is nine seconds.", "a.md")]) == Change(1, 0, 2)
    index.remove("b.md")
    index.search(["seconds"], 1)  # all of it has been sent
    assert found(fake, embedder, "mounting a transport")[0][0].text == PROXIES
    assert early.fingerprint() == before
    index.finish()
    assert [one.text for one in found(fake, embedder, "seconds")[0]] == ["A time-out is nine seconds."]
    assert [one.text for one in early.search(["mounting a transport"], 1)[0]] == [PROXIES]  # until it is closed
    assert embedded(embedder) == cost + 5  # the new text, and four questions
    early.close()


def test_an_ingest_that_was_stopped_goes_on_in_its_copy(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    index.remove("b.md")
    index.close()
    again = writer()
    assert again.digests() == {"a.md": "1"}
    assert len(fake.indices) == 2
    assert found(fake, embedder, "mounting a transport")[0][0].text == PROXIES
    again.finish()
    assert fake.count("_clone/") == 1
    assert PROXIES not in [one.text for one in found(fake, embedder, "mounting a transport")[0]]


def test_back_to_the_embedder_before_last_readers_keep_what_they_have(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    first = writer()
    fill(first)
    first.finish()
    reader = open_for_reading(settings(fake), embedder, {})
    before = reader.search(["proxies"], 1)
    other = open_for_writing(settings(fake), WordsEmbedder("other", 32), {})
    fill(other)
    other.finish()
    other.close()
    again = writer()
    again.replace("b.md", "2", [chunk("Proxies are gone.", "b.md")])
    again.search(["proxies"], 1)  # all of it has been sent
    assert reader.search(["proxies"], 1) == before
    again.finish()
    assert found(fake, embedder, "proxies")[0][0].text == "Proxies are gone."
    again.replace("b.md", "3", [chunk("Proxies are back.", "b.md")])
    again.finish()
    assert len(fake.indices) == 4
    reader.close()


def test_what_was_replaced_stays_however_long_the_ingest_took(fake: FakeElasticsearch, writer: Writer) -> None:
    index = writer()
    fill(index)
    index.finish()
    index.remove("b.md")
    for name in fake.indices:
        fake.created[name] -= 2 * GRACE
    index.finish()
    assert len(fake.indices) == 2


def test_an_ingest_that_changes_nothing_makes_no_copy(fake: FakeElasticsearch, writer: Writer) -> None:
    index = writer()
    fill(index)
    index.finish()
    writer().finish()
    assert len(fake.indices) == 1
    assert fake.count("_clone/") == 0


def test_where_no_copy_can_be_made_changes_are_written_in_place(fake: FakeElasticsearch, writer: Writer) -> None:
    fake.flavor = "serverless"
    index = writer()
    fill(index)
    index.finish()
    index.remove("b.md")
    index.finish()
    assert index.digests() == {"a.md": "1"}
    assert len(fake.indices) == 1


def test_a_reader_whose_index_was_deleted_finds_the_one_that_took_its_place(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    for piece in ("_mtermvectors", "_msearch", "_mget"):
        reader = open_for_reading(settings(fake), embedder, {})
        assert reader.search(["follow_redirects"], 1)[0][0].text.startswith(REDIRECTS)
        old = fake.aliases["docs"]
        index.replace("a.md", piece, [chunk(REDIRECTS + piece, "a.md")])
        index.finish()
        fake.faults = [] if piece == "_mtermvectors" else [(piece, GONE[piece])]
        if not fake.faults:
            fake.delete(old)
        assert reader.search(["follow_redirects"], 1)[0][0].text == (REDIRECTS + piece)
        assert fake.faults == []
        reader.close()


def test_indices_that_nobody_can_need_are_deleted(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    given_up = open_for_writing(settings(fake), WordsEmbedder("other", 32), {})
    given_up.close()
    fake.indices["docs-of-others"] = {"mappings": {}}
    index = writer()
    fill(index)
    index.finish()
    for name in ("b.md", "a.md"):
        index.remove(name)
        index.finish()
    kept = list(fake.indices)
    assert len(kept) == 5  # all are young
    assert fake.aliases["docs"] == kept[-1]
    for name in kept:
        fake.created[name] = fake.now - GRACE - 9
    fake.created[kept[0]] -= 9
    fake.created[kept[-2]] = fake.now - 60  # the one before it was replaced a minute ago
    fake.created[kept[-1]] = fake.now
    fake.faults = [("DELETE", 403)]
    index.finish()
    assert list(fake.indices) == kept  # what cannot be deleted does no harm
    writer().finish()
    assert list(fake.indices) == ["docs-of-others", *kept[-3:]]


def test_a_document_that_lacks_a_chunk_is_indexed_again(fake: FakeElasticsearch, writer: Writer) -> None:
    index = writer()
    fill(index)
    index.finish()
    next(iter(fake.entries.values())).pop(chunk(REDIRECTS).id)
    assert writer().digests() == {"a.md": "", "b.md": "1"}


def test_two_writers_at_once_are_told(fake: FakeElasticsearch, writer: Writer) -> None:
    index = writer()
    fill(index)
    index.digests()
    index.fingerprint()
    next(iter(fake.entries.values())).pop(chunk(REDIRECTS).id)  # the other one pruned it
    with pytest.raises(StoreError, match="at the same time"):
        index.finish()


@pytest.mark.parametrize("change", ["adds", "removes"])
def test_a_mixture_of_two_ingests_is_told_and_not_shown(fake: FakeElasticsearch, writer: Writer, change: str) -> None:
    """Both took up one new index: each would have said that it holds its own documents, and no others."""
    index = writer()
    fill(index)
    index.fingerprint()
    other = writer()
    if change == "adds":
        other.replace("c.md", "1", [chunk("The pump stops after nine seconds.")])
    else:
        other.remove("b.md")
    other.fingerprint()
    with pytest.raises(StoreError, match="at the same time"):
        index.finish()
    assert "docs" not in fake.aliases


def test_a_chunk_without_a_document_is_no_evidence(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    entries = next(iter(fake.entries.values()))
    entries["0" * 64] = {"chunk": "0" * 64, "text": "Loose", "words": "five second", "windows": []}
    assert "Loose" not in [one.text for one in found(fake, embedder, "five second")[0]]
    assert len(writer().digests()) == 2


def test_an_empty_text_has_no_vector_and_does_no_harm(fake: FakeElasticsearch, writer: Writer) -> None:
    index = writer()
    index.replace("a.md", "1", [chunk("", "a.md"), chunk(TIMEOUTS, "a.md")])
    index.replace("empty.md", "1", [])
    assert index.search(["seconds"], 2)[0][0].text == TIMEOUTS
    assert index.digests() == {"a.md": "1", "empty.md": "1"}


def test_an_index_with_no_chunk_is_missing(fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer) -> None:
    writer().finish()
    with pytest.raises(IndexMissingError, match="is empty"):
        found(fake, embedder, "x")


@pytest.mark.parametrize("meta", [{}, {"_meta": {"gate": "x"}}, {"_meta": {}}])
def test_a_foreign_index_is_left_alone(
    fake: FakeElasticsearch, embedder: WordsEmbedder, meta: dict[str, object]
) -> None:
    fake.indices["docs"], fake.entries["docs"] = {"mappings": meta}, {}
    for opening in (open_for_reading, open_for_writing):
        with pytest.raises(StoreError, match="is not an index of the gate"):
            opening(settings(fake), embedder, {})
    assert list(fake.indices) == ["docs"]


def test_an_index_of_another_format_or_changed_meanwhile(
    fake: FakeElasticsearch, embedder: WordsEmbedder, writer: Writer
) -> None:
    index = writer()
    fill(index)
    index.finish()
    mappings = next(iter(fake.indices.values()))["mappings"]
    mappings["_meta"] = {"gate": {**mappings["_meta"]["gate"], "format": 99}}
    with pytest.raises(StoreError, match="has format 99"):
        found(fake, embedder, "x")
    with pytest.raises(StoreError, match="is not as the gate made it"):
        index.finish()


def test_the_mapping_is_as_promised(fake: FakeElasticsearch, embedder: WordsEmbedder) -> None:
    for int8, kind in ((False, "hnsw"), (True, "int8_hnsw")):
        made = made_by(embedder, int8)
        mappings = definition(made)["mappings"]
        vector = mappings["properties"]["windows"]["properties"]["vector"]
        assert (vector["index_options"]["type"], vector["dims"], vector["similarity"]) == (kind, 64, "cosine")
        assert mappings["_meta"]["gate"] == {"format": 3, "embedder": "words", "dimension": 64, "int8": int8}
    assert target_name("docs", made) != target_name("docs", made_by(embedder, False))
    with pytest.raises(StoreError, match="5000 dimensions, Elasticsearch takes 4096"):
        open_for_writing(settings(fake), WordsEmbedder("wide", 5000), {})


def test_two_changes_of_one_document_keep_their_order(fake: FakeElasticsearch, writer: Writer) -> None:
    index = writer()
    for number in range(5):
        index.replace("a.md", str(number), [chunk(f"Version {number}.", "a.md")])
    index.remove("a.md")
    index.replace("a.md", "last", [chunk("The last.", "a.md")])
    index.finish()
    assert [one.text for one in index.chunks()] == ["The last."]
    index.close()
    with pytest.raises(StoreError, match="was closed"):
        index.replace("b.md", "1", [])
