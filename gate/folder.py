"""The folder of index and record: made where it is missing, and kept out of the user's repository."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_NAME = ".gate"


def make_folder(folder: Path) -> None:
    """Make the folder with those above it. Git leaves it out: it holds answers of models, and an index that
    is made anew from the documents. A folder of another name is the user's own and left as it is. Errors: OSError."""
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if new and folder.name == _NAME:
        with suppress(OSError):  # a full disk is reported where something is lost by it
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
