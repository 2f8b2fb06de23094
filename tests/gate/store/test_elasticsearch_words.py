"""Words asked of a server: each weighted by what FTS5 would give it, by what Lucene does."""

import math
from collections.abc import Iterator

import pytest

from gate.config import Elasticsearch
from gate.errors import StoreError
from gate.store.elasticsearch_server import Server
from gate.store.elasticsearch_words import word_queries
from tests.support.fake_elasticsearch import FakeElasticsearch


@pytest.fixture
def fake() -> Iterator[FakeElasticsearch]:
    fake = FakeElasticsearch()
    fake.indices["docs"] = {}
    words = ["rare kiln", "kiln", "kiln", "glaze"]
    fake.entries["docs"] = {str(n): {"chunk": str(n), "words": text} for n, text in enumerate(words)}
    yield fake
    fake.close()


def asked(fake: FakeElasticsearch, *texts: str) -> list[dict]:
    server = Server(Elasticsearch.model_validate({"host": fake.url, "index": "docs"}), {})
    try:
        return word_queries(server, "docs", texts)
    finally:
        server.close()


def boosts(query: dict) -> dict[str, float]:
    terms = [clause["term"]["words"] for clause in query["bool"]["should"]]
    return {term["value"]: term["boost"] for term in terms}


def test_a_rare_word_weighs_as_in_fts5_and_a_common_one_next_to_nothing(fake: FakeElasticsearch) -> None:
    (query,) = asked(fake, "rare kiln unknown")
    found = boosts(query)
    assert found["rare"] == pytest.approx(math.log(3.5 / 1.5) / math.log(1 + 3.5 / 1.5))
    assert 0 < found["kiln"] < 1e-5
    assert set(found) == {"rare", "kiln"}


def test_a_word_asked_twice_weighs_twice(fake: FakeElasticsearch) -> None:
    once, twice = asked(fake, "rare", "rare rare")
    assert boosts(twice)["rare"] == pytest.approx(2 * boosts(once)["rare"])


def test_texts_without_a_known_word_match_nothing(fake: FakeElasticsearch) -> None:
    assert asked(fake, "unknown", "") == [{"match_none": {}}] * 2


@pytest.mark.parametrize("answer", [{}, {"docs": []}, {"docs": [1]}, {"docs": None}])
def test_an_answer_of_another_shape_is_an_error(fake: FakeElasticsearch, answer: dict) -> None:
    fake.faults.append(("_mtermvectors", answer))
    with pytest.raises(StoreError, match="not understood"):
        asked(fake, "rare")
