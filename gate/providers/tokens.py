"""Token counts where the provider reports none: an estimate, marked as one."""

from __future__ import annotations

from typing import Any

from gate.providers.base import Request
from gate.records import Usage

# English prose has about four characters a token in the vocabularies of GPT and Llama models; other scripts have fewer,
# and more bytes a character: four bytes hold for Chinese too, where a token is hardly more than one character.
BYTES_PER_TOKEN = 4
MOST = 10**9  # of a call: whoever tells more has not counted


def count(text: str) -> int:
    """About how many tokens a text has, rounded up."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_PER_TOKEN)


def prompt_tokens(request: Request) -> int:
    """About how many tokens a request sends, with a few for the frame of each message."""
    return sum(count(message.content) + 4 for message in request.messages)


def reported(read: Any, written: Any) -> Usage | None:
    """What a server told of a call; None where these are not two counts that a call can have."""
    counts = all(isinstance(told, int) and 0 <= told <= MOST for told in (read, written))
    return Usage(int(read), int(written)) if counts else None


def estimated(request: Request, text: str) -> Usage:
    """The usage of a call whose provider told none."""
    return Usage(prompt_tokens(request), count(text), estimated=True)
