"""Anchors: labelled claims that a hosted judge has judged twice. A run judges them again, since a model may change
under one name: more other labels than the judge's own disagreement explains make the run inconclusive."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gate.calibration import LabelledClaim, Labels, judge_claims, parse_labelled
from gate.errors import UsageError
from gate.files import read_rows
from gate.records import JudgeInfo, Label, Verdict
from gate.toolbox import Toolbox

MOST, LEAST = 40, 10  # anchors that are written, and that a file needs
CHANCE = 0.01  # of a false alarm in one run of a judge that has not changed
_HINT = "gate calibrate LABELS.jsonl --anchors FILE writes them"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Anchors:
    """Labelled claims with the two labels that the judge gave each when they were written."""

    judge: JudgeInfo
    rows: tuple[LabelledClaim, ...]
    labels: tuple[tuple[str, str], ...]

    @property
    def differed(self) -> int:
        """How many got two labels."""
        return sum(passes(one) != passes(other) for one, other in self.labels)


def passes(label: str) -> bool:
    """Whether a label lets a claim pass: what else it is decides nothing here."""
    return label == Label.SUPPORTED.value


def anchors_text(tools: Toolbox, labels: Labels) -> str:
    """At most MOST of the labelled claims, drawn by their hash, judged twice by fresh calls, as JSON Lines. Errors:
    UsageError where the judge asks no model or leaves too many unjudged; those of the judge."""
    if tools.config.judge.served_by is None:
        raise UsageError("--anchors is for a judge that asks a model", "the local judge's weights do not change unseen")
    if labels.criterion:
        raise UsageError("--anchors needs labelled claims, and these are labels of a criterion", _HINT)
    drawn = sorted((row for row in labels.rows if not row.repeats), key=lambda row: _hash(row.claim.text))[:MOST]
    looks = [_fresh(tools, drawn) for _ in range(2)]
    info = tools.judge.info()
    judge = {"provider": info.provider, "model": info.model, "prompt_version": info.prompt_version}
    lines = [
        {
            "claim": row.claim.text,
            **({"context": row.claim.context} if row.claim.context else {}),
            "evidence": [passage.text for passage in row.evidence],
            "label": row.people.value,
            "judged": [one.label.value, other.label.value],
            "judge": judge,
        }
        for row, one, other in zip(drawn, *looks, strict=True)
        if row.evidence and Label.UNJUDGED not in (one.label, other.label)
    ]
    if len(lines) < LEAST:
        raise UsageError(
            f"{len(lines)} of {len(drawn)} claims were judged twice: too few anchors", f"{LEAST} are needed"
        )
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)


def load_anchors(path: Path, judge: JudgeInfo) -> Anchors:
    """The anchors of this judge. Errors: InputFileError with file and line; UsageError where they are another judge's,
    or too few."""
    rows, labels = [], []
    asked = {"provider": judge.provider, "model": judge.model, "prompt_version": judge.prompt_version}
    for row in read_rows(path, needs=_HINT):
        said, known = row.fields.get("judged"), row.fields.get("judge")
        if not (isinstance(said, list) and len(said) == 2 and all(one in list(Label) for one in said)):
            raise row.fault("`judged` must hold the two labels that the judge gave")
        if known != asked:
            who = " ".join(map(str, known.values())) if isinstance(known, dict) else "no judge"
            raise UsageError(
                f"{path}:{row.line}: anchors of {who[:200]}, and the judge is {' '.join(asked.values())}",
                f"write them anew: {_HINT}",
            )
        rows.append(parse_labelled(path.name, row))
        labels.append((str(said[0]), str(said[1])))
    if len(rows) < LEAST:
        raise UsageError(f"{path}: {len(rows)} anchors are too few", f"{LEAST} are needed: {_HINT}")
    return Anchors(judge, tuple(rows), tuple(labels))


def configured_anchors(tools: Toolbox) -> Anchors | None:
    """Those of `judge.anchors`; None where the configuration names none. Errors: as load_anchors."""
    name = tools.config.judge.anchors
    return load_anchors(tools.path(name), tools.judge.info()) if name else None


def drifted(tools: Toolbox, anchors: Anchors) -> str:
    """Why the judge is not the one that wrote the anchors, by fresh calls; empty where nothing shows it. An anchor that
    it does not judge any more is one with another label. Errors: those of the judge; LimitError."""
    now = _fresh(tools, anchors.rows)
    flips = [
        verdict
        for (first, _), verdict in zip(anchors.labels, now, strict=True)
        if passes(first) != passes(verdict.label.value) or verdict.label is Label.UNJUDGED
    ]
    chance = chance_of_flips(len(flips), anchors.differed, len(anchors.rows))
    if chance >= CHANCE:
        return ""
    shown = "; ".join(repr(verdict.claim.text[:60]) for verdict in flips[:_SHOWN])
    silent = [verdict.reason for verdict in flips if verdict.label is Label.UNJUDGED]
    if silent:
        shown += f"; {len(silent)} not judged: {silent[0][:100]}"
    return (
        f"the judge has changed under its name: {len(flips)} of {len(anchors.rows)} anchors have another label than "
        f"when they were written ({shown}); then it differed from itself on {anchors.differed}. Run gate calibrate "
        "--anchors again, and compare"
    )


def chance_of_flips(flips: int, before: int, size: int) -> float:
    """The probability of at least `flips` other labels among `size` claims of which `before` had two labels in two
    looks: the beta-binomial distribution that Jeffreys' prior predicts (Gelman et al., Bayesian Data Analysis, 2.4)."""
    a, b = before + 0.5, size - before + 0.5

    def log_beta(x: float, y: float) -> float:
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)

    return math.fsum(
        math.exp(-math.log(size + 1) - log_beta(k + 1, size - k + 1) + log_beta(k + a, size - k + b) - log_beta(a, b))
        for k in range(flips, size + 1)
    )


def _fresh(tools: Toolbox, rows: Sequence[LabelledClaim]) -> list[Verdict]:
    return judge_claims(tools.uncached(), rows)[0]


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
