"""Workers: programs of the user's that stay, and answer a JSON line with a JSON line; `python` is one of ours around a
function. Each process has one question at a time, so that a crash or a hang costs that one alone."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gate.config import Model
from gate.errors import BadReplyError, TransientError
from gate.process import passed_on
from gate.providers.application import Speaker, question_fields
from gate.providers.base import Reply, Request
from gate.providers.command import (
    MAX_OUTPUT_BYTES,
    Command,
    Program,
    cannot_start,
    exit_fault,
    identity_of,
    kill_group,
    program_of,
)
from gate.providers.wire import excerpt, json_or_text

_WRITTEN = 4000  # bytes of the end of stderr that are kept
_LAST_WORDS = 1.0  # seconds that a process whose output is closed has to end by itself


class Worker:
    """Asks processes that are started in `folder` when they are first needed, at most `parallel` of them.

    A process gets an object a line, as a command does (gate.providers.application), with a number, `call`. It answers
    with an object that has the same `call`; `error` in it is a failure of that question, with `retry: true` one that
    may pass. Other lines are the program's own talk. One that dies or gives no answer in time is started anew.
    """

    def __init__(self, name: str, program: Program, timeout: float, parallel: int = 1) -> None:
        """`timeout` is in seconds for one question, the start of a process included."""
        self.name, self.model, self.identity = name, program.model, program.identity
        self.timeout = timeout + 2.0  # for whoever watches from outside: killing takes a moment
        self.parallel = parallel
        self._program, self._seconds = program, timeout
        words = "the worker" if name == "command" else "the function"
        self._speaker = Speaker(words, self.model, "docs/reference/protocol.md says what a worker reads and writes")
        self._lock = threading.Lock()
        self._alive: set[_Process] = set()
        self._idle: list[_Process] = []
        self._closed = False

    def complete(self, request: Request) -> Reply:
        """Ask one process. Errors: SetupError (cannot be started, or exit code 78), TransientError (time-out, or what
        the program says may pass), BadReplyError (it died, its own error, not what was agreed)."""
        begun = time.monotonic()
        process = self._free_one()
        try:
            fields = process.ask(question_fields(request), begun + self._seconds, self._speaker)
        except TimeoutError as error:
            self._end(process)
            told = f"{self._speaker.words} gave no answer within {self._seconds:g} s{error}"
            raise TransientError(told, "raise model.timeout_seconds, or see why it hangs", "timeout") from error
        except BaseException:
            self._end(process)
            raise
        with self._lock:
            self._idle.append(process)
        return self._speaker.reply(fields, request, (time.monotonic() - begun) * 1000)

    def close(self) -> None:
        """Kill the processes; the threads that wait for an answer see their end."""
        with self._lock:
            self._closed = True
            for process in self._alive:
                (process.end if process in self._idle else process.kill)()

    def _free_one(self) -> _Process:
        """A process that has nothing to do, else a new one."""
        with self._lock:
            while self._idle:
                if (process := self._idle.pop()).is_alive:
                    return process
                self._alive.discard(process)
                process.end()
            process = _Process(self._program)
            self._alive.add(process)
            if self._closed:  # nothing runs after the end
                process.kill()
        return process

    def _end(self, process: _Process) -> None:
        with self._lock:
            self._alive.discard(process)
        process.end()


class _Process:
    """One process, and the exchange of lines with it."""

    def __init__(self, program: Program) -> None:
        """Errors: SetupError where it cannot be started."""
        pipe, where = subprocess.PIPE, program.folder
        try:
            self._child = subprocess.Popen(  # noqa: S603 - the command is the user's own, from the configuration
                program.argv, stdin=pipe, stdout=pipe, stderr=pipe, cwd=where, env=passed_on(), start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise cannot_start(program.argv[0], error) from error
        self._stdin, self._stdout, self._stderr = (
            stream.fileno() for stream in (self._child.stdin, self._child.stdout, self._child.stderr) if stream
        )
        os.set_blocking(self._stdin, False)
        self._lines, self._words = bytearray(), bytearray()
        self._calls, self._is_over = 0, False
        self._talk = ""  # the last line that was no answer

    @property
    def is_alive(self) -> bool:
        return not self._is_over and self._child.poll() is None

    def kill(self) -> None:
        """Kill it and all that it has started; who waits for its output sees the end."""
        kill_group(self._child)

    def end(self) -> None:
        """Kill it and let go of it: nobody may wait for it any more."""
        self.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was not yet written cannot be any more
                    stream.close()

    def ask(self, fields: Mapping[str, Any], deadline: float, speaker: Speaker) -> dict[str, Any]:
        """The object that answers. Errors: TimeoutError at the deadline (of the monotonic clock), with what it wrote
        instead; else as `Worker.complete`."""
        self._calls += 1
        unsent = json.dumps({**fields, "call": self._calls}).encode() + b"\n"
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            while (left := deadline - time.monotonic()) > 0:
                for key, _ in selector.select(left):
                    if key.fd == self._stdin:
                        unsent = self._send(unsent)
                        if not unsent:
                            selector.unregister(self._stdin)
                    elif not self._receive(key.fd):
                        selector.unregister(key.fd)
                        if key.fd == self._stdout:
                            return self._last_answer(speaker)
                if (answer := self._answer(speaker)) is not None:
                    return answer
        raise TimeoutError(f"; it wrote {excerpt(self._talk, 80)!r}, which is no answer" if self._talk else "")

    def _send(self, unsent: bytes) -> bytes:
        """What is left to send; nothing where nobody reads any more: the end of the output tells why."""
        try:
            return unsent[os.write(self._stdin, unsent) :]
        except BlockingIOError:
            return unsent
        except OSError:
            return b""

    def _receive(self, stream: int) -> bool:
        """Take what has come; False at the end of the stream."""
        data = os.read(stream, 65536)
        if stream == self._stdout:
            self._lines += data
        else:
            self._words += data
            del self._words[:-_WRITTEN]
        return bool(data)

    def _answer(self, speaker: Speaker) -> dict[str, Any] | None:
        """The answer to the last question, if it has come. Lines of other calls, and what is no object, are talk."""
        while (end := self._lines.find(b"\n")) >= 0:
            line = bytes(self._lines[:end])
            del self._lines[: end + 1]
            fields = _object(line)
            if fields is not None and fields.get("call") == self._calls:
                return fields
            if fields is not None and "call" not in fields and {"answer", "text", "error"} & fields.keys():
                raise speaker.malformed("gave an answer without `call`, the number of the question that it answers")
            self._talk = line.decode("utf-8", "replace")[:1000] or self._talk
        if len(self._lines) > MAX_OUTPUT_BYTES:
            raise BadReplyError(f"{speaker.words} wrote a line of over {MAX_OUTPUT_BYTES >> 20} MiB", kind="too_long")
        return None

    def _last_answer(self, speaker: Speaker) -> dict[str, Any]:
        """What stands in the output that has ended. Errors: as `exit_fault` where that is no answer."""
        self._lines += b"\n"
        self._is_over = True
        if (answer := self._answer(speaker)) is not None:
            return answer
        try:
            code: int | None = self._child.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            code = None
        os.set_blocking(self._stderr, False)
        with contextlib.suppress(OSError):  # a child that it left behind holds it open
            while self._receive(self._stderr):
                pass
        raise exit_fault(speaker.words, code, bytes(self._words), "died")


def _object(line: bytes) -> dict[str, Any] | None:
    value = json_or_text(line)
    return value if isinstance(value, dict) else None


def python_program(function: str, interpreter: tuple[str, ...], folder: Path, version: str = "") -> Program:
    """The program that answers by `module:function`, in an interpreter of the user's or in the gate's own."""
    module = function.partition(":")[0].replace(".", "/")
    known = identity_of((*interpreter, function, f"{module}.py", f"{module}/__init__.py"), folder, version)
    argv = (*(interpreter or (sys.executable,)), str(Path(__file__).with_name("runner.py")), function)
    return Program(argv, folder, version or function, known)


def open_program(model: Model, folder: Path, seconds: float) -> Command | Worker:
    """The command or function of a configuration, in `folder`; an answer may take `seconds`."""
    argv, version = model.command or (), model.model_id or ""
    if model.provider == "command" and not model.worker:
        return Command(argv, folder, seconds, version)
    function = model.provider == "python"
    program = (
        python_program(model.function or "", argv, folder, version) if function else program_of(argv, folder, version)
    )
    return Worker(model.provider, program, seconds, model.workers)
