"""`gate doctor`: check every configured part."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gate.commands.base import printable
from gate.commands.options import ConfigFile, Debug, seconds
from gate.config import DEFAULT_PATH, load
from gate.doctor import examine, render
from gate.toolbox import Toolbox


def doctor(
    config: ConfigFile = None,
    timeout: Annotated[
        float, typer.Option("--timeout", parser=seconds, metavar="S", help="seconds for each part")
    ] = 20.0,
    debug: Debug = False,
) -> int:
    """Check what the configuration names: documents, index, embedder, model under test, judge, folder. All
    at once, each with a time-out; a line for each part, and what to do where it is not well. A model that is reached
    over a network is asked for one output token. Exit code 0: all well, 2: not.

    example: gate doctor
    """
    path = Path(config or DEFAULT_PATH)
    loaded = load(path)
    checks = examine(lambda: Toolbox(loaded, path.parent, use_cache=False), timeout)
    sys.stdout.write(printable(render(checks)))
    return 0 if all(check.well for check in checks) else 2
