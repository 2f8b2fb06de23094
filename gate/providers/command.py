"""The provider `command`: the application under test is a program that reads a prompt and writes an answer."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.base import Reply, Request
from gate.providers.plain import excerpt
from gate.providers.process import Ended, Processes
from gate.providers.revision import revision
from gate.providers.tokens import MOST, estimated
from gate.records import Usage

MAX_OUTPUT_BYTES = 4 * 1024 * 1024
_PIECE = 1 << 20  # bytes of a file at a time: it may be the weights of a model
_TRY_AGAIN_LATER = 75  # EX_TEMPFAIL of sysexits.h
_HINT = 'run the command by hand: echo \'{"question": "..."}\' | COMMAND'


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
    answer = fields.get("answer", fields.get("text")) if fields is not None else text
    stop = (fields or {}).get("stop", "stop")
    if not isinstance(answer, str) or stop not in ("stop", "length", "filter"):
        wanted = "`answer` (or `text`) as a string, and `stop`, if any, as stop, length or filter"
        raise BadReplyError(f"the command's JSON needs {wanted}", _HINT, "malformed")
    if not answer.strip() and stop == "stop":
        raise BadReplyError("the command gave an empty answer", _HINT, "empty")
    named = (fields or {}).get("model")
    usage = _usage(fields or {}) or estimated(request, answer)
    return Reply(answer, usage, latency_ms, stop, named if isinstance(named, str) and named else model)


def _fields(text: str) -> dict[str, Any] | None:
    """The JSON object that was written, or None for plain text; what begins like an object and is none is a fault."""
    try:
        value = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError) as error:
        if re.match(r'\{\s*"', text):
            raise BadReplyError("the command's JSON is cut off or damaged", _HINT, "malformed") from error
        return None
    return value if isinstance(value, dict) else None


def _usage(fields: dict[str, Any]) -> Usage | None:
    tokens = [fields.get("input_tokens"), fields.get("output_tokens")]
    if tokens == [None, None]:
        return None
    if not all(value is None or (type(value) is int and 0 <= value <= MOST) for value in tokens):
        raise ProviderError(f"the command's token counts must be whole numbers from 0 to {MOST}", _HINT, "malformed")
    return Usage(tokens[0] or 0, tokens[1] or 0)
