"""From the figures of a calibration to its document: rounded, in a stable order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gate.measures.agreement import Figure, Pair, agreement, confusion, judged
from gate.measures.operating import CLAIMS, Operating, operating
from gate.measures.reliability import Bin, bins, ece
from gate.records import JudgeInfo, Label, Verdict
from gate.reports.build import pair
from gate.reports.build_prompts import rounded
from gate.reports.calibration_document import (
    SCHEMA_VERSION,
    BinEntry,
    CalibrationDocument,
    DataEntry,
    DifferenceEntry,
    FigureEntry,
    FitEntry,
    GateEntry,
)
from gate.reports.document import EvidenceEntry, JudgeEntry

LISTED = 500  # differences, the surest first


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


def build(found: Calibrated) -> CalibrationDocument:
    """The document; the same labels and verdicts give the same one but for `created`."""
    figures = figure_entries({**agreement(found.pairs), "ece": ece(found.pairs)})
    deploy, warn = found.thresholds
    rates = operating(found.pairs, deploy, warn)
    seen = len(judged(found.pairs))
    differing = _differences(found)
    document = CalibrationDocument(
        schema_version=SCHEMA_VERSION,
        judge=JudgeEntry(
            provider=found.judge.provider, model=found.judge.model, prompt_version=found.judge.prompt_version
        ),
        data=found.data,
        balanced_accuracy=figures["balanced_accuracy"],
        precision=figures["precision"],
        recall=figures["recall"],
        specificity=figures["specificity"],
        f1=figures["f1"],
        kappa=figures["kappa"],
        ece=figures["ece"],
        false_pass_rate=figure_entry(rates.false_pass_rate),
        false_alarm_rate=figure_entry(rates.false_alarm_rate),
        confusion=confusion(found.pairs),
        judged=seen,
        unjudged=len(found.pairs) - seen,
        gate=_gate(rates, deploy, warn),
        reliability=[_bin(each) for each in bins(found.pairs)],
        differences=differing[:LISTED],
        differing=len(differing),
        notes=list(found.notes),
        created=found.created.isoformat(timespec="seconds"),
    )
    if found.fit is not None:
        document["fit"] = found.fit
    return document


def figure_entry(figure: Figure) -> FigureEntry:
    """A figure as the document holds it."""
    return FigureEntry(value=rounded(figure.value), interval=pair(figure.interval))


def figure_entries(figures: Mapping[str, Figure]) -> dict[str, FigureEntry]:
    """Figures by name."""
    return {name: figure_entry(figure) for name, figure in figures.items()}


def _gate(rates: Operating, deploy: float, warn: float) -> GateEntry:
    return GateEntry(
        claims=CLAIMS,
        deploy_threshold=deploy,
        warn_threshold=warn,
        risk_if_all_supported=figure_entry(rates.if_supported),
        risk_if_none_supported=figure_entry(rates.if_not),
        true_share_at_deploy=figure_entry(rates.true_at_deploy),
        true_share_at_warn=figure_entry(rates.true_at_warn),
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
            evidence=[
                EvidenceEntry(source=q.source, line=q.line, quote=q.quote, score=round(float(q.score), 4))
                for q in verdict.evidence[:3]
            ],
        )
        for one, verdict, line in chosen
    ]
