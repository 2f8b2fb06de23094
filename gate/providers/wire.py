"""What goes over the wire to a server: addresses, keys, connections; and what of them, and of its words, is shown."""

from __future__ import annotations

import hashlib
import json
import os
import re
import ssl
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from gate.errors import SetupError

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

USUAL_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "ollama": "http://localhost:11434",
    "anthropic": "https://api.anthropic.com",
}
CONNECT_SECONDS = 10.0
MAX_BODY_BYTES = 64 * 1024 * 1024
KEPT = 512  # idle connections: as many as calls may be in flight, or each would be made anew
# C0 and C1 controls (terminal escapes among them), zero-width characters and marks that change the writing direction.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
# Up to the last @, wherever it stands: a password may hold what ends a host.
_SECRET = re.compile(r"(?:(?<=//)|^(?!\w+://)).*@|\?.*", re.DOTALL)
_KEYS = re.compile("auth|key|token|secret|cookie|signature", re.IGNORECASE)  # in the name of a header
_SHORTEST_SECRET = 6  # characters: a shorter value is found in any text
_NOT_OF_A_HOST = re.compile(r"[\s\"'<>{}|\\^`]")
_PROXIES = "set HTTP_PROXY, HTTPS_PROXY or ALL_PROXY to an http:// or https:// address, or NO_PROXY to go without"


def excerpt(text: str, limit: int = 300, secrets: tuple[str, ...] = ()) -> str:
    """At most `limit` characters of `text` on one line, fit for an error message; `secrets` are blotted out first."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    line = " ".join(_UNSAFE.sub(" ", text[: limit * 4]).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


def json_or_text(text: str | bytes) -> Any:
    """The value of a JSON text, else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def without_secrets(address: str) -> str:
    """An address as messages show it: without user, password and query."""
    return _SECRET.sub(lambda found: "***@" if found[0].endswith("@") else "?***", address)[:200]


def check_key(variable: str, value: str) -> str:
    """The key in `value`, of the environment's `variable`. Errors: SetupError for one that no header can carry."""
    key = value.strip()
    if not key.isascii() or not key.isprintable():
        raise SetupError(f"{variable} has characters that no key has", "copy the key again", "setup")
    return key


def check_address(what: str, address: str, example: str, variable: str) -> None:
    """Errors: SetupError, which names the address as `what`, where no request can be sent to it, and where it holds a
    user, a password or a query: no client sends the former, and the latter would stand in the middle of the address.
    `variable` is where a key belongs."""
    shown = f"{what} {without_secrets(address)!r}"
    if not _is_address(address):
        raise SetupError(f"{shown} is no address", f"write it like {example}", "setup")
    if "@" in address or urlsplit(address).query:
        hint = f"write it like {example}; a key belongs into {variable}"
        raise SetupError(f"{shown} must not hold a user, a password or a query", hint, "setup")


def _is_address(address: str) -> bool:
    """Whether it is one of HTTP, with a host whose name can be looked up."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")  # as the system's look-up does: an empty label, or one that is too long, is none
    except ValueError:
        return False
    sendable = address.isprintable() and host != "" and not _NOT_OF_A_HOST.search(host) and port != 0
    return sendable and parts.scheme in ("http", "https")


def proxy_of(address: str) -> str | None:
    """The environment's proxy for an address: that of its scheme, else ALL_PROXY; None where NO_PROXY names it."""
    parts, proxies = urlsplit(address), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.hostname or ""):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def pool_for(address: str) -> PoolManager:
    """Connections to a server, kept for the next call, through the environment's proxy; threads may share them.

    Errors: SetupError for a proxy, or a file of certificates, that cannot be used.
    """
    from urllib3 import PoolManager, ProxyManager, make_headers
    from urllib3.exceptions import HTTPError

    # Made once and only where it is needed: the list of authorities is long.
    context = _trusted() if urlsplit(address).scheme == "https" else None
    proxy = proxy_of(address)
    if proxy is None:
        return PoolManager(maxsize=KEPT, ssl_context=context)
    try:
        parts = urlsplit(proxy)
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else None
        headers = make_headers(proxy_basic_auth=login)
        return ProxyManager(proxy, maxsize=KEPT, ssl_context=context, proxy_headers=headers)
    except (HTTPError, ValueError) as error:
        raise SetupError(f"the proxy cannot be used: {excerpt(str(error))}", _PROXIES, "setup") from error


def open_response(
    pool: PoolManager, method: str, url: str, body: bytes | None, headers: Mapping[str, str], seconds: float
) -> BaseHTTPResponse:
    """The response to one request; a read of it may take `seconds`. Its body is not yet read: a connection is used
    again once it was read to its end. A redirect is not followed, as it would take the key to another host, and nothing
    is tried again. Errors: those of urllib3."""
    from urllib3 import Timeout

    limits = Timeout(connect=CONNECT_SECONDS, read=seconds)
    return pool.urlopen(
        method, url, body=body, headers=headers, timeout=limits, redirect=False, retries=False, preload_content=False
    )


def body_text(response: BaseHTTPResponse) -> str | None:
    """The body of a response as text; None where it is longer than MAX_BODY_BYTES. Errors: those of urllib3."""
    data = bytearray()
    for piece in response.stream():
        data += piece
        if len(data) > MAX_BODY_BYTES:
            return None
    return data.decode("utf-8-sig", "replace")  # some servers send a mark before their JSON


def with_headers(headers: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Headers with those of the configuration, which take the place of those of the same name, whatever its case."""
    own = {name.lower() for name in more}
    return {name: value for name, value in headers.items() if name.lower() not in own} | dict(more)


def secrets_of(key: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    """What must not be shown of a server's words: the key, and the values of headers, with and without `Bearer`."""
    held = [word for value in headers.values() for word in (value, value.rpartition(" ")[2])]
    return (key, *sorted((word for word in held if len(word) >= _SHORTEST_SECRET), key=len, reverse=True))


def identity_with(address: str, headers: Mapping[str, str]) -> str:
    """An address, with a hash of the headers that may tell its answers from others, as a tenant's name does. A key is
    none of them: it may change between two runs."""
    told = sorted((name.lower(), value) for name, value in headers.items() if not _KEYS.search(name))
    return f"{address} {hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]}" if told else address


def _trusted() -> ssl.SSLContext:
    """The authorities of SSL_CERT_FILE or SSL_CERT_DIR, else those of certifi. Errors: SetupError for a bad file."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if not file and not folder:
        import certifi

        file = certifi.where()
    try:
        return ssl.create_default_context(cafile=file or None, capath=folder or None)
    except OSError as error:
        raise unreadable_authorities(error) from error


def unreadable_authorities(error: OSError) -> SetupError:
    """What to say where the file that the environment names for the authorities is missing, or is none."""
    said = f"the certificates of SSL_CERT_FILE or SSL_CERT_DIR cannot be used: {excerpt(error.strerror or str(error))}"
    return SetupError(said, "name a file of certificates in PEM form, or unset the variable", "setup")
