"""Run the workflow that people copy, step by step, in a new repository, with another Python than the gate's.

python scripts/try_workflow.py [CASE...]     # --application PYTHON: the other Python, else the oldest that is found

GitHub is imitated (tests/support/runner.py) and not reached. What the steps run is real: the shell, the environment
that pip makes, the gate in it. The cases stand in tests/support/workflow_cases.py. The exit code is 1 where one does
not hold.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.workflow_cases import CASES, new_world  # noqa: E402 - the tree that this file stands in


def main() -> int:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = [case.__name__ for case in CASES]
    parser.add_argument("case", nargs="*", default=names, metavar="CASE", help=", ".join(names))
    parser.add_argument("--application", default=oldest(), help="the application's Python (%(default)s)")
    parser.add_argument("--python", default=sys.executable, help="the Python that the gate gets (%(default)s)")
    asked = parser.parse_args()
    # The other git host is this repository, as it is committed.
    os.environ |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_VALUE_0": "https://git.example/o/gate"}
    os.environ["GIT_CONFIG_KEY_0"] = f"url.{ROOT.as_uri()}.insteadOf"
    with tempfile.TemporaryDirectory(prefix="try-workflow-") as name:
        home = Path(name)
        application = home / "application"
        subprocess.run([asked.application, "-m", "venv", str(application)], check=True)
        before = packages(application)
        path = os.pathsep.join([str(application / "bin"), os.defpath])
        faults = [case for case in CASES if case.__name__ in asked.case and not holds(case, home, asked.python, path)]
        touched = before != packages(application)
    print(f"the application's Python was {'changed' if touched else 'left alone'}: {before.splitlines()[0]}")
    return int(bool(faults or touched))


def holds(case: Any, home: Path, python: str, path: str) -> bool:
    """Run one case; the gate's environment is kept for the next, as between the steps of a job."""
    began, folder, kept = time.monotonic(), home / case.__name__, home / "temp"
    kept.mkdir(exist_ok=True)
    folder.mkdir()
    (folder / "temp").symlink_to(kept)
    try:
        with new_world(folder, python, path) as world:
            case(world)
    except AssertionError:
        traceback.print_exc()
    else:
        print(f"ok     {case.__name__}: {case.__doc__} ({time.monotonic() - began:.0f} s)", flush=True)
        return True
    print(f"FAULT  {case.__name__}", flush=True)
    return False


def packages(application: Path) -> str:
    """The version and the packages of the application's Python."""
    asked = (["--version"], ["-m", "pip", "list", "--disable-pip-version-check"])
    return "".join(subprocess.check_output([str(application / "bin/python"), *each], text=True) for each in asked)


def oldest() -> str:
    """The oldest Python of this machine that can make an environment."""
    places = os.pathsep.join([*map(str, Path.home().glob(".pyenv/versions/*/bin")), os.environ["PATH"]])
    found = filter(None, (shutil.which(f"python3.{minor}", path=places) for minor in range(8, 20)))
    works = [python for python in found if not subprocess.call([python, "-c", "import ensurepip"], stderr=-3)]
    return works[0] if works else sys.executable


if __name__ == "__main__":
    sys.exit(main())
