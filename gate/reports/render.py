"""Which module tells a verdict in which form, and the writing of the file: whole or not at all."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from pathlib import Path

from gate.errors import UsageError
from gate.reports.document import VerdictDocument
from gate.reports.words import View

RENDERERS: dict[str, str] = {
    ".json": "gate.reports.render:render_json",
    ".html": "gate.reports.html:render",
    ".sarif": "gate.reports.sarif:render",
    ".xml": "gate.reports.junit:render",
    ".md": "gate.reports.markdown:render",
}


def check(path: Path) -> None:
    """That `path` can be written in a known form, before anything is paid for. Errors: UsageError."""
    if path.suffix.lower() not in RENDERERS:
        raise UsageError(
            f"{path}: no report is written as {path.suffix or 'a file without a suffix'}",
            f"end the name with one of {' '.join(RENDERERS)}",
        )
    if path.is_dir():
        raise UsageError(f"{path}: is a folder", "give the name of a file")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist", "make it first, or name another one")


def render(document: VerdictDocument, suffix: str, baseline: VerdictDocument | None = None, blob_url: str = "") -> str:
    """The verdict in the form that belongs to `suffix` (with its dot). Errors: UsageError for an unknown one."""
    name = RENDERERS.get(suffix.lower())
    if name is None:
        raise UsageError(f"no report is written as {suffix!r}", f"known are {' '.join(RENDERERS)}")
    module, function = name.split(":")
    text: str = getattr(import_module(module), function)(document, View(baseline, blob_url))
    return text


def render_json(document: VerdictDocument, view: View | None = None) -> str:
    """JSON with two blanks of indent. Half a surrogate pair, which UTF-8 cannot carry, stays as its escape."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def write(path: Path, text: str) -> None:
    """Write beside the file, then rename: a reader sees the old text or the new, never a part. A pipe or device is
    written to as it is. Errors: UsageError where the folder is missing or the file cannot be written."""
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist", "make it first, or name another one")
    target = Path(os.path.realpath(path))  # a link goes on pointing at what is written
    special = os.path.exists(target) and not target.is_file()  # unlike Path.exists, never raises
    beside = target if special else target.with_name(f".{target.name[:200]}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8", errors="replace", newline="\n") as stream:
            stream.write(text)
        if not special:
            beside.replace(target)
    except OSError as error:
        if not special:
            beside.unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror}", "is it writable, is the disk full?") from error
