"""Code without a fence: indented lines that are surely code, which Markdown shows as such."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.extraction.leads import unfinished
from gate.text import Block

_INDENT = re.compile(r"(?: {4}|\t| {1,3}\t)")
_CODE = re.compile(
    r"(?:(?:export|const|let|var) )?[\w.\[\]\"']{1,80}(?:: ?[\w.\[\]]{1,40})? ?[-+*/|]?= ?\S"  # an assignment
    r"|[\w.]{1,80}\((?:.{0,400}[)\]},:;(\[{\\])?(?: *(?:#|//).*)?$"  # a call
    r"|(?:import|from|def|class|async|await|return|raise|assert|const|let|var|func|fn|export) [\w({*.\"']{1,80}"
    r"(?:$|[ (:,;=.].{0,400}[)\]}:;,({]$|(?: import| as|,) .{0,400}$)"
    r"|(?:with|for|while|if|elif|try|except|else|finally)\b.{0,400}[:{]$"
    r"|(?:\$|>>>|#!|//|@\w) ?\S|(?:pip3?|npm|npx|curl|docker|sudo|brew) [a-z-]"
)


def with_code(text: str, blocks: list[Block]) -> Iterator[Block]:
    """`blocks` with a code block for each indented line that is code; one by one, as the lines of a fence come."""
    for block in blocks:
        yield from _parts(text, block) if block.kind in ("text", "item") else [block]


def _parts(text: str, block: Block) -> Iterator[Block]:
    """A block cut where its lines change between prose and code."""
    at, prose = block.start, block.start
    shown = False  # the line before is code
    lead = text[: block.start].rstrip().rpartition("\n")[2]
    waited = block.kind == "text" and lead.endswith(":") and unfinished(lead)  # `Run:`
    for line in text[block.start : block.end].splitlines(keepends=True):
        end = at + len(line)
        own = at > block.start or block.kind == "text"  # the first line of an item stands behind its marker
        code = own and _INDENT.match(line) is not None and line.strip()[-1:] not in ".!?"
        code = code and (shown or waited or _CODE.match(line.strip()) is not None)
        if code:
            if text[prose:at].strip():
                yield Block(block.kind if prose == block.start else "text", prose, at, block.level)
            yield Block("code", end - len(line.lstrip()), at + len(line.rstrip()))
            prose = end
        shown, at = code, end
    if text[prose : block.end].strip():
        yield Block(block.kind if prose == block.start else "text", prose, block.end, block.level)
