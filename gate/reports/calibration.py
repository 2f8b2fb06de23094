"""The calibration document: how far a judge agrees with people on labelled claims; built, and loaded again.

"Not supported" is the positive class; what people or the judge call weakly supported is not supported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from gate.records import JudgeInfo, Label, Verdict
from gate.reports.build import pair, quote_entry, rounded
from gate.reports.document import (
    Count,
    EvidenceEntry,
    Interval,
    JudgeEntry,
    Share,
    Version,
    about,
    shaped,
)
from gate.reports.files import parse_file, refuse
from gate.reports.schema import faults, schema_of
from gate.statistics.agreement import CLAIMS, Bin, Operating, Pair, agreement, bins, confusion, ece, judged, operating
from gate.statistics.intervals import Figure

SCHEMA_VERSION = "1.0"
MAX_BYTES = 64 * 1024 * 1024
LISTED = 500  # differences, the surest first
FIGURES = (
    "balanced_accuracy", "precision", "recall", "specificity", "f1", "kappa", "ece", "false_pass_rate",
    "false_alarm_rate",
)  # fmt: skip
_MADE_BY = "gate calibrate LABELS.jsonl writes it anew"
_Signed = Annotated[float, Field(ge=-1, le=1)]


class FigureEntry(TypedDict):
    """A share and its 95 % interval; null where the labels cannot show it."""

    value: Share | None
    interval: Annotated[list[Share], Field(min_length=2, max_length=2)] | None


class SignedEntry(TypedDict):
    """A figure that can be below 0, as Cohen's kappa is where judge and people agree less than by chance."""

    value: _Signed | None
    interval: Annotated[list[_Signed], Field(min_length=2, max_length=2)] | None


class DataEntry(TypedDict):
    """The labelled claims: file name, SHA-256 of the file, rows."""

    name: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    n: Count


class RowEntry(TypedDict):
    """The judge's labels of the claims that people gave one label."""

    supported: Count
    weakly_supported: Count
    unsupported: Count
    unjudged: Count


class ConfusionEntry(TypedDict):
    """People's label -> the judge's label -> claims."""

    supported: RowEntry
    weakly_supported: RowEntry
    unsupported: RowEntry


class BinEntry(TypedDict):
    """Claims with a chance from `low` to `high` of being not supported, as the judge sees it."""

    low: Share
    high: Share
    n: Count
    predicted: Share | None
    observed: Share | None
    interval: Interval


class GateEntry(TypedDict):
    """What the judge's mistakes do to a run of `claims` claims at these thresholds; see docs/how-to/calibrate.md."""

    claims: Count
    deploy_threshold: Share
    warn_threshold: Share
    risk_if_all_supported: Annotated[
        FigureEntry, about("The risk that this judge measures where every claim is supported.")
    ]
    risk_if_none_supported: Annotated[FigureEntry, about("The risk that it measures where none is.")]
    true_share_at_deploy: Annotated[
        FigureEntry,
        about(
            "The share of claims that are not supported when the measured risk stands at the deploy threshold: "
            "(risk - risk_if_all_supported) / (risk_if_none_supported - risk_if_all_supported), within 0..1."
        ),
    ]
    true_share_at_warn: Annotated[FigureEntry, about("The same at the warn threshold.")]


class DifferenceEntry(TypedDict):
    """A claim that people and the judge label differently; `line` is the row's line in the file of labels."""

    line: Count
    claim: str
    people: str
    judge: str
    confidence: float
    justification: str
    evidence: list[EvidenceEntry]


class FitEntry(TypedDict):
    """What --fit found: the figures are those of claims that each fit had not seen; before: the judge without it."""

    folds: Count
    before: dict[str, SignedEntry]
    slope: float
    offset: float
    high: float
    low: float


class CalibrationDocument(TypedDict):
    """How far a judge agrees with people on labelled claims. "Not supported" is the positive class; what people or the
    judge call weakly supported is not supported."""

    schema_version: Version
    judge: Annotated[JudgeEntry, about("Who judged; the calibration holds for this judge alone.")]
    data: DataEntry
    balanced_accuracy: Annotated[FigureEntry, about("(recall + specificity) / 2.")]
    precision: Annotated[
        FigureEntry, about("Of the claims that the judge does not pass, the share that people do not call supported.")
    ]
    recall: Annotated[
        FigureEntry, about("Of the claims that people do not call supported, the share that the judge does not pass.")
    ]
    specificity: Annotated[
        FigureEntry, about("Of the claims that people call supported, the share that the judge passes.")
    ]
    f1: Annotated[FigureEntry, about("The harmonic mean of precision and recall.")]
    kappa: Annotated[SignedEntry, about("Cohen's kappa of the two-way table.")]
    ece: Annotated[
        FigureEntry,
        about("Expected calibration error over ten bins of the judge's chance that a claim is not supported."),
    ]
    false_pass_rate: Annotated[
        FigureEntry,
        about("How often a run of gate.claims claims deploys although its true risk is just above the warn threshold."),
    ]
    false_alarm_rate: Annotated[
        FigureEntry,
        about("How often a run of gate.claims claims does not deploy although every claim is supported."),
    ]
    confusion: Annotated[dict[str, dict[str, int]], shaped(ConfusionEntry)]
    judged: Count
    unjudged: Count
    gate: GateEntry
    reliability: list[BinEntry]
    differences: Annotated[
        list[DifferenceEntry],
        about(
            "Claims that one calls supported and the other does not: wrongly passed ones first, then the surest; "
            "at most 500."
        ),
    ]
    differing: Annotated[Count, about("How many such claims there are in all.")]
    notes: list[str]
    created: Annotated[str, about("When, ISO 8601 with its zone.")]
    fit: NotRequired[FitEntry]
    criterion: NotRequired[
        Annotated[str, about("The criterion that answers were judged by; `supported` are those that meet it.")]
    ]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What `gate calibrate` ended with: `pairs`, `verdicts` and `lines` (of the file) belong together by place."""

    judge: JudgeInfo
    data: DataEntry
    pairs: Sequence[Pair]
    verdicts: Sequence[Verdict]
    lines: Sequence[int]
    thresholds: tuple[float, float]  # deploy, warn
    created: datetime
    notes: tuple[str, ...] = ()
    fit: FitEntry | None = None
    criterion: str = ""


def build(found: Calibrated) -> CalibrationDocument:
    """The document; the same labels and verdicts give the same one but for `created`."""
    rates = operating(found.pairs, *found.thresholds)
    operated = {"false_pass_rate": rates.false_pass_rate, "false_alarm_rate": rates.false_alarm_rate}
    figures = figure_entries({**agreement(found.pairs), "ece": ece(found.pairs), **operated})
    judge, seen, differing = found.judge, len(judged(found.pairs)), _differences(found)
    document = {
        "schema_version": SCHEMA_VERSION,
        "judge": JudgeEntry(provider=judge.provider, model=judge.model, prompt_version=judge.prompt_version),
        "data": found.data,
        **{name: figures[name] for name in FIGURES},
        "confusion": confusion(found.pairs),
        "judged": seen,
        "unjudged": len(found.pairs) - seen,
        "gate": _gate(rates, CLAIMS, found.thresholds),
        "reliability": [_bin(each) for each in bins(found.pairs)],
        "differences": differing[:LISTED],
        "differing": len(differing),
        "notes": list(found.notes),
        "created": found.created.isoformat(timespec="seconds"),
        **({"fit": found.fit} if found.fit else {}),
        **({"criterion": found.criterion} if found.criterion else {}),
    }
    return cast(CalibrationDocument, document)


def figure_entries(figures: Mapping[str, Figure]) -> dict[str, FigureEntry]:
    """Figures by name, as the document holds them."""
    return {name: _figure(figure) for name, figure in figures.items()}


def _figure(figure: Figure) -> FigureEntry:
    return FigureEntry(value=rounded(figure.value), interval=pair(figure.interval))


def _gate(rates: Operating, claims: int, thresholds: tuple[float, float]) -> GateEntry:
    return GateEntry(
        claims=claims,
        deploy_threshold=thresholds[0],
        warn_threshold=thresholds[1],
        risk_if_all_supported=_figure(rates.if_supported),
        risk_if_none_supported=_figure(rates.if_not),
        true_share_at_deploy=_figure(rates.true_at_deploy),
        true_share_at_warn=_figure(rates.true_at_warn),
    )


def _bin(found: Bin) -> BinEntry:
    return BinEntry(
        low=found.low,
        high=found.high,
        n=found.n,
        predicted=rounded(found.predicted),
        observed=rounded(found.observed),
        interval=pair(found.interval),
    )


def _differences(found: Calibrated) -> list[DifferenceEntry]:
    """Claims that one calls supported and the other does not: wrongly passed ones first, then the surest first."""
    chosen = [
        (one, verdict, line)
        for one, verdict, line in zip(found.pairs, found.verdicts, found.lines, strict=True)
        if one.judge is not Label.UNJUDGED and one.bad != one.alarm
    ]
    chosen.sort(key=lambda each: (each[0].alarm, -each[1].confidence, each[2]))
    return [
        DifferenceEntry(
            line=line,
            claim=verdict.claim.text,
            people=one.people.value,
            judge=one.judge.value,
            confidence=round(float(verdict.confidence), 4),
            justification=verdict.justification,
            evidence=[quote_entry(quote) for quote in verdict.evidence[:3]],
        )
        for one, verdict, line in chosen
    ]


def schema() -> dict[str, Any]:
    """The JSON Schema of a calibration document."""
    return schema_of(CalibrationDocument, "The calibration of a judge", "urn:llm-reliability-gate:calibration:1")


def load(path: Path) -> CalibrationDocument:
    """Read and check a calibration. Errors: InputFileError, which names the file and up to five faults."""
    value = parse_file(path, MAX_BYTES, _MADE_BY)
    refuse(path, "calibration", faults(value, CalibrationDocument), _MADE_BY)
    return cast(CalibrationDocument, value)
