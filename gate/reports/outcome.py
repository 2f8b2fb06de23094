"""How a verdict leaves the process: the report on the terminal, files, the step summary, annotations, and the exit
code. On the terminal the decision comes first, then why, then every claim that stands in the way with its evidence."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from urllib.parse import quote

from gate.reports import words
from gate.reports.document import ChangedClaim, Comparison, PromptEntry, VerdictDocument
from gate.reports.files import check, render, write
from gate.reports.findings import ACCEPTING, CLOSE, OPEN, FindingText, by_id, finding, grouped, notes, slices, unmet
from gate.reports.measures import changes_of, measures_of, models_line
from gate.reports.safe import line, spelled, workflow_safe
from gate.reports.words import NO_VIEW, Standing, View, partial_lines, standing

if TYPE_CHECKING:
    from rich.console import Console

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
LIMIT_HIT = 4
_CODES = {"deploy": 0, "warn": 0, "block": 1, "inconclusive": 3}


def show(document: VerdictDocument, stream: TextIO, environ: Mapping[str, str], view: View = NO_VIEW) -> None:
    """Print the report: as wide as the terminal (60 to 120 columns), coloured only on a terminal without NO_COLOR, in
    characters that the stream can carry."""
    tty = stream.isatty() and environ.get("TERM") != "dumb"
    width = min(max(shutil.get_terminal_size().columns, MIN_WIDTH), MAX_WIDTH) if tty else PLAIN_WIDTH
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(render_terminal(document, view, width, color=tty and not environ.get("NO_COLOR"), encoding=encoding))


@dataclass(frozen=True, slots=True)
class _Page:
    """A console that writes rows of styled parts, never read as markup, in characters that `encoding` has."""

    console: Console
    encoding: str

    def row(self, *parts: tuple[str, str], by: int = 2, hang: int = 0) -> None:
        """A paragraph, so many columns in, and by `hang` more from its second line on; none of no text."""
        from rich.padding import Padding
        from rich.text import Text

        # What would command a runner grows by a blank: done again below, but it has to count for the width.
        safe = ((spelled(workflow_safe(part), self.encoding), style) for part, style in parts if part)
        if text := Text.assemble(*safe):
            for number, part in enumerate(text.wrap(self.console, self.console.width - by - hang)):
                self.console.print(Padding(part, (0, 0, 0, by + hang * bool(number))))

    def title(self, text: str) -> None:
        """The head of a section, below a blank line."""
        self.console.print()
        self.row((text, "bold"), by=0)

    def section(self, title: str, lines: Sequence[str]) -> None:
        """A section of plain lines, where a line that starts with blanks belongs to the one above it."""
        if lines:
            self.title(title)
        for each in lines:
            self.row((line(each, 500), ""), by=6 if each.startswith("    ") else 2, hang=2)


def render_terminal(
    document: VerdictDocument,
    view: View = NO_VIEW,
    width: int = PLAIN_WIDTH,
    color: bool = False,
    encoding: str = "utf-8",
) -> str:
    """The whole report as text of `width` columns; no stranger's text in it can move the cursor or command a runner."""
    from rich.console import Console

    out = StringIO()  # a column stays free, as a line that would command a runner gets a blank
    console = Console(
        file=out, width=width - 1, force_terminal=color, color_system="standard" if color else None, no_color=not color,
        highlight=False, markup=False, emoji=False, legacy_windows=False, _environ={},
    )  # fmt: skip
    page = _Page(console, encoding)
    _head(page, document)
    prompts = by_id(document)
    for label, title in SECTIONS:
        _claims(page, title, standing(document, (label,)), prompts)
    if any(words.remedy(each.claim) for each in standing(document)):
        page.console.print()
        page.row((ACCEPTING, ""), by=0)
    for title, lines in _tail(document, view):
        page.section(title, lines)
    return workflow_safe("\n".join(row.rstrip() for row in out.getvalue().splitlines())) + "\n"


def _head(page: _Page, document: VerdictDocument) -> None:
    decision = document["decision"]
    page.console.print()
    page.row(
        (f" {decision.upper()} ", f"bold reverse {STYLES[decision]}"),
        (f"  {words.HEADLINES[decision]}", "bold"),
        (f"   {line(document['use_case'], 200)}" if document.get("use_case") else "", "dim"),
        by=0,
    )
    page.row((words.headline(document), "bold"))
    page.console.print()
    limits = document["thresholds"]
    page.row(
        ("risk ", ""),
        (words.number(document["score"]), "bold"),
        (f"  95 % interval {words.interval(document['interval'])}", ""),
        (f"  deploy ≤ {limits['deploy_threshold']:g}, warn ≤ {limits['warn_threshold']:g}", "dim"),
    )
    page.row((_gauge(document, page.console.width - 6), STYLES[decision]))
    page.row((words.corrected_line(document), ""))
    for reason in document["reasons"]:
        page.row(("• ", STYLES[decision]), (line(reason), ""), hang=2)
    page.row((words.ledger_line(document), ""))
    for row in partial_lines(document):
        page.row((row, "bold"))
    for note in notes(document):
        page.row((f"note: {line(note, 500)}", "yellow"))


def _gauge(document: VerdictDocument, width: int) -> str:
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
    return "".join(cells)


def _claims(page: _Page, title: str, found: Sequence[Standing], prompts: Mapping[str, PromptEntry]) -> None:
    if not found:
        return
    page.title(f"{title} ({sum(each.times for each in found):,})")
    for number, each in enumerate(found[:SHOWN]):
        if number:
            page.console.print()
        _finding(page, each, finding(each.claim, prompts.get(each.claim["prompt_id"])))
    if rest := sum(each.times for each in found[SHOWN:]):
        page.row((f"and {rest:,} more: see the report (-o report.html)", "dim"))


def _finding(page: _Page, each: Standing, told: FindingText) -> None:
    kind = words.kind(each.claim)
    beside = (line(each.claim["prompt_id"], 40), words.confidence_text(each.claim), each.again, *told.names)
    page.row(
        (f"{words.LABEL_SIGNS[kind]} {words.LABEL_WORDS[kind]}", CLAIM_STYLES[kind]),
        (" new" if each.new else "", "bold"),
        *((f"  {line(part, 80)}", "dim") for part in beside if part),
    )
    page.row((line(told.question, 200), "dim"), by=4)
    before, after = _beside(told.before, -1), _beside(told.after, 1)
    page.row((before, "dim"), (f"{OPEN}{line(told.said, 400)}{CLOSE}", "bold"), (after, "dim"), by=4)
    if told.why:
        page.row((line(told.why, 300), ""), by=4)
    if told.quote:
        pieces = [(_inside(text), "italic bold underline" if decides else "italic") for text, decides in told.quote]
        page.row((told.where, "cyan"), ("  “", "italic"), *pieces, ("”", "italic"), by=4)
    page.row((f"To do: {line(told.todo, 300)}", ""), by=4)
    page.row((told.accept, "dim"), by=4)


def _beside(text: str, side: int) -> str:
    """A neighbour of the claim, without blanks on its other side."""
    flat = _inside(text)
    return flat.lstrip() if side < 0 else flat.rstrip()


def _inside(text: str) -> str:
    """A piece of a longer text on one line, with the blanks at its ends, each run as one."""
    return " " * text[:1].isspace() + line(text) + " " * (text[-1:].isspace() and not text.isspace())


def _tail(document: VerdictDocument, view: View) -> Iterator[tuple[str, Sequence[str]]]:
    """Title and lines of each section."""
    waived, failing, failures = words.waived_claims(document), unmet(document), document["failures"]
    rows = words.shortened(waived, SHOWN, lambda c: f"{line(c['claim'], 200)} ({line(words.waived_line(c), 300)})")
    yield f"Waived ({len(waived):,})", rows
    rows = words.shortened(failing, SHOWN, lambda each: f"{line(each.prompt['id'], 40)}  {each.why}")
    yield f"Prompts that do not hold ({len(failing):,})", rows
    yield "By tag", words.shortened(slices(document), SHOWN, lambda each: each.line)
    comparison = document.get("comparison")
    if comparison:
        yield "Against the base", list(_comparison(comparison))
    elif view.baseline:
        base = view.baseline
        yield "Against the base", [f"the base was {base['decision']} with risk {words.number(base['score'])}"]
    yield "Measures", list(_measures(document))
    yield f"Failures ({len(failures):,})", words.shortened(grouped(failures), SHOWN, str)
    times = document["timings"]
    spent = " · ".join(f"{agent} {words.seconds(value)}" for agent, value in times.items())
    took = [f"{words.seconds(sum(times.values()))}: {spent}"] if times else []
    yield "Run", [*took, words.usage_line(document["usage"]), f"judge {words.judge_line(document['judge'])}"]


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


def exit_code(document: VerdictDocument, fail_on: str) -> int:
    """0 deploy, or warn without `fail_on` warn; 1 block, or warn with it; 3 inconclusive; 4 a limit was hit."""
    if document.get("partial"):
        return LIMIT_HIT
    if document["decision"] == "warn" and fail_on == "warn":
        return 1
    return _CODES[document["decision"]]


def check_outputs(outputs: Sequence[str] | None) -> None:
    """Refuse, before anything is paid for, what could not be written in the end. Errors: UsageError."""
    for name in outputs or ():
        check(Path(name))


def write_all(
    document: VerdictDocument,
    outputs: Sequence[str] | None,
    baseline: VerdictDocument | None = None,
    environ: Mapping[str, str] = os.environ,
) -> None:
    """Each output by its extension, whole or not at all."""
    for name in outputs or ():
        write(Path(name), render(document, Path(name).suffix, view_of(environ, baseline)))


def tell(document: VerdictDocument, baseline: VerdictDocument | None = None) -> None:
    """The report on stdout."""
    show(document, sys.stdout, os.environ, View(baseline))


def tell_github(
    document: VerdictDocument, baseline: VerdictDocument | None = None, environ: Mapping[str, str] = os.environ
) -> None:
    """On a runner: append the step summary and print the annotations."""
    summary, annotated = environ.get("GITHUB_STEP_SUMMARY"), environ.get("GITHUB_ACTIONS") == "true"
    if not summary and not annotated:
        return
    from gate.reports.github import summary as step_summary
    from gate.reports.github import workflow_commands

    view = view_of(environ, baseline)
    if summary:
        try:
            with Path(summary).open("a", encoding="utf-8", errors="replace") as file:
                file.write(step_summary(document, view))
        except OSError as error:
            sys.stderr.write(f"warning: the step summary could not be written: {error.strerror}\n")
    if annotated:
        sys.stdout.write(workflow_commands(document, view))


def blob_url(environ: Mapping[str, str]) -> str:
    """The address that lines of the checked-out commit are linked below, or nothing outside GitHub Actions."""
    server, name, sha = (environ.get(f"GITHUB_{key}", "") for key in ("SERVER_URL", "REPOSITORY", "SHA"))
    return f"{server.rstrip('/')}/{name}/blob/{sha}" if server.startswith("https://") and name and sha else ""


def view_of(environ: Mapping[str, str], baseline: VerdictDocument | None = None) -> View:
    """What a runner says of the run: its commit, its branch (of a pull request: its own), its page."""
    branch = environ.get("GITHUB_HEAD_REF") or environ.get("GITHUB_REF_NAME", "")
    base, number = blob_url(environ), environ.get("GITHUB_RUN_ID", "")
    page = f"{base.rpartition('/blob/')[0]}/actions/runs/{number}" if base and number.isdecimal() else ""
    folder = _folder(environ.get("GITHUB_WORKSPACE", ""))
    below = f"{base}/{folder}" if base and folder else base
    return View(baseline, below, branch, environ.get("GITHUB_SHA", ""), page, folder)


def _folder(workspace: str) -> str:
    """The current folder as seen from the checked-out repository: sources are named as seen from the current one."""
    here, root = Path.cwd(), Path(workspace).resolve()
    inside = here.relative_to(root).as_posix() if workspace and here.is_relative_to(root) else "."
    return "" if inside == "." else quote(inside.encode("utf-8", "replace"), safe="/-._~")
