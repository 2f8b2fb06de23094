"""Keys and addresses: what is wrong with them is told, and nothing secret of them."""

from pathlib import Path
from typing import Any

import pytest

from gate.errors import SetupError
from gate.providers.connect import connect
from gate.providers.credentials import key_of, refuse_secrets, without_secrets


@pytest.mark.parametrize("value", ["maple-7", "maple-7\n", "\t maple-7 ", ""])
def test_a_key_is_taken_without_what_a_file_adds(value: str) -> None:
    assert key_of("ANY_KEY", value) == value.strip()


@pytest.mark.parametrize("value", ["maple\n7", "m\u00e4ple", "maple\x007"])
def test_a_key_that_no_header_can_carry_is_named_and_not_shown(value: str) -> None:
    with pytest.raises(SetupError, match="ANY_KEY has characters that no key has") as caught:
        key_of("ANY_KEY", value)
    assert "ple" not in caught.value.message


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1"),
        ("http://elm:maple@host/v1", "http://***@host/v1"),
        ("http://elm:ma/pl?e@host:1", "http://***@host:1"),
        ("elm:maple@host:1", "***@host:1"),
        ("https://host/v1?key=maple", "https://host/v1?***"),
        ("https://elm:maple@host/v1?key=maple", "https://***@host/v1?***"),
    ],
)
def test_an_address_is_told_without_what_may_be_secret(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


@pytest.mark.parametrize("address", ["http://localhost:11434", "localhost", "http://[::1]:8000/v1", ""])
def test_an_address_without_secrets_may_be_used(address: str) -> None:
    refuse_secrets("base_url", address, "hint")


@pytest.mark.parametrize("name", ["openai", "ollama"])
@pytest.mark.parametrize(
    "address",
    [
        "http://elm:maple@127.0.0.1:9/v1",
        "http://127.0.0.1:9/v1?key=maple",
        "http://elm:maple@h:port",
        "http://e:maple@[",
    ],
)
@pytest.mark.parametrize("configured", [True, False])
def test_an_address_with_a_secret_is_refused_and_not_shown(name: str, address: str, configured: bool) -> None:
    environ = {} if configured else {"OPENAI_BASE_URL": address, "OLLAMA_HOST": address}
    with pytest.raises(SetupError) as caught:
        connect(name, "m", environ, address if configured else "")
    assert "maple" not in caught.value.message + caught.value.hint


def test_ollama_gets_the_key_of_the_environment_and_never_repeats_it(server: Any, ask: Any) -> None:
    model = connect("ollama", "m", {"OLLAMA_HOST": server.url, "OLLAMA_API_KEY": "invalid key\n"})  # the fake's words
    server.faults = ["401"]
    with pytest.raises(SetupError) as caught:
        model.complete(ask())
    model.close()
    assert server.sent[0][1]["authorization"] == "Bearer invalid key"
    assert caught.value.message == "ollama: HTTP 401: ***"
    with pytest.raises(SetupError, match="OLLAMA_API_KEY has characters"):
        connect("ollama", "m", {"OLLAMA_HOST": server.url, "OLLAMA_API_KEY": "maple\n7"})


@pytest.mark.parametrize("proxy", ["nonsense://elm:maple@proxy:1", "socks5://elm:maple@proxy:1"])
def test_a_proxy_that_ollama_cannot_use_is_named_as_the_fault(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    with pytest.raises(SetupError, match="the proxy cannot be used") as caught:
        connect("ollama", "m", {"OLLAMA_HOST": "http://example.test"})
    assert "maple" not in caught.value.message


def test_a_password_in_the_address_of_bedrock_is_not_shown(aws: Any, ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "http://elm:maple@127.0.0.1:9")
    model = connect("bedrock", "m", {})
    with pytest.raises(SetupError, match=r"http://\*\*\*@127.0.0.1:9 cannot be reached") as caught:
        model.complete(ask())
    model.close()
    assert "maple" not in caught.value.message


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
