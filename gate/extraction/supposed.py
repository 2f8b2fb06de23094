"""Questions that an answer asks to suppose something: `All three failed? Then it is shut` is one conditional claim."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gate.extraction.complete import complete
from gate.extraction.nonclaims import nonclaim
from gate.extraction.polar import head

_LONGEST = 160  # characters of such a question
_THEN = re.compile(r"then\b", re.IGNORECASE)
_MARKED = re.compile(r"[*_`#]|^\W*(?:q|question|faq|user|customer)\b", re.IGNORECASE)  # a heading: `**Cost?** 5 euros`


def supposed(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences of a block, with a question that only supposes something joined to what then is so: one with `then`
    behind it, or a few words without a verb that ask nothing (`Lost?`)."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and _joins(text[found[-1][0] : found[-1][1]].strip(), text[start:end]):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _joins(asked: str, told: str) -> bool:
    """Whether `told` says what is so if what `asked` supposes is."""
    if not asked.endswith("?") or len(asked) > _LONGEST or _MARKED.search(asked) or told.rstrip().endswith(("?", ":")):
        return False
    if _THEN.match(told):
        return True
    whole = complete(told) and not head(told) and not nonclaim(told)
    return whole and not nonclaim(asked) and not complete(asked)
