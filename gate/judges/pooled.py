"""The local judge with a reader of the user's own: two opinions on every claim, pooled."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gate.judges.base import Judge
from gate.judges.fitted import Fit
from gate.judges.justify import LIKELY, denies
from gate.judges.reader import Reader
from gate.measures.refit import Refit
from gate.records import Item, JudgeInfo, Label, Verdict

READ = 4  # passages of a claim that are read, the best first
PLAIN = Refit(slope=1.0, offset=0.0, high=0.6, low=0.4)
VERSION = "2"
_HEADS = {
    Label.SUPPORTED: "Found",
    Label.WEAKLY_SUPPORTED: "Not sure",
    Label.UNSUPPORTED: "Not in the documents",
}
_SAMPLE = 1 << 20  # bytes from either end of a model's file tell it from another


class PooledJudge:
    """Asks the local judge, and a reader about the claim's best passages; the passage counts that supports it most.

    The pooled probability is the mean of both log odds (the logarithmic opinion pool of Genest and Zidek 1986). What
    the local judge settles without weighing (nothing found, no claim) stays as it is, and no reader lifts a claim above
    what the hard checks leave it: another amount is another amount, however well it reads.
    """

    remote = False

    def __init__(self, local: Judge, reader: Reader, name: str, fit: Fit | None = None) -> None:
        self._local, self._reader, self._name = local, reader, name
        self._fit = fit if fit and (fit.base, fit.model) == (self._version, name) else None

    @property
    def _version(self) -> str:
        return f"{self._local.info().prompt_version}+{VERSION}"

    def info(self) -> JudgeInfo:
        """Who judged: the reader by its folder and what is in it."""
        version = self._fit.version if self._fit else self._version
        return JudgeInfo("local", self._name, version, self._local.info().details)

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict for every item, in order."""
        verdicts = self._local.judge(items)
        places = [n for n, v in enumerate(verdicts) if v.support is not None and items[n].evidence]
        pairs = [(n, (items[n].claim.text, e.text)) for n in places for e in items[n].evidence[:READ]]
        scores = self._reader.score([pair for _, pair in pairs])
        best: dict[int, tuple[float, float]] = {}
        for (n, _), (supported, contradicted, _) in zip(pairs, scores.tolist(), strict=True):
            most = best.get(n, (0.0, 0.0))  # what one passage denies another may not speak of
            best[n] = max(most[0], supported), max(most[1], contradicted)
        for n in places:
            verdicts[n] = self._pooled(verdicts[n], *best[n])
        return verdicts

    def _pooled(self, verdict: Verdict, supported: float, contradicted: float) -> Verdict:
        line = self._fit.line if self._fit else PLAIN
        odds = (_log_odds(verdict.support or 0.0) + _log_odds(supported)) / 2
        chance = 1 / (1 + math.exp(-(line.slope * odds + line.offset)))
        chance = min(chance, line.most(verdict.ceiling))
        label = line.label(chance)
        denied = label is Label.UNSUPPORTED and (verdict.contradicted or contradicted >= LIKELY)
        return replace(
            verdict,
            label=label,
            justification=_told(verdict, label, denied, (supported, contradicted)),
            contradicted=denied,
            confidence=round(
                {Label.SUPPORTED: chance, Label.UNSUPPORTED: 1 - chance}.get(label, min(chance, 1 - chance)), 4
            ),
            unsure=label is Label.WEAKLY_SUPPORTED,
            support=round(chance, 6),
        )


def _told(verdict: Verdict, label: Label, denied: bool, read: tuple[float, float]) -> str:
    """Why, for a verdict as it ends: what the local judge said of its own label stands behind it as that."""
    supported, contradicted = read
    if (label, denied) == (verdict.label, verdict.contradicted):
        return f"{verdict.justification} The reader gives it {supported:.2f}."
    if denied:
        head = f"Contradicted: {denies(contradicted)}"
    else:
        head = f"{_HEADS[label]}: the reader gives it {supported:.2f}"
    return f"{head}. By its words alone: {verdict.justification}"


def name_of(folder: Path, labels: Sequence[str] | None) -> str:
    """`reader-FOLDER-HASH`: another model, tokenizer or mapping has another name."""
    digest = hashlib.sha256(repr(labels).encode())
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix in (".onnx", ".json", ".data", ".onnx_data"):
            digest.update(f"{path.name} {path.stat().st_size}".encode("utf-8", "replace"))
            with path.open("rb") as file:
                digest.update(file.read(_SAMPLE))
                file.seek(max(0, path.stat().st_size - _SAMPLE))
                digest.update(file.read(_SAMPLE))
    return f"reader-{folder.name}-{digest.hexdigest()[:8]}"


def _log_odds(chance: float) -> float:
    kept = min(1 - 1e-6, max(1e-6, chance))
    return math.log(kept / (1 - kept))
