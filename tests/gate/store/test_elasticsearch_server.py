"""Waiting for a server: longer each time, never longer than the patience."""

import pytest

from gate.config import Elasticsearch
from gate.errors import StoreError
from gate.store.elasticsearch_client import with_port
from gate.store.elasticsearch_server import Server, Waiter


@pytest.mark.parametrize("patience", [0.0, 1.0, 15.0, 60.0])
def test_waits_grow_and_end_with_the_patience(patience: float) -> None:
    slept: list[float] = []
    waiter = Waiter(patience, slept.append, lambda: sum(slept))
    while waiter.again():
        assert len(slept) < 1000
    assert sum(slept) <= patience
    assert sum(slept) >= patience - 5.0
    assert all(min(5.0, 0.2 * 2**n) * 0.5 <= delay <= min(5.0, 0.2 * 2**n) for n, delay in enumerate(slept))
    assert bool(slept) is (patience > 0)


def test_without_an_address_nothing_is_asked() -> None:
    with pytest.raises(StoreError, match="no address"):
        Server(Elasticsearch.model_validate({"index": "docs"}), {})


@pytest.mark.parametrize(
    ("address", "full"),
    [
        ("https://es", "https://es:443"),
        ("http://es:", "http://es:80"),
        ("http://[::1]/path", "http://[::1]:80/path"),
        ("https://es:9200/path", "https://es:9200/path"),
    ],
)
def test_an_address_without_a_port_has_that_of_its_scheme(address: str, full: str) -> None:
    assert with_port(address) == full
    assert Server(Elasticsearch(host=address), {}).name == full
