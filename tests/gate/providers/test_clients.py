"""Clients: one for each call in flight, used again, all closed at the end."""

from contextlib import ExitStack

import pytest

from gate.providers.clients import CONNECT_SECONDS, Clients


@pytest.fixture
def clients():
    made = Clients({"x-key": "k"}, 7.0)
    yield made
    made.close()


def test_calls_one_after_the_other_share_a_client(clients):
    with clients.one() as first:
        pass
    with clients.one() as second:
        pass
    assert first is second


def test_calls_at_once_have_a_client_each_and_it_is_used_again(clients):
    with ExitStack() as stack:
        busy = [stack.enter_context(clients.one()) for _ in range(5)]
        assert len(set(map(id, busy))) == 5
    with ExitStack() as stack:
        again = [stack.enter_context(clients.one()) for _ in range(5)]
    assert set(map(id, again)) == set(map(id, busy))


def test_a_client_comes_back_from_a_call_that_failed(clients):
    with pytest.raises(ZeroDivisionError), clients.one() as first:
        raise ZeroDivisionError
    with clients.one() as second:
        assert first is second


def test_each_client_has_the_headers_and_the_time_limits(clients):
    with clients.one() as first, clients.one() as second:
        for client in (first, second):
            assert client.headers["x-key"] == "k"
            assert (client.timeout.read, client.timeout.connect) == (7.0, CONNECT_SECONDS)


def test_closing_closes_what_is_idle_and_what_is_in_use(clients):
    with clients.one() as first:
        with clients.one() as second:
            pass
        clients.close()
        assert first.is_closed
        assert second.is_closed
    clients.close()


def test_a_proxy_that_cannot_be_used_is_told_at_once(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "nonsense://proxy")
    with pytest.raises(ValueError, match="proxy"):
        Clients({}, 1.0)
