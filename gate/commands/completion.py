"""`gate completion`: a script by which a shell completes commands, flags and their choices."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

DESCRIPTION = """Print a script for bash or zsh that completes commands, flags and choices, and files elsewhere. Nothing
of the gate runs when a key is pressed.

example: gate completion bash >> ~/.bashrc"""

_BASH = """# completion of gate for bash and zsh
if [ -n "${ZSH_VERSION-}" ]; then
    (( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
    autoload -Uz bashcompinit && bashcompinit
fi
_gate() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""
    case "$COMP_CWORD:${COMP_WORDS[1]}:$before" in
@CASES@
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [ "$COMP_CWORD" -gt 1 ] && [ "${#COMPREPLY[@]}" -eq 0 ]; then
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _gate gate
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = DESCRIPTION
    parser.add_argument("shell", choices=("bash", "zsh"), help="the shell that reads the script")


def run(options: argparse.Namespace) -> int:
    """Print the script (one for both shells: zsh takes bash's by its own bashcompinit)."""
    from gate.cli import parser

    sys.stdout.write(script(parser()))
    return 0


def script(top: argparse.ArgumentParser) -> str:
    """The script for a parser with commands; only words of the program stand in it, none of a user."""
    return _BASH.replace("@CASES@", "\n".join(f"        {case}" for case in _cases(top)))


def _cases(top: argparse.ArgumentParser) -> Iterator[str]:
    """`COMP_CWORD:command:word before) words=...`, the special ones first."""
    commands = next(a for a in top._actions if isinstance(a, argparse._SubParsersAction)).choices
    own = [name for action in top._actions for name in action.option_strings if name.startswith("--")]
    yield f'1:*) words="{" ".join([*commands, *own])}" ;;'
    for name, sub in commands.items():
        for action in _actions(sub):
            if action.option_strings and action.nargs != 0:
                before = "|".join(f"*:{name}:{flag}" for flag in action.option_strings)
                yield f'{before}) words="{" ".join(map(str, action.choices or ()))}" ;;'
        words = [str(c) for a in sub._actions if not a.option_strings for c in a.choices or ()]
        yield f'*:{name}:*) words="{" ".join([*words, *_flags(sub)])}" ;;'


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments of a command, and those of the commands inside it."""
    found = list(parser._actions)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found += [inner for sub in action.choices.values() for inner in _actions(sub)]
    return found


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    names = (name for action in _actions(parser) for name in action.option_strings if name.startswith("--"))
    return list(dict.fromkeys(names))
