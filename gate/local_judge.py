"""Opens the local judge: as shipped or fitted to the team's labels, with the shipped reader or one of the user's own.

It loads numpy, so a module that a command needs at its start imports it late.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.config import JudgeSettings
from gate.errors import ModelFileError
from gate.judges.line import PLAIN, Line, fitted, load_line, read_fit
from gate.judges.local import LocalJudge, Scorer
from gate.judges.reader import SHIPPED, Reader, Triple, name_of
from gate.providers.pool import Counting, uncounted

PORTION = 64  # windows that a reader is given at once where it is counted: some seconds of work


def open_local(
    settings: JudgeSettings,
    reader: Path | None,
    fit: Path | None,
    warn: Callable[[str], None],
    counting: Counting = uncounted,
) -> LocalJudge:
    """The local judge. `reader` is the folder of `judge.model_path`, `fit` the file of `gate calibrate --fit` (None: do
    not look). `counting` hears how far the reader is, which takes nearly all of the time.

    A fit that was made for another judge is left out, with a warning. Errors: ModelFileError.
    """
    found = read_fit(fit) if fit else None
    own = _own_reader(settings, reader) if reader else None
    opened, base, name = own or (shipped_reader(), load_line(), shipped_reader().name)
    turned = fitted(base, found, name)
    if found and turned is base:
        warn(f"{fit} was fitted to another judge ({found.model} {found.base}) and is left out; fit it again")
    return LocalJudge(CountedReader(opened, counting), turned, name)


def _own_reader(settings: JudgeSettings, folder: Path) -> tuple[Reader, Line, str]:
    """(the reader of the user's own in `folder`, the line for it, its name). Errors: ModelFileError."""
    if not folder.is_dir():
        raise ModelFileError(
            f"judge.model_path: {folder} is no folder", "name a folder with model.onnx, tokenizer.json and config.json"
        )
    places = settings.labels or {}
    labels = sorted(places, key=lambda name: places[name]) or None
    return Reader(folder, labels=labels), PLAIN, name_of(folder, labels)


class LazyReader:
    """A reader that is opened when something is to be read: a run without claims does not wait for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        """What tells these weights from others. Errors: ModelFileError."""
        return name_of(self._folder)

    def score(self, items: Sequence[Triple]) -> NDArray[np.float32]:
        """As Reader. Errors: ModelFileError."""
        return self._opened.score(items)

    def fits(self, claim: str) -> bool:
        """As Reader. Errors: ModelFileError."""
        return self._opened.fits(claim)

    @cached_property
    def _opened(self) -> Reader:
        return Reader(self._folder)


class CountedReader:
    """A reader whose windows are counted as they are read."""

    def __init__(self, reader: Scorer, counting: Counting) -> None:
        self._reader, self._counting = reader, counting

    def fits(self, claim: str) -> bool:
        """As Reader."""
        return self._reader.fits(claim)

    def score(self, items: Sequence[Triple]) -> NDArray[np.float32]:
        """As Reader. Items of like length are read together, as the reader itself would put them; the same item is
        read once."""
        distinct = list(dict.fromkeys(items))
        order = sorted(range(len(distinct)), key=lambda n: -sum(map(len, distinct[n])))
        found = np.zeros((len(distinct), 4), dtype=np.float32)
        with self._counting(len(distinct), "windows read") as done:
            for start in range(0, len(order), PORTION):
                part = order[start : start + PORTION]
                found[part] = self._reader.score([distinct[n] for n in part])
                for _ in part:
                    done()
        places = {item: n for n, item in enumerate(distinct)}
        return found[[places[item] for item in items]]


@cache
def shipped_reader() -> LazyReader:
    """The reader that ships with the gate: it is opened once a process."""
    return LazyReader(SHIPPED)
