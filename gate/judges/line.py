"""The line: one calibrated logistic regression over a few named features, and a team's own fit of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from gate.errors import ModelFileError
from gate.judges.base import Finding
from gate.judges.windows import Piece, Window
from gate.records import Item, Label
from gate.statistics.calibration import Refit, label_between

SHIPPED = Path(__file__).parents[1] / "models" / "line.json"
FIT = "line.json"  # a team's own fit, in the gate's own folder
_MOST = 100_000  # bytes of a file
SURE = 1e-4  # no reader is surer than this
EVEN_ODDS = 0.5  # chance of a question about a case: training.cases sets even odds where few others have more
_HINT = "fit it again with gate calibrate --fit, or delete it"


@dataclass(frozen=True, slots=True)
class Read:
    """What the reader makes of a window: the chances that it supports the claim, contradicts it, or does neither; and
    apart from these, that the question asks what a rule in it means for a case."""

    window: Window
    supported: float
    contradicted: float
    neither: float
    case: float = 0.0


@dataclass(slots=True)
class Look:
    """One claim, or one part of a long one, while it is judged; all texts as the reader is shown them."""

    item: Item
    claim: str
    context: str
    pieces: list[Piece]
    windows: list[Window]
    reads: list[Read] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    chance: float = 0.0
    denied: bool = False  # not supported, because the documents say otherwise
    case: bool = False  # this look, or another one at the same claim, asks about a case

    @property
    def asks_case(self) -> bool:
        """Whether the question asks what a rule in one of the windows means for a case: the date, age, amount or time
        of somebody's own."""
        return any(read.case >= EVEN_ODDS for read in self.reads)

    @property
    def refuted(self) -> bool:
        """Whether an exact check found another value in the documents."""
        return any(finding.denied for finding in self.findings)

    @property
    def deciding(self) -> Read:
        """The window that decides: that which denies the claim most, else that which supports it most."""
        return max(self.reads, key=lambda read: read.contradicted if self.denied else read.supported)


def features(look: Look) -> dict[str, float]:
    """The features of the line (log odds are natural, held within ln(SURE)).

    `supported`, `contradicted`: the highest log odds of either in any window; `margin`: the mean of ln(supported /
    contradicted), each window weighed by the odds that it speaks of the claim; `first`: the log odds of support in the
    window whose words meet the claim best; `met`: how well they do (0 to 1); `missing`, `denied`: amounts that stand
    nowhere, and that the documents give otherwise; `unknown`: identifiers that stand nowhere.
    """
    reads = look.reads
    weights = [(1 - _held(read.neither)) / _held(read.neither) for read in reads]
    ratios = [math.log(_held(read.supported) / _held(read.contradicted)) for read in reads]
    amounts = [finding for finding in look.findings if finding.kind == "amount"]
    return {
        "supported": max(log_odds(read.supported) for read in reads),
        "contradicted": max(log_odds(read.contradicted) for read in reads),
        "margin": sum(w * r for w, r in zip(weights, ratios, strict=True)) / (1 + sum(weights)),
        "first": log_odds(reads[0].supported),
        "met": min(1.0, reads[0].window.score),
        "missing": float(any(not finding.denied for finding in amounts)),
        "denied": float(any(finding.denied for finding in amounts)),
        "unknown": float(any(finding.kind == "identifier" for finding in look.findings)),
    }


def _held(chance: float) -> float:
    return min(1 - SURE, max(SURE, chance))


def log_odds(chance: float) -> float:
    """ln(p / (1 - p)) of a chance held within SURE of 0 and 1."""
    return math.log(_held(chance) / (1 - _held(chance)))


@dataclass(frozen=True, slots=True)
class Line:
    """P(supported) = sigmoid(`bias` + sum of weight x feature), in 0..1.

    From `high` on a claim is supported, up to `low` it is not; between them it is weakly supported. Up to `sure_low`
    and from `sure_high` on the label was right at least 95 times of 100 on held-out answers: there a claim is settled.
    A claim that is not supported is called contradicted up to a margin (see `features`) of `denial`.
    """

    version: str
    bias: float
    weights: Mapping[str, float]
    high: float
    low: float
    sure_high: float = 1.0
    sure_low: float = 0.0
    denial: float = math.inf

    def chance(self, values: Mapping[str, float]) -> float:
        """P(supported) of one claim's features; a feature that is not given counts as 0."""
        score = self.bias + sum(weight * values.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))

    def label(self, chance: float) -> Label:
        """The label of a probability of support."""
        return label_between(chance, self.low, self.high)

    def settles(self, chance: float) -> bool:
        """Whether a probability is so far out that nobody else need be asked."""
        return chance <= self.sure_low or chance >= self.sure_high


# For a reader of the user's own: its best window's probability as it is.
PLAIN = Line("plain-1", 0.0, {"supported": 1.0, "missing": -2.0, "denied": -3.0}, 0.6, 0.4, 1.1, -0.1)


def load_line(path: Path = SHIPPED) -> Line:
    """The line as shipped, or from `path`. Errors: ModelFileError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        weights = {str(name): float(weight) for name, weight in data["weights"].items()}
        ends = [float(data[name]) for name in ("high", "low", "sure_high", "sure_low", "denial")]
        return Line(str(data["version"]), float(data["bias"]), weights, *ends)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelFileError(f"the judge's line {path} cannot be read: {error}", "install the package again") from error


@dataclass(frozen=True, slots=True)
class Fit:
    """A team's fit, and what it belongs to: the `base` version and the `model` of a judge without it; `data` is the
    SHA-256 (hex) of the labels that it was made from."""

    base: str
    model: str
    line: Refit
    data: str = ""

    @property
    def version(self) -> str:
        """The version of the fitted judge: other numbers, another version."""
        text = json.dumps([self.base, self.model, *asdict(self.line).values()])
        return f"{self.base}+fit-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def fitted(line: Line, fit: Fit | None, model: str) -> Line:
    """The line with the fit in it; the same line where there is none, or it was made for another judge.

    sigmoid(slope x (bias + w.x) + offset) is a line of its own, so nothing else of the judge changes.
    """
    if fit is None or (fit.base, fit.model) != (line.version, model):
        return line
    turn = fit.line
    return replace(
        line,
        version=fit.version,
        bias=turn.slope * line.bias + turn.offset,
        weights={name: turn.slope * weight for name, weight in line.weights.items()},
        high=turn.high,
        low=turn.low,
        sure_high=max(turn.high, _moved(line.sure_high, turn)),
        sure_low=min(turn.low, _moved(line.sure_low, turn)),
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


def _moved(chance: float, line: Refit) -> float:
    """Where the fit puts a probability; 0, 1 and what is out of reach stay."""
    if not 0 < chance < 1:
        return chance
    return 1 / (1 + math.exp(-(line.slope * math.log(chance / (1 - chance)) + line.offset)))
