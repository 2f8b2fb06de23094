"""The command line: dispatch, and every way to end without a decision."""

import ast
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import typer

from gate import cli
from gate.errors import GateError, LimitError, UsageError

ROOT = Path(__file__).parent.parent.parent
SDKS = {
    *("boto3", "botocore", "elasticsearch", "ollama", "httpx", "urllib3", "onnxruntime", "tokenizers"),
    *("lxml", "pypdfium2", "numpy", "pydantic", "rich", "jinja2"),
}


def ending(monkeypatch, error):
    """main() with one command that ends in `error`; a function is called."""
    module = type(sys)("failing")

    def fail(debug: bool = typer.Option(False, "--debug")) -> int:
        if callable(error):
            error()
        raise error

    module.fail = fail
    monkeypatch.setitem(sys.modules, "failing", module)
    monkeypatch.setattr(cli.Commands, "table", {"fail": ("failing:fail", "fails")})
    return lambda *flags: cli.main(["fail", *flags])


@pytest.mark.parametrize(
    ("error", "code"),
    [(UsageError("bad"), 2), (LimitError("enough"), 4), (GateError("odd"), 2)],
)
def test_an_error_is_one_line_and_a_hint(monkeypatch, capsys, error, code):
    error.hint = "do this"
    assert ending(monkeypatch, error)() == code
    told = f"error: {error.message}\nhint: do this\n"
    assert capsys.readouterr().err == told
    assert ending(monkeypatch, error)("--debug") == code
    assert capsys.readouterr().err.startswith("Traceback")


@pytest.mark.parametrize("error", [KeyError("x"), RecursionError(), MemoryError()])
def test_a_crash_is_never_a_pass_nor_a_block(monkeypatch, capsys, error):
    assert ending(monkeypatch, error)() == 3
    told = capsys.readouterr().err
    assert told.startswith("error: internal fault at test_cli.py:")
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left on device"), "error: the output, or a file of this run: No space left on device"),
        (PermissionError(13, "Permission denied", "a\x1bb"), "error: a\\x1bb: Permission denied"),
    ],
)
def test_what_the_system_refuses_is_no_fault_of_ours_and_no_pass(monkeypatch, capsys, error, told):
    assert ending(monkeypatch, error)() == 3
    assert capsys.readouterr().err.startswith(f"{told}\nhint: ")


def python(*words, **options):
    """What a process of Python made of these words."""
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT, check=False, **options)


def bash(script, folder=ROOT):
    """What a shell made of a script in which `gate` is the gate."""
    gate = f'gate() {{ "{sys.executable}" -m gate "$@"; }}\n'
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", gate + script], capture_output=True, text=True, cwd=folder, env=environ, check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_streams_that_are_closed_or_full_change_no_exit_code_and_make_no_pass(tmp_path):
    for closed in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"):
        assert bash(f"gate report no-such-verdict.json {closed}").returncode == 2, closed
    done = bash("gate init > /dev/full", tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith("error: the output")


def test_ctrl_c_ends_with_the_code_of_a_limit(monkeypatch, capsys):
    assert ending(monkeypatch, KeyboardInterrupt())() == 4
    assert "interrupted" in capsys.readouterr().err


def test_a_cancelled_job_ends_like_ctrl_c(monkeypatch, capsys):
    def cancelled():
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(60)

    before = signal.getsignal(signal.SIGTERM)
    try:
        assert ending(monkeypatch, cancelled)() == 4
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capsys.readouterr().err == "error: interrupted\n"


def test_an_error_cannot_command_the_terminal(monkeypatch, capsys):
    ending(monkeypatch, UsageError("a\x1b[2Jb\u202ec\nZürich 東京"))()
    assert capsys.readouterr().err == "error: a\\x1b[2Jb\\x202ec\nZürich 東京\n"


def test_no_error_commands_a_runner(monkeypatch, capsys):
    ending(monkeypatch, UsageError("a.yaml: 1 fault\n::error::b\n  ::add-mask::c: unknown key", "##[error]d"))()
    told = capsys.readouterr().err
    assert not [row for row in told.splitlines() if row.lstrip().startswith("::")]
    assert "##[" not in told


def test_help_loads_no_sdk_and_nothing_of_a_run():
    asked = [["--help"], ["--version"], [], ["run", "--help"]]
    code = f"import sys\nfrom gate.cli import main\n[main(a) for a in {asked}]\nprint(sorted(sys.modules))"
    loaded = set(ast.literal_eval(python("-c", code).stdout.splitlines()[-1]))
    assert not loaded & SDKS
    assert {name for name in loaded if name.startswith("gate.commands.")} <= {
        f"gate.commands.{name}" for name in ("base", "options", "run")
    }


def test_a_closed_pipe_is_no_pass():
    done = bash("gate --help | true; echo ${PIPESTATUS[0]}")
    assert "Traceback" not in done.stderr
    assert done.stdout.strip() in {"0", "3"}  # 0: the help fitted into the pipe before it closed


def test_a_terminal_without_unicode_shows_what_it_can():
    code = "from gate.cli import main; import sys; sys.exit(main(['report', 'Z\u00fcrich \u6771.json']))"
    done = python("-c", code, env={"PYTHONIOENCODING": "ascii:strict"})
    assert done.returncode == 2
    assert "Z?rich ?.json" in done.stderr


def test_the_modules_run_like_the_script():
    assert all(python("-m", name, "--version").stdout.startswith("gate ") for name in ("gate", "gate.cli"))


def test_a_run_loads_what_its_judge_needs_and_no_more():
    code = (
        "import sys, gate.commands.running\n"
        "print([m for m in ('onnxruntime', 'tokenizers', 'gate.judges.local', 'gate.judges.llm') if m in sys.modules])"
    )
    assert python("-c", code).stdout == "[]\n"
