"""What nightly audits say of a risk threshold together, kept in a file of their own: `gate audit --monitor STATE`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gate.audit.summary import Audit, load_record
from gate.errors import UsageError
from gate.reports import words
from gate.reports.files import check_place, render_json
from gate.statistics.changes import ALPHA, Monitor

SCHEMA_VERSION = "2.0"
MAX_BYTES = 16 * 1024 * 1024
POINTS = 1000  # nights that are kept for the plot, the latest ones
WIDTH, HEIGHT = 720, 160  # of the plot
_NAMED = 5  # days
_HINT = "give the file that an earlier `gate audit --monitor` wrote, or the name of a new one"


@dataclass(frozen=True, slots=True)
class Point:
    """A night in the plot: its own risk, and what was known behind it of all nights."""

    day: str
    answers: int
    risk: float
    mean: float
    interval: tuple[float, float]
    evidence: float


@dataclass(frozen=True, slots=True)
class Watched:
    """The nights so far by one judge; `monitor` holds their sums. Only days after `last` count. `index` stands for the
    documents of the last night; `notes` say what of the latest audit did not count, and what changed."""

    schema_version: str
    judge: Mapping[str, str]
    monitor: Monitor
    last: str = ""
    points: tuple[Point, ...] = ()
    alarmed_on: str = ""
    index: str = ""
    notes: tuple[str, ...] = ()

    @property
    def alarm(self) -> bool:
        """Whether the nights so far surely had a risk above the threshold."""
        return self.monitor.evidence >= 1 / ALPHA


def load_watched(path: Path, threshold: float, judge: Mapping[str, str]) -> Watched:
    """The state in a file, a new one where there is none. Errors: InputFileError; UsageError where it is about another
    threshold or another judge, or where none can be written."""
    if not path.exists():
        check_place(path)
        return Watched(SCHEMA_VERSION, judge, Monitor(threshold))
    found = load_record(path, Watched, "state of a monitor", SCHEMA_VERSION, MAX_BYTES, _HINT)
    for what, was, now in (("threshold", found.monitor.threshold, threshold), ("judge", found.judge, judge)):
        if was != now:
            raise UsageError(
                f"{path}: its nights were counted with another {what} ({_said(was)}, now {_said(now)})",
                "begin a new state file: nights of two kinds do not add up",
            )
    return found


def _said(value: Any) -> str:
    return " ".join(map(str, value.values()))[:200] if isinstance(value, Mapping) else str(value)


def watch(before: Watched, audit: Audit, today: str) -> Watched:
    """The state behind the days of an audit, in their order. A day that is not after the last one is left out, as it
    may be counted already, and one after `today`: if a broken clock set `last`, nothing would count any more."""
    found, days = before, audit.tally.days
    for day in sorted(days):
        risk = days[day].risk
        if risk is not None and before.last < day <= today:
            monitor = found.monitor.after(risk)
            answers, mean = days[day].judged_answers, monitor.mean or 0.0
            point = Point(day, answers, risk, mean, monitor.interval, monitor.evidence)
            first = found.alarmed_on or (day if monitor.alarmed else "")
            found = replace(found, monitor=monitor, last=day, points=(*found.points, point)[-POINTS:], alarmed_on=first)
    return replace(found, index=audit.index, notes=tuple(_left_out(before, audit, today)))


def _left_out(before: Watched, audit: Audit, today: str) -> Iterator[str]:
    tally = audit.tally
    early = [day for day in sorted(tally.days) if day <= before.last]
    if early:
        more = f", and {len(early) - _NAMED:,} earlier" if len(early) > _NAMED else ""
        answers = words.count(sum(tally.days[day].judged_answers for day in early), "judged answer")
        yield f"Left out: {answers} of {', '.join(early[-_NAMED:])}{more}. Only days after {before.last} count."
    if late := [day for day in sorted(tally.days) if day > today]:
        yield f"Left out: days that are still to come, as {', '.join(late[:_NAMED])}."
    if undated := max(0, tally.total.judged_answers - sum(count.judged_answers for count in tally.days.values())):
        yield f"Left out: {words.count(undated, 'judged answer')} without a day (`created_at`)."
    if before.index not in ("", audit.index):
        yield "The documents changed since the last night: a rise need not come from the answers."


def render_watched(watched: Watched) -> str:
    """The state as JSON."""
    return render_json(asdict(replace(watched, notes=())))


def with_nights(audit: Audit, watched: Watched) -> Audit:
    """The audit with what its monitor says: an alarm blocks, whatever the risk of this audit."""
    monitor, notes = watched.monitor, list(watched.notes)
    if not monitor.nights:
        return replace(audit, notes=(*audit.notes, *notes, "Monitor: no night yet."))
    told = (
        f"Monitor: {words.count(monitor.nights, 'night')} to {watched.last}, a mean risk of "
        f"{words.number(monitor.mean)} (at every look within {words.interval(monitor.interval)})."
    )
    if not watched.alarm:
        rest = f"{monitor.evidence:.2g}; {1 / ALPHA:.0f} raises the alarm"
        told += f" No alarm: the evidence for a risk above {monitor.threshold:g} is {rest}."
        return replace(audit, notes=(*audit.notes, told, *notes))
    alarm = (
        f"ALARM: the risk of the nights has risen above {monitor.threshold:g}; the first alarm was on "
        f"{watched.alarmed_on}. A monitor alarms without a cause in at most {100 * ALPHA:.0f} % of the years."
    )
    return replace(audit, decision="block", reasons=(alarm, *audit.reasons), notes=(*audit.notes, told, *notes))


def plot(watched: Watched) -> dict[str, Any]:
    """The lines of the plot in its own units: each night's risk as a dot, the mean, the interval, the threshold."""
    points = watched.points
    top = max([2 * watched.monitor.threshold, *(point.risk for point in points), 0.01])

    def x(at: int) -> float:
        return round(WIDTH * (at + 0.5) / len(points), 1)

    def y(risk: float) -> float:
        return round(HEIGHT * (1 - min(risk, top) / top), 1)

    def line(values: Sequence[tuple[int, float]]) -> str:
        return " ".join(f"{x(at)},{y(value)}" for at, value in values)

    low, high = ([(at, point.interval[end]) for at, point in enumerate(points)] for end in (0, 1))
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "top": words.number(top),
        "first": points[0].day,
        "last": points[-1].day,
        "dots": [(x(at), y(point.risk)) for at, point in enumerate(points)],
        "mean": line([(at, point.mean) for at, point in enumerate(points)]),
        "band": line([*high, *reversed(low)]),
        "threshold": y(watched.monitor.threshold),
        "alarm": next((x(at) for at, point in enumerate(points) if point.evidence >= 1 / ALPHA), None),
        "rows": points[-30:],
    }
