"""What the local judge sees of a batch before it weighs: alignments, findings, features, and what a reader says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gate.judges.alignment import align
from gate.judges.evidence import Known, split
from gate.judges.features import features
from gate.judges.meaning import kindred, liken
from gate.judges.reading import read
from gate.judges.reads import Read, decided, reading_values, settled
from gate.judges.seen import Look
from gate.judges.windows import Window, focus_window, further_windows, met, prose
from gate.providers.remembering import Remembering
from gate.records import Item

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.providers.base import Embedder


class Scorer(Protocol):
    """A reader: (claim, evidence) pairs in, probabilities (n, 3) of supported, contradicted, neither out."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """A pair's row does not depend on the other pairs."""
        ...


Chance = Callable[[Mapping[str, float]], float]


def look(
    items: Sequence[Item],
    embedder: Embedder | None = None,
    reader: Scorer | None = None,
    chance: Chance | None = None,
) -> list[Look | None]:
    """A Look for every item, None where the claim or its evidence has nothing to read. What is seen of one item does
    not depend on the others; equal passages are read once, equal texts embedded once. `chance`: see `consult`.
    Errors: the embedder's own."""
    known = Known()
    looks = [_look(item, known) for item in items]
    if embedder is not None:
        embedder = Remembering(embedder)
        liken(items, looks, embedder)
    if reader is not None:
        consult(items, looks, partial(kindred, embedder=embedder) if embedder else _nowhere, reader, chance)
    return looks


def _look(item: Item, known: Known) -> Look | None:
    claim = read(item.claim.text)
    alignment = align(claim, split(item.evidence, known)) if claim.content else None
    if alignment is None:
        return None
    seen = features(alignment)
    return Look(alignment, seen.findings, seen.values)


def _nowhere(items: Sequence[Item], looks: Sequence[Look | None]) -> list[int | None]:
    return [None for _ in zip(items, looks, strict=True)]


class _Given(NamedTuple):
    """An item that can be read, and what is seen of it."""

    item: Item
    look: Look


Kin = Callable[[Sequence[Item], Sequence[Look | None]], Sequence[int | None]]


def consult(
    items: Sequence[Item],
    looks: Sequence[Look | None],
    kin: Kin,
    reader: Scorer,
    chance: Chance | None = None,
) -> None:
    """Adds what the reader makes of the windows of each item, and the features that it comes to. The reader is shown
    the focus alone and, where that settles nothing, what stands around it and elsewhere; `kin` finds for each of these
    items the place of the sentence that means most nearly what the claim says. With `chance`, which makes a probability
    of support of an item's features, a window is shown only while those before it leave the item open.
    Errors: ModelFileError, those of `kin`.
    """
    given = [_Given(item, seen) for item, seen in zip(items, looks, strict=True) if seen]
    _read(given, [focus_window(one.item, one.look.alignment) for one in given], reader)
    unsettled = [one for one in given if not settled(one.look.reads) and _is_open(one.look, chance)]
    places = kin([one.item for one in unsettled], [one.look for one in unsettled])
    left = [(o, further_windows(o.item, o.look.alignment, at)) for o, at in zip(unsettled, places, strict=True)]
    while left:
        most = 1 if chance else None
        _read([one for one, _ in left], [windows[:most] for _, windows in left], reader)
        left = [(one, windows[1:]) for one, windows in left if chance and windows[1:] and _is_open(one.look, chance)]


def _is_open(seen: Look, chance: Chance | None) -> bool:
    return chance is None or not decided(len(seen.reads), chance(seen.values))


def _read(given: Sequence[_Given], windows: Sequence[Sequence[Window]], reader: Scorer) -> None:
    """Shows each item those of its windows whose text it was not shown yet; and what all that it was shown comes to."""
    new = [
        [window for window in some if window.text not in {read.window.text for read in one.look.reads}]
        for one, some in zip(given, windows, strict=True)
    ]
    claims = [prose(one.item.claim.text) for one in given]
    pairs = [(claim, window.text) for claim, some in zip(claims, new, strict=True) for window in some]
    rows = iter(reader.score(pairs).tolist() if pairs else [])
    for one, some in zip(given, new, strict=True):
        laid = one.look.alignment
        one.look.reads.extend(Read(w, tuple(next(rows)), met(laid, w.first, w.last)) for w in some)
        if one.look.reads:
            one.look.values.update(reading_values(one.look.reads))
