"""The tools of a run, opened from the configuration when first used and closed at the end."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import Config
from gate.errors import InputFileError

if TYPE_CHECKING:
    from gate.judges.base import Judge
    from gate.providers.base import Embedder, Provider
    from gate.records import Prompt
    from gate.store.base import Index, Store

FOLDER = ".gate"


@dataclass
class Toolbox:
    """Opens what the configuration names, each thing once. `base` is the configuration's folder."""

    config: Config
    base: Path = field(default_factory=Path)
    folder: Path = field(default_factory=lambda: Path(FOLDER))
    limit: int | None = None
    shard: tuple[int, int] | None = None
    use_cache: bool = True
    _open: ExitStack = field(default_factory=ExitStack)

    def close(self) -> None:
        """Close whatever was opened."""
        self._open.close()

    def path(self, name: str) -> Path:
        """A path of the configuration: beside the configuration file, else as seen from the current folder."""
        beside = self.base / name
        return beside if beside.exists() else Path(name) if Path(name).exists() else beside
