"""The client of an Elasticsearch server, as the configuration and the environment want it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from gate.config import Elasticsearch, checked_address
from gate.errors import StoreError

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch as Client


def open_client(settings: Elasticsearch, environ: Mapping[str, str]) -> tuple[str, Client]:
    """(the name of the server in messages, a client); nothing is sent yet. Errors: StoreError where there is no usable
    address or certificate."""
    from elasticsearch import Elasticsearch as Client
    from elasticsearch import ElasticsearchWarning

    # The server's remarks on its own set-up are no matter of the gate's users.
    warnings.filterwarnings("ignore", category=ElasticsearchWarning)
    host = settings.host or ("" if settings.cloud_id else environ.get("ES_HOST", ""))
    if not host and not settings.cloud_id:
        raise StoreError("no address of an Elasticsearch is given", "set `elasticsearch.host` or ES_HOST")
    options: dict[str, Any] = {"max_retries": 0, "meta_header": False}
    if settings.username and settings.password:
        options["basic_auth"] = (settings.username, settings.password.get_secret_value())
    elif key := settings.api_key.get_secret_value() if settings.api_key else environ.get("ES_API_KEY", ""):
        options["api_key"] = _sendable(key)
    if settings.ca_certs:
        options["ca_certs"] = settings.ca_certs
    try:
        if host:
            address = with_port(checked_address(host))
            return address, Client(address, **options)
        return "the Elasticsearch of `cloud_id`", Client(cloud_id=settings.cloud_id, **options)
    except (ValueError, OSError) as error:
        where = "`elasticsearch` in the configuration" if settings.host or settings.cloud_id else "ES_HOST"
        raise StoreError(f"cannot connect to Elasticsearch: {error!s:.200}", f"check {where}") from error


def with_port(address: str) -> str:
    """The address with the port of its scheme where it names none: 443 or 80, as everywhere; messages then show it."""
    parts = urlsplit(address)
    if parts.port is not None:
        return address
    port = 443 if parts.scheme == "https" else 80
    return urlunsplit(parts._replace(netloc=f"{parts.netloc.rstrip(':')}:{port}"))


def _sendable(key: str) -> str:
    """The key without the line break that a file adds. Errors: StoreError for one that no header can carry."""
    key = key.strip()
    if not key.isascii() or not key.isprintable():
        raise StoreError("the API key of Elasticsearch has characters that no key has", "copy the key again")
    return key
