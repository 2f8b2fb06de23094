"""One audit from names of files to its summary: what is done already is kept, the rest is judged, the sums decide."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gate import __version__
from gate.anchors import configured_anchors, drifted
from gate.audit.engines import Engine, Portion, Work, in_process
from gate.audit.files import Folder, LogPiece, drawn, find_logs, pieces_of
from gate.audit.rows import Setup
from gate.audit.summary import FILES, SCHEMA_VERSION, Audit, Draw, Tally, drift, for_one_point
from gate.errors import UsageError
from gate.judge_quality import doubts, measured_error
from gate.measures.risk import by_correction, by_threshold
from gate.pipeline import check_index
from gate.providers.pool import Counting, uncounted
from gate.records import Decision, writable

if TYPE_CHECKING:
    from gate.config import RiskTolerance
    from gate.statistics.intervals import JudgeError

AGAIN = "the judge, or the search, failed on some answers: the same command judges these again"
_NO_LABEL = {"risk_tolerance", "evaluation", "model", "measures", "prices", "limits"}  # settings that change none


@dataclass(frozen=True, slots=True)
class Errand:
    """What is to be audited: names of files, of which `sample` answers drawn by `seed` (None: all), and where the
    verdicts go (None: a folder of this audit within that of the index), as Parquet or JSON lines."""

    names: Sequence[str]
    sample: int | None = None
    seed: int = 0
    folder: Path | None = None
    parquet: bool = False


@dataclass(frozen=True, slots=True)
class Judging:
    """What the answers are held against, as opened once to look: `tolerance` decides, `why_not` says why it cannot;
    `error` is the judge's, for `decide_on: corrected`. `settings` stands for those that a label may depend on."""

    tolerance: RiskTolerance
    judge: dict[str, str]
    index: str
    config_hash: str
    why_not: tuple[str, ...]
    served: bool = False  # a model is asked
    limited: bool = False  # limits of cost or calls are set
    settings: str = ""
    error: JudgeError | None = None


def look(setup: Setup) -> Judging:
    """Open the tools once, so that what is wrong with them shows before any work. Errors: those of a run's set-up."""
    with closing(setup.tools()) as tools:
        check_index(tools)
        config, info, anchors = tools.config, tools.judge.info(), configured_anchors(tools)
        changed = drifted(tools, anchors) if anchors else ""
        tolerance = config.risk_tolerance
        judge = {"provider": info.provider, "model": info.model, "prompt_version": info.prompt_version}
        if anchors:  # written anew, they may be those of a model that changed under its name
            judge["anchors"] = hashlib.sha256(repr(anchors.labels).encode()).hexdigest()[:8]
        return Judging(
            tolerance,
            judge,
            tools.store.fingerprint(),
            config.hash(),
            (*doubts(config.judge.require, tools.folder, info), *([changed] if changed else [])),
            config.judge.served_by is not None or config.embedding.provider != "local",
            config.limits.max_cost_usd is not None or config.limits.max_calls is not None,
            hashlib.sha256(config.model_dump_json(exclude=_NO_LABEL).encode()).hexdigest(),
            measured_error(tools.folder, info)[0] if tolerance.decide_on == "corrected" else None,
        )


def audit(
    order: Errand, work: Work, seen: Judging, engine: Engine = in_process, counting: Counting = uncounted
) -> tuple[Audit, Path]:
    """Judge what is not judged yet, and sum everything up; the folder of the verdicts comes with it.

    Errors: UsageError for files that cannot be used; LimitError where a limit was hit: what was judged is kept, and the
    same audit goes on from there.
    """
    logs = find_logs(order.names)
    pieces = list(pieces_of(logs))
    rows = sum(piece.rows for piece in pieces)
    if not rows:
        raise UsageError("there are no answers in these files", "one JSON object a line, with `question` and `answer`")
    sample = None
    if order.sample is not None and order.sample < rows:
        sample, pieces = Draw(order.sample, rows, order.seed), list(drawn(pieces, order.sample, rows, order.seed))
    known = [__version__, seen.judge, seen.index, seen.settings, asdict(sample) if sample else None, order.parquet]
    files = [(writable(log.name), log.version) for log in logs]
    key = hashlib.sha256(json.dumps([known, files]).encode()).hexdigest()
    folder = Folder(order.folder or Path(work.setup.folder) / "audit" / key[:12], key, order.parquet)
    folder.open()
    tally, failed = Tally(), False
    with counting(len(pieces), "pieces of the logs judged") as done:
        for part in _portions(pieces, folder, work, engine):
            tally, failed = tally + part.tally, failed or part.failed
            done()
    if sample:
        sample = replace(sample, for_one_point=for_one_point(tally.total))
    decision, reasons = decide(tally, seen)
    return Audit(
        SCHEMA_VERSION, decision.value, reasons, tally.total.risk, tally.total.interval(),
        seen.tolerance.model_dump(mode="json"), seen.judge, seen.index, seen.config_hash,
        tuple(name for name, _ in files[:FILES]), rows, tally, sample, notes=(AGAIN,) if failed else (),
    ), folder.path  # fmt: skip


def _portions(pieces: Sequence[LogPiece], folder: Folder, work: Work, engine: Engine) -> Iterator[Portion]:
    """Of every piece: first of those that were done before, then of each one as it is done and kept. One on which
    something failed is not done, so that the next audit judges it again."""
    left = []
    for piece in pieces:
        tally = folder.tally(piece)
        if tally is None:
            left.append(piece)
        else:
            yield Portion(piece, tally=tally)
    for portion in engine(work, left):
        portion.checked()
        folder.keep(portion.piece, portion.rows, None if portion.failed else portion.tally)
        yield replace(portion, rows=[])


def decide(tally: Tally, seen: Judging) -> tuple[Decision, tuple[str, ...]]:
    """By the thresholds of the risk alone; inconclusive where too much is unjudged, or the judge has no trust."""
    count, tolerance = tally.total, seen.tolerance
    most, reasons = tolerance.max_unjudged, [*seen.why_not, *tally.void]
    if count.judged < tolerance.min_claims:
        reasons.append(
            f"{count.judged:,} claims could be judged, at least {tolerance.min_claims:,} are needed (min_claims)"
        )
    for part, whole, what in (
        (count.unjudged_answers, count.answers, "answers"),
        (count.unjudged, count.claims, "claims"),
    ):
        if whole and part / whole > most:
            reasons.append(
                f"{part:,} of {whole:,} {what} were not judged, more than the share of {most:g} that is allowed "
                "(max_unjudged)"
            )
    risk, interval = count.risk, count.interval()
    if reasons or risk is None or interval is None:
        return Decision.INCONCLUSIVE, tuple(reasons or ["nothing was judged"])
    if tolerance.decide_on == "corrected":
        decision, why, _ = by_correction(count.moments, "answers", tolerance, seen.error)
    else:
        decision, why = by_threshold(risk, interval, tolerance)
    return decision, (why,)


def against(audit: Audit, earlier: Audit) -> Audit:
    """The audit with what changed since an earlier one, and what else differs between the two."""
    notes = [
        f"{what} changed since the earlier audit: a difference need not come from the answers"
        for what, one, other in (
            ("the judge", audit.judge, earlier.judge),
            ("the documents", audit.index, earlier.index),
        )
        if one != other
    ]
    return replace(audit, drift=drift(earlier.tally, audit.tally), notes=(*audit.notes, *notes))
