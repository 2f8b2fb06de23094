"""Shell completion, in the shell."""

import shutil
import subprocess

import pytest

from gate.cli import COMMANDS, main, parser
from gate.commands.completion import script

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def completed(folder, *words):
    """What bash offers for the last of `words`."""
    line = " ".join(f"'{word}'" for word in ("gate", *words))
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _gate; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-uc", f"{script(parser())}\n{ask}"], capture_output=True, text=True, cwd=folder)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ru"], ["run"]),
        (["comp"], ["compare", "completion"]),
        (["run", "--max"], ["--max-cost", "--max-calls", "--max-seconds"]),
        (["run", "--fail-on", ""], ["block", "warn"]),
        (["merge", "a.json", "--fail-on", "w"], ["warn"]),
        (["completion", "z"], ["zsh"]),
        (["dataset", "g"], ["generate"]),
        (["dataset", "import", "--format", "b"], ["beyondchats"]),
        (["dataset", "generate", "--gen"], ["--generator"]),
        (["report", "ver"], ["verdict.json"]),
        (["run", "-c", "ver"], ["verdict.json"]),
        (["run", "-c", "none"], []),
        (["nothing", "ver"], ["verdict.json"]),
    ],
)
def test_bash_offers(tmp_path, words, offered):
    (tmp_path / "verdict.json").touch()
    assert completed(tmp_path, *words) == offered


def test_every_command_and_every_flag_is_known(tmp_path):
    assert set(COMMANDS) <= set(completed(tmp_path, ""))
    for name in COMMANDS:
        assert "--help" in completed(tmp_path, name, "--")


def test_the_script_is_printed_and_no_shell_complains(capsys):
    assert main(["completion", "zsh"]) == 0
    text = capsys.readouterr().out
    assert text == script(parser())
    assert subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=True).stderr == ""
