"""What a server turns out not to accept, learnt from its refusals."""

from __future__ import annotations

from typing import NoReturn

from gate.errors import AskAgainError, BadReplyError
from gate.records import Usage


class Refused:
    """The parts of a request that a server does not accept, by name; they are left out, or put differently."""

    def __init__(self) -> None:
        self.parts: frozenset[str] = frozenset()

    def learn(self, error: BadReplyError, blamed: frozenset[str], known: frozenset[str]) -> NoReturn:
        """Tell what follows from the refusal of a request that minded the parts `known`. Errors: AskAgainError where
        another is blamed, which costs nothing, as nobody charges for a request that was refused; else `error`."""
        if not blamed - known:
            raise error
        self.parts |= blamed
        raise AskAgainError(error.message, error.hint, error.kind, Usage()) from error
