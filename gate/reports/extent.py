"""What a verdict does not speak of: prompts that were left out, because of a limit or on purpose."""

from __future__ import annotations

from collections.abc import Iterator

from gate.reports.document import VerdictDocument
from gate.reports.safe import line


def left_out(document: VerdictDocument) -> Iterator[str]:
    """A sentence for each thing that makes it the verdict of a part; none for that of a whole run."""
    if document.get("partial"):
        yield "This verdict is partial: not every prompt was asked or judged."
    if shard := document.get("shard"):
        yield f"This is shard {line(shard, 20)} of a run: gate merge joins all of them into its verdict."
    if limit := document.get("limit"):
        yield f"Only the first prompts were asked, at most {limit:,} of them (--limit)."
