"""A configuration file: YAML with the line of every value, and every fault at once, in words.

Sizes are bounded, duplicate keys refused, `${NAME}` is filled in from the environment. An unknown key is reported
with the nearest known one.
"""

from __future__ import annotations

import difflib
import os
import re
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from gate.config.schema import Config
from gate.errors import ConfigError, Fault

DEFAULT_PATH = ".llm-reliability.yaml"
MAX_BYTES = 1_000_000
MAX_NODES = 100_000
MAX_DEPTH = 50
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_LISTS = ("tuple_type", "list_type", "set_type", "frozen_set_type", "iterable_type")
_MAPPINGS = ("dict_type", "mapping_type", "model_type", "model_attributes_type")
_EACH = re.compile(r"; (?=measures\.)")
_SHAPES = dict.fromkeys(_LISTS, "must be a list") | dict.fromkeys(_MAPPINGS, "must be a mapping of keys to values")

KeyPath = tuple[str | int, ...]


def load(path: Path, environ: Mapping[str, str] | None = None, stored: bool = False) -> Config:
    """Read and check a configuration; for a `stored` verdict, thresholds count that a run of it could not measure.
    Errors: ConfigError with every fault, its line and the nearest known key."""
    values, lines, faults = read_yaml(path, environ)
    try:
        config = Config.model_validate(values, context={"stored": stored})
    except ValidationError as error:
        faults = [*faults, *faults_of(error, Config, lines)]
    else:
        if not faults:
            return config
    ordered = tuple(sorted(faults, key=lambda fault: (fault.line, fault.where)))
    raise ConfigError(str(path), ordered, "every key is described in docs/reference/configuration.md")


class Unset(str):
    """A value that names a variable which is not set: that is the one fault reported of it."""


class _Reader:
    """Walks the node tree of one document, so that values, lines and faults are gathered in one pass."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.lines: dict[KeyPath, int] = {}
        self.faults: list[Fault] = []
        self.nodes = 0
        self.constructor = yaml.constructor.SafeConstructor()

    def read(self, node: yaml.Node, path: KeyPath) -> Any:
        """The value of a node; aliases count each time they are met, so an alias bomb ends at the bound."""
        self.nodes += 1
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        if self.nodes > MAX_NODES or len(path) > MAX_DEPTH:
            raise _TooLarge(line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(child, (*path, i)) for i, child in enumerate(node.value)]
        return self._scalar(node, path, line)

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "?"
            line = key_node.start_mark.line + 1
            if key in values:
                self.faults.append(Fault(line, dotted((*path, key)), "is given twice"))
            self.lines[(*path, key)] = line
            values[key] = self.read(value_node, (*path, key))
        return values

    def _scalar(self, node: yaml.Node, path: KeyPath, line: int) -> Any:
        try:
            value = self.constructor.construct_object(node)
            if isinstance(value, str) and "\0" in value:
                raise ValueError(value)  # no file, program or model has one in its name
        except (yaml.YAMLError, ValueError, LookupError, AttributeError):  # PyYAML on `!!int ''`, `!!timestamp x`
            self.faults.append(Fault(line, dotted(path), f"cannot read the value {str(node.value)[:80]!r}"))
            return None
        return self._fill(value, path, line) if isinstance(value, str) else value

    def _fill(self, value: str, path: KeyPath, line: int) -> str:
        missing = [name for name in dict.fromkeys(_VARIABLE.findall(value)) if name not in self.environ]
        self.faults += [Fault(line, dotted(path), f"the environment variable {name} is not set") for name in missing]
        filled = _VARIABLE.sub(lambda match: self.environ.get(match.group(1), ""), value)
        return Unset(filled) if missing else filled


class _TooLarge(Exception):
    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


def dotted(path: KeyPath) -> str:
    """('model', 'path') -> 'model.path'; list positions in brackets."""
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else str(part)
    return out


def read_yaml(
    path: Path, environ: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], dict[KeyPath, int], list[Fault]]:
    """(values, line of each path, faults found so far). Errors: ConfigError where there is nothing to go on with."""
    text = _text(path)
    reader = _Reader(os.environ if environ is None else environ)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is None:
            raise ConfigError(str(path), (Fault(0, "", "the file is empty"),), "gate init writes one to start from")
        if not isinstance(node, yaml.MappingNode):
            raise ConfigError(str(path), (Fault(1, "", "must be a mapping of keys to values"),))
        values = reader.read(node, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        raise ConfigError(str(path), (Fault(line, "", f"is not valid YAML: {error.problem}"),)) from None
    except (yaml.YAMLError, RecursionError) as error:
        deep = isinstance(error, RecursionError) or not str(error)
        problem = "nested too deeply" if deep else str(error).splitlines()[0]
        raise ConfigError(str(path), (Fault(0, "", f"is not valid YAML: {problem}"),)) from None
    except _TooLarge as error:
        raise ConfigError(
            str(path), (Fault(error.line, "", "is nested too deeply or grows too large by aliases"),)
        ) from None
    return values, reader.lines, reader.faults


def _text(path: Path) -> str:
    """The file's text. Errors: ConfigError for what cannot be read."""
    hint = "name another file with --config, or write one with gate init"
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(str(path), (Fault(0, "", "there is no such file"),), hint) from None
    except OSError as error:
        raise ConfigError(str(path), (Fault(0, "", f"cannot be read: {error.strerror}"),), hint) from None
    if len(raw) > MAX_BYTES:
        raise ConfigError(str(path), (Fault(0, "", f"is larger than {MAX_BYTES:,} bytes"),))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(str(path), (Fault(line, "", "is not UTF-8"),)) from None


def faults_of(error: ValidationError, model: type[BaseModel], lines: Mapping[KeyPath, int]) -> list[Fault]:
    """The faults in words; one of a part is placed on the line where the part stands.

    Two kinds are left out, since another fault says it: what is wrong with a value whose variable is not set, and that
    a list is too short when its items are wrong.
    """
    details = [(_path(dict(detail)), dict(detail)) for detail in error.errors(include_url=False)]
    around = {path[:i] for path, _ in details for i in range(len(path))}
    return [
        fault
        for path, detail in details
        if not isinstance(detail.get("input"), Unset) and not (detail["type"] == "too_short" and path in around)
        for fault in _faults(path, _message(detail, path, model), lines)
    ]


def _faults(path: KeyPath, message: str, lines: Mapping[KeyPath, int]) -> Iterator[Fault]:
    """The one fault of a key; those of a rule between keys, each on the line of the key that it names first."""
    if path:
        yield Fault(_line(path, lines), dotted(path), message)
        return
    for rule in _EACH.split(message):
        named = rule.split(" ", 1)[0].rstrip(":,")
        yield Fault(_line(tuple(named.split(".")), lines), "", rule)


def _path(detail: dict[str, Any]) -> KeyPath:
    return tuple(part for part in detail["loc"] if isinstance(part, str | int))


def _line(path: KeyPath, lines: Mapping[KeyPath, int]) -> int:
    """The line of the path, or of the nearest part around it that is there."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0) if path else 0


def _message(detail: dict[str, Any], path: KeyPath, model: type[BaseModel]) -> str:
    kind = detail["type"]
    if kind == "extra_forbidden":
        known = sorted(_keys(model, path[:-1]))
        near = difflib.get_close_matches(str(path[-1]), known, n=1, cutoff=0.6)
        return "unknown key" + (f"; did you mean `{near[0]}`?" if near else f"; known here: {', '.join(known)}")
    if kind == "missing":
        return "is required"
    if kind in _SHAPES:
        return _SHAPES[kind]
    if kind == "too_short":
        least = detail.get("ctx", {}).get("min_length", 1)
        return f"must have at least {least} item{'' if least == 1 else 's'}"
    message = str(detail["msg"]).removeprefix("Value error, ")
    given = detail.get("input")
    if kind in {"literal_error", "enum"} and isinstance(given, str):
        options = str(detail.get("ctx", {}).get("expected", "")).replace("'", "").replace(" or ", ", ").split(", ")
        near = difflib.get_close_matches(given, options, n=1, cutoff=0.6)
        return f"{given!r} is not one of {', '.join(options)}" + (f"; did you mean `{near[0]}`?" if near else "")
    if isinstance(given, str | int | float) and kind != "value_error":
        message += f", not {str(given)[:60]!r}" if isinstance(given, str) else f", not {given}"
    return message[:1].lower() + message[1:]


def _keys(model: type[BaseModel], path: KeyPath) -> set[str]:
    """The keys that the schema knows at a path."""
    current: type[BaseModel] | None = model
    free = False  # the part is a name of the user's own, as each model has under `prices`
    for part in path:
        if current is None:
            return set()
        if isinstance(part, str) and not free:
            field = current.model_fields.get(part)
            current = _model_in(field.annotation) if field else None
            free = field is not None and typing.get_origin(field.annotation) is dict
        else:
            free = False
    return set(current.model_fields) if current else set()


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The first model inside an annotation, through Optional, tuples and dicts."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in typing.get_args(annotation):
        found = _model_in(inner)
        if found:
            return found
    return None
