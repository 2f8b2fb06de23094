"""The calibration document: the shape of the JSON that says how far a judge agrees with people."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast

from gate.errors import InputFileError
from gate.reports.document import EvidenceEntry, JudgeEntry
from gate.reports.schema_check import faults

SCHEMA_VERSION = "1.0"
MAX_BYTES = 64 * 1024 * 1024
FIGURES = (
    "balanced_accuracy", "precision", "recall", "specificity", "f1", "kappa", "ece", "false_pass_rate",
    "false_alarm_rate",
)  # fmt: skip
_MADE_BY = "gate calibrate LABELS.jsonl writes it anew"


class FigureEntry(TypedDict):
    """A number and its 95 % interval; null where the labels cannot show it."""

    value: float | None
    interval: list[float] | None


class DataEntry(TypedDict):
    """The labelled claims: file name, SHA-256 of the file, rows."""

    name: str
    sha256: str
    n: int


class BinEntry(TypedDict):
    """Claims with a chance from `low` to `high` of being not supported, as the judge sees it."""

    low: float
    high: float
    n: int
    predicted: float | None
    observed: float | None
    interval: list[float] | None


class GateEntry(TypedDict):
    """What the judge's mistakes do to a run of `claims` claims at these thresholds; see docs/how-to/calibrate.md."""

    claims: int
    deploy_threshold: float
    warn_threshold: float
    risk_if_all_supported: FigureEntry
    risk_if_none_supported: FigureEntry
    true_share_at_deploy: FigureEntry
    true_share_at_warn: FigureEntry


class DifferenceEntry(TypedDict):
    """A claim that people and the judge label differently; `line` is the row's line in the file of labels."""

    line: int
    claim: str
    people: str
    judge: str
    confidence: float
    justification: str
    evidence: list[EvidenceEntry]


class FitEntry(TypedDict):
    """What `--fit` found: the figures above are those of claims that each fit had not seen; these are of before."""

    folds: int
    before: dict[str, FigureEntry]
    slope: float
    offset: float
    high: float
    low: float


class CalibrationDocument(TypedDict):
    """Everything that is known of a judge on one file of labels. "Not supported" is the positive class; what people
    or the judge call weakly supported is not supported. `confusion`: people's label -> the judge's -> claims."""

    schema_version: str
    judge: JudgeEntry
    data: DataEntry
    balanced_accuracy: FigureEntry
    precision: FigureEntry
    recall: FigureEntry
    specificity: FigureEntry
    f1: FigureEntry
    kappa: FigureEntry
    ece: FigureEntry
    false_pass_rate: FigureEntry
    false_alarm_rate: FigureEntry
    confusion: dict[str, dict[str, int]]
    judged: int
    unjudged: int
    gate: GateEntry
    reliability: list[BinEntry]
    differences: list[DifferenceEntry]
    differing: int
    notes: list[str]
    created: str
    fit: NotRequired[FitEntry]


def schema() -> dict[str, Any]:
    """The JSON Schema of a calibration document."""
    text = files("gate.reports").joinpath("calibration.schema.json").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text))


def load(path: Path) -> CalibrationDocument:
    """Read and check a calibration. Errors: InputFileError, which names the file and up to five faults."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise InputFileError(f"{path}: larger than {MAX_BYTES:,} bytes", _MADE_BY)
        value = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror}", _MADE_BY) from error
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path}: not JSON that can be read: {str(error)[:200]}", _MADE_BY) from error
    shape = schema()
    found = list(islice(faults(value, shape, shape), 5))
    if found:
        raise InputFileError("\n".join([f"{path}: not a whole calibration", *(f"  {f}" for f in found)]), _MADE_BY)
    return cast(CalibrationDocument, value)


def _no_number(written: str) -> float:
    """NaN is below no threshold, so that it would satisfy every requirement."""
    raise ValueError(f"{written} is no number")
