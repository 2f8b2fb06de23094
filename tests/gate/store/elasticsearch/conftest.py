from collections.abc import Iterator

import pytest

from tests.support.fake_elasticsearch import FakeElasticsearch


@pytest.fixture
def fake() -> Iterator[FakeElasticsearch]:
    with FakeElasticsearch() as fake:
        yield fake
