"""Words of strangers made fit for one line of an error message."""

from __future__ import annotations

import re

# C0 and C1 controls (terminal escapes among them), zero-width characters and marks that change the writing direction.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")


def excerpt(text: str, limit: int = 300, secrets: tuple[str, ...] = ()) -> str:
    """At most `limit` characters of `text` on one line; a given secret is blotted out first."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    line = " ".join(_UNSAFE.sub(" ", text[: limit * 4]).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."
