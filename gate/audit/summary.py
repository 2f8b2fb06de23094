"""What an audit counts: sums that add up in any order, so that parts of an audit merge into the whole, exactly."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from itertools import islice
from pathlib import Path
from statistics import NormalDist
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from gate.errors import InputFileError
from gate.records import Label, Quote, Verdict
from gate.reports.files import parse_file, render_json
from gate.statistics.intervals import WEIGHTS, Z95, Moments

T = TypeVar("T")
SCHEMA_VERSION = "1.0"
MAX_BYTES = 256 * 1024 * 1024  # of a summary
NAMES = 10_000  # of tags, days, documents: memory stays bounded whatever strangers write
WORST = 50  # answers
BROKEN = 50  # lines that are named
BROKEN_LINE = "the line is broken"
REASONS = 100
FILES = 1000  # logs that a summary names
_MADE_BY = "give a file that `gate audit -o summary.json` wrote"
_QUESTION, _CLAIM, _QUOTE = 300, 600, 600  # characters of a worst answer


@dataclass(frozen=True, slots=True)
class Count:
    """Sums over answers, all of which add up. `answers` = judged + silent + unjudged ones: a silent one states nothing
    that could be checked, an unjudged one has no judged claim and should have. `contradicted` is a part of
    `unsupported`, `cases` (claims that say what a rule means for one case) of `weakly_supported`. Of an answer with m
    judged claims that weigh y together (unsupported 1, weakly supported 0.5), `claims_squared`, `weight_claims` and
    `weight_squared` sum m m, y m and y y."""

    answers: int = 0
    judged_answers: int = 0
    silent_answers: int = 0
    unjudged_answers: int = 0
    supported: int = 0
    weakly_supported: int = 0
    unsupported: int = 0
    contradicted: int = 0
    unjudged: int = 0
    claims_squared: int = 0
    weight_claims: float = 0.0
    weight_squared: float = 0.0
    cases: int = 0

    @classmethod
    def of(cls, verdicts: Sequence[Verdict], failed: bool = False) -> Count:
        """One answer, or the claims of one that a document decided. `failed`: something kept it from being judged."""
        labels = [verdict.label for verdict in verdicts]
        weights = [WEIGHTS[label] for label in labels if label in WEIGHTS]
        y, m = sum(weights), len(weights)
        silent = not labels and not failed
        return cls(
            answers=1,
            judged_answers=int(m > 0),
            silent_answers=int(silent),
            unjudged_answers=int(not m and not silent),
            supported=labels.count(Label.SUPPORTED),
            weakly_supported=labels.count(Label.WEAKLY_SUPPORTED),
            unsupported=labels.count(Label.UNSUPPORTED),
            contradicted=sum(verdict.contradicted for verdict in verdicts),
            unjudged=labels.count(Label.UNJUDGED),
            claims_squared=m * m,
            weight_claims=y * m,
            weight_squared=y * y,
            cases=sum(verdict.case for verdict in verdicts),
        )

    def __add__(self, other: Count) -> Count:
        return Count(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Count)))

    @property
    def judged(self) -> int:
        """Claims with one of the three labels."""
        return self.supported + self.weakly_supported + self.unsupported

    @property
    def claims(self) -> int:
        """All claims."""
        return self.judged + self.unjudged

    @property
    def moments(self) -> Moments:
        """The sums that the interval of the risk is made of; an answer is a cluster."""
        weak, bad = self.weakly_supported, self.unsupported
        return Moments(
            self.judged_answers, self.judged, bad + weak / 2, bad + weak / 4,
            self.claims_squared, self.weight_claims, self.weight_squared,
        )  # fmt: skip

    @property
    def risk(self) -> float | None:
        """(unsupported + weakly_supported / 2) / judged claims; None where nothing was judged."""
        return self.moments.share if self.judged else None

    def interval(self, z: float = Z95) -> tuple[float, float] | None:
        """That of the risk, clustered by answer; of 95 % unless another normal quantile is given."""
        return self.moments.interval(z) if self.judged else None


@dataclass(frozen=True, slots=True)
class Worst:
    """An answer with claims that the documents do not support, and the worst of these claims. `file` and `line` name
    the row; `source`, `at` and `quote` are the words that decide, where there are any."""

    contradicted: int
    weight: float
    judged: int
    file: str
    line: int
    id: str
    question: str
    claim: str
    label: str
    source: str = ""
    at: int = 0
    quote: str = ""

    @property
    def order(self) -> tuple[float, float, str, int]:
        """The worst first: claims that the documents deny, then claims that nothing supports."""
        return (-self.contradicted, -self.weight, self.file, self.line)


@dataclass(frozen=True, slots=True)
class Tally:
    """All that an audit, or a part of one, has counted. `a + b` is the tally of both, whatever the order of the parts:
    of names beyond NAMES those with the smallest hash stay, of worst answers, each once, and of broken lines the first.
    `broken` of the unjudged answers are lines that no answer can be read from.
    `reasons`: why answers and claims are unjudged. `void`: what makes the judge's labels worthless."""

    total: Count = field(default_factory=Count)
    days: Mapping[str, Count] = field(default_factory=dict)
    tags: Mapping[str, Count] = field(default_factory=dict)
    documents: Mapping[str, Count] = field(default_factory=dict)
    reasons: Mapping[str, int] = field(default_factory=dict)
    void: Mapping[str, int] = field(default_factory=dict)
    broken: int = 0
    broken_lines: tuple[tuple[str, int, str], ...] = ()  # file, line, fault
    worst: tuple[Worst, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.total + other.total,
            merged((self.days, other.days), NAMES),
            merged((self.tags, other.tags), NAMES),
            merged((self.documents, other.documents), NAMES),
            merged((self.reasons, other.reasons), REASONS),
            merged((self.void, other.void), REASONS),
            self.broken + other.broken,
            tuple(heapq.nsmallest(BROKEN, {*self.broken_lines, *other.broken_lines})),
            _worst_of(*self.worst, *other.worst),
        )


def _worst_of(*answers: Worst) -> tuple[Worst, ...]:
    """The first in order, one of those that say the same to the same question: logs have an answer many times. Kept in
    every part of an audit, they are those of the whole."""
    first: dict[tuple[str, str], Worst] = {}
    for one in sorted(answers, key=lambda one: one.order):
        first.setdefault((one.question, one.claim), one)
    return tuple(islice(first.values(), WORST))


def merged(parts: Iterable[Mapping[str, T]], most: int) -> dict[str, T]:
    """The sums by name, in the order of the names. Of more than `most` names those with the smallest hashes: a name
    that stays has stayed in every part, so its sum is whole."""
    sums: dict[str, Any] = {}
    for part in parts:
        for name, count in part.items():
            sums[name] = sums[name] + count if name in sums else count
    kept = heapq.nsmallest(most, sums, key=_hash) if len(sums) > most else sums
    return {name: sums[name] for name in sorted(kept)}


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class Judged:
    """A logged answer with its verdicts, one a claim. `day`: `2026-01-31` in UTC, or empty. `reason`: why the answer
    was not judged; empty where it was, also where it states nothing."""

    file: str
    line: int
    id: str
    question: str
    day: str = ""
    tags: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    reason: str = ""
    broken: bool = False  # the row itself is at fault, as `reason` says
    failed: bool = False  # something failed that may do better another time


def tally_of(one: Judged) -> Tally:
    """The tally of a single answer. A claim counts for the document whose words decide it."""
    count = Count.of(one.verdicts, bool(one.reason))
    by_document: dict[str, list[Verdict]] = {}
    for verdict in one.verdicts:
        for quote in verdict.evidence[:1]:
            by_document.setdefault(quote.source, []).append(verdict)
    why = (
        [BROKEN_LINE if one.broken else one.reason]
        if one.reason
        else [verdict.reason for verdict in one.verdicts if verdict.reason]
    )
    return Tally(
        total=count,
        days={one.day: count} if one.day else {},
        tags=dict.fromkeys(one.tags, count),
        documents={source: Count.of(verdicts) for source, verdicts in by_document.items()},
        reasons={reason[:_QUESTION]: why.count(reason) for reason in why},
        broken=int(one.broken),
        broken_lines=((one.file, one.line, one.reason[:_QUESTION]),) if one.broken else (),
        worst=(_worst(one, count),) if count.unsupported + count.weakly_supported else (),
    )


def _worst(one: Judged, count: Count) -> Worst:
    claim = max(one.verdicts, key=lambda verdict: (verdict.contradicted, WEIGHTS.get(verdict.label, -1.0)))
    words = claim.evidence[0] if claim.evidence else Quote("", 0, "", 0.0)
    return Worst(
        count.contradicted, count.moments.weight, count.judged, one.file, one.line, one.id,
        one.question[:_QUESTION], claim.claim.text[:_CLAIM], claim.label.value,
        words.source, words.line, words.quote[:_QUOTE],
    )  # fmt: skip


def total(parts: Sequence[Tally]) -> Tally:
    """The sum of many, by halves: each name is added up a few times, not once for every part."""
    if len(parts) < 2:
        return parts[0] if parts else Tally()
    half = len(parts) // 2
    return total(parts[:half]) + total(parts[half:])


@dataclass(frozen=True, slots=True)
class Draw:
    """Which answers were drawn: `drawn` of `of`, by `seed`. `for_one_point`: how many it would take for a 95 % interval
    of one percentage point to each side, if the risk stays so, and be it more than there are; None where nothing was
    judged."""

    drawn: int
    of: int
    seed: int
    for_one_point: int | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """A risk in this audit (`after`) and in an earlier one. `kind`: total, tag, document. `changed`: the interval of
    the difference leaves out 0, at a level that holds for all comparisons together."""

    kind: str
    name: str
    before: float
    after: float
    difference: float
    interval: tuple[float, float]
    changed: bool


@dataclass(frozen=True, slots=True)
class Audit:
    """The summary of an audit, as JSON has it. `score` is the risk; `rows` are all lines of `files`, judged or not;
    `index`, `judge` and `config_hash` say what they were judged by; `notes` what a reader should know beside it."""

    schema_version: str
    decision: str
    reasons: tuple[str, ...]
    score: float | None
    interval: tuple[float, float] | None
    thresholds: Mapping[str, Any]
    judge: Mapping[str, str]
    index: str
    config_hash: str
    files: tuple[str, ...]
    rows: int
    tally: Tally
    sample: Draw | None = None
    drift: tuple[Shift, ...] = ()
    notes: tuple[str, ...] = ()


def for_one_point(count: Count) -> int | None:
    """See Draw. The width goes with the root of the number."""
    interval = count.interval()
    return max(1, round(count.answers * ((interval[1] - interval[0]) / 0.02) ** 2)) if interval else None


def drift(before: Tally, after: Tally) -> tuple[Shift, ...]:
    """How the risk differs from an earlier audit's: in all, and of each tag and document that both have judged claims
    of. The intervals are Newcombe's (1998, method 10) of two clustered shares; by Bonferroni's level none of them
    calls a change where there is none, in 95 of 100 audits. What changed comes first, the largest difference first."""
    pairs = [("total", "", before.total, after.total)]
    for kind, old, new in (("tag", before.tags, after.tags), ("document", before.documents, after.documents)):
        pairs += [(kind, name, old[name], new[name]) for name in new if name in old]
    pairs = [pair for pair in pairs if pair[2].judged and pair[3].judged]
    z = NormalDist().inv_cdf(1 - 0.025 / max(1, len(pairs)))
    changes = [_change(kind, name, old, new, z) for kind, name, old, new in pairs]
    return tuple(sorted(changes, key=lambda one: (one.kind != "total", not one.changed, -abs(one.difference))))


def _change(kind: str, name: str, old: Count, new: Count, z: float) -> Shift:
    p, q = old.moments.share, new.moments.share
    (a, b), (c, d) = old.moments.interval(z), new.moments.interval(z)
    low, high = q - p - ((q - c) ** 2 + (b - p) ** 2) ** 0.5, q - p + ((d - q) ** 2 + (p - a) ** 2) ** 0.5
    return Shift(kind, name, p, q, q - p, (low, high), not low <= 0 <= high)


def render(audit: Audit) -> str:
    """The summary as JSON: beside each count the risk and the interval that follow from it."""
    return render_json(_plain(audit))


def _plain(value: Any) -> Any:
    if isinstance(value, Count):
        follows = {"risk": _plain(value.risk), "interval": _plain(value.interval())}
        return follows | asdict(value)
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value


def load_summary(path: Path) -> Audit:
    """The summary of an earlier audit. Errors: as load_record."""
    return load_record(path, Audit, "summary of an audit", SCHEMA_VERSION, MAX_BYTES, _MADE_BY)


def load_record(path: Path, of: type[T], what: str, version: str, most: int, made_by: str) -> T:
    """The record `of` a file of at most `most` bytes, called `what`. Errors: InputFileError with the hint `made_by`
    where the file holds none, or one of another major version."""
    value = parse_file(path, most, made_by)
    written = value.get("schema_version") if isinstance(value, dict) else None
    if str(written).split(".")[0] != version.split(".")[0]:
        raise InputFileError(f"{path}: is no {what} that this gate reads ({version})", made_by)
    try:
        return TypeAdapter(of).validate_json(json.dumps(value))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))[:200]
        raise InputFileError(f"{path}: is no whole {what}: {where}: {first['msg']}", made_by) from None
