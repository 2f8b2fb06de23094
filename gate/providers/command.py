"""The provider `command`: the application under test is a program that reads a prompt and writes an answer."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.config import DEFAULT_PATH
from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.process import passed_on
from gate.providers.application import Speaker, question_fields
from gate.providers.base import Reply, Request
from gate.providers.wire import excerpt

MAX_OUTPUT_BYTES = 4 * 1024 * 1024
_PIECE = 1 << 20  # bytes of a file at a time: it may be the weights of a model
_TRY_AGAIN_LATER, _UNUSABLE = 75, 78  # EX_TEMPFAIL and EX_CONFIG of sysexits.h
_HINT = 'run the command by hand: echo \'{"question": "..."}\' | COMMAND'
# Once the program has ended, a child that it left behind may still hold its output open: it gets this long, in seconds.
_AFTERMATH = 0.3
_ASKING = (":(top)", f":(top,exclude,glob)**/{DEFAULT_PATH}")  # what of the request counts is in its key
_LAST_WORDS = 300  # characters of what a program wrote that a message shows
_GIT_SECONDS = 20.0  # seconds for git; it needs some hundredths
# The folder may belong to another user, as in a container; nothing that the repository configures is run for a look.
_GIT_OPTIONS = ("-c", "safe.directory=*", "-c", "core.fsmonitor=false")


class Command:
    """Runs a program once for each prompt, without a shell, in its folder.

    It gets one JSON object on stdin, and writes the answer as plain text or as a JSON object, in the forms of
    gate.providers.application.
    """

    name = "command"

    def __init__(self, argv: Sequence[str], folder: Path, timeout: float = 60.0, version: str = "") -> None:
        """`timeout` is in seconds for one run; `version` as `program_of` has it."""
        self._program = program_of(argv, folder, version)
        self.model, self.identity = self._program.model, self._program.identity
        self._timeout = timeout
        self.timeout = timeout + 2.0  # for whoever watches from outside: killing takes a moment
        self._processes = Processes()

    def complete(self, request: Request) -> Reply:
        """Run the program. Errors: SetupError (cannot be started, or exit code 78, "cannot be used"), TransientError
        (time-out, or exit code 75, "try again later"), BadReplyError (another exit code, no output, too much of it, not
        what was agreed)."""
        begun = time.perf_counter()
        argv, speaker = self._program.argv, Speaker("the command", self.model, _HINT)
        try:
            asked = json.dumps(question_fields(request)).encode()
            ended = self._processes.run(argv, asked, self._program.folder, self._timeout, MAX_OUTPUT_BYTES)
        except (OSError, ValueError) as error:
            raise cannot_start(argv[0], error) from error
        _check(ended, self._timeout)
        return speaker.reply(_fields(ended.stdout, speaker), request, (time.perf_counter() - begun) * 1000)

    def close(self) -> None:
        """Kill the programs that still run."""
        self._processes.close()


@dataclass(frozen=True, slots=True)
class Program:
    """A program of the user's: how and where it is started, the name of its model, and what tells its answers from
    those of another one."""

    argv: tuple[str, ...]
    folder: Path
    model: str
    identity: str


def program_of(argv: Sequence[str], folder: Path, version: str = "") -> Program:
    """The program that a command runs; `version` names the application where its files do not show it."""
    words = tuple(argv)
    return Program(words, folder, version or " ".join(words), identity_of(words, folder, version))


def identity_of(words: tuple[str, ...], folder: Path, version: str) -> str:
    """A hash of a command, and of what the files hold that it names. What it loads is not named there, so all of the
    repository is part of it, with the documents that it answers from."""
    digest = hashlib.sha256(json.dumps([words, version, revision(folder)]).encode())
    for word in words:
        with contextlib.suppress(OSError):  # a word too long for a name, or a file that may only be run
            if (path := folder / word).is_file():
                with path.open("rb") as file:
                    while piece := file.read(_PIECE):
                        digest.update(piece)
    return digest.hexdigest()


def cannot_start(name: str, error: Exception) -> SetupError:
    """The error for a program that the system does not start."""
    if isinstance(error, FileNotFoundError):
        return SetupError(f"the command {name!r} is not found", "check model.command", "setup")
    reason = getattr(error, "strerror", None) or str(error)
    hint = "make it executable (chmod +x), with a first line like #!/bin/sh"
    return SetupError(f"the command {name!r} cannot be started: {reason}", hint, "setup")


def exit_fault(words: str, code: int | None, stderr: bytes, kind: str) -> ProviderError:
    """The error for a program that ended, by its exit code, with the end of what it wrote; `words` say which one."""
    wrote = excerpt(stderr[-1000:].decode("utf-8", "replace"), 1000)
    wrote = wrote if len(wrote) <= _LAST_WORDS else f"...{wrote[-_LAST_WORDS:]}"  # a traceback says most at its end
    message = f"{words} ended with exit code {code}" + (f": {wrote}" if wrote else "")
    if code == _UNUSABLE:
        return SetupError(message, "put right what it says: by this exit code it can answer no question", "setup")
    if code == _TRY_AGAIN_LATER:
        return TransientError(message, _HINT, "server")
    return BadReplyError(message, _HINT, kind)


def _check(ended: Ended, timeout: float) -> None:
    if ended.reason == "timeout":
        raise TransientError(f"the command gave no answer within {timeout:g} s", _HINT, "timeout")
    if ended.reason == "too_long":
        raise BadReplyError(f"the command wrote more than {MAX_OUTPUT_BYTES >> 20} MiB", _HINT, "too_long")
    if ended.code != 0:
        raise exit_fault("the command", ended.code, ended.stderr, "exit")


def _fields(output: bytes, speaker: Speaker) -> dict[str, Any]:
    """The JSON object that was written; plain text is an answer. What begins like an object and is none is a fault."""
    try:
        text = output.decode("utf-8-sig").strip()  # .NET and PowerShell write a mark before their text
    except UnicodeDecodeError as error:
        raise speaker.malformed("gave an output that is not UTF-8") from error
    try:
        value = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError) as error:
        if re.match(r'\{\s*"', text):
            raise speaker.malformed("gave JSON that is cut off or damaged") from error
        value = None
    return value if isinstance(value, dict) else {"answer": text}


def revision(folder: Path) -> str:
    """A hash over all files that git tracks there, as they are now; empty where there is no git or no commit. A change
    of the gate's configuration that is not committed is left out: a limit is raised so that a run can go on.

    Commits of one content have one hash. Files that git does not track are not part of it.
    """
    tree = committed(folder)
    changed = git(folder, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary", "HEAD", "--", *_ASKING)
    if not tree or changed is None:
        return ""
    return hashlib.sha256(tree.encode() + changed).hexdigest()


def committed(folder: Path) -> str:
    """The hash of all files of the last commit there; empty where there is no git or no commit."""
    return (git(folder, "rev-parse", "--verify", "HEAD^{tree}") or b"").decode("ascii", "replace").strip()


def git(folder: Path, *words: str) -> bytes | None:
    """What git says of a folder; None where it fails."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", *_GIT_OPTIONS, *words],  # noqa: S607
            cwd=folder,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: `code` is its exit code (negative: the signal), None if it was killed for `reason`."""

    code: int | None
    stdout: bytes
    stderr: bytes
    reason: str = ""  # `timeout`, `too_long` or empty


class Processes:
    """The programs that run now; `close` ends them all."""

    def __init__(self) -> None:
        self._alive: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def run(self, command: Sequence[str], given: bytes, cwd: Path, seconds: float, limit: int) -> Ended:
        """Run `command` in a process group of its own, without a shell. Errors: OSError if it cannot be started."""
        with tempfile.TemporaryFile() as stdin:  # a file, so that a program that reads nothing cannot block us
            stdin.write(given)
            stdin.seek(0)
            pipe = subprocess.PIPE
            process = subprocess.Popen(  # noqa: S603 - the command is the user's own, from the configuration
                list(command), stdin=stdin, stdout=pipe, stderr=pipe, cwd=cwd, env=passed_on(), start_new_session=True
            )
        self._alive.add(process)
        if self._closed:  # closed between the two lines above
            kill_group(process)
        with process:
            try:
                return _watch(process, time.monotonic() + seconds, limit)
            finally:
                self._alive.discard(process)
                kill_group(process)

    def close(self) -> None:
        """Kill what still runs; the threads that wait for it see its end."""
        self._closed = True
        for process in list(self._alive):
            kill_group(process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, its leader being dead or not."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _watch(process: subprocess.Popen[bytes], deadline: float, limit: int) -> Ended:
    stdout, stderr = bytearray(), bytearray()
    code, reason = None, ""
    for name, data in _output(process, deadline):
        (stdout if name == "stdout" else stderr).extend(data)
        del stderr[:-limit]  # only its end is told
        if len(stdout) > limit:
            return Ended(None, bytes(stdout), bytes(stderr), "too_long")
    try:
        code = process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        reason = "timeout"
    return Ended(code, bytes(stdout), bytes(stderr), reason)


def _output(process: subprocess.Popen[bytes], deadline: float) -> Iterator[tuple[str, bytes]]:
    """Pieces of the two outputs as they come, until both are closed, the program is gone, or the deadline is over."""
    with selectors.DefaultSelector() as selector:
        for name, pipe in (("stdout", process.stdout), ("stderr", process.stderr)):
            if pipe is not None:
                selector.register(pipe, selectors.EVENT_READ, name)
        while selector.get_map() and (left := deadline - time.monotonic()) > 0:
            ready = selector.select(min(left, _AFTERMATH))
            if not ready and process.poll() is not None:
                return
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                if data:
                    yield key.data, data
                else:
                    selector.unregister(key.fileobj)
