"""The command line: parse, dispatch, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from gate import __version__, threads
from gate.commands import interrupts
from gate.errors import GateError

# name -> (module, one line of help); the modules describe their arguments without loading what they need to run.
COMMANDS: dict[str, tuple[str, str]] = {
    "ingest": ("gate.commands.ingest", "index trusted documents; safe to repeat"),
    "run": ("gate.commands.run", "ask, check every claim, decide: deploy, warn, block or inconclusive"),
    "report": ("gate.commands.report", "any output again, from a stored verdict; new thresholds at no cost"),
    "merge": ("gate.commands.merge", "the shards of one run into one verdict"),
    "serve": ("gate.commands.serve", "an HTTP service: POST /evaluate, GET /health"),
    "calibrate": ("gate.commands.calibrate", "how far the judge agrees with people's labels"),
    "dataset": ("gate.commands.dataset", "questions with reference answers; files of other tools"),
    "doctor": ("gate.commands.doctor", "check every configured part and say what to do"),
    "init": ("gate.commands.init", "write a first configuration and a workflow"),
    "compare": ("gate.commands.compare", "the paired comparison of two verdicts"),
    "completion": ("gate.commands.completion", "complete commands and flags in bash and zsh"),
}

EPILOG = """exit codes: 0 deploy (or warn), 1 block (or warn with --fail-on warn), 2 wrong use or configuration,
            3 inconclusive, 4 a limit was hit

example: gate ingest docs/ && gate run --output report.json"""

CRASH = 3  # no verdict was possible; never 0 (deploy) or 1 (block)


class Parser(argparse.ArgumentParser):
    """argparse, with errors told as every other error of the gate."""

    def error(self, message: str) -> NoReturn:
        """One error, one hint, exit code 2."""
        hint = f"{self.prog} --help shows what is possible"
        import difflib

        near = re.search(r"invalid choice: '([^']{1,40})' \(choose from (.*)\)", message)
        if near:
            close = difflib.get_close_matches(near.group(1), re.findall(r"[\w-]+", near.group(2)), n=1)
            hint = f"did you mean `{close[0]}`? {hint}" if close else hint
        self.exit(2, f"error: {printable(message)}\nhint: {hint}\n")


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole parser; with `only`, the other commands are known by name and help alone (a faster start)."""
    top = Parser(
        prog="gate",
        description="The reliability gate: may this change to an LLM application ship?",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("-V", "--version", action="version", version=f"gate {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, (module, text) in COMMANDS.items():
        sub = commands.add_parser(
            name, help=text, description=text, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )
        if only in (None, name):
            importlib.import_module(module).add(sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (see EPILOG)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare()
    chosen = next((word for word in arguments if not word.startswith("-")), "")
    top = parser(only=chosen)
    options = top.parse_args(arguments)
    if not options.command:
        top.print_help()
        return 2
    try:
        code = importlib.import_module(COMMANDS[options.command][0]).run(options)
        sys.stdout.flush()
    except GateError as error:
        return _tell(error, getattr(options, "debug", False))
    except KeyboardInterrupt:
        _say("error: interrupted")
        return 4
    except BrokenPipeError:
        # The reader of our output has gone (`gate run | head`): what was decided cannot be told, so it is no pass.
        _mute()
        return CRASH
    except OSError as error:
        _mute()
        return _tell_system(error, getattr(options, "debug", False))
    except Exception as error:
        return _crash(error, getattr(options, "debug", False))
    return int(code)


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
        import traceback

        traceback.print_exception(error)
    _say(f"error: {printable(error.message)}", *([f"hint: {printable(error.hint)}"] if error.hint else []))
    return error.exit_code


def _say(*lines: str) -> None:
    """Lines for the user, none of which commands a runner; where they cannot be written, the exit code still tells."""
    from gate.reports.safe import workflow_safe

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
        import traceback

        traceback.print_exception(error)
    where = str(error.filename) if error.filename else "the output, or a file of this run"
    _say(
        f"error: {printable(where)}: {error.strerror or error}",
        "hint: no decision was made; is the disk full, may the folder be written? --debug shows where it happened",
    )
    return CRASH


def _crash(error: Exception, debug: bool) -> int:
    """A fault of ours: told as one, with a code that neither passes nor blocks by a verdict."""
    import traceback

    if debug:
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"
    _say(
        f"error: internal fault at {place}: {printable(repr(error))[:300]}",
        "hint: no decision was made; run again with --debug and report what it prints",
    )
    return CRASH


def printable(text: str) -> str:
    """Text for a terminal: control characters other than line breaks are shown, not obeyed."""
    return "".join(c if c == "\n" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)


if __name__ == "__main__":
    sys.exit(main())
