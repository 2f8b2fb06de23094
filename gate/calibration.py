"""From labels to a calibration: the judge over labelled claims, asked as in a run, and a fit to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from gate.agents.verify_claims import verify_claims
from gate.calibration_labels import Labels, repeated
from gate.config import Config
from gate.errors import UsageError
from gate.judges.line import FIT, Fit, read_fit
from gate.measures.agreement import Pair, agreement, brier_gain, chance_of, gain
from gate.measures.refit import FOLDS, SURE, Refit, held_out, refit
from gate.measures.reliability import ece
from gate.records import JudgeInfo, Label, Verdict
from gate.reports.calibration_build import Calibrated, build, figure_entries
from gate.reports.calibration_document import CalibrationDocument, DataEntry, FitEntry
from gate.state import State
from gate.toolbox import Toolbox

FIT_ROWS, FIT_EACH = 200, 40  # labelled claims that a fit needs, in all and of either kind
_UNSURE = "the judge's probabilities do not surely rise with the labels"
_FEW = "with some groups of claims held out, what is left is too little or too much alike; label claims of more groups"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The document of the judge as it will be; `fit` is what makes it so, where one was asked for and helps."""

    document: CalibrationDocument
    fit: Fit | None = None


def calibrate(config: Config, tools: Toolbox, labels: Labels, fit: bool = False) -> Outcome:
    """Judge the labelled claims and compare. Errors: UsageError where a fit is not possible; those of the judge."""
    if fit:
        _check_fit(config, labels)
    verdicts, notes = _judged(config, tools, labels)
    info = tools.judge.info()
    tolerance = config.risk_tolerance
    found = Calibrated(
        judge=info,
        data=DataEntry(name=labels.name, sha256=labels.sha256, n=len(labels.rows)),
        pairs=_pairs(labels, verdicts),
        verdicts=verdicts,
        lines=[row.line for row in labels.rows],
        thresholds=(tolerance.deploy_threshold, tolerance.warn_threshold),
        created=datetime.now(UTC),
        notes=(*notes, *_notes(labels, verdicts), *_seen_before(tools, labels)),
    )
    if not fit:
        return Outcome(build(found))
    return _fitted(found, info)


def _judged(config: Config, tools: Toolbox, labels: Labels) -> tuple[list[Verdict], list[str]]:
    """The verdicts of agent 5 on the labelled claims, each an answer of its own, and what a run would tell."""
    state = State(
        config=config,
        tools=tools,
        counting=tools.counting,
        failures=[],
        void=[],
        claims=[row.claim for row in labels.rows],
        evidence={row.claim.id: row.evidence for row in labels.rows},
    )
    verify_claims(state)
    why = Counter(failure.message for failure in state["failures"])
    return state["verdicts"], [*state["void"], *(f"the judge failed: {message}" for message, _ in why.most_common(3))]


def _pairs(labels: Labels, verdicts: Sequence[Verdict]) -> list[Pair]:
    return [
        Pair(row.people, verdict.label, chance_of(verdict), row.group)
        for row, verdict in zip(labels.rows, verdicts, strict=True)
    ]


def _notes(labels: Labels, verdicts: Sequence[Verdict]) -> list[str]:
    """What a reader of the figures should know."""
    notes = []
    if len({row.people is Label.SUPPORTED for row in labels.rows}) < 2:
        notes.append("people gave only one label, so that most figures cannot be known")
    reasons = Counter(verdict.reason for verdict in verdicts if verdict.label is Label.UNJUDGED)
    notes += [f"{count} not judged: {reason}" for reason, count in reasons.most_common(3)]
    notes += repeated(labels)
    bare = sum(not row.evidence for row in labels.rows)
    if bare:
        notes.append(f"no evidence shares a word with its claim: {bare} of {len(labels.rows)} rows")
    return notes


def _seen_before(tools: Toolbox, labels: Labels) -> list[str]:
    """A judge that was fitted to the very labels looks better than it is."""
    fit = read_fit(tools.folder / FIT) if tools.use_fit and tools.config.judge.provider == "local" else None
    if fit is None or fit.data != labels.sha256 or fit.version != tools.judge.info().prompt_version:
        return []
    return ["the judge was fitted to these labels, so these figures are too good: --fit tells those of unseen claims"]


def judge_of(document: CalibrationDocument) -> JudgeInfo:
    """The judge that a document speaks of."""
    known = document["judge"]
    return JudgeInfo(known["provider"], known["model"], known["prompt_version"])


def _check_fit(config: Config, labels: Labels) -> None:
    if config.judge.provider != "local":
        raise UsageError(
            "--fit is for the local judge", "set judge.provider: local; a model's own words have no weights"
        )
    each = [row for row in labels.rows if not row.repeats]
    good = sum(row.people is Label.SUPPORTED for row in each)
    bad = len(each) - good
    if len(each) < FIT_ROWS or min(good, bad) < FIT_EACH:
        raise UsageError(
            f"{labels.name}: {good} supported and {bad} other claims are too few to fit to",
            f"--fit needs {FIT_ROWS} labelled claims, each once, {FIT_EACH} of either kind",
        )


def _fitted(found: Calibrated, info: JudgeInfo) -> Outcome:
    """The outcome with a fit if it helps on claims that it did not see, else without one and with the reason."""
    places = [n for n, verdict in enumerate(found.verdicts) if verdict.support is not None]
    chances = np.array([found.verdicts[n].support for n in places], float)
    people = np.array([not found.pairs[n].bad for n in places], float)
    ceilings = [found.verdicts[n].ceiling for n in places]
    unseen = held_out(chances, people, [found.pairs[n].group for n in places], ceilings)
    line = refit(chances, people)
    if unseen is None or line is None:
        why = _UNSURE if line is None else _FEW
        return Outcome(build(_noted(found, f"not fitted: {why}")))
    pairs = list(found.pairs)
    for place, chance, label in zip(places, unseen[0], unseen[1], strict=True):
        pairs[place] = replace(pairs[place], judge=label, chance=1.0 - float(chance))
    by_label, by_chance = gain(found.pairs, pairs), brier_gain(found.pairs, pairs)
    if not _helps(by_label, by_chance):
        told = f" ({by_label[0]:+.3f} balanced accuracy, standard error {by_label[1]:.3f})" if by_label else ""
        return Outcome(
            build(_noted(found, f"not fitted: a fit does not surely help on claims that it did not see{told}"))
        )
    fit = Fit(info.prompt_version, info.model, line, found.data["sha256"])
    verdicts = [
        replace(v, label=p.judge, confidence=_confidence(p), justification=_told(v, p))
        for v, p in zip(found.verdicts, pairs, strict=True)
    ]
    judge = replace(info, prompt_version=fit.version)
    entry = _entry(found.pairs, line)
    return Outcome(build(replace(found, judge=judge, pairs=pairs, verdicts=verdicts, fit=entry)), fit)


def _helps(labels: tuple[float, float] | None, chances: tuple[float, float] | None) -> bool:
    """Whether the labels are surely better, or the chances are and the labels are no worse."""
    if labels is None or chances is None:
        return False
    return labels[0] >= 0 and any(more > SURE * error for more, error in (labels, chances))


def _entry(before: Sequence[Pair], line: Refit) -> FitEntry:
    return FitEntry(
        folds=FOLDS,
        before=figure_entries({**agreement(before), "ece": ece(before)}),
        slope=line.slope,
        offset=line.offset,
        high=line.high,
        low=line.low,
    )


def _confidence(pair: Pair) -> float:
    chance = pair.chance or 0.0
    return chance if pair.alarm else 1.0 - chance


def _told(verdict: Verdict, pair: Pair) -> str:
    changed = verdict.label is not pair.judge
    return f"Before the fit {verdict.label.value}: {verdict.justification}" if changed else verdict.justification


def _noted(found: Calibrated, note: str) -> Calibrated:
    return replace(found, notes=(*found.notes, note))
