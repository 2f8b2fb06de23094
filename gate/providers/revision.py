"""The state of the repository that a program stands in: with other code or documents it may answer otherwise."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

_PATIENCE = 20.0  # seconds for git; it needs some hundredths
# The folder may belong to another user, as in a container; nothing that the repository configures is run for a look.
_PLAIN = ("-c", "safe.directory=*", "-c", "core.fsmonitor=false")


def revision(folder: Path) -> str:
    """A hash over all files that git tracks there, as they are now; empty where there is no git or no commit.

    Commits of one content have one hash. Files that git does not track are not part of it.
    """
    tree = _git(folder, "rev-parse", "--verify", "HEAD^{tree}")
    changed = _git(folder, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", "HEAD")
    if not tree or changed is None:
        return ""
    return hashlib.sha256(tree + changed).hexdigest()


def _git(folder: Path, *words: str) -> bytes | None:
    """What git says; None where it fails."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", *_PLAIN, *words],  # noqa: S607
            cwd=folder,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
