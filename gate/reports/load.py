"""Reads a stored verdict: bounded, checked against the schema, and only if its ledger balances."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, cast

from gate.errors import InputFileError
from gate.reports.document import LABELS, SCHEMA_VERSION, VerdictDocument
from gate.reports.schema_check import faults

MAX_BYTES = 256 * 1024 * 1024
SHOWN_FAULTS = 5
_MADE_BY = "give a file that `gate run -o verdict.json` wrote"


def schema() -> dict[str, Any]:
    """The JSON Schema of a verdict document."""
    text = files("gate.reports").joinpath("verdict.schema.json").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text))


def load(path: Path, max_bytes: int = MAX_BYTES) -> VerdictDocument:
    """Read and check a verdict. Errors: InputFileError, which names the file and up to five faults."""
    value = _read(path, max_bytes)
    _check_version(path, value)
    shape = schema()
    found = list(islice(faults(value, shape, shape), SHOWN_FAULTS)) or list(islice(_sense(value), SHOWN_FAULTS))
    if found:
        raise InputFileError("\n".join([f"{path}: not a whole verdict", *(f"  {fault}" for fault in found)]), _MADE_BY)
    return cast(VerdictDocument, value)


def _read(path: Path, max_bytes: int) -> Any:
    try:
        with path.open("rb") as stream:
            raw = stream.read(max_bytes + 1)
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror}", _MADE_BY) from error
    if len(raw) > max_bytes:
        raise InputFileError(f"{path}: larger than {max_bytes:,} bytes", _MADE_BY)
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path}: not UTF-8 (byte {error.start})", _MADE_BY) from error
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}, line {error.lineno}: not JSON: {error.msg}", _MADE_BY) from error
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path}: not JSON that can be read: {error}", _MADE_BY) from error


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


def _sense(value: VerdictDocument) -> Iterator[str]:
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
