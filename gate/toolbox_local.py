"""Opens the local judge: as shipped or fitted to the team's labels, alone or with a reader of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.config_parts import Judge as Settings
    from gate.judges.base import Judge
    from gate.judges.fitted import Fit
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
        judge = LocalJudge(embedder, fitted(stack, found) if found else stack)
    info = judge.info()
    if found and (info.model, info.prompt_version) != (found.model, found.version):
        warn(f"{fit} was fitted to another judge ({found.model} {found.base}) and is left out; fit it again")
    return judge


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
