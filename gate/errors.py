"""The tree of errors: each names what happened, where, and what to do.

GateError                        exit code
├── UsageError                   2   wrong use: flags, paths, files given by the user
│   ├── ConfigError              2   faults of a configuration, all of them, with lines
│   ├── InputFileError           2   a dataset, answers, labels or verdict file that cannot be read
│   └── SourceError              2   a document source that cannot be opened (ingest: one file -> code 3)
├── StoreError                   2   the index cannot be used
│   ├── IndexMissingError        2   no index, or an empty one
│   └── EmbedderMismatchError    2   the index was made with another embedder
├── ModelFileError               2   a model file that ships with the product is missing or damaged
├── ProviderError                -   a call to a model failed; one call: a Failure, all calls: inconclusive
│   ├── TransientError           -   worth a retry: 429, 5xx, time-out, reset (`retry_after` in seconds)
│   ├── BadReplyError            -   a reply that cannot be used: empty, truncated, filtered, not JSON
│   │   └── AskAgainError        -   a part of the request was refused, and is put differently from now on
│   └── SetupError               2   no call can succeed: authentication, unknown model, refused connection
└── LimitError                   4   a limit of cost, calls or seconds was hit, or the run was interrupted
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.records import Usage


class GateError(Exception):
    """Any fault that the user sees as `error: message` with `hint: hint`; `exit_code` ends the process."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def install_hint(extra: str) -> str:
    """What to do where a package of an extra is missing."""
    return f'pip install "PLACE[{extra}]"; PLACE is what you installed the gate from, a clone (./gate) for instance'


class UsageError(GateError):
    """Wrong use: a flag, a path or a combination that cannot work."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a configuration: `line` is 1-based (0: no line is to blame)."""

    line: int
    where: str
    message: str

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.where}: {self.message}" if self.where else f"{place}{self.message}"


class ConfigError(UsageError):
    """All faults of a configuration at once."""

    def __init__(self, path: str, faults: tuple[Fault, ...], hint: str = "") -> None:
        count = len(faults)
        if count == 1 and not faults[0].line:  # of the whole file: one line says it
            text = f"{path}: {faults[0]}"
        else:
            head = f"{path}: {count} fault{'s' if count != 1 else ''}"
            text = "\n".join([head, *(f"  {fault}" for fault in faults)])
        super().__init__(text, hint)
        self.path = path
        self.faults = faults


class InputFileError(UsageError):
    """A file of prompts, answers, labels or a verdict that cannot be read; the message names file and line."""


class SourceError(UsageError):
    """A document source (file, folder, bucket) that cannot be opened or read."""


class StoreError(GateError):
    """The index cannot be read or written."""


class IndexMissingError(StoreError):
    """There is no index yet, or nothing in it."""


class EmbedderMismatchError(StoreError):
    """The index holds vectors of another embedder or dimension."""


class ModelFileError(GateError):
    """A model file is missing or damaged."""


class ProviderError(GateError):
    """One call to a model failed; `kind` is a stable word for reports (for instance `timeout`)."""

    def __init__(self, message: str, hint: str = "", kind: str = "provider") -> None:
        super().__init__(message, hint)
        self.kind = kind


class TransientError(ProviderError):
    """A failure that may pass: throttling, 5xx, time-out, reset; `retry_after` in seconds where the server said so."""

    def __init__(self, message: str, hint: str = "", kind: str = "transient", retry_after: float | None = None) -> None:
        super().__init__(message, hint, kind)
        self.retry_after = retry_after


class BadReplyError(ProviderError):
    """A reply that arrived and cannot be used: empty, truncated, filtered, malformed. `usage`: by the server."""

    def __init__(self, message: str, hint: str = "", kind: str = "provider", usage: Usage | None = None) -> None:
        super().__init__(message, hint, kind)
        self.usage = usage


class AskAgainError(BadReplyError):
    """A server refused a part of a request that can be put differently: the provider does so from now on."""


class SetupError(ProviderError):
    """No call can succeed: authentication, unknown model, refused connection. Ends the run at once."""


class LimitError(GateError):
    """A limit of the run was hit, or it was interrupted: what is there is reported and marked as partial."""

    exit_code = 4
