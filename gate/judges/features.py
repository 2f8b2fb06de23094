"""The numbers that the stack weighs: how a claim lies on its evidence, and what the checks found."""

from __future__ import annotations

from dataclasses import dataclass

from gate.judges.alignment import Alignment
from gate.judges.checks.agents import check_agents
from gate.judges.checks.amounts import check_amounts
from gate.judges.checks.answers import check_answers
from gate.judges.checks.bounds import check_bounds
from gate.judges.checks.calendar import check_calendar
from gate.judges.checks.compared import check_compared
from gate.judges.checks.defaults import check_defaults
from gate.judges.checks.ends import check_ends
from gate.judges.checks.excepted import check_excepted
from gate.judges.checks.exchanged import check_exchanged
from gate.judges.checks.finding import Finding
from gate.judges.checks.gapped import check_gapped
from gate.judges.checks.listing import check_listing
from gate.judges.checks.names import check_missing, check_names
from gate.judges.checks.opposites import check_opposites
from gate.judges.checks.options import check_options
from gate.judges.checks.paired import check_paired
from gate.judges.checks.polarity import check_polarity
from gate.judges.checks.reach import check_reach
from gate.judges.checks.rivals import check_rivals
from gate.judges.checks.scope import check_scope
from gate.judges.checks.shared import check_shared
from gate.judges.checks.swapped import check_swapped
from gate.judges.checks.tables import check_tables
from gate.judges.checks.unless import check_unless
from gate.judges.checks.values import check_values
from gate.judges.kinship import cover_tail, kinship

# The findings that are weighed, by kind; a missing word counts through the coverage already.
KINDS = (
    "number", "number elsewhere", "number missing", "version", "version missing", "polarity", "opposite", "negation",
    "only", "scope", "all", "only there", "default", "duty", "name", "name missing",
)  # fmt: skip
# What speaks for a claim; everything else speaks against it, and the fit keeps it so.
FOR = (
    "cover_window", "cover_passage", "cover_all", "cover_tail", "kinship", "likeness",
    "reads_supported", "reads_margin",
)  # fmt: skip
# The strict ones come last: their findings have no weight in the stack, they cap the label (gate.judges.local).
_CHECKS = (
    check_amounts, check_polarity, check_opposites, check_scope, check_names, check_missing,
    check_swapped, check_listing, check_bounds, check_defaults, check_reach, check_values, check_paired, check_rivals,
    check_tables, check_answers, check_calendar, check_excepted, check_exchanged, check_agents, check_compared,
    check_ends, check_shared, check_unless, check_gapped, check_options,
)  # fmt: skip
_MOST = 2.0  # strengths of one kind of finding add up to here


@dataclass(frozen=True, slots=True)
class Features:
    """Named values, and the findings that some of them come from."""

    values: dict[str, float]
    findings: tuple[Finding, ...]


def features(alignment: Alignment) -> Features:
    """All features of one claim on its evidence that need neither embedding nor reader."""
    findings = tuple(finding for check in _CHECKS for finding in check(alignment))
    values = {
        "cover_window": alignment.cover_window,
        "cover_passage": alignment.cover_passage,
        "cover_all": alignment.cover_all,
        "cover_tail": cover_tail(alignment),
        "kinship": kinship(alignment),
        "missing_window": sum(_unmet(alignment, alignment.found)[:2]),
        "missing_all": min(4.0, sum(_unmet(alignment, alignment.anywhere))),
    }
    for kind in KINDS:
        values[kind.replace(" ", "_")] = min(_MOST, sum(f.strength for f in findings if f.kind == kind))
    return Features(values, findings)


def _unmet(alignment: Alignment, met: tuple[float, ...]) -> list[float]:
    """The weights of the terms that are not met, heaviest first."""
    return sorted((t.weight * (1 - share) for t, share in zip(alignment.terms, met, strict=True)), reverse=True)
