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
    from gate.judges.line import Line
    from gate.judges.local import LocalJudge, Scorer
    from gate.judges.reader import Reader, Triple

PORTION = 64  # windows that a reader is given at once where it is counted: some seconds of work


def open_local(
    settings: Settings,
    reader: Path | None,
    fit: Path | None,
    warn: Callable[[str], None],
    counting: Counting = uncounted,
) -> LocalJudge:
    """`reader` is the folder of `judge.model_path`, `fit` the file of `gate calibrate --fit` (None: do not look).
    `counting` is told how far the reader is, which takes nearly all of the time.

    A fit that was made for another judge is left out, and told. Errors: ModelFileError.
    """
    from gate.judges.line import fitted, load_line, read_fit
    from gate.judges.local import LocalJudge

    found = read_fit(fit) if fit else None
    opened, base, name = _own(settings, reader) if reader else (shipped(), load_line(), shipped().name)
    turned = fitted(base, found, name)
    if found and turned is base:
        warn(f"{fit} was fitted to another judge ({found.model} {found.base}) and is left out; fit it again")
    return LocalJudge(Counted(opened, counting), turned, name)


class OnDemand:
    """The shipped reader, opened when something is to be read: a run without claims does not wait for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader: Reader | None = None

    @property
    def name(self) -> str:
        """What tells these weights from others. Errors: ModelFileError."""
        from gate.judges.reader import name_of

        return name_of(self._folder)

    def score(self, items: Sequence[Triple]) -> NDArray[np.float32]:
        """As Reader. Errors: ModelFileError."""
        return self._opened().score(items)

    def fits(self, claim: str) -> bool:
        """As Reader. Errors: ModelFileError."""
        return self._opened().fits(claim)

    def _opened(self) -> Reader:
        if self._reader is None:
            from gate.judges.reader import Reader

            self._reader = Reader(self._folder)
        return self._reader


class Counted:
    """A reader whose windows are counted as they are read."""

    def __init__(self, reader: Scorer, counting: Counting) -> None:
        self._reader, self._counting = reader, counting

    def fits(self, claim: str) -> bool:
        """As Reader."""
        return self._reader.fits(claim)

    def score(self, items: Sequence[Triple]) -> NDArray[np.float32]:
        """As Reader. Items of like length are read together, as the reader itself would put them; the same item is
        read once."""
        import numpy as np

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
def shipped() -> OnDemand:
    """The reader that ships with the gate, opened once a process, for the judge, the measures and all requests to a
    service. Errors: ModelFileError in an installation without its folder."""
    from gate.judges.reader import SHIPPED

    return OnDemand(SHIPPED)


def _own(settings: Settings, folder: Path) -> tuple[Reader, Line, str]:
    from gate.errors import ModelFileError
    from gate.judges.line import PLAIN
    from gate.judges.reader import Reader, name_of

    if not folder.is_dir():
        raise ModelFileError(
            f"judge.model_path: {folder} is no folder", "name a folder with model.onnx, tokenizer.json and config.json"
        )
    places = settings.labels or {}
    labels = sorted(places, key=lambda name: places[name]) or None
    return Reader(folder, labels=labels), PLAIN, name_of(folder, labels)
