"""`gate completion`: a script by which a shell completes commands, options and their choices."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

import typer
from typer.completion import completion_init, shell_complete  # type: ignore[attr-defined]

COMPLETE = "_GATE_COMPLETE"  # what the script sets when a key is pressed
# zsh has `compdef` only after its completion was started, which a bare .zshrc does not do.
_ZSH = "(( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }\n"


def complete(command: Any, instruction: str) -> int:
    """Print what typer has for a shell: `source_SHELL` its script, `complete_SHELL` the words that fit."""
    completion_init()
    return 2 if shell_complete(command, {}, "gate", COMPLETE, instruction) else 0


def completion(
    context: typer.Context,
    shell: Annotated[
        Literal["bash", "zsh", "fish", "powershell"], typer.Argument(help="the shell that reads the script")
    ],
) -> int:
    """Print a script for a shell that completes commands, options and choices, and files elsewhere. zsh, fish and
    powershell show the help of each beside it. bash and zsh take it by eval "$(gate completion bash)", fish by
    `gate completion fish | source`.

    example: gate completion bash >> ~/.bashrc
    """
    if shell == "zsh":
        sys.stdout.write(_ZSH)
    return complete(context.find_root().command, f"source_{shell}")
