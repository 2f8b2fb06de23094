"""What a server turns out not to accept, learnt from its refusals."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import NoReturn

from gate.errors import AskAgainError, ProviderError
from gate.providers.base import Message, Request
from gate.records import Usage

# A limit of the model on what it writes, or on that and the prompt together; of the prompt alone nothing is said here.
_WRITTEN = re.compile(
    r"max_(?:completion_|new_|gen_)?(?:tokens|len)|maximum tokens you requested|in the completion|output tokens"
)
_TOO_MUCH = re.compile(r"too large|exceed|at most|less (?:than )?or equal|less than|lower than|reduce|valid range|[<>]")
_NO_SYSTEM = re.compile(
    r"\bsystem\b.{0,60}\bsupport|\bsupport.{0,60}\bsystem\b|roles must alternate|only user and assistant roles"
)


class Refused:
    """The parts of a request that a server does not accept, by name; they are left out, or put differently.

    `length` is one of a request for a reply as long as one that was refused: the server's own limit holds then.
    """

    def __init__(self) -> None:
        self.parts: frozenset[str] = frozenset()
        self._too_long = sys.maxsize  # tokens
        self._keep: Callable[[str], None] = lambda learnt: None

    def remember(self, learnt: str | None, keep: Callable[[str], None]) -> None:
        """Begin with what an earlier run has learnt, if anything; `keep` is given all of it whenever there is more."""
        self._keep = keep
        self.parts, self._too_long = _parsed(learnt)

    def of(self, request: Request) -> frozenset[str]:
        """What a request has to mind."""
        return self.parts | ({"length"} if request.max_tokens >= self._too_long else set())

    def learn(self, error: ProviderError, request: Request, blamed: frozenset[str], known: frozenset[str]) -> NoReturn:
        """Tell what follows from the refusal of a request that minded the parts `known`. Errors: AskAgainError where
        another is blamed, which costs nothing, as nobody charges for a request that was refused; else `error`."""
        if not blamed - known:
            raise error
        if "length" in blamed:
            self._too_long = min(self._too_long, request.max_tokens)
        self.parts |= blamed - {"length"}
        self._keep(_written(self.parts, self._too_long))
        raise AskAgainError(error.message, error.hint, error.kind, Usage()) from error


def united(one: str | None, other: str) -> str:
    """What two have learnt of one server, the model under test and the judge for instance."""
    (parts, too_long), (more, too_long_too) = _parsed(one), _parsed(other)
    return _written(parts | more, min(too_long, too_long_too))


def _written(parts: frozenset[str], too_long: int) -> str:
    return json.dumps({"parts": sorted(parts), "too_long": too_long})


def _parsed(learnt: str | None) -> tuple[frozenset[str], int]:
    try:
        told = json.loads(learnt or "")
        return frozenset(map(str, told["parts"])), int(told["too_long"])
    except (ValueError, TypeError, KeyError):  # nothing, or written by another version
        return frozenset(), sys.maxsize


def blamed_words(error: ProviderError, request: Request) -> tuple[str, frozenset[str]]:
    """(a refusal in lower case, which of the parts that all servers know it blames); for another fault nothing.

    llama.cpp, and what is built on it, tells a refusal as a fault of the server: of these only plain words count.
    """
    if error.kind not in ("rejected", "server"):
        return "", frozenset()
    words, plain = error.message.lower(), error.kind == "rejected"
    blamed = {
        "temperature": plain and "temperature" in words,
        "length": plain and _WRITTEN.search(words) is not None and _TOO_MUCH.search(words) is not None,
        "system": _has_system(request) and _NO_SYSTEM.search(words) is not None,
    }
    return words, frozenset(name for name, is_blamed in blamed.items() if is_blamed)


def turns(request: Request, refused: frozenset[str]) -> tuple[Message, ...]:
    """The messages; where there may be no system message, its text stands in front of the first turn."""
    if "system" not in refused or not _has_system(request):
        return request.messages
    told = [message.content for message in request.messages if message.role == "system"]
    first, *rest = [message for message in request.messages if message.role != "system"] or [Message("user", "")]
    return (Message(first.role, "\n\n".join([*told, first.content])), *rest)


def _has_system(request: Request) -> bool:
    return any(message.role == "system" for message in request.messages)
