"""Turns between processes: kept while one lives, free when it is gone, and never in the way of a run."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gate.errors import LimitError
from gate.providers.turns import Turns

KEY, OTHER = (hashlib.sha256(word).hexdigest() for word in (b"one", b"other"))
HOLD = """
import sys, time
from pathlib import Path
from gate.providers.turns import Turns
with Turns(Path(sys.argv[1]), time.sleep).turn(sys.argv[2]):
    print("in", flush=True)
    sys.stdin.read(1)
"""


def holder(path: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HOLD, str(path), KEY]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    return process


@pytest.mark.parametrize("killed", [False, True])
def test_another_process_is_waited_for_until_it_is_done_or_dead(tmp_path: Path, killed: bool) -> None:
    path, waits = tmp_path / "calls.lock", []
    with holder(path) as process:

        def sleep(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 3:
                process.kill() if killed else process.communicate("x")
            time.sleep(0.01)

        turns = Turns(path, sleep)
        with turns.turn(KEY):
            pass
        turns.close()
    assert len(waits) >= 3


def test_another_request_is_not_kept_waiting(tmp_path: Path) -> None:
    path = tmp_path / "calls.lock"
    with holder(path) as process:
        turns = Turns(path, lambda seconds: pytest.fail("waited"))
        with turns.turn(OTHER):
            pass
        process.communicate("x")
        turns.close()
        turns.close()


def test_a_run_that_ends_waits_no_longer(tmp_path: Path) -> None:
    def over(seconds: float) -> None:
        raise LimitError("the limit of 2 s is reached", "raise it")

    path = tmp_path / "calls.lock"
    with holder(path) as process:
        with pytest.raises(LimitError), Turns(path, over).turn(KEY):
            pass
        process.communicate("x")


@pytest.mark.parametrize("path", ["missing/calls.lock", "."])
def test_where_nothing_can_be_locked_nobody_waits(tmp_path: Path, path: str) -> None:
    with Turns(tmp_path / path, lambda seconds: pytest.fail("waited")).turn(KEY):
        assert os.listdir(tmp_path) == []
