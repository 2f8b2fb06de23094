"""Items of a list: which of them say something without the lead-in above."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.extraction.grammar import clause, compound, imperative
from gate.extraction.leads import denies, forbids, goes_on, ties, unfinished
from gate.extraction.leaning import leans
from gate.extraction.lexicon import PREPOSITIONS, THIRD
from gate.extraction.segments import Unit
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.wording import one_line

_GOAL = ("to ", "in order to ", "if ", "when ")
_FALSE = re.compile(  # what stands below is no statement
    r"\b(?:wrong|false|untrue|incorrect|inaccurate|myths?|misconceptions?|lies|rumou?rs?|"
    r"(?:not|never|none|neither|nothing)(?: [\w'’-]+){0,4} (?:true|correct|right|so|the case))\b|"
    r"n['’]t(?: [\w'’-]+){0,2} (?:true|correct|right|so|the case)\b",
    re.IGNORECASE,
)
NEAR = 60  # units between a lead-in and its items
_SHORT = 3  # words of an order that may be a name: `Email support`, `Free shipping`
_BESIDE = 8  # items before and behind that tell which


def standalone(answer: str, units: Sequence[Unit], i: int) -> bool:
    """Whether an item says something without its lead-in: subject and verb, or an order that serves no stated goal."""
    unit = units[i]
    text, lead = one_line(answer[unit.start : unit.end]), unit.lead.lower()
    found = tokenise(text, 0, len(text))
    colon = next((i for i, token in enumerate(found[:8]) if token.text in (":", "—", "–", "-")), -1)
    if (colon < 0 and found and found[0].text in THIRD) or leans(text[found[colon].end :] if colon >= 0 else text):
        return False  # `Includes phone support`: its subject is the lead-in
    if ties(unit.lead) and (colon < 0 or unfinished(unit.lead)):
        return False
    if clause(found, colon + 1):
        return not compound(found, colon + 1) and not lead.startswith(_GOAL) and not _FALSE.search(lead)
    sure = len(found) > _SHORT + colon + 1 and found[colon + 2].text not in PREPOSITIONS  # `Help with the move` is none
    listed = sure and found[colon + 1].capital and lead.rstrip(": ").endswith((" are", " is"))  # `The steps are`
    meant = not lead.startswith(_GOAL) and (not denies(lead) or forbids(text))
    order = _order(found, colon + 1) and meant and (listed or not unfinished(lead))
    return order and (sure or _among_orders(answer, units, i))


def run_on(answer: str, units: Sequence[Unit], i: int) -> bool:
    """Whether an item goes on with a line above that no colon ends: `The fee is waived` + `for students`."""
    raw = answer[units[i].start : units[i].end]
    if not raw[:1].islower() or not goes_on(raw):
        return False
    near = (units[j] for j in range(i - 1, max(i - NEAR, 0) - 1, -1))
    above = next((answer[unit.start : unit.end] for unit in near if unit.kind == "lead"), ":")
    return not above.rstrip("*_ ").endswith(":")


def limited(answer: str, units: Sequence[Unit], i: int) -> bool:
    """Whether what stands under a heading says when it holds: `The fee is waived` + `if you are new`."""
    below = units[i + 1] if i + 1 < len(units) else units[i]
    goes = below.kind == "item" and goes_on(answer[below.start : below.end])
    return goes and not standalone(answer, units, i + 1)


def _order(tokens: Tokens, start: int) -> bool:
    return imperative(tokens, start) and len(tokens) > start + 1  # `Digest` names something


def _among_orders(answer: str, units: Sequence[Unit], i: int) -> bool:
    """Whether most items of the list are orders or statements, as the i-th may be one."""
    near = [
        one_line(answer[unit.start : unit.end])
        for unit in units[max(0, i - _BESIDE) : i + _BESIDE + 1]
        if unit.kind in ("item", "lead") and (unit.lead, unit.outer) == (units[i].lead, units[i].outer)
    ]
    read = [tokenise(text, 0, len(text)) for text in near]
    return 2 * sum(_order(tokens, 0) or clause(tokens, 0) for tokens in read) > len(read)
