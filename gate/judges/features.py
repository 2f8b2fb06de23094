"""The numbers that the stack weighs: how a claim lies on its evidence, and what the checks found."""

from __future__ import annotations

from dataclasses import dataclass

from gate.judges.alignment import Alignment
from gate.judges.checks.amounts import check_amounts
from gate.judges.checks.finding import Finding
from gate.judges.checks.names import check_missing, check_names
from gate.judges.checks.order import check_order, inversion, kinship
from gate.judges.checks.polarity import check_polarity
from gate.judges.checks.scope import check_scope

KINDS = (
    "number", "number elsewhere", "number missing", "version", "version missing", "polarity", "negation",
    "negation there", "only", "scope", "all", "only there", "default", "duty", "name", "name missing", "word missing",
    "roles",
)  # fmt: skip
CHECKS = (check_amounts, check_polarity, check_scope, check_names, check_missing, check_order)


@dataclass(frozen=True, slots=True)
class Features:
    """Named values, and the findings that some of them come from."""

    values: dict[str, float]
    findings: tuple[Finding, ...]


def features(alignment: Alignment) -> Features:
    """All features of one claim on its evidence, without embedding and reader."""
    findings = tuple(finding for check in CHECKS for finding in check(alignment))
    values = {
        "cover_sentence": alignment.cover_sentence,
        "cover_window": alignment.cover_window,
        "cover_passage": alignment.cover_passage,
        "cover_all": alignment.cover_all,
        "kinship": kinship(alignment),
        "inversion": inversion(alignment),
        **_missing(alignment),
    }
    for kind in KINDS:
        strengths = [finding.strength for finding in findings if finding.kind == kind]
        values[kind.replace(" ", "_")] = min(2.0, sum(strengths))
    return Features(values, findings)


def _missing(alignment: Alignment) -> dict[str, float]:
    """Weights of the terms that the window (miss) or all passages (lost) do not meet; and the claim's size."""
    gone = sorted(
        (t.weight * (1 - share) for t, share in zip(alignment.claim.content, alignment.found, strict=True)),
        reverse=True,
    )
    lost = sorted(
        (t.weight * (1 - share) for t, share in zip(alignment.claim.content, alignment.anywhere, strict=True)),
        reverse=True,
    )
    return {
        "miss_top": gone[0] if gone else 0.0,
        "miss_two": sum(gone[:2]),
        "lost_top": lost[0] if lost else 0.0,
        "lost_sum": min(4.0, sum(lost)),
        "terms": min(1.0, len(alignment.claim.content) / 20),
    }
