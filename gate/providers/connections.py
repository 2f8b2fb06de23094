"""The HTTP connections to one model server, kept for the next call; they go through the environment's proxy."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from gate.errors import SetupError
from gate.providers.redact import excerpt

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

CONNECT_SECONDS = 10.0
KEPT = 512  # idle connections: as many as calls may be in flight, or each would be made anew


class Connections:
    """Posts to one server; threads may share it. Redirects are not followed and nothing is tried again."""

    def __init__(self, address: str, headers: Mapping[str, str], timeout: float) -> None:
        """`headers` go with every request; `timeout` in seconds bounds each read and write.

        Errors: SetupError for a proxy that cannot be used.
        """
        from urllib3 import Timeout

        self.headers = {"Content-Type": "application/json", **headers}
        self.timeout = Timeout(connect=CONNECT_SECONDS, read=timeout)
        self._pool = _pool(address)

    @contextmanager
    def post(self, url: str, body: bytes) -> Iterator[BaseHTTPResponse]:
        """The response, its body not yet read: a connection is used again once it was read to its end.

        Errors: urllib3.exceptions.HTTPError, here and while it is read.
        """
        with self._pool.request(
            "POST",
            url,
            body=body,
            headers=self.headers,
            timeout=self.timeout,
            retries=False,
            redirect=False,
            preload_content=False,
        ) as response:
            yield response

    def close(self) -> None:
        """Close the idle connections; safe to call twice."""
        self._pool.clear()


def _pool(address: str) -> PoolManager:
    from urllib3 import PoolManager, ProxyManager, make_headers
    from urllib3.exceptions import HTTPError

    # Made once and only where it is needed: the list of authorities is long.
    context = _trusted() if urlsplit(address).scheme == "https" else None
    proxy = proxy_of(address)
    if proxy is None:
        return PoolManager(maxsize=KEPT, ssl_context=context)
    try:
        parts = urlsplit(proxy)
        login = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}" if parts.username else None
        return ProxyManager(
            proxy, maxsize=KEPT, ssl_context=context, proxy_headers=make_headers(proxy_basic_auth=login)
        )
    except (HTTPError, ValueError) as error:
        hint = "set HTTP_PROXY, HTTPS_PROXY or ALL_PROXY to an http:// or https:// address, or NO_PROXY to go without"
        raise SetupError(f"the proxy cannot be used: {excerpt(str(error))}", hint, "setup") from error


def proxy_of(address: str) -> str | None:
    """The environment's proxy for an address: that of its scheme, else ALL_PROXY; None where NO_PROXY names it."""
    parts, proxies = urlsplit(address), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.hostname or ""):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


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
