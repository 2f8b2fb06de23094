"""What a reader makes of the windows of a claim, and what that comes to.

A claim is not borne out by the one window that speaks for it most, among others that say more about it: windows are
weighed, as attention weighs (softmax), by how far they speak of the claim and how much of its words they have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gate.judges.windows import Window

SURE = 1e-3  # no reader is surer than this
# What a window's weight grows with, by e: the log odds that it speaks of the claim, and the share of the claim's words
# that it meets. From a grid over the written cases and guides, held out; the figures change little about these.
SPEAKS, MEETS = 2.0, 7.0
# So much of a chance settles it, whatever else is there. Of the written claims' focus sentences, those of 45 % of the
# supported claims have it, and of 1 % of the contradicted ones.
ENOUGH = 0.75
# Windows that have so many of the claim's words say the same thing or its opposite. Each of them denies it with such a
# chance for 8 of 3,947 supported claims of the written answers and 64 of 841 contradicted ones; of sets
# for measuring, which were in sight when the bound was chosen, for 0 of 2,817 and 27 of 433. At 0.9 it is 13 and 71, 7
# and 33.
WHOLE, DENIED = 0.95, 0.92
# After one window, two, three and four: outside of these chances the windows that are left hardly ever change a label.
# Of 4,915 written claims they did of 14, and none of the 1,120 contradicted ones among them was called supported for
# it; a quarter of the tokens is saved (benchmarks/README.md).
OPEN = ((0.03, 0.97), (0.12, 0.95), (0.2, 0.93), (0.25, 0.75))


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader makes of a window: its chances of supporting the claim, of contradicting it, and of neither, and
    the share of the claim's words that the window has `met`."""

    window: Window
    chances: tuple[float, float, float]
    met: float

    @property
    def supported(self) -> float:
        """Log odds that the window supports the claim."""
        return _log_odds(self.chances[0])

    @property
    def contradicted(self) -> float:
        """Log odds that it contradicts it."""
        return _log_odds(self.chances[1])

    @property
    def neither(self) -> float:
        """Log odds that it does not speak of it."""
        return _log_odds(self.chances[2])


def settled(reads: Sequence[Read]) -> bool:
    """Whether all that was read, and that is something, bears the claim out."""
    return bool(reads) and min(read.chances[0] for read in reads) >= ENOUGH


def decided(windows: int, chance: float) -> bool:
    """Whether a claim with this chance of support after so many windows is read no further."""
    if not 0 < windows <= len(OPEN):
        return False
    low, high = OPEN[windows - 1]
    return chance < low or chance > high


def denied(reads: Sequence[Read]) -> bool:
    """Whether all windows that have the claim's words, at least one, deny it for certain."""
    whole = [read.chances[1] for read in reads if read.met >= WHOLE]
    return bool(whole) and min(whole) >= DENIED


def reading_values(reads: Sequence[Read]) -> dict[str, float]:
    """The features of what was read, at least one window: `reads_supported`, the mean log odds of support, each window
    weighed; `reads_contradicted`, the highest log odds of contradiction in any of them; `reads_margin`, which of the
    two they say on balance: the mean log ratio of both, each window weighed by the odds that it speaks of the claim, 0
    where none does."""
    return {
        "reads_supported": _supported(reads),
        "reads_contradicted": max(read.contradicted for read in reads),
        "reads_margin": _margin(reads),
    }


def _supported(reads: Sequence[Read]) -> float:
    heights = [MEETS * read.met - SPEAKS * read.neither for read in reads]
    weights = [math.exp(height - max(heights)) for height in heights]
    return sum(weight * read.supported for weight, read in zip(weights, reads, strict=True)) / sum(weights)


def _margin(reads: Sequence[Read]) -> float:
    held = [[_held(chance) for chance in read.chances] for read in reads]
    weights = [(1 - neither) / neither for _, _, neither in held]
    ratios = [math.log(supported / contradicted) for supported, contradicted, _ in held]
    # The 1 draws it to nothing where no window speaks of the claim: a ratio of two small chances says little.
    return sum(weight * ratio for weight, ratio in zip(weights, ratios, strict=True)) / (1 + sum(weights))


def _held(chance: float) -> float:
    return min(1 - SURE, max(SURE, chance))


def _log_odds(chance: float) -> float:
    return math.log(_held(chance) / (1 - _held(chance)))
