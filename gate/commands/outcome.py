"""How a verdict leaves the process: files, the step summary, annotations, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.reports.document import VerdictDocument

LIMIT_HIT = 4
_CODES = {"deploy": 0, "warn": 0, "block": 1, "inconclusive": 3}


def exit_code(document: VerdictDocument, fail_on: str) -> int:
    """0 deploy, or warn without `fail_on` warn; 1 block, or warn with it; 3 inconclusive; 4 a limit was hit."""
    if document.get("partial"):
        return LIMIT_HIT
    if document["decision"] == "warn" and fail_on == "warn":
        return 1
    return _CODES[document["decision"]]


def check_outputs(outputs: Sequence[str]) -> None:
    """Refuse, before anything is paid for, what could not be written in the end."""
    from gate.reports.render import SUFFIXES

    for name in outputs:
        path = Path(name)
        if path.suffix.lower() not in SUFFIXES:
            raise UsageError(f"{name}: cannot tell the format", f"end the name in one of {' '.join(sorted(SUFFIXES))}")
        if path.is_dir() or not path.parent.is_dir():
            raise UsageError(f"{name}: cannot be written there", "name a file in a folder that exists")


def write_all(document: VerdictDocument, outputs: Sequence[str]) -> None:
    """Each output by its extension, whole or not at all."""
    from gate.reports.render import render, write

    check_outputs(outputs)
    for name in outputs:
        write(Path(name), render(document, Path(name).suffix.lower()))


def tell_github(document: VerdictDocument, environ: Mapping[str, str] = os.environ) -> None:
    """On a runner: append the step summary, print annotations."""
    from gate.reports.render import render

    summary = environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        try:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(render(document, ".md"))
        except OSError as error:
            sys.stderr.write(f"warning: the step summary could not be written: {error.strerror}\n")
    if environ.get("GITHUB_ACTIONS") == "true":
        sys.stdout.write(render(document, "github"))
