"""Wrong use of any command, and numbers in options, told as errors of the gate."""

from __future__ import annotations

import math
import re

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from gate.cli import Commands, main
from gate.commands.dataset import DatasetCommands
from gate.commands.options import amount, count, positive, seconds, shard, whole
from tests.support.arguments import parse

PATHS = [*Commands.table, *(f"dataset {name}" for name in DatasetCommands.table)]


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (positive, "0", "is not a whole number from 1 on"),
        (positive, "1.5", "is not a whole number from 1 on"),
        (count, "-1", "is not a whole number from 0 on"),
        (whole, "0x10", "is not a whole number"),
        (amount, "nan", "is not a number from 0 on"),
        (amount, "1e999", "is not a number from 0 on"),
        (seconds, "1e-999", "0 seconds"),
        (seconds, "1e300", "longer than a clock can wait for"),
        (shard, "3/2", "is not a shard like 1/4"),
    ],
)
def test_what_is_refused(reader, text, message):
    with pytest.raises(typer.BadParameter, match=message):
        reader(text)


@given(st.integers(min_value=1))
def test_any_whole_number_from_one_on_is_read_back(number):
    assert positive(str(number)) == count(str(number)) == whole(str(number)) == number


@given(st.floats(min_value=0, max_value=1e9, exclude_min=True))
def test_any_amount_is_read_back(number):
    assert amount(repr(number)) == seconds(repr(number)) == number


@given(st.integers(-3, 12), st.integers(-3, 12))
def test_a_shard_is_one_of_its_number(first, second):
    if 1 <= first <= second:
        assert shard(f"{first}/{second}") == (first, second)
    else:
        with pytest.raises(typer.BadParameter, match="is not a shard like 1/4"):
            shard(f"{first}/{second}")


@given(st.text(max_size=12) | st.sampled_from(["1/", "1/2/3", "+1/2", " 1/2", "inf", "None", "\x1b[31m1"]))
def test_no_text_gets_past_the_options_as_something_else(text):
    for reader in (positive, count, amount, seconds, shard):
        try:
            value = reader(text)
        except typer.BadParameter:
            continue
        numbers = value if isinstance(value, tuple) else (value,)
        assert all(math.isfinite(number) and number >= 0 for number in numbers)


def test_outputs_are_gathered_in_their_order_and_do_not_leak_from_one_parse_to_the_next():
    assert parse(["run", "-o", "b.md", "--output", "a.json", "-o=c.xml"])["output"] == ["b.md", "a.json", "c.xml"]
    assert not parse(["run"])["output"]


def test_what_follows_two_dashes_is_no_option():
    assert parse(["ingest", "--", "-o=x", "--config"])["paths"] == ["-o=x", "--config"]
    assert parse(["ingest", "a", "-c", "x.yaml", "b"])["paths"] == ["a", "b"]


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
