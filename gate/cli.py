"""The command line: dispatch, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer
from typer.completion import completion_init, shell_complete  # type: ignore[attr-defined]

from gate import __version__, process
from gate.commands.options import PLAIN, Group, printable, wrong_use
from gate.errors import GateError
from gate.reports.safe import workflow_safe

EPILOG = """\b
Exit codes:
  0 deploy (or warn), 1 block (or warn with --fail-on warn),
  2 wrong use or configuration, 3 inconclusive, 4 a limit was hit

example: gate init && gate ingest && gate run -o report.html"""

CRASH = 3  # no verdict was possible; never 0 (deploy) or 1 (block)
COMPLETE = "_GATE_COMPLETE"  # what the script of `gate completion` sets when a key is pressed
# zsh has `compdef` only after its completion was started, which a bare .zshrc does not do.
_ZSH = "(( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }\n"


class Commands(Group):
    """The commands of `gate`."""

    table = {
        "init": ("gate.commands.init:init", "write a first configuration and a workflow"),
        "doctor": ("gate.commands.doctor:doctor", "check every configured part and say what to do"),
        "ingest": ("gate.commands.ingest:ingest", "index trusted documents; safe to repeat"),
        "run": ("gate.commands.run:run", "ask, check every claim, decide: deploy, warn, block or inconclusive"),
        "report": ("gate.commands.stored:report", "any output again, from a stored verdict; new thresholds at no cost"),
        "compare": ("gate.commands.stored:compare", "the paired comparison of two verdicts"),
        "waive": ("gate.commands.stored:waive", "accept a claim that is not supported, with a reason and an end date"),
        "merge": ("gate.commands.stored:merge", "the shards of one run into one verdict"),
        "dataset": ("gate.commands.dataset:app", "questions with reference answers; files of other tools"),
        "calibrate": ("gate.commands.calibrate:calibrate", "how far the judge agrees with people's labels"),
        "audit": ("gate.commands.audit:audit", "judge logged answers in bulk; in one process, on all cores, on Ray"),
        "serve": ("gate.commands.serve:serve", "an HTTP service: POST /evaluate, GET /health"),
        "completion": ("gate.cli:completion", "complete commands and options in your shell"),
    }


app = typer.Typer(cls=Commands, epilog=EPILOG, subcommand_metavar="COMMAND", **PLAIN)


def _show_version(value: bool) -> None:
    if value:
        sys.stdout.write(f"gate {__version__}\n")
        raise typer.Exit


@app.callback()
def gate(
    version: Annotated[
        bool, typer.Option("-V", "--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """The reliability gate: may this change to an LLM application ship?"""  # noqa: D400


def completion(
    context: typer.Context,
    shell: Annotated[
        Literal["bash", "zsh", "fish", "powershell"], typer.Argument(help="the shell that reads the script")
    ],
) -> int:
    """Print a script for a shell that completes commands, options and choices, and files elsewhere. zsh, fish and
    powershell show the help of each beside it. bash and zsh take it by eval "$(gate completion bash)", fish by
    `gate completion fish | source`.

    example: gate completion bash >> ~/.bashrc
    """
    if shell == "zsh":
        sys.stdout.write(_ZSH)
    return _complete(context.find_root().command, f"source_{shell}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (see EPILOG)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    process.prepare()
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _say("error: interrupted")
        return 4
    except Exception as error:
        return _end(error, "--debug" in arguments)
    return code


def _dispatch(arguments: list[str]) -> int:
    """Parse and call. Not by typer's own `main`: that ends with 1, which means block, where a pipe was closed."""
    command = typer.main.get_command(app)
    if COMPLETE in os.environ:
        return _complete(command, os.environ[COMPLETE])
    try:
        with command.make_context("gate", list(arguments) or ["--help"]) as context:
            return int(command.invoke(context))
    except typer.Exit as ended:  # --help and --version
        return ended.exit_code if arguments else 2
    except typer.TyperException as error:
        raise wrong_use(error) from None


def _complete(command: Any, instruction: str) -> int:
    """Print what typer has for a shell: `source_SHELL` its script, `complete_SHELL` the words that fit."""
    completion_init()
    return 2 if shell_complete(command, {}, "gate", COMPLETE, instruction) else 0


def _end(error: Exception, debug: bool) -> int:
    """Say what went wrong, with the traceback only where it was asked for, and give the exit code."""
    if isinstance(error, OSError):  # what is still to be written goes nowhere: the interpreter would fail on it again
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader of our output has gone (`gate run | head`): it is no pass
        return CRASH
    if debug:
        traceback.print_exception(error)
    message, hint = _explained(error)
    _say(f"error: {message}", *([f"hint: {hint}"] if hint else []))
    return error.exit_code if isinstance(error, GateError) else CRASH


def _explained(error: Exception) -> tuple[str, str]:
    """The message and the hint: of our own error, of what the system refuses, of a fault of ours."""
    if isinstance(error, GateError):
        return printable(error.message), printable(error.hint)
    if isinstance(error, OSError):
        where = str(error.filename) if error.filename else "the output, or a file of this run"
        hint = "is the disk full, may the folder be written? --debug shows where it happened"
        return f"{printable(where)}: {error.strerror or error}", f"no decision was made; {hint}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    fault = f"internal fault at {os.path.basename(last.filename)}:{last.lineno}: {printable(repr(error))[:300]}"
    return fault, "no decision was made; run again with --debug and report what it prints"


def _say(*lines: str) -> None:
    """Lines for the user, none of which commands a runner; where they cannot be written, the exit code still tells."""
    with contextlib.suppress(OSError):
        for line in lines:
            print(workflow_safe(line), file=sys.stderr)  # noqa: T201


if __name__ == "__main__":  # a wrong call that printed nothing would look like a pass
    sys.exit(main())
