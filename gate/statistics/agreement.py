"""How far a judge agrees with people, whether its probabilities mean what they say, and what its mistakes do to the
decision; each figure with its 95 % interval."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.records import Label
from gate.statistics.intervals import NOT_KNOWN, WEIGHTS, Figure, effective_size, wilson

Array = NDArray[np.float64]
LABELS = (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED)
DRAWS, SEED = 2000, 0  # the same labels have the same figures
CLAIMS = 100  # of the run that the rates are told for
BINS = 10  # of chances
NEAR = 2.0  # standard errors: bins that differ by less may not differ at all


@dataclass(frozen=True, slots=True)
class Pair:
    """One claim as people and the judge label it. `chance` is the judge's probability that it is not supported (None:
    it gave none); claims of one `group` (a document, an answer) tend to be right or wrong together."""

    people: Label
    judge: Label
    chance: float | None = None
    group: str = ""

    @property
    def bad(self) -> bool:
        """What people call weakly supported is not supported."""
        return self.people is not Label.SUPPORTED

    @property
    def alarm(self) -> bool:
        """What the judge calls weakly supported it does not pass."""
        return self.judge is not Label.SUPPORTED


def judged(pairs: Iterable[Pair]) -> list[Pair]:
    """Those that the judge labelled; the others count for nothing here, least of all as right."""
    return [pair for pair in pairs if pair.judge is not Label.UNJUDGED]


def confusion(pairs: Iterable[Pair]) -> dict[str, dict[str, int]]:
    """people's label -> judge's label (or `unjudged`) -> claims."""
    counts = Counter((pair.people, pair.judge) for pair in pairs)
    return {p.value: {j.value: counts[p, j] for j in (*LABELS, Label.UNJUDGED)} for p in LABELS}


def agreement(pairs: Sequence[Pair]) -> dict[str, Figure]:
    """`balanced_accuracy`, `precision`, `recall`, `specificity`, `f1`, `kappa`; "not supported" is the positive class.

    Shares: Wilson's interval at the effective size of claims clustered in groups. Balanced accuracy: both shares
    joined by MOVER (Zou and Donner 2008). F1 = 2 q / (1 + q) grows with the share q = TP / (TP + FP + FN), so its
    interval is that of q. Kappa (Cohen 1960): quantiles of Dirichlet draws with Jeffreys' prior.
    """
    seen = judged(pairs)
    recall = share([p for p in seen if p.bad], lambda p: p.alarm)
    specificity = share([p for p in seen if not p.bad], lambda p: not p.alarm)
    overlap = share([p for p in seen if p.bad or p.alarm], lambda p: p.bad and p.alarm)
    return {
        "balanced_accuracy": _mean(recall, specificity),
        "precision": share([p for p in seen if p.alarm], lambda p: p.bad),
        "recall": recall,
        "specificity": specificity,
        "f1": _f1(overlap),
        "kappa": _kappa(seen),
    }


def gain(before: Sequence[Pair], after: Sequence[Pair]) -> tuple[float, float] | None:
    """(difference of the balanced accuracies, its standard error) of two judges on the same claims, in the same order;
    None unless people call some supported and some not. The error is linearised over groups (Cochran, 6.3)."""
    both = [(a, b) for a, b in zip(before, after, strict=True) if Label.UNJUDGED not in (a.judge, b.judge)]
    counts = Counter(a.bad for a, _ in both)
    if len(counts) < 2:
        return None
    return _summed((a.group, ((b.bad == b.alarm) - (a.bad == a.alarm)) / (2 * counts[a.bad])) for a, b in both)


def brier_gain(before: Sequence[Pair], after: Sequence[Pair]) -> tuple[float, float] | None:
    """The same for the Brier score (1950), the mean squared error of the chances: above 0 is better."""
    both = [
        (a.group, (a.chance - a.bad) ** 2 - (b.chance - b.bad) ** 2)
        for a, b in zip(before, after, strict=True)
        if a.chance is not None and b.chance is not None
    ]
    return _summed((group, change / len(both)) for group, change in both) if both else None


def _summed(changes: Iterable[tuple[str, float]]) -> tuple[float, float]:
    """(sum, its standard error) of changes (group, value) that belong together within a group."""
    sums: dict[str, float] = {}
    for group, change in changes:
        sums[group] = sums.get(group, 0.0) + change
    return sum(sums.values()), math.sqrt(sum(value**2 for value in sums.values()))


def share(pairs: Sequence[Pair], hit: Callable[[Pair], bool]) -> Figure:
    """The share of pairs that `hit` holds for, with Wilson's interval."""
    if not pairs:
        return NOT_KNOWN
    value, size = _sized(pairs, hit)
    return Figure(value, wilson(value, size))


def _sized(pairs: Sequence[Pair], hit: Callable[[Pair], bool]) -> tuple[float, float]:
    """(the share of pairs that `hit` holds for, how many independent ones they are worth)."""
    sums: dict[str, tuple[float, int]] = {}
    for pair in pairs:
        hits, count = sums.get(pair.group, (0.0, 0))
        sums[pair.group] = (hits + hit(pair), count + 1)
    value = sum(hit(pair) for pair in pairs) / len(pairs)
    return value, effective_size(list(sums.values()), value)


def _shrunk(counts: Array, pairs: Sequence[Pair], rng: np.random.Generator) -> Array:
    """(DRAWS, cells): shares as they might be, of what `counts` says of the pairs (at least one), by Dirichlet draws
    with Jeffreys' prior at their effective size."""
    size = min(1.0, _sized(pairs, lambda p: p.bad == p.alarm)[1] / len(pairs))
    return rng.dirichlet(counts * size + 0.5, DRAWS)


def _mean(one: Figure, other: Figure) -> Figure:
    if one.value is None or other.value is None or one.interval is None or other.interval is None:
        return NOT_KNOWN
    value = (one.value + other.value) / 2
    below = math.hypot(one.value - one.interval[0], other.value - other.interval[0]) / 2
    above = math.hypot(one.interval[1] - one.value, other.interval[1] - other.value) / 2
    return Figure(value, (max(0.0, value - below), min(1.0, value + above)))


def _f1(overlap: Figure) -> Figure:
    if overlap.value is None or overlap.interval is None:
        return overlap
    value, low, high = (2 * q / (1 + q) for q in (overlap.value, *overlap.interval))
    return Figure(value, (low, high))


def _kappa(pairs: Sequence[Pair]) -> Figure:
    """Cohen's kappa of the two-way table; not known where people or the judge (both) use one label only."""
    cells = Counter((pair.bad, pair.alarm) for pair in pairs)
    table = np.array([cells[True, True], cells[True, False], cells[False, True], cells[False, False]], float)
    value = float(_kappas(table[None])[0])
    if not math.isfinite(value):
        return NOT_KNOWN
    drawn = _shrunk(table, pairs, np.random.default_rng(SEED))
    return Figure(value, quantiles(_kappas(drawn), value))


def _kappas(tables: Array) -> Array:
    """Kappa of tables (n, 4): both say bad, people only, judge only, neither."""
    with np.errstate(invalid="ignore", divide="ignore"):
        tp, fn, fp, tn = (tables / tables.sum(axis=1, keepdims=True)).T
        chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
        return np.asarray((tp + tn - chance) / (1 - chance))


def quantiles(draws: Array, value: float) -> tuple[float, float]:
    """The middle 95 % of the draws; the value itself always lies within."""
    low, high = np.nanquantile(draws, (0.025, 0.975))
    return min(float(low), value), max(float(high), value)


@dataclass(frozen=True, slots=True)
class Bin:
    """Claims whose chance of being not supported lies in `low`..`high`: the mean chance, and the share that is so."""

    low: float
    high: float
    n: int
    predicted: float | None
    observed: float | None
    interval: tuple[float, float] | None


def bins(pairs: Sequence[Pair]) -> list[Bin]:
    """Ten bins of equal width; the last one holds the chance 1."""
    parts: list[list[Pair]] = [[] for _ in range(BINS)]
    for pair in judged(pairs):
        if pair.chance is not None:
            parts[_place(pair.chance)].append(pair)
    found = []
    for number, part in enumerate(parts):
        seen = share(part, lambda pair: pair.bad)
        mean = sum(pair.chance or 0.0 for pair in part) / len(part) if part else None
        found.append(Bin(number / BINS, (number + 1) / BINS, len(part), mean, seen.value, seen.interval))
    return found


def ece(pairs: Sequence[Pair]) -> Figure:
    """The expected calibration error (Naeini et al. 2015): the mean over claims of |mean chance - share| of their bin.

    Noise makes bins differ, so the error comes out too large, most of all for a judge that is calibrated. The lower end
    of the interval takes that off: it is that of Fang and Santos (2019), where a bin that differs by less than NEAR
    standard errors may not differ at all. The upper end takes nothing off. Not known where the judge told no
    probability of most claims; one group alone has no interval.
    """
    seen = judged(pairs)
    told = [pair for pair in seen if pair.chance is not None]
    if not told or 2 * len(told) < len(seen):
        return NOT_KNOWN
    table = _by_group(told)
    off = table[..., 1].sum(axis=0) / len(told)
    value = float(np.abs(off).sum())
    if len(table) < 2:  # every draw would be the same
        return Figure(value, None)
    noise = _noise(table, off)
    signed = np.where(off < 0, -1.0, 1.0) * noise
    near = np.abs(off) <= NEAR * noise.std(axis=0)
    most = float(np.quantile(np.where(near, np.abs(noise), signed).sum(axis=1), 0.975))
    least = float(np.quantile(signed.sum(axis=1), 0.025))
    return Figure(value, (max(0.0, min(value, value - most)), min(1.0, max(value, value - least))))


def _noise(table: Array, off: Array) -> Array:
    """(DRAWS, bins): how `off` varies: by the bootstrap over groups, and in a bin where that shows less spread than
    labels of its size have (a few claims, all right or all wrong, show none), by as much as the shares of Agresti and
    Coull (1998)."""
    rng = np.random.default_rng(SEED)
    groups = len(table)
    flat = np.column_stack([table[..., 1], table[..., 0].sum(axis=1)])
    times = (np.bincount(rng.integers(0, groups, groups), minlength=groups).astype(float) for _ in range(DRAWS))
    drawn = np.stack([count @ flat for count in times])
    draws = drawn[:, :-1] / drawn[:, -1:] - off
    counts, wrong = table[..., 0].sum(axis=0), table[..., 2].sum(axis=0)
    rates = (wrong + 2) / (counts + 4)
    lacking = np.maximum(0.0, counts * rates * (1 - rates) / counts.sum() ** 2 - draws.var(axis=0))
    return np.asarray(draws + rng.normal(size=draws.shape) * np.sqrt(lacking))


def _place(chance: float) -> int:
    return min(BINS - 1, int(chance * BINS))


def _by_group(pairs: Sequence[Pair]) -> Array:
    """(groups, bins, 3): claims, the sum of chance minus truth, and how many are not supported."""
    places = {group: n for n, group in enumerate(dict.fromkeys(pair.group for pair in pairs))}
    table = np.zeros((len(places), BINS, 3))
    for pair in pairs:
        chance = pair.chance or 0.0
        table[places[pair.group], _place(chance)] += (1.0, chance - pair.bad, pair.bad)
    return table


@dataclass(frozen=True, slots=True)
class Operating:
    """What the judge measures, and what is so.

    `if_supported` (e_s) and `if_not` (e_n): the risk that it measures where every claim is supported, and where none
    is: the mean weight of its labels on such claims.
    `true_at_deploy`, `true_at_warn`: the share of claims that are not supported when the measured risk stands at the
    threshold, (risk - e_s) / (e_n - e_s) within 0..1 (Rogan and Gladen 1978).
    `false_pass_rate`: how often a run of CLAIMS claims is deployed though its true risk is just above the warn
    threshold. `false_alarm_rate`: how often such a run is not deployed though every claim is supported. Both are
    exact for independent claims that the judge labels as often right and wrong as it did here.
    """

    if_supported: Figure
    if_not: Figure
    true_at_deploy: Figure
    true_at_warn: Figure
    false_pass_rate: Figure
    false_alarm_rate: Figure


def operating(pairs: Sequence[Pair], deploy: float, warn: float) -> Operating:
    """The decision's quality at two thresholds; not known unless people call some claims supported and some not.

    Intervals: quantiles over draws of the judge's label shares (Dirichlet, Jeffreys' prior, effective size).
    """
    seen = judged(pairs)
    good, bad = [p for p in seen if not p.bad], [p for p in seen if p.bad]
    if not good or not bad:
        return Operating(*[NOT_KNOWN] * 6)
    rng = np.random.default_rng(SEED)
    g, b = _label_shares(good, rng), _label_shares(bad, rng)
    weights = np.array([WEIGHTS[label] for label in LABELS])
    worth = sum(WEIGHTS[p.people] for p in bad) / len(bad)  # 1, or less where people call some weakly supported
    wrong = math.floor(warn * CLAIMS / worth + 1e-9) + 1
    return Operating(
        _drawn(g @ weights),
        _drawn(b @ weights),
        _drawn(_true_share(deploy, g @ weights, b @ weights)),
        _drawn(_true_share(warn, g @ weights, b @ weights)),
        _drawn(deployed(g, b, wrong, deploy)) if wrong <= CLAIMS else NOT_KNOWN,
        _drawn(1 - deployed(g, b, 0, deploy)),
    )


def deployed(good: Array, bad: Array, wrong: int, threshold: float) -> Array:
    """The probability (n,) that a run of CLAIMS claims, `wrong` of them not supported, measures a risk up to
    `threshold`. `good`, `bad` (n, 3): shares of the judge's labels on claims that are supported, and that are not.

    The weights 0, 1/2 and 1 are counted in halves, so the sum's distribution is a product of polynomials.
    """
    size = 2 * CLAIMS + 1
    powers = np.fft.rfft(good, size) ** (CLAIMS - wrong) * np.fft.rfft(bad, size) ** wrong
    upto = math.floor(threshold * 2 * CLAIMS + 1e-9) + 1
    return np.asarray(np.clip(np.fft.irfft(powers, size)[:, :upto].sum(axis=1), 0.0, 1.0))


def _label_shares(pairs: Sequence[Pair], rng: np.random.Generator) -> Array:
    """(1 + draws, 3): the shares of the judge's labels as they are, then as they might be."""
    counts = np.array([sum(p.judge is label for p in pairs) for label in LABELS], float)
    return np.vstack([counts / counts.sum(), _shrunk(counts, pairs, rng)])


def _true_share(risk: float, good: Array, bad: Array) -> Array:
    """NaN where the judge's labels do not tell the two apart."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(bad > good, np.clip((risk - good) / (bad - good), 0.0, 1.0), np.nan)


def _drawn(values: Array) -> Figure:
    """The first is the value, the rest are draws."""
    value = float(values[0])
    if not math.isfinite(value):
        return NOT_KNOWN
    return Figure(value, quantiles(values[1:], value))
