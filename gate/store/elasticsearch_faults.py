"""What went wrong with Elasticsearch, in words: which faults pass, and what to do about the others."""

from __future__ import annotations

import re
from typing import Any

from gate.errors import IndexMissingError, StoreError
from gate.providers.redact import without_secrets

TRANSIENT = frozenset([429, 502, 503, 504])
_PASSING = frozenset(["no_shard_available_action_exception", "unavailable_shards_exception", "cluster_block_exception"])
_GONE = "index_not_found_exception"
_HINTS = {
    401: "set `elasticsearch.api_key` (or ES_API_KEY), or `username` and `password`, to credentials that are valid",
    403: "give these credentials the privileges `read`, `write`, `manage` and `view_index_metadata` on the index "
    "and on `<index>-*`",
    413: "raise http.max_content_length of the server",
}


def is_transient(error: BaseException) -> bool:
    """Whether a repeat may succeed: the server is away, slow or busy."""
    from elastic_transport import TlsError
    from elasticsearch import ApiError, ConnectionError, ConnectionTimeout

    if isinstance(error, ApiError):
        return error.status_code in TRANSIENT
    return isinstance(error, ConnectionTimeout | ConnectionError) and not isinstance(error, TlsError)


def explained(error: Exception, server: str, request: str, attempts: int) -> StoreError:
    """The fault as a StoreError; `request` is its method and path. Anything that is not the client's is passed on."""
    from elastic_transport import TlsError
    from elasticsearch import ApiError, ConnectionTimeout, SerializationError, TransportError, UnsupportedProductError

    tried = f" ({attempts} attempts)" if attempts > 1 else ""
    match error:
        case StoreError():
            return error
        case UnsupportedProductError():
            return StoreError(f"{server} is not an Elasticsearch", "check `elasticsearch.host`; OpenSearch is not one")
        case ApiError():
            return _refused(error, server, request, tried)
        case TlsError():
            hint = "use https:// or http:// as the server does, and `elasticsearch.ca_certs` for its own authority"
            return StoreError(f"{server}: no secure connection: {_cause(error)}", hint)
        case ConnectionTimeout():
            return StoreError(f"{server} did not answer in time{tried}", "check its load, and the network between")
        case SerializationError():
            return StoreError(f"{server} gave an answer that is not JSON", "check that `host` is an Elasticsearch")
        case TransportError():
            hint = "check that it runs, and `elasticsearch.host` or ES_HOST with its port (often 9200)"
            return StoreError(f"{server} cannot be reached: {_cause(error)}{tried}", hint)
    raise error


def part_passes(part: Any) -> bool:
    """Whether a repeat may bring a part of an answer that failed; `part`: `error`, and the `status` of some."""
    return part.get("status") in TRANSIENT or _type(part.get("error")) in _PASSING


def part_explained(part: Any, server: str) -> StoreError:
    """The fault of a part of an answer as a StoreError."""
    error = part.get("error")
    if _type(error) == _GONE:
        return _gone(server, reason_of(error))
    return StoreError(f"{server} could not search: {reason_of(error)}", "see the log of the server")


def reason_of(error: Any) -> str:
    """The reason in an `error` of an answer, as one printable line."""
    while isinstance(error, dict):
        cause = error.get("caused_by")
        nested = cause.get("reason") if isinstance(cause, dict) else None
        error = nested or error.get("reason") or error.get("type") or "no reason given"
    return "".join(char if char.isprintable() else " " for char in str(error))[:300]


def _refused(error: Any, server: str, request: str, tried: str) -> StoreError:
    status = error.status_code
    body = error.body
    told = body.get("error") if isinstance(body, dict) else body and error.message
    reason = reason_of(told or "no reason given")
    if status == 401:
        return StoreError(f"{server} does not accept the credentials (401)", _HINTS[401])
    if status == 404 and isinstance(body, dict) and _type(body.get("error")) == _GONE:
        return _gone(server, reason)
    if 300 <= status < 400:
        place = without_secrets(reason_of(error.meta.headers.get("location") or "another address"))
        hint = "set `elasticsearch.host` (or ES_HOST) to the address of the server itself, with https:// if it wants it"
        return StoreError(f"{server} redirects to {place} ({status})", hint)
    if status in TRANSIENT or status >= 500:
        hint = "try again later; see the log of the server"
        return StoreError(f"{server} cannot serve requests ({status}): {reason}{tried}", hint)
    return StoreError(f"{server} refused {request} ({status}): {reason}", _HINTS.get(status, "see its log"))


def _gone(server: str, reason: str) -> IndexMissingError:
    return IndexMissingError(f"{server}: {reason}", "run `gate ingest` if it is not there, else start again")


def _type(error: Any) -> str:
    return str(error.get("type", "")) if isinstance(error, dict) else ""


def _cause(error: Any) -> str:
    """The reason in a message that may hold addresses of objects in memory."""
    text = str(error.message)
    found = re.search(r"\[Errno -?\d+\] ([^'\")\]]+)", text) or re.search(r"(certificate verify failed[^(]*)", text)
    return (found[1] if found else re.sub(r"<[^<>]*>:? ?", "", text))[:200].strip()
