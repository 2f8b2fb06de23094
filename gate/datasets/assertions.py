"""Assertions of promptfoo: those that name the right answer give a reference, the others are kept as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gate.datasets.base import Ledger, objects, says
from gate.datasets.columns import text_of

# The kinds that name an answer, the most exact first; several of a kind are parts (or, for -any, choices) of one.
KINDS = (
    *("equals", "factuality", "model-graded-factuality", "similar", "context-recall", "contains-all", "icontains-all"),
    *("contains", "icontains", "starts-with", "contains-any", "icontains-any", "levenshtein", "rouge-n", "bleu"),
)
_SHORTHAND = re.compile(r"(not-)?([a-z][a-z-]{1,40})(?:\(([\d.]{1,9})\))?:\s*(.*)", re.DOTALL)
_OTHER = frozenset(("regex", "javascript", "python", "llm-rubric", "g-eval", "is-json", "contains-json", "webhook"))
_NAMES = {"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}
_SLOT = re.compile(r"\{\{\s{0,9}([A-Za-z_]\w{0,99})\s{0,9}\}\}")


def shorthand(cell: str) -> dict[str, Any]:
    """A cell of a column `__expected`: `contains: Paris`, `similar(0.8): Paris`, or the answer itself."""
    found = _SHORTHAND.fullmatch(cell.strip())
    kind = _NAMES.get(found[2], found[2]) if found else ""
    if found is None or kind not in (*KINDS, *_OTHER):
        return {"type": "equals", "value": cell}
    value = found[4]
    listed = kind.endswith(("-all", "-any"))
    return {
        "type": f"{found[1] or ''}{kind}",
        "value": [part.strip() for part in value.split(",")] if listed else value,
        **({"threshold": found[3]} if found[3] else {}),
    }


def assertions_of(value: Any, ledger: Ledger) -> list[dict[str, Any]]:
    """All assertions, those of sets among them; what a set says besides is counted as left out."""
    found: list[dict[str, Any]] = []
    for check in objects(value, ledger=ledger):
        if check.get("type") == "assert-set" and isinstance(check.get("assert"), list | dict):
            found += objects(check["assert"], ledger=ledger)
            ledger.rest("field of a set of assertions", check, {"type", "assert"})
        else:
            found.append(check)
    return found


def reference_of(
    checks: Sequence[dict[str, Any]], variables: Mapping[str, Any], ledger: Ledger
) -> tuple[str, list[dict[str, Any]]]:
    """(the answer that the most exact assertions name, empty if none does; the assertions that were not used). What the
    used ones say besides the answer, as their kind and threshold, is counted as left out."""
    for kind in KINDS:
        named = [(check, _texts(check, variables)) for check in checks if str(check.get("type")).split(":")[0] == kind]
        used = [check for check, texts in named if texts]
        if used:
            for check in used:
                ledger.out("kind of an assertion that gave the reference", str(check["type"]))
                ledger.rest("field of an assertion that gave the reference", check, {"type", "value"})
            link = " or " if kind.endswith("-any") else "; "
            answer = link.join(dict.fromkeys(text for _, texts in named for text in texts))
            return answer, [check for check in checks if check not in used]
    return "", list(checks)


def _texts(check: Mapping[str, Any], variables: Mapping[str, Any]) -> list[str]:
    """The texts of the value; a `{{variable}}` is filled in. None where a part is no text or stands in another file:
    such an assertion is kept as it is."""
    value = check.get("value")
    found = [_filled(part, variables) for part in (value if isinstance(value, list) else [value]) if says(part)]
    return [] if "" in found else found


def _filled(part: Any, variables: Mapping[str, Any]) -> str:
    text = text_of(part) or ""
    slot = _SLOT.fullmatch(text.strip())
    text = (text_of(variables.get(slot[1])) or "") if slot else text
    return "" if text.startswith("file://") or not text.strip() else text
