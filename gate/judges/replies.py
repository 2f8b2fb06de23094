"""The strict reader of a judging model's replies: every claim gets one ruling that can be used, or a reason why not."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.records import Label
from gate.text.output import parse_lists, repeated_key, sanitise, values_of

MISSING = "the judge gave no verdict on it"
_CONTRADICTED = "contradicted"
_WHY = 240  # characters of a justification
_SUPPORTED = re.compile(r"[\W_]*supported[\W_]*", re.IGNORECASE)
_OPENING, _CLOSING = ("{", "[", "`"), ("}", "]", "`")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the model said of one claim; `sentences` are numbers that were offered."""

    label: Label
    contradicted: bool
    sentences: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A reply as read: each of the claims asked for is in `rulings` or, with its reason, in `unresolved`.
    `whole`: nothing was cut off and every entry could be read; `cut`: it began well and broke off.
    `called_supported`: those with an entry that says so, whether it can be used or not. `spent`: its room was at an end
    before any list began, as where a model thinks before it answers."""

    rulings: Mapping[int, Ruling]
    unresolved: Mapping[int, str]
    whole: bool
    cut: bool = False
    called_supported: frozenset[int] = frozenset()
    spent: bool = False


def parse_verdicts(text: str, stop: str, claims: Collection[int], sentences: Collection[int]) -> ParsedReply:
    """What a reply says of `claims`, citing `sentences`. Prose and fences around the JSON do not matter; of several
    lists of verdicts the last counts; of a truncated one the complete entries do.

    A claim without an entry, with an entry that is off the menu, with two that differ, or called supported without a
    sentence that was offered, or after an earlier list that said otherwise, is unresolved.
    """
    if stop == "filter":
        return ParsedReply({}, dict.fromkeys(claims, "the reply was withheld by a content filter"), whole=False)
    listed = parse_lists(text, "verdicts")
    spent = stop == "length" and not listed
    *earlier, (found, whole) = listed or [([], False)]
    doubted = _doubted([entry for before, _ in earlier for entry in before], sentences)
    rulings: dict[int, Ruling] = {}
    faults: dict[int, str] = {}
    called: set[int] = set()
    for entry in found:
        number = number_of(entry.get("claim"))
        if number is None or number not in claims:
            continue
        if any(_SUPPORTED.fullmatch(str(verdict)) for verdict in values_of(entry.get("verdict"))):
            called.add(number)
        ruling = _ruling(entry, sentences)
        if isinstance(ruling, str):
            faults.setdefault(number, ruling)
            continue
        before = rulings.setdefault(number, ruling)
        same = (before.label, before.contradicted) == (ruling.label, ruling.contradicted)
        if not same or (ruling.label is Label.SUPPORTED and number in doubted):
            faults.setdefault(number, "the judge gave two verdicts that differ")
    lost = "the judge's reply ended before it" if found or spent else "the judge's reply is no JSON"
    missing = MISSING if whole else lost
    unresolved = {number: faults.get(number, missing) for number in claims if number in faults or number not in rulings}
    cut = not whole and text.lstrip()[:1] in _OPENING and text.rstrip()[-1:] not in _CLOSING
    rulings = {number: ruling for number, ruling in rulings.items() if number not in faults}
    return ParsedReply(rulings, unresolved, whole and stop == "stop", cut, frozenset(called), spent)


def _doubted(entries: Sequence[dict[str, Any]], sentences: Collection[int]) -> set[int | None]:
    """The claims that an entry gives another label than `supported`."""
    ruled = [(number_of(entry.get("claim")), _ruling(entry, sentences)) for entry in entries]
    return {number for number, ruling in ruled if isinstance(ruling, Ruling) and ruling.label is not Label.SUPPORTED}


def number_of(value: Any) -> int | None:
    """The number of a claim or sentence as a model writes it: `7`, `"7"`, `"[7]"` or `"(7)"`."""
    if isinstance(value, str) and (found := re.fullmatch(r"\s*[(\[]?(\d{1,6})[)\]]?\s*", value)):
        return int(found[1])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _ruling(entry: dict[str, Any], sentences: Collection[int]) -> Ruling | str:
    """The entry, or what is wrong with it."""
    if key := repeated_key(entry):
        return f"the judge gave {sanitise(key, 40)!r} two values that differ"
    verdict = entry.get("verdict")
    word = verdict.strip().lower() if isinstance(verdict, str) else ""
    against = word == _CONTRADICTED or entry.get(_CONTRADICTED) is True
    if word not in (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, _CONTRADICTED):
        return f"the judge's verdict {sanitise(str(verdict), 40)!r} is none of those offered"
    if against and word in (Label.SUPPORTED, Label.WEAKLY_SUPPORTED):
        return f"the judge called it {word.replace('_', ' ')} and contradicted at once"
    given = entry.get("sentences")
    numbers = map(number_of, given if isinstance(given, list) else ())
    cited = dict.fromkeys(n for n in numbers if n is not None and n in sentences)
    if word == Label.SUPPORTED and not cited:
        return "the judge called it supported and cited no sentence that it was offered"
    label = Label.UNSUPPORTED if against else Label(word)
    why = entry.get("why")
    return Ruling(label, against and bool(cited), tuple(cited), sanitise(why, _WHY) if isinstance(why, str) else "")
