"""The files of the reports: a verdict that is read back, and the table of the forms that one is written in.

What is loaded is the file's own JSON: bounded, of the document's shape, its ledger balanced, and with the keys that
this version does not know.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NoReturn, cast

from gate.errors import InputFileError, UsageError
from gate.reports.document import LABELS, SCHEMA_VERSION, VerdictDocument
from gate.reports.schema import faults
from gate.reports.words import NO_VIEW, View

MAX_BYTES = 256 * 1024 * 1024
SHOWN_FAULTS = 5
_MADE_BY = "give a file that `gate run -o verdict.json` wrote"
RENDERERS: dict[str, str] = {
    ".json": "gate.reports.files:render_json",
    ".html": "gate.reports.html:render",
    ".sarif": "gate.reports.ci:render_sarif",
    ".xml": "gate.reports.ci:render_junit",
    ".md": "gate.reports.github:comment",
}


def load(path: Path, max_bytes: int = MAX_BYTES) -> VerdictDocument:
    """Read and check a verdict. Errors: InputFileError, which names the file and up to five faults."""
    value = parse_file(path, max_bytes, _MADE_BY)
    _check_version(path, value)
    refuse(path, "verdict", faults(value, VerdictDocument), _MADE_BY)
    refuse(path, "verdict", _contradictions(value), _MADE_BY)
    return cast(VerdictDocument, value)


def refuse(path: Path, what: str, found: Iterator[str], made_by: str) -> None:
    """Errors: InputFileError where there are faults, which names up to five of them."""
    if told := [f"  {fault}" for fault in islice(found, SHOWN_FAULTS)]:
        raise InputFileError("\n".join([f"{path}: not a whole {what}", *told]), made_by)


def parse_file(path: Path, max_bytes: int, made_by: str) -> Any:
    """The JSON of a file. NaN and infinities, which would satisfy or fail every threshold, are refused.

    Errors: InputFileError with the hint `made_by`.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(max_bytes + 1)
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror}", made_by) from error
    if len(raw) > max_bytes:
        raise InputFileError(f"{path}: larger than {max_bytes:,} bytes", made_by)
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path}: not UTF-8 (byte {error.start})", made_by) from error
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}, line {error.lineno}: not JSON: {error.msg}", made_by) from error
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path}: not JSON that can be read: {str(error)[:200]}", made_by) from error


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def _check_version(path: Path, value: Any) -> None:
    version = value.get("schema_version") if isinstance(value, dict) else None
    if version is None:
        raise InputFileError(f"{path}: not a verdict: it has no schema_version", _MADE_BY)
    if str(version).split(".")[0] != SCHEMA_VERSION.split(".")[0]:
        raise InputFileError(
            f"{path}: schema version {str(version)[:20]!r} is not one that this gate reads ({SCHEMA_VERSION})",
            "write the verdict again with this version of the gate",
        )


def _contradictions(value: VerdictDocument) -> Iterator[str]:
    """What a schema cannot say: the ledger balances, ids name what is there, thresholds and intervals are in order."""
    yield from _ledger(value)
    yield from _ids(value)
    if value["thresholds"]["deploy_threshold"] > value["thresholds"]["warn_threshold"]:
        yield "thresholds: deploy_threshold is above warn_threshold"
    if value["interval"] and value["interval"][0] > value["interval"][1]:
        yield "interval: the low end is above the high one"


def _ledger(value: VerdictDocument) -> Iterator[str]:
    count = Counter(claim["label"] for claim in value["details"])
    for label in LABELS:
        stated = value[label]  # type: ignore[literal-required]
        if stated != count[label]:
            yield f"{label}: {stated} in the ledger, {count[label]} in details"
    if value["total_claims"] != sum(count.values()):
        yield f"total_claims: {value['total_claims']}, but the four labels add up to {sum(count.values())}"


def _ids(value: VerdictDocument) -> Iterator[str]:
    ids = Counter(prompt["id"] for prompt in value["prompts"])
    for name, times in ids.items():
        if times > 1:
            yield f"prompts: the id {name[:40]!r} is there {times} times"
    for place, claim in enumerate(value["details"]):
        if claim["prompt_id"] not in ids:
            yield f"details[{place}].prompt_id: no prompt has the id {claim['prompt_id'][:40]!r}"


def check(path: Path, forms: Collection[str] = RENDERERS.keys(), what: str = "report") -> None:
    """That `path` can be written in one of the `forms`, before anything is paid for. Errors: UsageError."""
    if path.suffix.lower() not in forms:
        raise UsageError(
            f"{path}: no {what} is written as {path.suffix or 'a file without a suffix'}",
            f"end the name with one of {' '.join(forms)}",
        )
    check_place(path)


def check_place(path: Path) -> None:
    """That a file can stand there. Errors: UsageError."""
    if os.path.isdir(path):  # unlike Path.is_dir, never raises
        raise UsageError(f"{path}: is a folder", "give the name of a file")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist", "make it first, or name another one")


def render(document: VerdictDocument, suffix: str, view: View = NO_VIEW) -> str:
    """The verdict in the form that belongs to `suffix` (with its dot). Errors: UsageError for an unknown one."""
    name = RENDERERS.get(suffix.lower())
    if name is None:
        raise UsageError(f"no report is written as {suffix!r}", f"known are {' '.join(RENDERERS)}")
    text: str = resolve_name(name)(document, view)
    return text


def render_json(document: Mapping[str, Any], view: View = NO_VIEW) -> str:
    """Any document as JSON. Half a surrogate pair, which UTF-8 cannot carry, stays as its escape."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def write(path: Path, content: str | bytes) -> None:
    """Write beside the file, then rename: a reader sees the old text or the new, never a part. A pipe or device is
    written to as it is. Errors: UsageError where the folder is missing or the file cannot be written."""
    check_place(path)
    target = Path(os.path.realpath(path))  # a link goes on pointing at what is written
    special = os.path.exists(target) and not target.is_file()  # unlike Path.exists, never raises
    beside = target if special else target.with_name(f".{target.name[:200]}.{os.getpid()}")
    try:
        beside.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        if not special:
            beside.replace(target)
    except OSError as error:
        if not special:
            beside.unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror}", "is it writable, is the disk full?") from error
