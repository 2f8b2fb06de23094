"""What a claim is known by and leans on; one that many answers make is told once, or it would hide all others."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from gate.reports import telling
from gate.reports.document import ClaimEntry
from gate.text import words

BEHIND = "›"  # a piece of a context
FEWEST = 4  # content words from which on a claim is known by itself
Told = tuple[ClaimEntry, int]  # a claim, and how often it is made again with the same label


def once(claims: Iterable[ClaimEntry], new: AbstractSet[tuple[str, str]]) -> list[Told]:
    """The claims in their order, each text once; one of the `new` against the base is not told with one that is not."""
    found: dict[tuple[str, str, bool], list[ClaimEntry]] = {}
    for claim in claims:
        key = (known_by(claim), telling.kind(claim), (claim["prompt_id"], claim["claim"]) in new)
        found.setdefault(key, []).append(claim)
    return [(first, len(more)) for first, *more in found.values()]


def again(more: int) -> str:
    """`and 3 more times`; empty for a claim that is made once."""
    if more < 2:
        return "and once more" if more else ""
    return f"and {more:,} more times"


def leans_on(claim: ClaimEntry, *, asked: bool = True) -> str:
    """The context of a claim in one line, to be shown in front of it; without the question unless `asked`."""
    rows = claim.get("context", "").split("\n")
    return "".join(f"{row} {BEHIND} " for row in (rows if asked else rows[1:]) if row)


def known_by(claim: ClaimEntry) -> str:
    """What a claim is known by across runs: its text; one of few words (`No.`) says something else to each question.

    The units before it do not count: who rewords one changes no claim but that.
    """
    short = len(words(claim["claim"])) < FEWEST
    return f"{claim['claim']}\n{claim.get('context', '').partition(chr(10))[0]}" if short else claim["claim"]
