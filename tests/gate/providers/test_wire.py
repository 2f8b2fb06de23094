"""What goes over the wire: connections that are kept, proxies, keys and addresses; and nothing secret is told."""

import threading
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import SetupError
from gate.providers.connect import PROVIDERS, connect
from gate.providers.wire import check_key, excerpt, pool_for, proxy_of, without_secrets
from tests.support.fake_models import FakeModels
from tests.support.loopback import Handler, Loopback


class Echo(Handler):
    """Tells which address it was asked for, by whom, and from which port: a connection kept has the same one."""

    def do_POST(self) -> None:
        told = f"{self.path} {self.headers['Proxy-Authorization']} {self.client_address[1]}".encode()
        self.send(200, told, {})


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    server = Loopback(Echo)
    yield server.url
    server.close()


def test_calls_at_once_have_a_connection_each_and_all_are_kept(url: str) -> None:
    pool, meet = pool_for(url), threading.Barrier(20)

    def call(_: int) -> bytes:
        with pool.urlopen("POST", url, preload_content=False) as response:
            meet.wait(10)
            return b"".join(response.stream())

    with ThreadPoolExecutor(20) as threads:
        first, second = set(threads.map(call, range(20))), set(threads.map(call, range(20)))
    pool.clear()
    assert len(first) == 20
    assert first == second


def test_a_call_goes_through_the_proxy_with_its_login(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", url.replace("://", "://me:p%40ss@"))
    told = pool_for("http://model.test").urlopen("POST", "http://model.test/v1").data.decode()
    assert told.startswith("http://model.test/v1 Basic bWU6cEBzcw== ")


@pytest.mark.parametrize(
    ("environ", "address", "proxy"),
    [
        ({"HTTP_PROXY": "http://p:1"}, "https://a.test", None),
        ({"HTTPS_PROXY": "p:1"}, "https://a.test", "http://p:1"),
        ({"ALL_PROXY": "http://p:1"}, "https://a.test", "http://p:1"),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "b.test,a.test"}, "https://a.test:8000/v1", None),
    ],
)
def test_the_proxy_of_an_address(
    url: str, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], address: str, proxy: str | None
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert proxy_of(address) == proxy


@pytest.mark.parametrize("name", ["openai", "ollama"])
@pytest.mark.parametrize("proxy", ["nonsense://elm:maple@proxy:1", "socks5://elm:maple@proxy:1"])
def test_a_proxy_that_cannot_be_used_is_named_as_the_fault(
    url: str, monkeypatch: pytest.MonkeyPatch, name: str, proxy: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    with pytest.raises(SetupError, match="the proxy cannot be used") as caught:
        connect(name, "m", {}, "http://example.test")
    assert "maple" not in caught.value.message


@given(st.text(st.characters(), max_size=400), st.integers(3, 100))
def test_any_text_becomes_one_line_within_the_limit_and_no_secret_shows(text: str, limit: int) -> None:
    assert "hazel" not in excerpt(f"{text}hazel-and-maple{text}", limit, ("hazel-and-maple",))
    shown = excerpt(text, limit)
    assert len(shown) <= limit
    assert shown == shown.strip()
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not set(shown) & set("\u200b\u200e\u202a\u202e\u2066\u2069\ufeff")
    shown.encode()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://elm:maple@host/v1", "http://***@host/v1"),
        ("http://elm:ma/pl?e@host:1", "http://***@host:1"),
        ("https://elm:maple@host/v1?key=maple", "https://***@host/v1?***"),
    ],
)
def test_an_address_is_told_without_what_may_be_secret(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


@pytest.mark.parametrize("name", ["openai", "ollama"])
def test_a_key_of_the_environment_is_sent_and_never_repeated(server: FakeModels, ask: Any, name: str) -> None:
    key = "invalid key"  # the fake's own words
    model = connect(name, "m", {"OLLAMA_API_KEY": f"{key}\n", "OPENAI_API_KEY": f"{key}\n"}, server.url)
    server.faults = ["401"]
    with pytest.raises(SetupError) as caught:
        model.complete(ask())
    model.close()
    assert server.sent[0][1]["authorization"] == f"Bearer {key}"
    assert caught.value.message == f"{name}: HTTP 401: ***"
    assert f"{name.upper()}_API_KEY" in caught.value.hint


def test_a_password_in_the_address_of_bedrock_is_not_shown(aws: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "http://elm:maple@127.0.0.1:9")
    model = connect("bedrock", "m", {})
    with pytest.raises(SetupError, match=r"http://\*\*\*@127.0.0.1:9 cannot be reached") as caught:
        model.complete(ask())
    model.close()
    assert "maple" not in caught.value.message


def test_a_key_is_taken_without_what_a_file_adds_or_refused_and_not_shown() -> None:
    assert check_key("ANY_KEY", "\t maple-7 \n") == "maple-7"
    for value in ("maple\n7", "m\u00e4ple", "maple\x007"):
        with pytest.raises(SetupError, match="ANY_KEY has characters that no key has") as caught:
            check_key("ANY_KEY", value)
        assert "ple" not in caught.value.message


@pytest.mark.parametrize("name", ["openai", "ollama"])
@pytest.mark.parametrize("address", ["http://elm:maple@h:9/v1", "http://h:9/v1?key=maple", "http://e:maple@["])
@pytest.mark.parametrize("configured", [True, False])
def test_an_address_with_a_secret_is_refused_and_not_shown(name: str, address: str, configured: bool) -> None:
    environ = {} if configured else {"OPENAI_BASE_URL": address, "OLLAMA_HOST": address}
    with pytest.raises(SetupError) as caught:
        connect(name, "m", environ, address if configured else "")
    assert "maple" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize("name", ["openai", "ollama", "anthropic"])
def test_a_key_is_not_sent_to_the_server_that_another_points_to(server: FakeModels, ask: Any, name: str) -> None:
    other = FakeModels()
    server.faults, server.elsewhere = ["redirect"], f"{other.url}/v1/chat/completions"
    model = connect(name, "m", {kind.key: "maple-7" for kind in PROVIDERS.values()}, server.url)
    with pytest.raises(SetupError, match="HTTP 307"):
        model.complete(ask())
    model.close()
    other.close()
    assert "maple-7" in str(server.sent[0][1])
    assert other.sent == []


@pytest.mark.parametrize("name", ["openai", "ollama"])
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_named(
    name: str, content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with pytest.raises(SetupError, match="certificates of SSL_CERT_FILE"):
        connect(name, "m", {}, "https://127.0.0.1:9")
