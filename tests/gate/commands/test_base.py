"""Commands that are loaded when they are called, their help, and wrong use."""

import re

import pytest

from gate.cli import Commands, main
from gate.commands.dataset import DatasetCommands

PATHS = [*Commands.table, *(f"dataset {name}" for name in DatasetCommands.table)]


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        ("rnu", "there is no command 'rnu'", "did you mean `run`? gate --help"),
        ("dataset improt", "there is no command 'improt'", "did you mean `import`? gate dataset --help"),
        ("--vers", "no such option: --vers", "did you mean `--version`? gate --help"),
        ("run --lim 3", "no such option: --lim", "did you mean `--limit`? gate run --help"),
        ("run --limit 0", "'0' is not a whole number from 1 on", "gate run --help"),
        ("run --fail-on wrn", "'wrn' is not one of 'block', 'warn'", "did you mean `warn`? gate run --help"),
        ("run extra", "(extra)", "gate run --help"),
        ("run -o", "option '-o' requires an argument", "gate run --help"),
        ("run --baseline --dry-run", "option '--baseline' requires an argument", "gate run --help"),
        ("run --debug=1", "does not take a value", "gate"),
        ("compare a.json", "missing argument 'HEAD.json'", "gate compare [OPTIONS] BASE.json HEAD.json; gate"),
        ("dataset", "missing command", "gate dataset [OPTIONS] COMMAND; gate"),
        ("dataset import x.json", "missing option '-o' / '--output'", "gate dataset import [OPTIONS] FILE..."),
    ],
)
def test_wrong_use_is_one_error_with_a_hint(capsys, words, error, hint):
    assert main(words.split()) == 2
    told = capsys.readouterr()
    assert told.out == ""
    first, second = told.err.splitlines()
    assert first.startswith("error: ")
    assert error in first
    assert second.startswith(f"hint: {hint}")
    assert second.endswith("--help shows what is possible")


@pytest.mark.parametrize("words", ["\x1b[2J", "run --\x1b[2J", "run --limit \x1b[2J", "ingest -c \x1b[2J"])
def test_wrong_use_cannot_command_the_terminal(capsys, words):
    assert main(words.split(" ")) == 2
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("path", PATHS)
def test_every_command_shows_help_in_80_columns_without_colours(capsys, monkeypatch, path):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main([*path.split(), "-h"]) == 0
    shown = capsys.readouterr().out
    assert re.search(rf"^  example: gate {path}", shown, re.MULTILINE)
    assert max(map(len, shown.splitlines())) <= 80
    assert "\x1b" not in shown
    assert "<" not in shown, "a type of Python"


def test_the_help_of_all_names_every_command_and_code(capsys):
    assert main([]) == 2
    shown = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == shown
    assert all(f"  {name} " in shown for name in Commands.table)
    assert all(f"{code} " in shown for code in range(5))
    assert max(map(len, shown.splitlines())) <= 80
