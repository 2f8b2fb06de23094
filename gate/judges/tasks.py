"""Lists of tasks, of which some are ticked: what is not ticked there is planned, and not said to be so."""

from __future__ import annotations

import re

_MARK = r"[ \t>]{0,40}(?:[-*+]|\d{1,3}[.)])[ \t]+"
_ITEM = rf"(?m)^{_MARK}"
_DONE = re.compile(_ITEM + r"\[[xX]\][ \t]+\S")
_OPEN = re.compile(_ITEM + r"\[ \][ \t]+(?=\S)")
_BOX = re.compile(r"\[ \][ \t]+\Z")
_TOLD = re.compile(rf"(?m)^(?:{_MARK})?\[ \][ \t]+(?=\S)")
PLANNED = "Planned, but it does not yet have "  # of several wordings the one that a reader takes best


def has_plans(text: str) -> bool:
    """Whether a passage lists what is done and what is not. Boxes of which none is ticked are those of a checklist:
    what the reader of the document has to do."""
    return "[ ]" in text and _OPEN.search(text) is not None and _DONE.search(text) is not None


def with_box(text: str, start: int) -> int:
    """Where a sentence begins, with the empty box in front of it if there is one."""
    box = _BOX.search(text, max(0, start - 12), start)
    return box.start() if box else start


def told(piece: str) -> str:
    """Sentences of a passage that has plans, as a reader is shown them."""
    return _TOLD.sub(PLANNED, piece)
