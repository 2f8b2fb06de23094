"""Opens the local judge: as shipped or fitted to the team's labels, alone or with a reader of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gate.config_parts import Judge as Settings
    from gate.judges.base import Judge
    from gate.judges.fitted import Fit
    from gate.judges.reader import Reader
    from gate.providers.base import Embedder


def open_local(
    settings: Settings, embedder: Embedder, reader: Path | None, fit: Path | None, warn: Callable[[str], None]
) -> Judge:
    """`reader` is the folder of `judge.model_path`, `fit` the file of `gate calibrate --fit` (None: do not look).

    A fit that was made for another judge is left out, and told. Errors: ModelFileError.
    """
    from gate.judges.fitted import fitted, read_fit
    from gate.judges.local import LocalJudge
    from gate.judges.stack import load_stack

    found = read_fit(fit) if fit else None
    if reader:
        judge: Judge = _pooled(settings, LocalJudge(embedder), reader, found)
    else:
        stack = load_stack()
        judge = LocalJudge(embedder, fitted(stack, found) if found else stack, shipped())
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
        if self._reader is None:
            from gate.judges.reader import Reader

            self._reader = Reader(self._folder)
        return self._reader.score(pairs)


def shipped() -> OnDemand | None:
    """The reader that ships with the gate; None in an installation without its folder (the judge's name tells)."""
    from gate.judges.reader import SHIPPED

    return OnDemand(SHIPPED) if SHIPPED.is_dir() else None


def _pooled(settings: Settings, local: Judge, folder: Path, fit: Fit | None) -> Judge:
    from gate.errors import ModelFileError
    from gate.judges.pooled import PooledJudge, name_of
    from gate.judges.reader import Reader

    if not folder.is_dir():
        raise ModelFileError(
            f"judge.model_path: {folder} is no folder", "name a folder with model.onnx, tokenizer.json and config.json"
        )
    places = settings.labels or {}
    labels = sorted(places, key=lambda name: places[name]) or None
    return PooledJudge(local, Reader(folder, labels=labels), name_of(folder, labels), fit)
