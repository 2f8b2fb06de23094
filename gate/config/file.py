"""YAML from strangers as plain data with the line of every value, and the configuration file: every fault at once, in
words, with its line and the nearest known key.

Sizes are bounded, aliases cannot grow, no tag makes an object. `${NAME}` is filled in from the environment.
"""

from __future__ import annotations

import difflib
import os
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
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
_EACH = re.compile(r"; (?=measures\.)")
_LISTS = ("tuple_type", "list_type", "set_type", "frozen_set_type", "iterable_type")
_MAPPINGS = ("dict_type", "mapping_type", "model_type", "model_attributes_type")
_SHAPES = dict.fromkeys(_LISTS, "must be a list") | dict.fromkeys(_MAPPINGS, "must be a mapping of keys to values")
KeyPath = tuple[str | int, ...]
Scalar = Callable[[yaml.Node, KeyPath], Any]


def load(path: Path, environ: Mapping[str, str] | None = None, stored: bool = False) -> Config:
    """Read and check a configuration; for a `stored` verdict, thresholds count that a run of it could not measure.
    Errors: ConfigError with every fault, its line and the nearest known key."""
    tree, faults = read_values(path, environ)
    try:
        config = Config.model_validate(tree.value, context={"stored": stored})
    except ValidationError as error:
        faults = [*faults, *faults_of(error, Config, tree.lines)]
    else:
        if not faults:
            return config
    ordered = tuple(sorted(faults, key=lambda fault: (fault.line, fault.where)))
    raise ConfigError(str(path), ordered, "every key is described in docs/reference/configuration.md")


class Unset(str):
    """A value that names a variable which is not set: that is the one fault reported of it."""


def read_values(
    path: Path, environ: Mapping[str, str] | None = None, fill: bool = True, blank: bool = False
) -> tuple[Tree, list[Fault]]:
    """The mapping in a file, and the faults of single values; `fill` puts variables in. A file without values is empty
    where it may be `blank`. Errors: ConfigError where there is nothing to go on with."""
    faults: list[Fault] = []

    def scalar(node: yaml.Node, where: KeyPath) -> Any:
        value, problems = _filled(node, (os.environ if environ is None else environ) if fill else None)
        faults.extend(Fault(node.start_mark.line + 1, dotted(where), problem) for problem in problems)
        return value

    try:
        tree = parse_tree(_text(path), scalar, MAX_NODES, MAX_DEPTH)
    except NotYamlError as error:
        raise ConfigError(str(path), (Fault(error.line, "", error.problem),)) from None
    if not tree.lines and blank:
        return Tree({}), []
    if not tree.lines:
        raise ConfigError(str(path), (Fault(0, "", "the file is empty"),), "gate init writes one to start from")
    if not isinstance(tree.value, dict):
        raise ConfigError(str(path), (Fault(1, "", "must be a mapping of keys to values"),))
    twice = [Fault(tree.lines[where], dotted(where), "is given twice") for where in tree.repeated]
    return tree, [*faults, *twice]


def _filled(node: yaml.Node, environ: Mapping[str, str] | None) -> tuple[Any, list[str]]:
    """The value of a node with its variables, and what is wrong with it."""
    try:
        value = read_scalar(node)
    except ValueError:
        value = "\0"
    if not isinstance(value, str):
        return value, []
    if "\0" in value:  # no file, program or model has one in its name
        return None, [f"cannot read the value {str(node.value)[:80]!r}"]
    if environ is None:
        return value, []
    missing = [name for name in dict.fromkeys(_VARIABLE.findall(value)) if name not in environ]
    filled = _VARIABLE.sub(lambda match: environ.get(match.group(1), ""), value)
    return Unset(filled) if missing else filled, [f"the environment variable {name} is not set" for name in missing]


def dotted(path: KeyPath) -> str:
    """('model', 'path') -> 'model.path'; list positions in brackets."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _text(path: Path) -> str:
    """The file's text. Errors: ConfigError for what cannot be read."""
    hint = "name another file with --config, or write one with gate init"
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        problem = "there is no such file" if missing else f"cannot be read: {error.strerror}"
        raise ConfigError(str(path), (Fault(0, "", problem),), hint) from None
    if len(raw) > MAX_BYTES:
        raise ConfigError(str(path), (Fault(0, "", f"is larger than {MAX_BYTES:,} bytes"),))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(str(path), (Fault(line, "", "is not UTF-8"),)) from None


def faults_of(error: ValidationError, model: type[BaseModel], lines: Mapping[KeyPath, int]) -> list[Fault]:
    """The faults in words, each on the line of its part. Left out is what another fault says: what is wrong with a
    value whose variable is not set, and that a list is too short when its items are wrong."""
    details = [(tuple(detail["loc"]), dict(detail)) for detail in error.errors(include_url=False)]
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


def _line(path: KeyPath, lines: Mapping[KeyPath, int]) -> int:
    """The line of the path, or of the nearest part around it that is there."""
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), 0)


def _message(detail: dict[str, Any], path: KeyPath, model: type[BaseModel]) -> str:
    kind = detail["type"]
    if kind == "extra_forbidden":
        known = sorted(_keys(model, path[:-1]))
        return "unknown key" + (_nearest(str(path[-1]), known) or f"; known here: {', '.join(known)}")
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
        return f"{given!r} is not one of {', '.join(options)}{_nearest(given, options)}"
    if isinstance(given, str | int | float) and kind != "value_error":
        message += f", not {str(given)[:60]!r}" if isinstance(given, str) else f", not {given}"
    return message[:1].lower() + message[1:]


def _nearest(given: str, known: list[str]) -> str:
    near = difflib.get_close_matches(given, known, n=1, cutoff=0.6)
    return f"; did you mean `{near[0]}`?" if near else ""


def _keys(model: type[BaseModel], path: KeyPath) -> set[str]:
    """The keys that the schema knows at a path."""
    current: type[BaseModel] | None = model
    free = False  # the part is a name of the user's own, as each model has under `prices`
    for part in path:
        if free or isinstance(part, int):
            free = False
            continue
        field = current.model_fields.get(part) if current else None
        current = _model_in(field.annotation) if field else None
        free = field is not None and typing.get_origin(field.annotation) is dict
    return {field.alias or name for name, field in current.model_fields.items()} if current else set()


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The first model inside an annotation, through Optional, tuples and dicts."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, typing.get_args(annotation))), None)


class NotYamlError(ValueError):
    """What is wrong with a text as a whole, with its line (0: unknown)."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.line, self.problem = line, problem


@dataclass(slots=True)
class Tree:
    """The value of a text (None: it is empty), the line of each path, and the paths of keys that are given twice."""

    value: Any = None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    repeated: list[KeyPath] = field(default_factory=list)


def parse_tree(text: str, scalar: Scalar, most: int, depth: int) -> Tree:
    """What a YAML text holds: `most` values, an alias counted each time that it is met, at most `depth` deep. Keys are
    texts; `scalar` makes the value of a node. Errors: NotYamlError."""
    try:
        root = _BoundedLoader(text, most).get_single_node()
        return Tree() if root is None else _Walk(scalar, most, depth).made(root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise NotYamlError(mark.line + 1 if mark else 0, f"is not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        problem = str(error).splitlines()[0] if isinstance(error, yaml.YAMLError) else "nested too deeply"
        raise NotYamlError(0, f"is not valid YAML: {problem}") from None


def read_scalar(node: yaml.Node) -> Any:
    """The value by YAML's own types. Errors: ValueError for what cannot be read as its tag says."""
    try:
        return yaml.constructor.SafeConstructor().construct_object(node)
    except (yaml.YAMLError, LookupError, AttributeError, OverflowError) as error:  # `!!int ''`, `!!timestamp x`
        raise ValueError(str(error)) from None


class _BoundedLoader(yaml.SafeLoader):
    def __init__(self, text: str, most: int) -> None:
        super().__init__(text)
        self._left = most

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._left -= 1
        if self._left < 0:
            raise NotYamlError(0, "has too many values")
        return super().compose_node(parent, index)


class _Walk:
    """Goes through the nodes of one text."""

    def __init__(self, scalar: Scalar, most: int, depth: int) -> None:
        self._scalar, self._left, self._depth, self._tree = scalar, most, depth, Tree()

    def made(self, root: yaml.Node) -> Tree:
        self._tree.value = self._value(root, ())
        return self._tree

    def _value(self, node: yaml.Node, path: KeyPath) -> Any:
        self._left -= 1
        line = node.start_mark.line + 1
        self._tree.lines.setdefault(path, line)
        if self._left < 0 or len(path) > self._depth:
            raise NotYamlError(line, "is nested too deeply or grows too large by aliases")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(child, (*path, i)) for i, child in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        """Keys to values; what `<<` merges in stands behind what is written here."""
        values: dict[str, Any] = {}
        merged: list[Any] = []
        for key_node, value_node in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                found = self._value(value_node, path)
                merged += found if isinstance(found, list) else [found]
                continue
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "?"
            if key in values:
                self._tree.repeated.append((*path, key))
            self._tree.lines[(*path, key)] = key_node.start_mark.line + 1
            values[key] = self._value(value_node, (*path, key))
        for other in merged:
            values = {**other, **values} if isinstance(other, dict) else values
        return values
