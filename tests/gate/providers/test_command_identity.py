"""What a command is known by is made of its words and of the files that they name, whatever these words are."""

import sys
import tracemalloc
from pathlib import Path

from gate.providers.base import Message, Request
from gate.providers.command import Command


def test_a_program_in_one_long_argument_runs(tmp_path: Path) -> None:
    asked = Command([sys.executable, "-S", "-E", "-c", "print('Two years.')" + " # why" * 1000], tmp_path)
    assert asked.complete(Request((Message("user", "How long?"),))).text == "Two years."


def test_a_large_file_is_not_held_in_memory(tmp_path: Path) -> None:
    with (tmp_path / "weights.bin").open("wb") as file:
        file.truncate(64 << 20)
    tracemalloc.start()
    try:
        Command(["./app.sh", "weights.bin"], tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
