"""The report on a terminal: the decision first, then why, then every claim that stands in the way with its evidence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from gate.reports import words
from gate.reports.document import ChangedClaim, ClaimEntry, Comparison, VerdictDocument
from gate.reports.measures import changes_of, measures_of, models_line
from gate.reports.safe import line, place, workflow_safe
from gate.reports.words import NO_VIEW, View, context_line, partial_lines, standing

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text


MIN_WIDTH, MAX_WIDTH, PLAIN_WIDTH = 60, 120, 100
SHOWN = 10  # of each kind of claim, and failures; the other outputs have them all
STYLES = {"deploy": "green", "warn": "yellow", "block": "red", "inconclusive": "magenta"}
CLAIM_STYLES = {
    "contradicted": "bold red",
    "unsupported": "red",
    "weakly_supported": "yellow",
    "unjudged": "magenta",
    "supported": "green",
}
SECTIONS = (
    ("unsupported", "Contradicted, or not in the documents"),
    ("weakly_supported", "Doubtful"),
    ("unjudged", "Not judged"),
)
WORST = 3  # ratings of each measure that stands in the way
LISTED = 20  # changed claims


def show(document: VerdictDocument, stream: TextIO, environ: Mapping[str, str], view: View = NO_VIEW) -> None:
    """Print the report: as wide as the terminal (60 to 120 columns), coloured only on a terminal without NO_COLOR, in
    characters that the stream can carry."""
    tty = stream.isatty() and environ.get("TERM") != "dumb"
    width = min(max(shutil.get_terminal_size().columns, MIN_WIDTH), MAX_WIDTH) if tty else PLAIN_WIDTH
    text = render(document, view, width, color=tty and not environ.get("NO_COLOR"))
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding))


def render(document: VerdictDocument, view: View = NO_VIEW, width: int = PLAIN_WIDTH, color: bool = False) -> str:
    """The whole report as text of `width` columns; no stranger's text in it can move the cursor or command a runner."""
    from rich.console import Console

    out = StringIO()  # a column stays free, as a line that would command a runner gets a blank
    console = Console(
        file=out, width=width - 1, force_terminal=color, color_system="standard" if color else None, no_color=not color,
        highlight=False, markup=False, emoji=False, legacy_windows=False, _environ={},
    )  # fmt: skip
    _head(console, document)
    for label, title in SECTIONS:
        _claims(console, document, label, title)
    if standing(document):
        console.print(_text((f"\n{words.ADVICE}", "")))
    waived = [
        f"{line(claim['claim'], 200)} ({words.LABEL_WORDS[words.kind(claim)]})"
        for claim in words.waived_claims(document)
    ]
    _section(console, f"Waived ({len(waived):,})", waived)
    for title, lines in _tail(document, view):
        _section(console, title, lines)
    return workflow_safe("\n".join(row.rstrip() for row in out.getvalue().splitlines())) + "\n"


def _head(console: Console, document: VerdictDocument) -> None:
    decision = document["decision"]
    console.print()
    banner = _text(
        (f" {decision.upper()} ", f"bold reverse {STYLES[decision]}"), (f"  {words.HEADLINES[decision]}", "bold")
    )
    if document.get("use_case"):
        banner.append(f"   {line(document['use_case'], 200)}", "dim")
    console.print(banner)
    _indented(console, _text((words.headline(document), "bold")))
    limits = document["thresholds"]
    risk = _text(("risk ", ""), (words.number(document["score"]), "bold"))
    risk.append(f"  95 % interval {words.interval(document['interval'])}")
    risk.append(f"  deploy ≤ {limits['deploy_threshold']:g}, warn ≤ {limits['warn_threshold']:g}", "dim")
    console.print()
    _indented(console, risk)
    _indented(console, _gauge(document, console.width - 6))
    if corrected := words.corrected_line(document):
        _indented(console, _text((corrected, "")))
    for reason in document["reasons"]:
        _indented(console, _text(("• ", STYLES[decision]), (line(reason), "")))
    _indented(console, _text((words.ledger_line(document), "")))
    for row in partial_lines(document):
        _indented(console, _text((row, "bold")))


def _gauge(document: VerdictDocument, width: int) -> Text:
    """0 to 1 on one line: thresholds `┆`, the interval `━`, the risk `●`."""
    cells = ["─"] * width

    def at(value: float) -> int:
        return min(width - 1, max(0, round(value * (width - 1))))

    if document["interval"]:
        low, high = (at(end) for end in document["interval"])
        cells[low : high + 1] = "━" * (high + 1 - low)
    for name in ("deploy_threshold", "warn_threshold"):
        cells[at(document["thresholds"][name])] = "┆"
    if document["score"] is not None:
        cells[at(document["score"])] = "●"
    return _text(("".join(cells), STYLES[document["decision"]]))


def _claims(console: Console, document: VerdictDocument, label: str, title: str) -> None:
    found = standing(document, (label,))
    if not found:
        return
    console.print(_text((f"\n{title} ({sum(each.times for each in found):,})", "bold")))
    for each in found[:SHOWN]:
        claim, kind = each.claim, words.kind(each.claim)
        head = _text((f"{words.LABEL_SIGNS[kind]} {words.LABEL_WORDS[kind]}", CLAIM_STYLES[kind]))
        head.append(" new" if each.new else "", "bold")
        for part in (line(claim["prompt_id"], 40), words.confidence_text(claim), each.again):
            head.append(f"  {part}" if part else "", "dim")
        _indented(console, head)
        if before := line(context_line(claim), 300):
            _indented(console, _text((before, "dim")), 4)
        _indented(console, _text((line(claim["claim"], 400), "bold")), 4)
        for row in _grounds(claim):
            _indented(console, row, 4)
        if accept := words.remedy(claim):
            _indented(console, _text((accept, "dim")), 4)
    if rest := sum(each.times for each in found[SHOWN:]):
        _indented(console, _text((f"and {rest:,} more: see the report (-o report.html)", "dim")))


def _grounds(claim: ClaimEntry) -> Iterator[Text]:
    """Why the label is what it is: the justification or reason, and the best quote with its place."""
    why = words.why(claim)
    if why:
        yield _text((line(why, 300), ""))
    for quote in claim["evidence"][:1]:
        yield _text((place(quote["source"], quote["line"]), "cyan"), (f"  “{line(quote['quote'], 300)}”", "italic"))
    if not why and not claim["evidence"] and claim["label"] == "unsupported":
        yield _text(("nothing in the documents says so", "dim"))


def _section(console: Console, title: str, lines: Sequence[str]) -> None:
    if lines:
        console.print(_text((f"\n{title}", "bold")))
        for each in lines:
            _indented(console, _text((line(each, 500), "")), 6 if each.startswith("    ") else 2)


def _indented(console: Console, what: RenderableType, by: int = 2) -> None:
    from rich.padding import Padding

    console.print(Padding(what, (0, 0, 0, by)))


def _text(*parts: tuple[str, str]) -> Text:
    """Styled text that is never read as markup."""
    from rich.text import Text

    return Text.assemble(*parts)


def _tail(document: VerdictDocument, view: View) -> Iterator[tuple[str, Sequence[str]]]:
    """Title and lines of each section, where a line that starts with blanks belongs to the one above it."""
    comparison = document.get("comparison")
    if comparison:
        yield "Against the base", list(_comparison(comparison))
    elif view.baseline:
        base = view.baseline
        yield "Against the base", [f"the base was {base['decision']} with risk {words.number(base['score'])}"]
    yield "Measures", list(_measures(document))
    failures = words.grouped(document["failures"])
    more = [f"and {len(failures) - SHOWN:,} more"] if len(failures) > SHOWN else []
    yield f"Failures ({len(document['failures']):,})", failures[:SHOWN] + more
    times = document["timings"]
    spent = " · ".join(f"{agent} {words.seconds(value)}" for agent, value in times.items())
    yield (
        "Run",
        [
            *([f"{words.seconds(sum(times.values()))}: {spent}"] if times else []),
            words.usage_line(document["usage"]),
            f"judge {words.judge_line(document['judge'])}",
        ],
    )


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield f"{comparison['word']}: {words.difference_line(comparison)}"
    yield from filter(None, [models_line(comparison)])
    changes = changes_of(comparison)
    yield from (each.line for each in changes if each.changed)
    if same := [each.title for each in changes if not each.changed]:
        yield f"no difference shown: {', '.join(same)}"
    yield from comparison["notes"]


def _measures(document: VerdictDocument) -> Iterator[str]:
    """A line for each, then what it comes to and what was left out; of one that stands in the way its worst ratings."""
    for measure in measures_of(document):
        yield f"{measure.sign} {measure.sentence()}"
        yield from (f"    {row}" for row in (measure.beside(), *measure.left_out()) if row)
        if measure.bad:
            yield from (f"    {measure.rating_line(rating, 200)}" for rating in measure.faults(WORST))


def describe_comparison(comparison: Comparison) -> str:
    """The word first, then the figures, the notes, and the claims that changed."""
    return workflow_safe("\n".join(_comparison_lines(comparison))) + "\n"


def _comparison_lines(comparison: Comparison) -> Iterator[str]:
    yield comparison["word"].upper()
    yield words.difference_line(comparison)
    if models := models_line(comparison):
        yield line(models)
    yield (
        f"{words.count(comparison.get('prompts', 0), 'prompt')} judged in both; "
        f"one-sided p {words.number(comparison['p_value'])}; "
        f"smallest difference that could have shown: {words.number(comparison['smallest_detectable'])}"
    )
    yield from (f"measure: {line(change.line)}" for change in changes_of(comparison))
    yield from (f"note: {line(note)}" for note in comparison["notes"])
    yield from _changed("new", comparison["new"])
    yield from _changed("fixed", comparison["fixed"])
    yield from _changed("no longer said", comparison.get("gone", []))


def _changed(title: str, claims: Sequence[ChangedClaim]) -> Iterator[str]:
    for claim in claims[:LISTED]:
        label = words.LABEL_WORDS["contradicted" if claim.get("contradicted") else claim["label"]]
        yield f"{title}: {line(claim['claim'], 200)} ({label}, {line(claim['prompt_id'], 60)})"
    if len(claims) > LISTED:
        yield f"{title}: and {len(claims) - LISTED:,} more"
