"""Rule-made changes of what goes with which: a neighbour's value, a neighbour's condition, the halves of a sentence.

Sentence encoders are weak at this until they see pairs of the same words in another order (PAWS, Zhang et al. 2019).
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

Rng = random.Random
_AMOUNT = re.compile(r"(?<![\w.,:-])(\d[\d,]*(?:\.\d+)?)(?![:.]\d|\.\s|\w)(\s?%|\s[a-zA-Z]{2,12}|\s?[€$£])?")
_CONDITION = r"(?:if|unless|when|until|before|after|without|while|for)"
_BEHIND = re.compile(rf"^(?P<main>[^,;:]{{15,120}}?),? (?P<cond>{_CONDITION} [^,;:]{{8,80}}?)[.]?$")
_AHEAD = re.compile(rf"^(?P<cond>{_CONDITION} [^,;:]{{8,80}}), (?P<main>[^,;:]{{15,120}}?)[.]?$", re.I)
_HALVES = re.compile(r"; |, (?:and|but|while|whereas) ")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|can|may|must|will|does|do|cannot|should|costs?|takes?|needs?|gets?|returns?)\b"
)
_LEANS = re.compile(r"\b(?:it|they|them|this|that|these|those|then|both|either|neither|otherwise)\b", re.I)


def neighbour(text: str, others: Sequence[str], rng: Rng) -> str | None:
    """One amount of the sentence in the place of another of the same unit: from a sentence beside it, or its own two
    exchanged."""
    own = list(_AMOUNT.finditer(text))
    if not own:
        return None
    hit = rng.choice(own)
    unit = (hit[2] or "").strip()
    twins = [m for m in own if (m[2] or "").strip() == unit and m[1] != hit[1]]
    if twins and rng.random() < 0.5:
        return _exchanged(text, hit, rng.choice(twins))
    held = {m[1] for m in own}
    foreign = [m[1] for o in others for m in _AMOUNT.finditer(o) if (m[2] or "").strip() == unit and m[1] not in held]
    return text[: hit.start(1)] + rng.choice(foreign) + text[hit.end(1) :] if foreign else None


def _exchanged(text: str, one: re.Match[str], other: re.Match[str]) -> str:
    a, b = sorted((one, other), key=lambda m: m.start())
    return text[: a.start(1)] + b[1] + text[a.end(1) : b.start(1)] + a[1] + text[b.end(1) :]


def taken_apart(text: str) -> tuple[str, str] | None:
    """(what holds, its condition) of a sentence that has one condition; None for any other."""
    found = _AHEAD.match(text) or _BEHIND.match(text)
    return (found["main"], found["cond"]) if found else None


def condition(text: str, others: Sequence[str], rng: Rng) -> str | None:
    """What holds in this case, said of the case of another sentence."""
    own = taken_apart(text)
    foreign = [parts[1] for parts in map(taken_apart, others) if parts and not _LEANS.search(parts[1])]
    if own is None or not foreign:
        return None
    main, case = own[0], rng.choice(foreign)
    if case.lower() == own[1].lower():
        return None
    if rng.random() < 0.5:
        return f"{main[:1].upper()}{main[1:]} {case[:1].lower()}{case[1:]}."
    return f"{case[:1].upper()}{case[1:]}, {main[:1].lower() if main.split()[0].istitle() else main[:1]}{main[1:]}."


def half(text: str, rng: Rng) -> str | None:
    """One half of a sentence of two, if it stands by itself: what a joined sentence says of each of the two."""
    parts = _HALVES.split(text.rstrip("."))
    whole = [p for p in parts if 4 <= len(p.split()) <= 25 and _VERB.search(p) and not _LEANS.search(p)]
    if len(parts) != 2 or not whole:
        return None
    said = rng.choice(whole)
    return f"{said[:1].upper()}{said[1:]}."


def bound(text: str, others: Sequence[str], rng: Rng) -> tuple[str, str] | None:
    """(kind, changed) by one of these rules, None where none applies."""
    made = [("neighbour", neighbour(text, others, rng)), ("condition", condition(text, others, rng))]
    found = [(kind, changed) for kind, changed in made if changed and changed.lower() != text.lower()]
    return rng.choice(found) if found else None
