"""From labelled claims to a calibration: the judge is asked as in a run, compared with people, and may be fitted.

Labelled claims are JSON lines with `claim`, `evidence` and `label`; labels of one criterion (`judge.criteria`) have
`criterion`, `answer` and `label` (1: the answer meets it), optionally `question`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from gate.agents.retrieve_evidence import PASSAGES
from gate.agents.verify_claims import verify_claims
from gate.config import Config
from gate.errors import InputFileError, UsageError
from gate.files import Row, read_rows
from gate.judges.base import chance_of, criteria_judge, unjudged
from gate.judges.grader import BY_CRITERION, grade_all
from gate.judges.line import FIT, Fit, read_fit
from gate.providers.base import Provider
from gate.records import Claim, Evidence, JudgeInfo, Label, Verdict
from gate.reports.calibration import Calibrated, CalibrationDocument, DataEntry, FitEntry, build, figure_entries
from gate.state import State
from gate.statistics.agreement import Pair, agreement, brier_gain, ece, gain
from gate.statistics.calibration import FOLDS, SURE, held_out, refit
from gate.store.passages import best_passages, cut
from gate.toolbox import Toolbox

FIT_ROWS, FIT_EACH = 200, 40  # labelled claims that a fit needs, in all and of either kind
MOST = 100_000  # rows
_NAMED = {label.value: label for label in (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED)}
_SHORT = 80  # words: one passage
_HINT = (
    "a line needs `claim`, `evidence` and `label`: 1 or 0, or supported, weakly_supported or unsupported; "
    "for a criterion it needs `criterion`, `answer` and `label`: 1 or 0"
)
_UNSURE = "the judge's probabilities do not surely rise with the labels"
_FEW = "with some groups of claims held out, what is left is too little or too much alike; label claims of more groups"


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """One row: the claim as a run knows it, people's label, and the passages of its evidence that speak of it.
    `repeats` is the line of the first row with this very claim and evidence, 0 where this is it."""

    claim: Claim
    people: Label
    evidence: tuple[Evidence, ...]
    group: str
    line: int
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class Labels:
    """A file of labelled claims; `sha256` (hex) is of its bytes. `again` rows that say what an earlier one says are
    left out of `rows`. `criterion`: they say of answers whether these meet it; empty for labelled claims."""

    name: str
    sha256: str
    rows: tuple[LabelledClaim, ...]
    again: int = 0
    criterion: str = ""


def read_labels(path: Path) -> Labels:
    """Read and check every row. `group` (optional) names what rows have in common: a document, an answer. A row
    without a group of its own that says what an earlier one says tells nothing new, and is left out; with another label
    it is of the group of the first.

    Errors: InputFileError with file and line.
    """
    rows: list[LabelledClaim] = []
    again, criterion = 0, ""
    firsts: dict[tuple[str, ...], LabelledClaim] = {}
    digest = hashlib.sha256()
    for row in read_rows(path, digest.update, _HINT):
        if len(rows) == MOST:
            raise InputFileError(f"{path}: more than {MOST:,} rows", "calibrate on a part of them, drawn at random")
        named = " ".join((row.optional_text("criterion") or "").split())
        if (rows or again) and named != criterion:
            raise row.fault(f"`criterion` is {named[:80]!r}, before it was {criterion[:80]!r}: give each a file")
        criterion = named
        made = _labelled_answer(row) if criterion else parse_labelled(path.name, row)
        leaning = made.claim.context if criterion else ""
        first = firsts.setdefault((made.claim.text, leaning, *row.texts("evidence")), made)
        if first is made or _group(row):
            rows.append(made if first is made else replace(made, repeats=first.line))
        elif made.people is first.people:
            again += 1
        else:
            rows.append(replace(made, group=first.group, repeats=first.line))
    if not rows:
        raise InputFileError(f"{path}: no labelled claim in it", _HINT)
    return Labels(path.name, digest.hexdigest(), tuple(rows), again, criterion)


def repeated(labels: Labels) -> list[str]:
    """What a reader should know of rows that stand in the file more than once."""
    people = {row.line: row.people for row in labels.rows}
    against = [row for row in labels.rows if row.repeats and row.people is not people[row.repeats]]
    notes = [f"left out, since they say what an earlier row says: {labels.again}"] if labels.again else []
    if against:
        lines = ", ".join(f"{row.repeats} and {row.line}" for row in against[:3])
        notes.append(
            f"the same claim and evidence with another label: {len(against)} of {len(labels.rows)} rows (lines {lines})"
        )
    return notes


def passages(claim: str, texts: Sequence[str], source: str, line: int) -> tuple[Evidence, ...]:
    """What a judge sees of the evidence: the passages that a run would keep of it, best first.

    Evidence that shares no word with the claim is short enough to be shown as it is, or nothing was found in it.
    """
    chunks = [
        Evidence(source, line, text, 1.0, lines=(line,) * (text.count("\n") + 1), chunk_id=str(number))
        for number, text in enumerate(texts)
        if text.strip()
    ]
    found = best_passages(claim, [cut(chunk) for chunk in chunks], PASSAGES)
    return found or tuple(chunk for chunk in chunks if len(chunk.text.split()) <= _SHORT)[:PASSAGES]


def parse_labelled(source: str, row: Row) -> LabelledClaim:
    """One labelled claim of the file `source`. Errors: InputFileError."""
    text, place = row.text("claim"), f"line {row.line}"
    if row.fields.get("evidence") is None:
        raise row.fault("`evidence` is missing")
    return LabelledClaim(
        Claim(place, place, place, text, 0, len(text), context=row.optional_text("context") or ""),
        _label(row),
        passages(text, row.texts("evidence"), source, row.line),
        _group(row) or place,
        row.line,
    )


def _labelled_answer(row: Row) -> LabelledClaim:
    """The answer in the place of a claim, supported where it meets the criterion, within the question."""
    text, place = row.text("answer"), f"line {row.line}"
    if row.fields.get("label") not in (0, 1):
        raise row.fault("`label` must be 1 (the answer meets the criterion) or 0")
    claim = Claim(place, place, place, text, 0, len(text), context=row.optional_text("question") or "")
    return LabelledClaim(claim, _label(row), (), _group(row) or place, row.line)


def _label(row: Row) -> Label:
    value = row.fields.get("label")
    if isinstance(value, int | float) and value in (0, 1):  # true and false are 1 and 0
        return Label.SUPPORTED if value else Label.UNSUPPORTED
    named = _NAMED.get(value.strip().lower()) if isinstance(value, str) else None
    if named is None:
        raise row.fault("`label` must be 1, 0, supported, weakly_supported or unsupported")
    return named


def _group(row: Row) -> str:
    value = row.fields.get("group")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"group {value}"
    named = row.optional_text("group")
    return f"group {named}" if named else ""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The document of the judge as it will be; `fit` is what makes it so, where one was asked for and helps."""

    document: CalibrationDocument
    fit: Fit | None = None


def calibrate(config: Config, tools: Toolbox, labels: Labels, fit: bool = False) -> Calibration:
    """Judge the labelled claims and compare. Errors: UsageError where a fit is not possible; those of the judge."""
    if fit:
        _check_fit(config, labels)
    verdicts, notes = _judged_by_criterion(tools, labels) if labels.criterion else judge_claims(tools, labels.rows)
    info = criteria_judge(_model(tools)) if labels.criterion else tools.judge.info()
    tolerance = config.risk_tolerance
    found = Calibrated(
        judge=info,
        data=DataEntry(name=labels.name, sha256=labels.sha256, n=len(labels.rows)),
        pairs=[
            Pair(row.people, verdict.label, chance_of(verdict), row.group)
            for row, verdict in zip(labels.rows, verdicts, strict=True)
        ],
        verdicts=verdicts,
        lines=[row.line for row in labels.rows],
        thresholds=(tolerance.deploy_threshold, tolerance.warn_threshold),
        created=datetime.now(UTC),
        notes=(*notes, *_notes(labels, verdicts), *_seen_before(tools, labels)),
        criterion=labels.criterion,
    )
    return _fitted(found, info) if fit else Calibration(build(found))


def judge_claims(tools: Toolbox, rows: Sequence[LabelledClaim]) -> tuple[list[Verdict], list[str]]:
    """The verdicts of agent 5 on labelled claims, each an answer of its own, and what a run would tell."""
    state = State(
        config=tools.config,
        tools=tools,
        counting=tools.counting,
        failures=[],
        void=[],
        claims=[row.claim for row in rows],
        evidence={row.claim.id: row.evidence for row in rows},
    )
    verify_claims(state)
    why = Counter(failure.message for failure in state["failures"])
    return state["verdicts"], [*state["void"], *(f"the judge failed: {message}" for message, _ in why.most_common(3))]


def _model(tools: Toolbox) -> Provider:
    if tools.judge_model is None:
        raise UsageError("criteria are judged by a model, and the judge has none", "set judge.provider and model_id")
    return tools.judge_model


def _judged_by_criterion(tools: Toolbox, labels: Labels) -> tuple[list[Verdict], list[str]]:
    """Whether each answer meets the criterion, as a run would find it; supported where it does."""
    items = [(row.claim.context, labels.criterion, row.claim.text) for row in labels.rows]
    with tools.counting(len(set(items)), "answers judged") as done:
        limit = tools.config.limits.concurrency
        found = grade_all(_model(tools), items, limit, tools.budget, done, BY_CRITERION)
    if found.stopped is not None:
        raise found.stopped
    verdicts = [
        unjudged(row.claim, grade.why)
        if grade.value is None
        else Verdict(row.claim, Label.SUPPORTED if grade.value else Label.UNSUPPORTED, grade.why)
        for row, grade in zip(labels.rows, found.grades, strict=True)
    ]
    return verdicts, ["supported: the answer meets the criterion; unsupported: it does not"]


def _notes(labels: Labels, verdicts: Sequence[Verdict]) -> list[str]:
    """What a reader of the figures should know."""
    notes = []
    if len({row.people is Label.SUPPORTED for row in labels.rows}) < 2:
        notes.append("people gave only one label, so that most figures cannot be known")
    reasons = Counter(verdict.reason for verdict in verdicts if verdict.label is Label.UNJUDGED)
    notes += [f"{count} not judged: {reason}" for reason, count in reasons.most_common(3)]
    notes += repeated(labels)
    bare = sum(not row.evidence for row in labels.rows)
    if bare and not labels.criterion:
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


def _fitted(found: Calibrated, info: JudgeInfo) -> Calibration:
    """The outcome with a fit if it helps on claims that it did not see, else without one and with the reason."""
    places = [n for n, verdict in enumerate(found.verdicts) if verdict.support is not None]
    chances = np.array([found.verdicts[n].support for n in places], float)
    people = np.array([not found.pairs[n].bad for n in places], float)
    ceilings = [found.verdicts[n].ceiling for n in places]
    unseen = held_out(chances, people, [found.pairs[n].group for n in places], ceilings)
    line = refit(chances, people)
    if unseen is None or line is None:
        return _unfitted(found, _UNSURE if line is None else _FEW)
    pairs = list(found.pairs)
    for place, chance, label in zip(places, unseen[0], unseen[1], strict=True):
        pairs[place] = replace(pairs[place], judge=label, chance=1.0 - float(chance))
    by_label, by_chance = gain(found.pairs, pairs), brier_gain(found.pairs, pairs)
    if not _helps(by_label, by_chance):
        told = f" ({by_label[0]:+.3f} balanced accuracy, standard error {by_label[1]:.3f})" if by_label else ""
        return _unfitted(found, f"a fit does not surely help on claims that it did not see{told}")
    fit = Fit(info.prompt_version, info.model, line, found.data["sha256"])
    entry = FitEntry(
        folds=FOLDS,
        before=figure_entries({**agreement(found.pairs), "ece": ece(found.pairs)}),
        slope=line.slope,
        offset=line.offset,
        high=line.high,
        low=line.low,
    )
    verdicts = [_relabelled(verdict, pair) for verdict, pair in zip(found.verdicts, pairs, strict=True)]
    judge = replace(info, prompt_version=fit.version)
    return Calibration(build(replace(found, judge=judge, pairs=pairs, verdicts=verdicts, fit=entry)), fit)


def _unfitted(found: Calibrated, why: str) -> Calibration:
    return Calibration(build(replace(found, notes=(*found.notes, f"not fitted: {why}"))))


def _helps(labels: tuple[float, float] | None, chances: tuple[float, float] | None) -> bool:
    """Whether the labels are surely better, or the chances are and the labels are no worse."""
    if labels is None or chances is None:
        return False
    return labels[0] >= 0 and any(more > SURE * error for more, error in (labels, chances))


def _relabelled(verdict: Verdict, pair: Pair) -> Verdict:
    chance, why = pair.chance or 0.0, verdict.justification
    if verdict.label is not pair.judge:
        why = f"Before the fit {verdict.label.value}: {why}"
    return replace(verdict, label=pair.judge, confidence=chance if pair.alarm else 1.0 - chance, justification=why)
