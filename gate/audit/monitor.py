"""What nightly audits say of a risk threshold together, kept in a file of their own: `gate audit --monitor STATE`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gate.audit.summary import MILLION, Count, load_record
from gate.errors import UsageError
from gate.reports import words
from gate.reports.files import render_json
from gate.statistics.changes import ALPHA, Monitor, Night

SCHEMA_VERSION = "1.0"
MAX_BYTES = 16 * 1024 * 1024
POINTS = 1000  # nights that are kept for the plot, the latest ones
WIDTH, HEIGHT = 720, 160  # of the plot
_HINT = "give the file that an earlier `gate audit --monitor` wrote, or the name of a new one"


@dataclass(frozen=True, slots=True)
class Point:
    """A night in the plot: its own mean risk, and what was known behind it of all nights."""

    day: str
    answers: int
    risk: float
    mean: float
    interval: tuple[float, float]
    evidence: float


@dataclass(frozen=True, slots=True)
class Watched:
    """The nights so far by one judge; `monitor` holds their sums. Only days after `last` count."""

    schema_version: str
    judge: Mapping[str, str]
    monitor: Monitor
    last: str = ""
    points: tuple[Point, ...] = ()
    alarmed_on: str = ""
    skipped: tuple[str, ...] = ()  # days of the latest audit that were counted before

    @property
    def alarm(self) -> bool:
        """Whether the nights so far surely had a risk above the threshold."""
        return self.monitor.evidence >= 1 / ALPHA


def load_watched(path: Path, threshold: float, judge: Mapping[str, str]) -> Watched:
    """The state in a file, a new one where there is none. Errors: InputFileError; UsageError where it is about another
    threshold or another judge."""
    if not path.exists():
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


def watch(before: Watched, days: Mapping[str, Count]) -> Watched:
    """The state behind the days of an audit, in their order; a day that was counted before is left out."""
    found = replace(before, skipped=tuple(day for day in sorted(days) if day <= before.last))
    for day in sorted(days):
        count = days[day]
        if day <= before.last or not count.judged_answers:
            continue
        total, squares = count.risk_millionths / MILLION, count.risk_squared_millionths / MILLION
        monitor = found.monitor.after(Night(count.judged_answers, total, min(squares, total)))
        point = Point(
            day, count.judged_answers, total / count.judged_answers, monitor.mean or 0.0, monitor.interval,
            monitor.evidence,
        )  # fmt: skip
        first = found.alarmed_on or (day if monitor.alarmed else "")
        found = replace(found, monitor=monitor, last=day, points=(*found.points, point)[-POINTS:], alarmed_on=first)
    return found


def render_watched(watched: Watched) -> str:
    """The state as JSON."""
    return render_json(asdict(replace(watched, skipped=())))


def describe_watched(watched: Watched) -> Iterator[str]:
    """What the monitor says, in sentences."""
    monitor = watched.monitor
    if monitor.nights:
        yield (
            f"Monitor: {words.count(monitor.nights, 'night')} to {watched.last}, {monitor.answers:,} answers, a mean "
            f"risk of {words.number(monitor.mean)} (at every look within {words.interval(monitor.interval)})."
        )
    else:
        yield "Monitor: no night yet, since no judged answer has a day (`created_at`)."
    if watched.alarm:
        yield (
            f"ALARM: the risk has risen above {monitor.threshold:g}; the first alarm was on {watched.alarmed_on}. "
            f"A monitor alarms without a cause in at most {100 * ALPHA:.0f} % of the years."
        )
    elif monitor.nights:
        rest = f"{monitor.evidence:.2g} of {1 / ALPHA:.0f}"
        yield f"No alarm: the evidence for a risk above {monitor.threshold:g} is {rest}."
    if watched.skipped:
        yield f"Left out, since these days were counted before: {', '.join(watched.skipped[:5])}."


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
