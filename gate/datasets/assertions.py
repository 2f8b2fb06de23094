"""Assertions of promptfoo: those that name the right answer give a reference, the others are kept as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gate.datasets.base import objects
from gate.datasets.columns import text_of

# The kinds that name an answer, the most exact first; several of a kind are parts (or, for -any, choices) of one.
KINDS = (
    *("equals", "factuality", "model-graded-factuality", "similar", "context-recall", "contains-all", "icontains-all"),
    *("contains", "icontains", "starts-with", "contains-any", "icontains-any", "levenshtein", "rouge-n", "bleu"),
)
_SHORTHAND = re.compile(r"(not-)?([a-z][a-z-]{1,40})(?:\([\d.]{1,9}\))?:\s*(.*)", re.DOTALL)
_OTHER = frozenset(("regex", "javascript", "python", "llm-rubric", "g-eval", "is-json", "contains-json", "webhook"))
_NAMES = {"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}
_SLOT = re.compile(r"\{\{\s{0,9}([A-Za-z_]\w{0,99})\s{0,9}\}\}")


def shorthand(cell: str) -> dict[str, Any]:
    """A cell of a column `__expected`: `contains: Paris`, `similar(0.8): Paris`, or the answer itself."""
    found = _SHORTHAND.fullmatch(cell.strip())
    kind = _NAMES.get(found[2], found[2]) if found else ""
    if found is None or kind not in (*KINDS, *_OTHER):
        return {"type": "equals", "value": cell}
    value = found[3]
    listed = kind.endswith(("-all", "-any"))
    return {
        "type": f"{found[1] or ''}{kind}",
        "value": [part.strip() for part in value.split(",")] if listed else value,
    }


def assertions_of(value: Any) -> list[dict[str, Any]]:
    """All assertions, those of sets among them."""
    found: list[dict[str, Any]] = []
    for check in objects(value):
        found += objects(check["assert"]) if check.get("type") == "assert-set" and "assert" in check else [check]
    return found


def reference_of(checks: Sequence[dict[str, Any]], variables: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """(the answer that the most exact assertions name, empty if none does; the assertions that were not used)."""
    for kind in KINDS:
        used = [check for check in checks if str(check.get("type")).partition(":")[0] == kind]
        texts = [text for check in used for text in _texts(check.get("value"), variables)]
        if texts:
            link = " or " if kind.endswith("-any") else "; "
            return link.join(dict.fromkeys(texts)), [check for check in checks if check not in used]
    return "", list(checks)


def _texts(value: Any, variables: Mapping[str, Any]) -> list[str]:
    """The texts of a value; a `{{variable}}` is filled in, what stands in another file is not."""
    found = []
    for part in value if isinstance(value, list) else [value]:
        text = text_of(part) or ""
        slot = _SLOT.fullmatch(text.strip())
        text = (text_of(variables.get(slot[1])) or "") if slot else text
        if text.strip() and not text.startswith("file://"):
            found.append(text)
    return found
