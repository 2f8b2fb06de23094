"""Connections: kept for the next call, with the headers and time limits of all, through the environment's proxy."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from urllib3.exceptions import HTTPError

from gate.errors import SetupError
from gate.providers.wire import CONNECT_SECONDS, Connections, proxy_of


class Echo(BaseHTTPRequestHandler):
    """Tells what it was asked, and from which port: a connection kept has the same one."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        read = self.rfile.read(int(self.headers["Content-Length"])).decode()
        told = {"path": self.path, "body": read, "port": self.client_address[1], "headers": dict(self.headers)}
        body = json.dumps(told).encode()
        self.send_response(307 if "moved" in self.path else 200)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(body) + (5 if "short" in self.path else 0)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = "short" in self.path

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 64  # of the usual 5, a busy machine refuses some that come at once


@pytest.fixture
def url(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    server = Server(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def asked(connections, url, body=b"{}"):
    with connections.post(url, body) as response:
        return response.status, json.loads(b"".join(response.stream()))


def test_calls_one_after_the_other_share_a_connection(url):
    with closing(Connections(url, {"x-key": "k"}, 7.0)) as connections:
        (status, first), (_, second) = asked(connections, url, b'{"a":1}'), asked(connections, url)
    assert (status, first["body"], first["port"]) == (200, '{"a":1}', second["port"])
    assert (first["headers"]["x-key"], first["headers"]["Content-Type"]) == ("k", "application/json")
    assert (connections.timeout.read_timeout, connections.timeout.connect_timeout) == (7.0, CONNECT_SECONDS)


def test_calls_at_once_have_a_connection_each_and_all_are_kept(url):
    with closing(Connections(url, {}, 7.0)) as connections, ThreadPoolExecutor(20) as pool:
        meet = threading.Barrier(20)

        def call(_):
            with connections.post(url, b"{}") as response:
                meet.wait(10)
                return json.loads(b"".join(response.stream()))["port"]

        first, second = set(pool.map(call, range(20))), set(pool.map(call, range(20)))
    assert len(first) == 20
    assert first == second


def test_a_body_that_ends_too_early_is_a_fault_and_the_next_call_is_none(url):
    with closing(Connections(url, {}, 7.0)) as connections:
        with pytest.raises(HTTPError):
            asked(connections, f"{url}/short")
        assert asked(connections, url)[0] == 200
        connections.close()


def test_a_call_goes_through_the_proxy_with_its_login(url, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", url.replace("://", "://me:p%40ss@"))
    with closing(Connections("http://model.test", {}, 7.0)) as connections:
        _, told = asked(connections, "http://model.test/v1")
    assert told["path"] == "http://model.test/v1"
    assert told["headers"]["proxy-authorization"] == "Basic bWU6cEBzcw=="


@pytest.mark.parametrize(
    ("environ", "address", "proxy"),
    [
        ({"HTTP_PROXY": "http://p:1"}, "http://a.test", "http://p:1"),
        ({"HTTP_PROXY": "http://p:1"}, "https://a.test", None),
        ({"HTTPS_PROXY": "p:1"}, "https://a.test", "http://p:1"),
        ({"ALL_PROXY": "http://p:1"}, "https://a.test", "http://p:1"),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "b.test,a.test"}, "https://a.test:8000/v1", None),
    ],
)
def test_the_proxy_of_an_address(url, monkeypatch, environ, address, proxy):
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert proxy_of(address) == proxy


@pytest.mark.parametrize("proxy", ["nonsense://proxy", "socks5://proxy:1", "http://[proxy"])
def test_a_proxy_that_cannot_be_used_is_told_at_once(url, monkeypatch, proxy):
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    with pytest.raises(SetupError, match="the proxy cannot be used"):
        Connections("https://a.test", {}, 1.0)


def test_the_authorities_may_be_the_users_own(tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with pytest.raises(SetupError, match="SSL_CERT_FILE"):
        Connections("https://a.test", {}, 1.0)
    monkeypatch.delenv("SSL_CERT_FILE")
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    Connections("https://a.test", {}, 1.0).close()
