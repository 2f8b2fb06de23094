"""How a verdict leaves the process: files, the step summary, annotations, the terminal, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gate.reports.document import VerdictDocument
from gate.reports.files import check, render, write
from gate.reports.terminal import show
from gate.reports.words import View

LIMIT_HIT = 4
_CODES = {"deploy": 0, "warn": 0, "block": 1, "inconclusive": 3}


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
    if not outputs:
        return
    from gate.reports.github import view_of

    for name in outputs:
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
    from gate.reports.github import view_of
    from gate.reports.github import workflow_commands as annotations

    view = view_of(environ, baseline)
    if summary:
        try:
            with Path(summary).open("a", encoding="utf-8", errors="replace") as file:
                file.write(step_summary(document, view))
        except OSError as error:
            sys.stderr.write(f"warning: the step summary could not be written: {error.strerror}\n")
    if annotated:
        sys.stdout.write(annotations(document, view))
