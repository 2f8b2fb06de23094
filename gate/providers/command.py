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
from gate.providers.base import MAX_TOKENS, Reply, Request, estimate_usage
from gate.providers.wire import excerpt
from gate.records import Usage

MAX_OUTPUT_BYTES = 4 * 1024 * 1024
_PIECE = 1 << 20  # bytes of a file at a time: it may be the weights of a model
_TRY_AGAIN_LATER = 75  # EX_TEMPFAIL of sysexits.h
_HINT = 'run the command by hand: echo \'{"question": "..."}\' | COMMAND'
# Once the program has ended, a child that it left behind may still hold its output open: it gets this long, in seconds.
_AFTERMATH = 0.3
_ASKING = (":(top)", f":(top,exclude,glob)**/{DEFAULT_PATH}")  # what of the request counts is in its key
_GIT_SECONDS = 20.0  # seconds for git; it needs some hundredths
# The folder may belong to another user, as in a container; nothing that the repository configures is run for a look.
_GIT_OPTIONS = ("-c", "safe.directory=*", "-c", "core.fsmonitor=false")


class Command:
    """Runs `argv` once for each prompt, without a shell, in `folder`.

    It reads one JSON object on stdin: `id`, `question`, `repeat`, `messages` (list of `role`, `content`), `contexts`
    (list of strings). It writes the answer as plain text, or as a JSON object with `answer` (or `text`) and optionally
    `input_tokens`, `output_tokens`, `model`, and `stop` (`stop`, `length`, `filter`).
    """

    name = "command"

    def __init__(self, argv: Sequence[str], folder: Path, timeout: float = 60.0, version: str = "") -> None:
        """`timeout` is in seconds for one run; `version` names the application where its files do not show it."""
        self.argv = tuple(argv)
        self.model = version or " ".join(self.argv)
        # Another program is another model: what its files hold is part of what a recorded answer is known by. What it
        # loads is not named here, so all of the repository is part of it, with the documents that it answers from.
        self.identity = _identity(self.argv, folder, version)
        self._folder = folder
        self._timeout = timeout
        self.timeout = timeout + 2.0  # for whoever watches from outside: killing takes a moment
        self._processes = Processes()

    def complete(self, request: Request) -> Reply:
        """Run the program. Errors: SetupError (cannot be started), TransientError (time-out, or exit code 75, "try
        again later"), BadReplyError (another exit code, no output, too much of it, not what was agreed)."""
        begun = time.perf_counter()
        try:
            given = json.dumps(_told(request)).encode()
            ended = self._processes.run(self.argv, given, self._folder, self._timeout, MAX_OUTPUT_BYTES)
        except FileNotFoundError as error:
            raise SetupError(f"the command {self.argv[0]!r} is not found", "check model.command", "setup") from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            hint = "make it executable (chmod +x), with a first line like #!/bin/sh"
            raise SetupError(f"the command {self.argv[0]!r} cannot be started: {reason}", hint, "setup") from error
        _check(ended, self._timeout)
        return _reply(ended.stdout, request, self.model, (time.perf_counter() - begun) * 1000)

    def close(self) -> None:
        """Kill the programs that still run."""
        self._processes.close()


def _identity(argv: tuple[str, ...], folder: Path, version: str) -> str:
    digest = hashlib.sha256(json.dumps([argv, version, revision(folder)]).encode())
    for word in argv:
        with contextlib.suppress(OSError):  # a word too long for a name, or a file that may only be run
            if (path := folder / word).is_file():
                with path.open("rb") as file:
                    while piece := file.read(_PIECE):
                        digest.update(piece)
    return digest.hexdigest()


def _told(request: Request) -> dict[str, Any]:
    return {
        "id": request.prompt_id,
        "question": request.question or request.messages[-1].content,
        "repeat": request.repeat,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "contexts": list(request.contexts),
    }


def _check(ended: Ended, timeout: float) -> None:
    said = excerpt(ended.stderr[-1000:].decode("utf-8", "replace"))
    if ended.reason == "timeout":
        raise TransientError(f"the command gave no answer within {timeout:g} s", _HINT, "timeout")
    if ended.reason == "too_long":
        raise BadReplyError(f"the command wrote more than {MAX_OUTPUT_BYTES >> 20} MiB", _HINT, "too_long")
    if ended.code != 0:
        message = f"the command ended with exit code {ended.code}" + (f": {said}" if said else "")
        if ended.code == _TRY_AGAIN_LATER:
            raise TransientError(message, _HINT, "server")
        raise BadReplyError(message, _HINT, "exit")


def _reply(output: bytes, request: Request, model: str, latency_ms: float) -> Reply:
    try:
        text = output.decode("utf-8-sig").strip()  # .NET and PowerShell write a mark before their text
    except UnicodeDecodeError as error:
        raise BadReplyError("the command's output is not UTF-8", _HINT, "malformed") from error
    fields = _fields(text)
    answer, stop = fields.get("answer", fields.get("text")), fields.get("stop", "stop")
    if not isinstance(answer, str) or stop not in ("stop", "length", "filter"):
        wanted = "`answer` (or `text`) as a string, and `stop`, if any, as stop, length or filter"
        raise BadReplyError(f"the command's JSON needs {wanted}", _HINT, "malformed")
    if not answer.strip() and stop == "stop":
        raise BadReplyError("the command gave an empty answer", _HINT, "empty")
    named, usage = fields.get("model"), _usage(fields) or estimate_usage(request, answer)
    return Reply(answer, usage, latency_ms, stop, named if isinstance(named, str) and named else model)


def _fields(text: str) -> dict[str, Any]:
    """The JSON object that was written; plain text is an answer. What begins like an object and is none is a fault."""
    try:
        value = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError) as error:
        if re.match(r'\{\s*"', text):
            raise BadReplyError("the command's JSON is cut off or damaged", _HINT, "malformed") from error
        value = None
    return value if isinstance(value, dict) else {"answer": text}


def _usage(fields: dict[str, Any]) -> Usage | None:
    tokens = [fields.get("input_tokens"), fields.get("output_tokens")]
    if tokens == [None, None]:
        return None
    if not all(value is None or (type(value) is int and 0 <= value <= MAX_TOKENS) for value in tokens):
        told = f"the command's token counts must be whole numbers from 0 to {MAX_TOKENS}"
        raise ProviderError(told, _HINT, "malformed")
    return Usage(tokens[0] or 0, tokens[1] or 0)


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
            _kill(process)
        with process:
            try:
                return _watch(process, time.monotonic() + seconds, limit)
            finally:
                self._alive.discard(process)
                _kill(process)

    def close(self) -> None:
        """Kill what still runs; the threads that wait for it see its end."""
        self._closed = True
        for process in list(self._alive):
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
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
