"""Shell completion, in the shells that are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gate.cli import Commands, main

ROOT = Path(__file__).parents[3]
BASH = """
eval "$(gate completion bash)"
offer() { COMP_WORDS=(gate "$@"); COMP_CWORD=$#; _gate_completion gate; echo "${COMPREPLY[@]}"; }
"""
ZSH = """
eval "$(gate completion zsh)" 2>/dev/null
_arguments() { print -r -- "$@"; }
_files() { print files; }
offer() { words=(gate "$@"); CURRENT=$(( $# + 1 )); _gate_completion; }
"""


@pytest.fixture
def shell(tmp_path):
    """A folder with `gate` on its path: what a shell prints for a script."""
    script = tmp_path / "bin" / "gate"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gate "$@"\n')
    script.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{script.parent}:{os.environ['PATH']}"}

    def run(*command):
        if shutil.which(command[0]) is None:
            pytest.skip(f"{command[0]} is not installed")
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
        assert done.stderr == ""
        return done.stdout

    return run


def test_bash_offers(shell):
    found = {
        "comp": "compare completion",
        "run --max": "--max-cost --max-calls --max-seconds",
        "merge a.json --fail-on ''": "block warn",
        "dataset g": "generate",
        "dataset import --format b": "beyondchats",
        "report ver": "",  # which bash takes for "files"
    }
    asked = "".join(f"offer {words}\n" for words in found)
    assert shell("bash", "-c", BASH + asked).splitlines() == list(found.values())


def test_zsh_offers_words_with_their_help_and_files_elsewhere(shell):
    assert '"merge":"the shards of one run into one verdict"' in shell("zsh", "-fc", ZSH + "offer me")
    assert shell("zsh", "-fc", ZSH + "offer report ver") == "files\n"


def test_fish_offers_words_with_their_help_and_files_elsewhere(shell):
    ask = "gate completion fish | source; complete -C '{0}'"
    assert "merge\tthe shards of one run into one verdict\n" in shell("fish", "-Nc", ask.format("gate me"))
    assert shell("fish", "-Nc", ask.format("gate report bi")).split() == ["bin/"]


def test_every_command_is_known_without_loading_one(monkeypatch, capsys):
    monkeypatch.setenv("COMP_WORDS", "gate ")
    monkeypatch.setenv("COMP_CWORD", "1")
    monkeypatch.setenv("_GATE_COMPLETE", "complete_bash")
    monkeypatch.setattr(Commands, "get_command", None)
    assert main([]) == 0
    assert capsys.readouterr().out.split() == list(Commands.table)


def test_a_shell_that_nobody_knows_is_wrong_use(monkeypatch, capsys):
    monkeypatch.setenv("_GATE_COMPLETE", "complete_nonsense")
    assert main([]) == 2
    assert "not supported" in capsys.readouterr().err
