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

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.workflow_cases import CASES, new_world  # noqa: E402 - the tree that this file stands in


def main() -> int:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = [case.__name__ for case in CASES]
    parser.add_argument("case", nargs="*", default=names, metavar="CASE", help=", ".join(names))
    parser.add_argument("--application", default=oldest(), help="the Python of the application (%(default)s)")
    asked = parser.parse_args()
    # The host of the copied workflow is this repository, as it is committed.
    os.environ |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_VALUE_0": "https://git.example/o/gate"}
    os.environ["GIT_CONFIG_KEY_0"] = f"url.{ROOT.as_uri()}.insteadOf"
    with tempfile.TemporaryDirectory(prefix="try-workflow-") as name:
        home = Path(name)
        subprocess.run([asked.application, "-m", "venv", str(home / "application")], check=True)
        before = packages(home)
        faults = sum(not holds(case, home) for case in CASES if case.__name__ in asked.case)
        touched = before != packages(home)
    print(f"the application's Python was {'changed' if touched else 'left alone'}: {before.splitlines()[0]}")
    return int(bool(faults or touched))


def holds(case, home: Path) -> bool:  # type: ignore[no-untyped-def]
    """Run one case; the environment of the gate is kept for the next, as between the jobs of one machine."""
    began, folder = time.monotonic(), home / case.__name__
    kept = home / "temp"
    kept.mkdir(exist_ok=True)
    folder.mkdir()
    (folder / "temp").symlink_to(kept)
    path = os.pathsep.join([str(home / "application/bin"), os.defpath])
    try:
        with new_world(folder, sys.executable, path) as world:
            case(world)
    except AssertionError:
        traceback.print_exc()
        print(f"FAULT  {case.__name__}")
        return False
    print(f"ok     {case.__name__}: {case.__doc__.splitlines()[0]} ({time.monotonic() - began:.0f} s)", flush=True)
    return True


def packages(home: Path) -> str:
    """The version and the packages of the application's Python."""
    python = str(home / "application/bin/python")
    asked = ([python, "--version"], [python, "-m", "pip", "list", "--disable-pip-version-check"])
    return "".join(subprocess.run(each, capture_output=True, text=True, check=True).stdout for each in asked)


def oldest() -> str:
    """The oldest Python 3 on this machine that can make an environment."""
    for minor in range(8, sys.version_info.minor + 1):
        for folder in (*os.get_exec_path(), *map(str, Path.home().glob(f".pyenv/versions/3.{minor}.*/bin"))):
            found = shutil.which(f"python3.{minor}", path=folder)
            if found and not subprocess.run([found, "-c", "import ensurepip"], capture_output=True).returncode:
                return found
    return sys.executable


if __name__ == "__main__":
    sys.exit(main())
