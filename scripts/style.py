"""Check the style of the documentation: short sentences, plain words.

python scripts/style.py            # README.md and the like, and docs/ without the reference
python scripts/style.py FILE...    # these files

Code, tables and headings are not prose and are left out. The exit code is 1 where a rule is broken.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_WORDS = 35
# What a word is to be replaced by. The words tell a reader that something is easy, or hide who does it.
WORDS = {
    r"(?:is|are|was|were|be) told": "say who tells it: `the report shows`",
    r"simply": "leave it out",
    r"just": "leave it out, or say `only`",
    r"please": "leave it out",
}
_FENCED = re.compile(r"^ *(```|~~~).*?^ *\1", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`+[^`]+`+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NOT_PROSE = re.compile(r" {4}|#|\||<!--|\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
_END = re.compile(r"(?<=[.!?])[*_)\"”]*\s+(?=[*_(\"“]*[A-Z0-9`])")


def main(names: Sequence[str] = ()) -> int:
    """Print what breaks a rule."""
    paths = [Path(name) for name in names] or pages()
    faults = [f"{path}:{line}: {what}" for path in paths for line, what in check(path.read_text(encoding="utf-8"))]
    print("\n".join([*faults, f"{len(paths)} pages, {len(faults)} faults of style"]))
    return int(bool(faults))


def pages() -> list[Path]:
    """The pages that people write: the reference is made of the code, and checked against it."""
    written = [page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "reference"]
    return [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "action/README.md")),
        *sorted(written),
    ]


def check(text: str) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of each fault."""
    for line, paragraph in paragraphs(text):
        for word, instead in WORDS.items():
            for found in re.findall(rf"\b{word}\b", paragraph, re.IGNORECASE):
                yield line, f"{found!r}: {instead}"
        for sentence in _END.split(paragraph):
            if (count := len(sentence.split())) > MOST_WORDS:
                yield line, f"a sentence of {count} words, at most {MOST_WORDS}: {sentence[:60]}..."


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """(first line, text) of each paragraph and list item; a piece of code is one word."""
    text = _FENCED.sub(lambda found: "\n" * found[0].count("\n"), text)
    begun, words = 0, list[str]()
    for number, line in enumerate([*text.split("\n"), ""], 1):
        item = _ITEM.match(line)
        inside = bool(words) and line.strip()  # an indented line that goes on with a list item
        if item or (_NOT_PROSE.match(line) and not (inside and line.startswith("  "))):
            if words:
                yield begun, _LINK.sub(r"\1", _CODE.sub("CODE", " ".join(words)))
            begun, words = number, []
            line = line[item.end() :] if item else ""
        if line.strip():
            begun, words = (begun if words else number), [*words, line.strip()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
