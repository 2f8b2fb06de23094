"""A comparison of two verdicts as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.reports.document import ChangedClaim, Comparison
from gate.reports.safe import line, workflow_safe
from gate.reports.telling import LABEL_WORDS, count, difference_line, number
from gate.reports.telling_measures import change_lines, models_line

LISTED = 20


def told(comparison: Comparison) -> str:
    """The word first, then the figures, the notes, and the claims that changed."""
    return workflow_safe("\n".join(_lines(comparison))) + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    yield comparison["word"].upper()
    yield difference_line(comparison)
    if models := models_line(comparison):
        yield line(models)
    yield (
        f"{count(comparison.get('prompts', 0), 'prompt')} judged in both; one-sided p {number(comparison['p_value'])}; "
        f"smallest difference that could have shown: {number(comparison['smallest_detectable'])}"
    )
    yield from (f"measure: {line(change)}" for change in change_lines(comparison))
    yield from (f"note: {line(note)}" for note in comparison["notes"])
    yield from _claims("new", comparison["new"])
    yield from _claims("fixed", comparison["fixed"])


def _claims(title: str, claims: Sequence[ChangedClaim]) -> Iterator[str]:
    for claim in claims[:LISTED]:
        label = LABEL_WORDS["contradicted" if claim.get("contradicted") else claim["label"]]
        yield f"{title}: {line(claim['claim'], 200)} ({label}, {line(claim['prompt_id'], 60)})"
    if len(claims) > LISTED:
        yield f"{title}: and {len(claims) - LISTED:,} more"
