"""The command line: dispatch, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from gate import __version__, threads
from gate.commands import interrupts
from gate.commands.base import PLAIN, Group, printable, wrong_use
from gate.commands.completion import COMPLETE, complete
from gate.errors import GateError
from gate.reports.safe import workflow_safe

EPILOG = """\b
Exit codes:
  0 deploy (or warn), 1 block (or warn with --fail-on warn),
  2 wrong use or configuration, 3 inconclusive, 4 a limit was hit

example: gate ingest docs/ && gate run --output report.json"""

CRASH = 3  # no verdict was possible; never 0 (deploy) or 1 (block)


class Commands(Group):
    """The commands of `gate`."""

    table = {
        "ingest": ("gate.commands.ingest:ingest", "index trusted documents; safe to repeat"),
        "run": ("gate.commands.run:run", "ask, check every claim, decide: deploy, warn, block or inconclusive"),
        "report": ("gate.commands.report:report", "any output again, from a stored verdict; new thresholds at no cost"),
        "merge": ("gate.commands.merge:merge", "the shards of one run into one verdict"),
        "serve": ("gate.commands.serve:serve", "an HTTP service: POST /evaluate, GET /health"),
        "calibrate": ("gate.commands.calibrate:calibrate", "how far the judge agrees with people's labels"),
        "dataset": ("gate.commands.dataset:app", "questions with reference answers; files of other tools"),
        "doctor": ("gate.commands.doctor:doctor", "check every configured part and say what to do"),
        "init": ("gate.commands.init:init", "write a first configuration and a workflow"),
        "compare": ("gate.commands.compare:compare", "the paired comparison of two verdicts"),
        "completion": ("gate.commands.completion:completion", "complete commands and options in your shell"),
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (see EPILOG)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    _prepare()
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
    except GateError as error:
        return _tell(error, debug)
    except KeyboardInterrupt:
        _say("error: interrupted")
        return 4
    except BrokenPipeError:
        # The reader of our output has gone (`gate run | head`): what was decided cannot be told, so it is no pass.
        _mute()
        return CRASH
    except OSError as error:
        _mute()
        return _tell_system(error, debug)
    except Exception as error:
        return _crash(error, debug)
    return code


def _dispatch(arguments: list[str]) -> int:
    """Parse and call. Not by typer's own `main`: that ends with 1, which means block, where a pipe was closed."""
    command = typer.main.get_command(app)
    if COMPLETE in os.environ:
        return complete(command, os.environ[COMPLETE])
    try:
        with command.make_context("gate", list(arguments) or ["--help"]) as context:
            return int(command.invoke(context))
    except typer.Exit as ended:  # --help and --version
        return ended.exit_code if arguments else 2
    except typer.TyperException as error:
        raise wrong_use(error) from None


def _prepare() -> None:
    """Make the process fit for any terminal, for closed streams and for being cancelled, and light."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who started us: a file opened later must not become our output
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character must not end a run
    threads.alone()
    interrupts.prepare()


def _tell(error: GateError, debug: bool) -> int:
    """One error, one hint; the traceback only where it was asked for."""
    if debug:
        traceback.print_exception(error)
    _say(f"error: {printable(error.message)}", *([f"hint: {printable(error.hint)}"] if error.hint else []))
    return error.exit_code


def _say(*lines: str) -> None:
    """Lines for the user, none of which commands a runner; where they cannot be written, the exit code still tells."""
    with contextlib.suppress(OSError):
        for line in lines:
            print(workflow_safe(line), file=sys.stderr)  # noqa: T201


def _mute() -> None:
    """What is still to be written goes nowhere: the interpreter would fail on it again as it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_system(error: OSError, debug: bool) -> int:
    """A file or a stream that the system refuses (a full disk, a folder that cannot be written): no verdict."""
    if debug:
        traceback.print_exception(error)
    where = str(error.filename) if error.filename else "the output, or a file of this run"
    _say(
        f"error: {printable(where)}: {error.strerror or error}",
        "hint: no decision was made; is the disk full, may the folder be written? --debug shows where it happened",
    )
    return CRASH


def _crash(error: Exception, debug: bool) -> int:
    """A fault of ours: told as one, with a code that neither passes nor blocks by a verdict."""
    if debug:
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"
    _say(
        f"error: internal fault at {place}: {printable(repr(error))[:300]}",
        "hint: no decision was made; run again with --debug and report what it prints",
    )
    return CRASH


if __name__ == "__main__":
    sys.exit(main())
