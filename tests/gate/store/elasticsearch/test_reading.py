"""What a run reads of a server: words weighted as FTS5 does it, the index behind the alias, whole answers only."""

import math

import pytest

from gate.config import Elasticsearch
from gate.errors import IndexMissingError
from gate.store.elasticsearch.client import Cluster
from gate.store.elasticsearch.reading import open_for_reading, word_queries
from gate.store.elasticsearch.writing import open_for_writing
from tests.support.fake_elasticsearch import FakeElasticsearch
from tests.support.words_embedder import WordsEmbedder, chunk

MISSING = {"type": "index_not_found_exception", "reason": "no such index"}
GONE = {"_msearch": {"responses": [{"error": MISSING, "status": 404}]}, "_mget": {"docs": [{"error": MISSING}]}}


def settings(fake: FakeElasticsearch) -> Elasticsearch:
    return Elasticsearch.model_validate({"host": fake.url, "index": "docs"})


def boosts(fake: FakeElasticsearch, *texts: str) -> list[dict[str, float]]:
    """word -> boost of the query for each text."""
    fake.indices["words"] = {}
    words = ["rare kiln", "kiln", "kiln", "glaze"]
    fake.entries["words"] = {str(n): {"chunk": str(n), "words": text} for n, text in enumerate(words)}
    server = Cluster(settings(fake), {})
    queries = word_queries(server, "words", texts)
    server.close()
    clauses = [query["bool"]["should"] if "bool" in query else [] for query in queries]
    return [{one["term"]["words"]["value"]: one["term"]["words"]["boost"] for one in some} for some in clauses]


def test_a_word_weighs_as_in_fts5_and_as_often_as_it_is_asked(fake: FakeElasticsearch) -> None:
    found, twice, unknown, nothing = boosts(fake, "rare kiln unknown", "rare rare", "unknown", "")
    assert found["rare"] == pytest.approx(math.log(3.5 / 1.5) / math.log(1 + 3.5 / 1.5))
    assert 0 < found["kiln"] < 1e-5  # in more than half of the chunks
    assert twice["rare"] == pytest.approx(2 * found["rare"])
    assert (set(found), unknown, nothing) == ({"rare", "kiln"}, {}, {})


def test_a_reader_whose_index_was_deleted_finds_the_one_that_took_its_place(fake: FakeElasticsearch) -> None:
    embedder = WordsEmbedder()
    index = open_for_writing(settings(fake), embedder, {})
    index.replace("a.md", "", [chunk("It follows redirects.")])
    index.finish()
    for piece in ("_mtermvectors", "_msearch", "_mget"):
        reader = open_for_reading(settings(fake), embedder, {})
        old = fake.aliases["docs"]
        index.replace("a.md", piece, [chunk(f"It follows redirects {piece}.")])
        index.finish()
        fake.faults = [] if piece == "_mtermvectors" else [(piece, GONE[piece])]
        if not fake.faults:
            fake.delete(old)
        assert reader.search(["redirects"], 1)[0][0].text == f"It follows redirects {piece}."
        assert fake.faults == []
        reader.close()
        reader.close()
    reader = open_for_reading(settings(fake), embedder, {})
    fake.indices.clear()
    with pytest.raises(IndexMissingError, match="there is no index `docs`"):
        reader.search(["redirects"], 1)
    reader.close()
    index.close()
