"""`gate doctor`: check every configured part."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

DESCRIPTION = """Check what the configuration names: documents, index, embedder, model under test, judge, folder. All
at once, each with a time-out; a line for each part, and what to do where it is not well. A model that is reached over a
network is asked for one output token. Exit code 0: all well, 2: not.

example: gate doctor"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    from gate.commands.options import seconds

    parser.description = DESCRIPTION
    parser.add_argument("-c", "--config", metavar="FILE", help="configuration (default .llm-reliability.yaml)")
    parser.add_argument("--timeout", type=seconds, default=20.0, metavar="S", help="seconds for each part (default 20)")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(options: argparse.Namespace) -> int:
    """0: every part is well; 2: not."""
    from gate.cli import printable
    from gate.config import DEFAULT_PATH, load
    from gate.doctor import examine, told
    from gate.toolbox import Toolbox

    path = Path(options.config or DEFAULT_PATH)
    config = load(path)
    checks = examine(lambda: Toolbox(config, path.parent, use_cache=False), options.timeout)
    sys.stdout.write(printable(told(checks)))
    return 0 if all(check.well for check in checks) else 2
