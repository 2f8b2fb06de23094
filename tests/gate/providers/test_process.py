"""One run of a program: its bytes, its deadline, its bound, and what is left of it."""

import os
import select
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.providers.process import Ended, Processes

LONG = 60.0  # seconds: no run here may need it


def shell(script: str, where: Path, given: bytes = b"", seconds: float = LONG, limit: int = 100_000) -> Ended:
    return Processes().run(["sh", "-c", script], given, where, seconds, limit)


@pytest.fixture
def pulse(tmp_path: Path) -> Iterator[int]:
    """The reading end of the pipe `pulse`: it ends when the last program that holds it open is dead."""
    path = tmp_path / "pulse"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield reader
    os.close(reader)


def beat(reader: int) -> bytes:
    """What comes next out of the pipe; empty once nobody can write to it any more."""
    assert select.select([reader], [], [], 20)[0], "a program still holds the pipe open"
    return os.read(reader, 100)


@pytest.mark.parametrize(
    ("script", "given", "expected"),
    [
        ("cat", b"oats and barley\n", Ended(0, b"oats and barley\n", b"")),
        ("cat", b"\x00\xff\r\n\x80", Ended(0, b"\x00\xff\r\n\x80", b"")),
        ("cat", b"", Ended(0, b"", b"")),
        ("echo moist; echo dry >&2; exit 7", b"", Ended(7, b"moist\n", b"dry\n")),
        ("kill -TERM $$", b"", Ended(-15, b"", b"")),
        ("exec >&- 2>&-; exit 4", b"", Ended(4, b"", b"")),
    ],
)
def test_how_it_ended(script: str, given: bytes, expected: Ended, tmp_path: Path) -> None:
    assert shell(script, tmp_path, given) == expected


def test_it_runs_where_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "recipe.txt").write_text("two eggs")
    assert shell("cat recipe.txt", tmp_path).stdout == b"two eggs"


def test_arguments_reach_it_as_they_are(tmp_path: Path) -> None:
    words = ["$HOME", "a b", "; exit 9", "`id`", "*"]
    ended = Processes().run(["printf", "%s\n", *words], b"", tmp_path, LONG, 1000)
    assert ended == Ended(0, "".join(f"{word}\n" for word in words).encode(), b"")


def test_a_program_that_reads_nothing_does_not_block(tmp_path: Path) -> None:
    assert shell("echo deaf", tmp_path, b"x" * 3_000_000) == Ended(0, b"deaf\n", b"")


@pytest.mark.parametrize("command", [["no-such-program-here"], ["./recipe.txt"]])
def test_what_cannot_be_started(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "recipe.txt").write_text("two eggs")
    with pytest.raises(OSError, match=command[0]):
        Processes().run(command, b"", tmp_path, LONG, 100)


def test_time_over_kills_the_children_too(tmp_path: Path, pulse: int) -> None:
    ended = shell("echo half; (exec 3>pulse; echo on >&3; exec sleep 50) & sleep 50", tmp_path, seconds=0.7)
    assert (ended.code, ended.stdout, ended.reason) == (None, b"half\n", "timeout")
    assert beat(pulse) == b"on\n"
    assert beat(pulse) == b""


def test_a_program_that_ignores_signals_and_closed_its_output_still_ends(tmp_path: Path) -> None:
    ended = shell("trap '' TERM INT HUP; exec >&- 2>&-; while :; do sleep 1; done", tmp_path, seconds=0.4)
    assert (ended.code, ended.reason) == (None, "timeout")


def test_a_child_left_behind_holds_nobody_up(tmp_path: Path, pulse: int) -> None:
    ended = shell("exec 3>pulse; echo on >&3; sleep 50 & echo done", tmp_path)
    assert ended == Ended(0, b"done\n", b"")
    assert beat(pulse) == b"on\n"
    assert beat(pulse) == b""


@pytest.mark.parametrize(("size", "reason"), [(999, ""), (1000, ""), (1001, "too_long")])
def test_the_bound_of_the_output(size: int, reason: str, tmp_path: Path) -> None:
    ended = shell(f"head -c {size} /dev/zero", tmp_path, limit=1000)
    assert ended.reason == reason
    assert ended.code == (None if reason else 0)


def test_endless_output_is_cut_off(tmp_path: Path) -> None:
    ended = shell("yes", tmp_path, limit=5000)
    assert (ended.code, ended.reason) == (None, "too_long")
    assert len(ended.stdout) <= 5000 + 65536
    assert ended.stdout.startswith(b"y\ny\n")


def test_of_many_complaints_the_end_is_kept(tmp_path: Path) -> None:
    script = "import sys; sys.stderr.write('x' * 400_000 + 'the last word'); print('fine')"
    ended = Processes().run([sys.executable, "-S", "-c", script], b"", tmp_path, LONG, 2000)
    assert (ended.code, ended.stdout) == (0, b"fine\n")
    assert ended.stderr.endswith(b"the last word")
    assert len(ended.stderr) < 400_000


def test_close_ends_what_runs(tmp_path: Path, pulse: int) -> None:
    programs, results = Processes(), []
    command = ["sh", "-c", "exec 3>pulse; echo on >&3; sleep 50"]
    runner = threading.Thread(target=lambda: results.append(programs.run(command, b"", tmp_path, LONG, 100)))
    runner.start()
    while not select.select([pulse], [], [], 0)[0] or not (begun := os.read(pulse, 100)):
        time.sleep(0.01)
    assert begun == b"on\n"
    programs.close()
    runner.join(20)
    assert results == [Ended(-9, b"", b"")]
    assert beat(pulse) == b""


def test_nothing_runs_after_close(tmp_path: Path) -> None:
    programs = Processes()
    programs.close()
    assert programs.run(["sleep", "50"], b"", tmp_path, LONG, 100).code == -9


def test_a_set_of_programs_serves_many_threads(tmp_path: Path) -> None:
    programs, results = Processes(), {}

    def run(n: int) -> None:
        results[n] = programs.run(["cat"], str(n).encode(), tmp_path, LONG, 100).stdout

    threads = [threading.Thread(target=run, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert results == {n: str(n).encode() for n in range(6)}
