"""How a summary is told: for a terminal, as Markdown, and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gate.audit.monitor import Watched, plot
from gate.audit.summary import FILES, Audit, Count, Shift, Worst, render
from gate.reports import words
from gate.reports.findings import told_of_cases
from gate.reports.github import code, prose
from gate.reports.html import fill
from gate.reports.safe import line, place, workflow_safe

FORMS = (".json", ".md", ".html")
SHOWN = {"day": 400, "tag": 30, "document": 30}  # rows of a table
LISTED, NAMED = 20, 5  # worst answers on a page, and in a terminal


def report(audit: Audit, suffix: str, watched: Watched | None = None) -> str:
    """The summary in the form of a suffix, one of FORMS; a page has the plot of the monitor."""
    match suffix.lower():
        case ".html":
            values = page(audit) | {"plot": plot(watched) if watched and watched.points else None}
            return fill("audit.html.j2", values, ("report.css", "calibration.css"))
        case ".md":
            return "\n".join(_markdown(audit)) + "\n"
        case _:
            return render(audit)


def groups(audit: Audit) -> Iterator[tuple[str, list[tuple[str, Count]], int]]:
    """(kind, rows to show, how many more there are): days in their order, of tags and documents those with the most
    weight against them first."""
    tally = audit.tally
    for kind, counts in (("day", tally.days), ("tag", tally.tags), ("document", tally.documents)):
        rows = list(counts.items())
        if kind != "day":
            rows.sort(key=lambda row: (-row[1].moments.weight, row[0]))
        shown = rows[-SHOWN[kind] :] if kind == "day" else rows[: SHOWN[kind]]
        if rows:
            yield kind, shown, len(rows) - len(shown)


def facts(audit: Audit) -> Iterator[str]:
    """What was judged, in sentences."""
    count, tally = audit.tally.total, audit.tally
    files = words.count(len(audit.files), "file") + (" or more" if len(audit.files) == FILES else "")
    state = "states" if count.silent_answers == 1 else "state"
    yield (
        f"{words.count(count.answers, 'answer')} of {audit.rows:,} in {files}: "
        f"{count.judged_answers:,} judged, "
        f"{count.silent_answers:,} {state} nothing, {count.unjudged_answers:,} not judged."
    )
    yield (
        f"{words.count(count.claims, 'claim')} = {count.supported:,} supported + {count.weakly_supported:,} doubtful + "
        f"{count.unsupported - count.contradicted:,} not in the documents + {count.contradicted:,} contradicted + "
        f"{count.unjudged:,} not judged."
    )
    if count.cases:
        yield f"{told_of_cases(count.cases)}."
    if sample := audit.sample:
        low, high = audit.interval or (0.0, 1.0)
        wide = f"{100 * (high - low):.1f} points wide"
        told = f"A sample of {sample.drawn:,} (seed {sample.seed}): the interval is {wide}."
        if wanted := sample.for_one_point:
            told += f" About {wanted:,} answers would give 1 point to each side"
            told += f"; there are {sample.of:,}." if wanted > sample.of else "."
        yield told
    for reason, number in sorted(tally.reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:NAMED]:
        yield f"Not judged, {words.count(number, 'time')}: {line(reason, 200)}."
    yield from (f"{place(file, at)}: {line(why, 200)}" for file, at, why in tally.broken_lines[:NAMED])
    yield from (line(note, 300) for note in audit.notes)


def changes(audit: Audit) -> list[Shift]:
    """The change of the whole, and of those tags and documents that did change."""
    return [one for one in audit.drift if one.kind == "total" or one.changed]


def changed(one: Shift) -> str:
    """A change in words."""
    name = "the risk" if one.kind == "total" else f"{one.kind} {line(one.name, 120)}"
    word = ("worse" if one.difference > 0 else "better") if one.changed else "no change that can be told from chance"
    return (
        f"{name}: {words.number(one.before)} to {words.number(one.after)}, {words.signed(one.difference)} "
        f"({words.interval_signed(one.interval)}): {word}"
    )


def describe(audit: Audit, folder: Path) -> str:
    """The summary as plain text; nothing in it can move a cursor or command a runner."""
    return workflow_safe("\n".join(_lines(audit, folder))) + "\n"


def _lines(audit: Audit, folder: Path) -> Iterator[str]:
    yield from (
        "",
        f"{audit.decision.upper()}  risk {words.number(audit.score)}  95 % interval {words.interval(audit.interval)}",
    )
    yield from (f"  {line(reason, 300)}" for reason in audit.reasons)
    yield ""
    yield from (f"  {text}" for text in facts(audit))
    for kind, rows, more in groups(audit):
        yield from ("", f"  by {kind}")
        if kind == "day" and len(rows) > SHOWN["tag"]:
            rows, more = rows[-SHOWN["tag"] :], more + len(rows) - SHOWN["tag"]
        yield from (f"    {line(name, 60):60} {_figures(count)}" for name, count in rows)
        if more:
            yield f"    and {more:,} more"
    if audit.drift:
        yield from ("", "  since the earlier audit", *(f"    {changed(one)}" for one in changes(audit)))
    if audit.tally.worst:
        yield from ("", "  the worst answers")
        for one in audit.tally.worst[:NAMED]:
            yield f"    {place(one.file, one.line)}  {line(one.question, 120)}"
            yield f"      {words.LABEL_WORDS[_kind(one)]}: {line(one.claim, 160)}"
            if one.quote:
                yield f"      {place(one.source, one.at)}: {line(one.quote, 160)}"
    yield from ("", f"verdicts  {line(str(folder))}")


def _kind(one: Worst) -> str:
    return "contradicted" if one.contradicted else one.label


def _figures(count: Count) -> str:
    return f"{words.number(count.risk)}  ({words.interval(count.interval())})  {words.count(count.judged, 'claim'):>14}"


def _markdown(audit: Audit) -> Iterator[str]:
    yield f"# Audit: {audit.decision}, risk {words.number(audit.score)} ({words.interval(audit.interval)})"
    yield from ("", *(f"- {prose(text, 400)}" for text in (*audit.reasons, *facts(audit))))
    for kind, rows, more in groups(audit):
        head = (f"| {kind} | risk | 95 % interval | claims | answers |", "| --- | --- | --- | --- | --- |")
        yield from ("", f"## By {kind}", "", *head)
        for name, count in rows:
            risk, interval = words.number(count.risk), words.interval(count.interval())
            yield f"| {prose(name, 120)} | {risk} | {interval} | {count.judged:,} | {count.answers:,} |"
        yield from ("", f"And {more:,} more.") if more else ()
    if audit.drift:
        yield from ("", "## Since the earlier audit", "", *(f"- {prose(changed(one), 400)}" for one in changes(audit)))
    if audit.tally.worst:
        yield from ("", "## The worst answers", "", *map(_item, audit.tally.worst[:LISTED]))


def _item(one: Worst) -> str:
    words_of = f"\n  - {code(place(one.source, one.at), 200)}: {prose(one.quote, 300)}" if one.quote else ""
    return (
        f"- {code(place(one.file, one.line), 200)}: {prose(one.question, 200)}\n"
        f"  - {words.LABEL_WORDS[_kind(one)]}: {prose(one.claim, 300)}{words_of}"
    )


def page(audit: Audit) -> dict[str, Any]:
    """Everything that the page's template needs; it shows every stranger's text by `line` or `visible`."""
    return {
        "audit": audit,
        "facts": list(facts(audit)),
        "groups": [
            (kind, [(name, count, count.interval(), _parts(count)) for name, count in rows], more)
            for kind, rows, more in groups(audit)
        ],
        "changes": [changed(one) for one in changes(audit)],
        "worst": [(_kind(one), one) for one in audit.tally.worst[:LISTED]],
        "judge": " / ".join(filter(None, audit.judge.values())),
    }


def _parts(count: Count) -> Mapping[str, int]:
    return {
        "supported": count.supported,
        "weakly_supported": count.weakly_supported,
        "unsupported": count.unsupported - count.contradicted,
        "contradicted": count.contradicted,
        "unjudged": count.unjudged,
    }
