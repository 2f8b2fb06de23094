"""Strangers' text made harmless: control and invisible characters shown, lines kept single, long texts cut."""

from __future__ import annotations

import re
from urllib.parse import quote

# Control, format, surrogate and separator characters that hide, reorder or end what stands around them. Left alone are
# \n and \t, the joiners that some scripts and emoji need (U+200C, U+200D), and format characters that are drawn.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
_SPELLED = {
    "✗": "x", "✓": "+", "≤": "<=", "≥": ">=", "•": "*", "·": "-", "─": "-", "━": "=", "┆": "|", "●": "o", "…": "...",
    "“": '"', "”": '"', "‘": "'", "’": "'", "→": "->", "−": "-", "–": "-", "—": "-", "›": ">", "»": ">>", "«": "<<",
    "×": "x", "\xa0": " ",
}  # fmt: skip
_BLANKS = re.compile(r"\s+")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def visible(text: str) -> str:
    """The text with every hidden character shown: C0 controls as their pictures (escape as `␛`), the others as
    `⟨U+202E⟩`; CR LF becomes LF. Nothing that this returns moves a cursor, a direction or a line."""
    return _HIDDEN.sub(_shown, text.replace("\r\n", "\n"))


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def line(text: str, limit: int = 0) -> str:
    """The text on one line: hidden characters shown, runs of blanks and line ends as one blank, cut to `limit`."""
    flat = _BLANKS.sub(" ", visible(text)).strip()
    return cut(flat, limit) if limit else flat


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis where something is missing."""
    return text if len(text) <= limit else text[: max(0, limit - 1)].rstrip() + "…"


def place(source: str, number: int) -> str:
    """Where a quote stands, for people: `docs/api.md:12`, `manual.pdf, page 3`."""
    name = line(source)
    if number <= 0:
        return name
    return f"{name}, page {number}" if name.lower().endswith(".pdf") else f"{name}:{number}"


def path_of(source: str, folder: str = "") -> str | None:
    """The source as a path relative to the repository, percent-encoded for a URI; None for what is not in it. `folder`
    is the one that the source is seen from, percent-encoded."""
    path = source.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    if not path or path.startswith("/") or _SCHEME.match(path) or ".." in path.split("/"):
        return None
    return f"{folder}/".lstrip("/") + quote(path.encode("utf-8", "replace"), safe="/-._~")


def link_to(base: str, source: str, number: int) -> str | None:
    """The address of a line below `base` (for instance `https://host/owner/name/blob/sha`), or None."""
    path = path_of(source)
    if not base or path is None:
        return None
    anchor = f"#L{number}" if number > 0 and not path.lower().endswith(".pdf") else ""
    plain = "?plain=1" if anchor and path.lower().endswith((".md", ".rst")) else ""
    return f"{base.rstrip('/')}/{path}{plain}{anchor}"


def spelled(text: str, encoding: str) -> str:
    """The text in characters that `encoding` has: the signs of the reports spelled otherwise, anything else as `?`."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_spelled(sign, encoding) for sign in text)
    return text


def _spelled(sign: str, encoding: str) -> str:
    if sign.encode(encoding, "ignore"):
        return sign
    return _SPELLED.get(sign, "?")


def workflow_safe(text: str) -> str:
    """Lines that a GitHub runner would read as a command (`::error::`, `##[group]`) made into plain ones."""
    return re.sub(r"(?m)^((?:\s|\x1b\[[0-9;]*m)*):(?=:)", r"\1: ", text).replace("##[", "## [")
