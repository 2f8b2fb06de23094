"""How a command is called: groups whose commands are loaded when they are called, wrong use told as every other error,
the options that several commands share, and what reads a number from one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import pairwise
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import typer
from typer.core import CompletionItem, TyperArgument, TyperCommand, TyperGroup, TyperOption  # type: ignore[attr-defined]

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.config import Config

# How every group and command is set up: plain help without colours, and errors that this package words itself.
PLAIN: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def printable(text: str) -> str:
    """Text for a terminal: control characters other than line breaks are shown, not obeyed."""
    return "".join(c if c == "\n" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def help_hint(path: str, word: str = "", known: Iterable[str] = ()) -> str:
    """What to do after wrong use of the command `path`; with the nearest of the `known` words, if one is near."""
    close = get_close_matches(word, list(known), n=1)
    return (f"did you mean `{close[0]}`? " if close else "") + f"{path} --help shows what is possible"


class Light:
    """A command or a group whose `--help` is false by default: typer would load pydantic to convert its None."""

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        """`--help`."""
        option: TyperOption | None = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.default = False
            option.opts.sort(key=len)  # typer keeps them in a set: in no order
        return option


class CheckedCommand(Light, TyperCommand):
    """A command whose options are checked for what typer would take in silence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Errors: UsageError for an option whose value was forgotten; those of typer."""
        options = [param for param in self.get_params(ctx) if isinstance(param, TyperOption)]
        names = {name for option in options for name in option.opts}
        taking = {name for option in options if not option.is_flag for name in option.opts}
        args = list(_split(args, taking))
        before_end = args[: args.index("--")] if "--" in args else args
        for option, value in pairwise([*before_end, None]):
            if option in taking and (value is None or value in names) and not ctx.resilient_parsing:
                raise UsageError(f"option {option!r} requires an argument", help_hint(ctx.command_path))
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage without the braces that typer puts around what is required."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments and options with their own placeholders instead of Python's types."""
        params = [param for param in self.get_params(ctx) if isinstance(param, TyperArgument | TyperOption)]
        for title, kind in (("Arguments", TyperArgument), ("Options", TyperOption)):
            rows = [(call(param), described(param)) for param in params if isinstance(param, kind)]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Group(Light, TyperGroup):
    """A group of which a command is loaded when it is called. A subclass gives the table."""

    table: ClassVar[Mapping[str, tuple[str, str]]] = {}  # name -> ("module:function" or "module:app", line of help)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, loaded; None for a name that is not in the table."""
        return load(self.table[cmd_name][0], cmd_name) if cmd_name in self.table else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Errors: UsageError for a command that there is not."""
        if args[0] not in self.table and not ctx.resilient_parsing:
            raise UsageError(f"there is no command {args[0]!r}", help_hint(ctx.command_path, args[0], self.table))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands with their lines of help; none is loaded."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[CompletionItem]:
        """The names that begin so, or the options; no command is loaded."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=text) for name, (_, text) in self.table.items() if name.startswith(incomplete)
        ]


def call(param: TyperArgument | TyperOption) -> str:
    """How an argument or option is typed: `PATH ...`, `-c, --config FILE`."""
    choices = param.type_descriptor.choices
    word = param.metavar or ("{" + ",".join(map(str, choices)) + "}" if choices else param.name.upper())
    if isinstance(param, TyperArgument):
        return f"{word} ..." if param.nargs == -1 else word
    return ", ".join(param.opts) + ("" if param.is_flag else f" {word}")


def described(param: TyperArgument | TyperOption) -> str:
    """The help of an argument or option, with its default where the help has no word on it."""
    text = param.help or ""
    known = param.default in (None, False, "") or "default" in text
    default = f"{param.default:g}" if isinstance(param.default, float) else param.default
    extra = [] if known else [f"default {default}"]
    if param.required and isinstance(param, TyperOption):
        extra.append("required")
    return f"{text} ({'; '.join(extra)})" if extra else text


def load(where: str, name: str) -> Any:
    """The command or group of typer at "module:attribute": a function, whose docstring is the help, or a typer app."""
    found: typer.Typer | Callable[..., int] = resolve_name(where)
    if not isinstance(found, typer.Typer):
        app = typer.Typer(**PLAIN)
        app.command(name, cls=CheckedCommand)(found)
        found = app
    return typer.main.get_command(found)


def wrong_use(error: typer.TyperException) -> UsageError:
    """A fault that typer found in the arguments, as an error of the gate."""
    context: Any = getattr(error, "ctx", None)
    path = context.command_path if context else "gate"
    message = " ".join(error.format_message().replace("Value error, ", "").split()).removesuffix(".")
    if unknown := getattr(error, "option_name", "") if message.startswith("No such option") else "":
        options = (name for param in context.command.get_params(context) for name in param.opts)
        known = [name for name in options if name.startswith("-")]
        return UsageError(f"no such option: {unknown}", help_hint(path, unknown, known))
    if choice := re.search(r"'([^']{1,40})' is not one of (.*)", message):
        hint = help_hint(path, choice[1], re.findall(r"[\w-]+", choice[2]))
    elif context and message.startswith("Missing "):
        usage = " ".join(context.get_usage().split()).removeprefix("Usage: ")
        hint = f"{usage}; {help_hint(path)}"
    else:
        hint = help_hint(path)
    return UsageError(message[:1].lower() + message[1:], hint)


def _split(args: Sequence[str], taking: set[str]) -> Iterator[str]:
    """`-o=FILE` as `-o FILE`: typer would take `=FILE` for the name."""
    words = iter(args)
    for word in words:
        option, equals, value = word.partition("=")
        if equals and len(option) == 2 and option in taking:
            yield from (option, value)
            continue
        yield word
        if word == "--":
            yield from words


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
