"""The report on a terminal: the decision first, then why, then every claim that stands in the way with its evidence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from gate.reports import telling
from gate.reports.document import ClaimEntry, VerdictDocument
from gate.reports.extent import left_out
from gate.reports.repeats import again, leans_on, once
from gate.reports.safe import line, place, workflow_safe
from gate.reports.telling import View
from gate.reports.terminal_tail import tail

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

MIN_WIDTH, MAX_WIDTH, PLAIN_WIDTH = 80, 120, 100
SHOWN = 10  # of each kind; the other outputs have them all
STYLES = {"deploy": "green", "warn": "yellow", "block": "red", "inconclusive": "magenta"}
CLAIM_STYLES = {
    "contradicted": "bold red",
    "unsupported": "red",
    "weakly_supported": "yellow",
    "unjudged": "magenta",
    "supported": "green",
}
SECTIONS = (
    ("unsupported", "Not supported by the documents"),
    ("weakly_supported", "Weakly supported"),
    ("unjudged", "Not judged"),
)


def show(document: VerdictDocument, stream: TextIO, environ: Mapping[str, str], view: View | None = None) -> None:
    """Print the report: as wide as the terminal (80 to 120 columns), coloured only on a terminal without NO_COLOR, in
    characters that the stream can carry."""
    tty = stream.isatty() and environ.get("TERM") != "dumb"
    width = min(max(shutil.get_terminal_size().columns, MIN_WIDTH), MAX_WIDTH) if tty else PLAIN_WIDTH
    text = render(document, view, width, color=tty and not environ.get("NO_COLOR"))
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding))


def render(document: VerdictDocument, view: View | None = None, width: int = PLAIN_WIDTH, color: bool = False) -> str:
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
    for title, lines in tail(document, view or View()):
        _section(console, title, lines)
    return workflow_safe("\n".join(row.rstrip() for row in out.getvalue().splitlines())) + "\n"


def _head(console: Console, document: VerdictDocument) -> None:
    decision = document["decision"]
    console.print()
    banner = _text(
        (f" {decision.upper()} ", f"bold reverse {STYLES[decision]}"), (f"  {telling.HEADLINES[decision]}", "bold")
    )
    if document.get("use_case"):
        banner.append(f"   {line(document['use_case'], 200)}", "dim")
    console.print(banner)
    limits = document["thresholds"]
    risk = _text(("risk ", ""), (telling.number(document["score"]), "bold"))
    risk.append(f"  95 % interval {telling.interval(document['interval'])}")
    risk.append(f"  deploy ≤ {limits['deploy_threshold']:g}, warn ≤ {limits['warn_threshold']:g}", "dim")
    console.print()
    _indented(console, risk)
    _indented(console, _gauge(document, console.width - 6))
    for reason in document["reasons"]:
        _indented(console, _text(("• ", STYLES[decision]), (line(reason), "")))
    _indented(console, _text((telling.ledger_line(document), "")))
    for sentence in left_out(document):
        _indented(console, _text((sentence, "bold")))


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
    claims, new = telling.worst(document, (label,)), telling.new_claims(document)
    if not claims:
        return
    console.print(_text((f"\n{title} ({len(claims):,})", "bold")))
    shown = once(claims, new)[:SHOWN]
    for claim, more in shown:
        kind = telling.kind(claim)
        head = _text((f"{telling.LABEL_SIGNS[kind]} {telling.LABEL_WORDS[kind]}", CLAIM_STYLES[kind]))
        head.append(" new" if (claim["prompt_id"], claim["claim"]) in new else "", "bold")
        head.append(f"  {line(claim['prompt_id'], 40)}", "dim")
        sure = telling.sure(claim)
        head.append(f"  {sure} sure" if sure else "", "dim")
        head.append(f"  {again(more)}" if more else "", "dim")
        _indented(console, head)
        if before := line(leans_on(claim), 300):
            _indented(console, _text((before, "dim")), 4)
        _indented(console, _text((line(claim["claim"], 400), "bold")), 4)
        for row in _grounds(claim):
            _indented(console, row, 4)
    if rest := len(claims) - sum(1 + more for _, more in shown):
        _indented(console, _text((f"and {rest:,} more: see the report (-o report.html)", "dim")))


def _grounds(claim: ClaimEntry) -> Iterator[Text]:
    """Why the label is what it is: the justification or reason, and the best quote with its place."""
    why = claim["justification"] or claim.get("reason", "")
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
