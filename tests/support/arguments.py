"""Arguments of the command line, parsed without running what they ask for."""

from collections.abc import Sequence
from typing import Any

import typer

from gate.cli import app
from gate.commands.options import Group


def parse(words: Sequence[str]) -> dict[str, Any]:
    """The values that the command of `words` (without `gate`) would be called with. Errors: as of the command line."""
    command, rest, name = typer.main.get_command(app), list(words), "gate"
    while isinstance(command, Group):
        name = rest.pop(0)
        command = command.get_command(None, name)
    return command.make_context(name, rest).params
