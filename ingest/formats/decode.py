"""Bytes to text: UTF-8, or what a byte order mark or a declaration says; nothing is guessed."""

from __future__ import annotations

import re

from gate.errors import SourceError

BOMS = (  # the longer ones first: the mark of UTF-32-LE begins with that of UTF-16-LE
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# What a page may declare (a list, because codecs like punycode are slow on hostile input). As browsers do it, Latin-1
# and ASCII are read as Windows-1252, and the declaration of a 16-bit encoding in an 8-bit text as UTF-8.
DECLARED = {
    **dict.fromkeys(["utf-8", "utf8", "utf-16", "utf-16le", "utf-16be"], "utf-8"),
    **dict.fromkeys(["iso-8859-1", "latin1", "ascii", "us-ascii", "windows-1252", "cp1252"], "cp1252"),
    **{f"iso-8859-{n}": f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)},
    **{f"windows-{n}": f"cp{n}" for n in (874, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258)},
    **{name: name for name in ("koi8-r", "koi8-u", "gbk", "gb18030", "big5", "euc-jp", "euc-kr", "shift_jis")},
    "gb2312": "gbk",
}
HEAD_BYTES = 4096  # where a declaration must stand
# Only in the tags that declare one: a page may speak of an encoding, or load a script that is in another one.
DECLARATION = re.compile(
    rb"""<(?:meta\b[^<>]{0,300}?\bcharset|\?xml\b[^<>]{0,300}?\bencoding)\s{0,9}=\s{0,9}["']?([A-Za-z0-9_-]{2,20})""",
    re.IGNORECASE,
)
LONG_GAP = re.compile(r"[^\S\n]{200,}")  # blanks that no reader needs, and that would make a chunk of any length


def decode(data: bytes) -> str:
    """Text with a line feed for each line break of the file. Raises SourceError."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _decode(data, encoding)
    if b"\0" in data:
        raise SourceError("is not text: it has NUL bytes", "a binary file, or UTF-16 without a byte order mark")
    return _decode(data, "utf-8")


def decode_html(data: bytes) -> str:
    """As `decode`, but a page may declare another encoding (`<meta charset>`, `<?xml encoding?>`)."""
    found = DECLARATION.search(data, 0, HEAD_BYTES)
    if found is None or any(data.startswith(mark) for mark, _ in BOMS) or b"\0" in data:
        return decode(data)
    name = found[1].decode("ascii").lower()
    if name not in DECLARED:
        raise SourceError(f"declares the encoding {name}, which is not read here", "convert it to UTF-8 with iconv")
    return _decode(data, DECLARED[name])


def _decode(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        shown = "UTF-8" if encoding == "utf-8-sig" else encoding.upper()
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"is not {shown}: byte 0x{data[error.start]:02x} on line {line}",
            "convert it, for instance with: iconv -f WINDOWS-1252 -t UTF-8, if that is what it is",
        ) from None
    return LONG_GAP.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
