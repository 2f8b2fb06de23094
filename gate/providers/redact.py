"""What may be shown (strangers' words, addresses) and what may be sent (keys, addresses), secrets left out."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from gate.errors import SetupError

# C0 and C1 controls (terminal escapes among them), zero-width characters and marks that change the writing direction.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
# Up to the last @, wherever it stands: a password may hold what ends a host.
_SECRET = re.compile(r"(?:(?<=//)|^(?!\w+://)).*@|\?.*", re.DOTALL)
_NOT_OF_A_HOST = re.compile(r"[\s\"'<>{}|\\^`]")


def excerpt(text: str, limit: int = 300, secrets: tuple[str, ...] = ()) -> str:
    """At most `limit` characters of `text` on one line, fit for an error message; `secrets` are blotted out first."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    line = " ".join(_UNSAFE.sub(" ", text[: limit * 4]).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


def without_secrets(address: str) -> str:
    """An address as messages show it: without user, password and query."""
    return _SECRET.sub(lambda found: "***@" if found[0].endswith("@") else "?***", address)[:200]


def check_key(variable: str, value: str) -> str:
    """The key in `value`, of the environment's `variable`. Errors: SetupError for one that no header can carry."""
    key = value.strip()
    if not key.isascii() or not key.isprintable():
        raise SetupError(f"{variable} has characters that no key has", "copy the key again", "setup")
    return key


def is_address(address: str) -> bool:
    """Whether a request can be sent to this address: one of HTTP, with a host whose name can be looked up."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        host.encode("idna")  # as the system's look-up does: an empty label, or one that is too long, is none
        port = parts.port
    except ValueError:
        return False
    sendable = address.isprintable() and host != "" and not _NOT_OF_A_HOST.search(host) and port != 0
    return sendable and parts.scheme in ("http", "https")


def refuse_secrets(what: str, address: str, hint: str) -> None:
    """No client sends a user or a password that stand in an address, and a query would stand in the middle of it.

    Errors: SetupError, which names the address as `what`.
    """
    if "@" in address or urlsplit(address).query:
        raise SetupError(
            f"{what} {without_secrets(address)!r} must not hold a user, a password or a query", hint, "setup"
        )
