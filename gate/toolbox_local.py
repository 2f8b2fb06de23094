"""Opens the local judge: as shipped or fitted to the team's labels, alone or with a reader of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gate.providers.pool import Counting, uncounted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.config_parts import Judge as Settings
    from gate.judges.base import Judge
    from gate.judges.fitted import Fit
    from gate.judges.look import Scorer
    from gate.judges.reader import Reader
    from gate.providers.base import Embedder

PORTION = 64  # pairs that a reader is given at once where it is counted: about a second of work


def open_local(
    settings: Settings,
    embedder: Embedder,
    reader: Path | None,
    fit: Path | None,
    warn: Callable[[str], None],
    counting: Counting = uncounted,
) -> Judge:
    """`reader` is the folder of `judge.model_path`, `fit` the file of `gate calibrate --fit` (None: do not look).
    `counting` is told how far the shipped reader is, which takes nearly all of the time.

    A fit that was made for another judge is left out, and told. Errors: ModelFileError.
    """
    from gate.judges.by_parts import ByParts
    from gate.judges.fitted import fitted, read_fit
    from gate.judges.local import LocalJudge
    from gate.judges.stack import load_stack

    found = read_fit(fit) if fit else None
    if reader:
        judge: Judge = _pooled(settings, LocalJudge(embedder), reader, found)
    else:
        stack, opened = load_stack(), shipped()
        judge = LocalJudge(embedder, fitted(stack, found) if found else stack, opened and Counted(opened, counting))
        judge = ByParts(judge, opened.fits) if opened else judge
    info = judge.info()
    if found and (info.model, info.prompt_version) != (found.model, found.version):
        warn(f"{fit} was fitted to another judge ({found.model} {found.base}) and is left out; fit it again")
    return judge


class OnDemand:
    """The shipped reader, opened when something is to be read: a run without claims does not wait for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader: Reader | None = None

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As Reader. Errors: ModelFileError."""
        return self._opened().score(pairs)

    def fits(self, claim: str) -> bool:
        """As Reader. Errors: ModelFileError."""
        return self._opened().fits(claim)

    def _opened(self) -> Reader:
        if self._reader is None:
            from gate.judges.reader import Reader

            self._reader = Reader(self._folder)
        return self._reader


class Counted:
    """A reader whose pairs are counted as they are read."""

    def __init__(self, reader: Scorer, counting: Counting) -> None:
        self._reader, self._counting = reader, counting

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As Reader. Pairs of like length are read together, as the reader itself would put them."""
        import numpy as np

        order = sorted(range(len(pairs)), key=lambda n: -len(pairs[n][0]) - len(pairs[n][1]))
        found = np.zeros((len(pairs), 3), dtype=np.float32)
        with self._counting(len(pairs), "passages read") as done:
            for start in range(0, len(order), PORTION):
                part = order[start : start + PORTION]
                found[part] = self._reader.score([pairs[n] for n in part])
                for _ in part:
                    done()
        return found


@cache
def shipped() -> OnDemand | None:
    """The reader that ships with the gate, opened once a process, for the judge, the measures and all requests to a
    service; None in an installation without its folder (the judge's name tells)."""
    from gate.judges.reader import SHIPPED

    return OnDemand(SHIPPED) if SHIPPED.is_dir() else None


def _pooled(settings: Settings, local: Judge, folder: Path, fit: Fit | None) -> Judge:
    from gate.errors import ModelFileError
    from gate.judges.by_parts import ByParts
    from gate.judges.pooled import PooledJudge, name_of
    from gate.judges.reader import Reader

    if not folder.is_dir():
        raise ModelFileError(
            f"judge.model_path: {folder} is no folder", "name a folder with model.onnx, tokenizer.json and config.json"
        )
    places = settings.labels or {}
    labels = sorted(places, key=lambda name: places[name]) or None
    opened = Reader(folder, labels=labels)
    return ByParts(PooledJudge(local, opened, name_of(folder, labels), fit), opened.fits)
