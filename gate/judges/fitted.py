"""The stack fitted to a team's own labels: a line on its log odds and two thresholds, in a file of a few numbers."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gate.errors import ModelFileError
from gate.judges.stack import Line, Stack, Variant
from gate.measures.refit import Refit

NAME = "stack.json"  # in the gate's own folder
_MOST = 100_000  # bytes
_HINT = "fit it again with gate calibrate --fit, or delete it"


@dataclass(frozen=True, slots=True)
class Fit:
    """A fit, and what it belongs to: the `base` version and the `model` (`stack-NAME`) of a judge without it; `data` is
    the SHA-256 (hex) of the labels that it was made from."""

    base: str
    model: str
    line: Refit
    data: str = ""

    @property
    def version(self) -> str:
        """The version of the fitted stack: other numbers, another version."""
        text = json.dumps([self.base, self.model, *asdict(self.line).values()])
        return f"{self.base}+fit-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def fitted(stack: Stack, fit: Fit) -> Stack:
    """The stack with the fit in it; the same stack where the fit was made for another one.

    sigmoid(slope x (bias + w.x) + offset) is a line of its own, so nothing else of the judge changes.
    """
    name = fit.model.removeprefix("stack-")
    if fit.base != stack.version or name not in stack.variants:
        return stack
    return replace(
        stack, version=fit.version, variants={**stack.variants, name: _turned(stack.variants[name], fit.line)}
    )


def read_fit(path: Path) -> Fit | None:
    """The fit in a file; None where there is no file. Errors: ModelFileError for a damaged one."""
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(_MOST))
        numbers = [float(value[key]) for key in ("slope", "offset", "high", "low")]
        fit = Fit(str(value["base"]), str(value["model"]), Refit(*numbers), str(value.get("data", "")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelFileError(f"the fit {path} cannot be read: {error}", _HINT) from error
    line = fit.line
    if not all(map(math.isfinite, numbers)) or line.slope <= 0 or not 0 <= line.low <= line.high <= 1:
        raise ModelFileError(
            f"the fit {path} makes no sense: slope above 0 and 0 <= low <= high <= 1 are needed", _HINT
        )
    return fit


def fit_text(fit: Fit) -> str:
    """The text of a fit's file."""
    return json.dumps({"base": fit.base, "model": fit.model, **asdict(fit.line), "data": fit.data}, indent=2) + "\n"


def _turned(variant: Variant, line: Refit) -> Variant:
    old = variant.supported
    weights = {name: line.slope * weight for name, weight in old.weights.items()}
    supported = Line(line.slope * old.bias + line.offset, weights)
    sure_high, sure_low = (_moved(end, line) for end in (variant.sure_high, variant.sure_low))
    return replace(
        variant,
        supported=supported,
        high=line.high,
        low=line.low,
        sure_high=max(line.high, sure_high),
        sure_low=min(line.low, sure_low),
        unfitted=variant.choosing,
    )


def _moved(chance: float, line: Refit) -> float:
    """Where the fit puts a probability; 0 and 1 stay."""
    if not 0 < chance < 1:
        return chance
    return 1 / (1 + math.exp(-(line.slope * math.log(chance / (1 - chance)) + line.offset)))
