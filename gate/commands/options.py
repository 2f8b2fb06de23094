"""Options that several commands share, and what reads a number from one."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

if TYPE_CHECKING:
    from gate.config import Config


class Shard(NamedTuple):
    """Which part of a run: every `of`-th prompt from the `first` on; both count from 1."""

    first: int
    of: int


def positive(text: str) -> int:
    """A whole number from 1 on. Errors: typer.BadParameter."""
    return whole(text, 1)


def count(text: str) -> int:
    """A whole number from 0 on. Errors: typer.BadParameter."""
    return whole(text, 0)


def whole(text: str, least: int | None = None) -> int:
    """A whole number, from the least on if there is one. Errors: typer.BadParameter."""
    with suppress(ValueError):
        number = int(text)
        if least is None or number >= least:
            return number
    raise typer.BadParameter(f"{text!r} is not a whole number" + ("" if least is None else f" from {least} on"))


def amount(text: str) -> float:
    """A number from 0 on. Errors: typer.BadParameter."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise typer.BadParameter(f"{text!r} is not a number from 0 on")
    return number


def seconds(text: str) -> float:
    """A number above 0, no larger than `limits.max_seconds` may be. Errors: typer.BadParameter."""
    number = amount(text)
    if number == 0:
        raise typer.BadParameter("in 0 seconds nothing is asked; give a number above 0")
    if number > 1e9:
        raise typer.BadParameter(f"{text!r} is longer than a clock can wait for; at most 1000000000")
    return number


def shard(text: str) -> Shard:
    """`I/N` with 1 <= I <= N. Errors: typer.BadParameter."""
    first, slash, second = text.partition("/")
    if slash and first.isdigit() and second.isdigit() and 1 <= int(first) <= int(second):
        return Shard(int(first), int(second))
    raise typer.BadParameter(f"{text!r} is not a shard like 1/4")


ConfigFile = Annotated[
    str | None,
    typer.Option("-c", "--config", metavar="FILE", help="configuration (default .llm-reliability.yaml)"),
]
Outputs = Annotated[
    list[str] | None,
    typer.Option("-o", "--output", metavar="FILE", help="write .json .html .sarif .xml (JUnit) or .md; repeatable"),
]
FailOn = Annotated[Literal["block", "warn"], typer.Option("--fail-on", help="exit 1 from this decision on")]
DatasetFile = Annotated[str, typer.Option("-o", "--output", metavar="OUT.jsonl", help="the file to write")]
Force = Annotated[bool, typer.Option("--force", help="write over an existing file")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="show the plan, the calls and the estimated cost")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="ask again what is recorded")]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", parser=amount, metavar="USD", help="stop before it costs more")
]
Debug = Annotated[bool, typer.Option("--debug", help="show tracebacks")]  # gate.cli looks for it in the arguments


def limited(config: Config, **limits: float | None) -> Config:
    """The configuration under the limits of the command line, where those are given."""
    given = {key: value for key, value in limits.items() if value is not None}
    return config.model_copy(update={"limits": config.limits.model_copy(update=given)})
