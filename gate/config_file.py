"""A YAML file as plain data, with the line of every value: sizes bounded, duplicates refused, `${NAME}` filled in."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from gate.errors import ConfigError, Fault

MAX_BYTES = 1_000_000
MAX_NODES = 100_000
MAX_DEPTH = 50
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

Path_ = tuple[str | int, ...]


class Unset(str):
    """A value that names a variable which is not set: that is told once, and nothing else about the value."""


class _Reader:
    """Walks the node tree of one document, so that values, lines and faults are gathered in one pass."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.lines: dict[Path_, int] = {}
        self.faults: list[Fault] = []
        self.nodes = 0
        self.constructor = yaml.constructor.SafeConstructor()

    def read(self, node: yaml.Node, path: Path_) -> Any:
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

    def _mapping(self, node: yaml.MappingNode, path: Path_) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "?"
            line = key_node.start_mark.line + 1
            if key in values:
                self.faults.append(Fault(line, dotted((*path, key)), "is given twice"))
            self.lines[(*path, key)] = line
            values[key] = self.read(value_node, (*path, key))
        return values

    def _scalar(self, node: yaml.Node, path: Path_, line: int) -> Any:
        try:
            value = self.constructor.construct_object(node)
            if isinstance(value, str) and "\0" in value:
                raise ValueError(value)  # no file, program or model has one in its name
        except (yaml.YAMLError, ValueError, LookupError, AttributeError):  # PyYAML on `!!int ''`, `!!timestamp x`
            self.faults.append(Fault(line, dotted(path), f"cannot read the value {str(node.value)[:80]!r}"))
            return None
        return self._fill(value, path, line) if isinstance(value, str) else value

    def _fill(self, value: str, path: Path_, line: int) -> str:
        missing = [name for name in dict.fromkeys(_VARIABLE.findall(value)) if name not in self.environ]
        self.faults += [Fault(line, dotted(path), f"the environment variable {name} is not set") for name in missing]
        filled = _VARIABLE.sub(lambda match: self.environ.get(match.group(1), ""), value)
        return Unset(filled) if missing else filled


class _TooLarge(Exception):
    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


def dotted(path: Path_) -> str:
    """('model', 'path') -> 'model.path'; list positions in brackets."""
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else str(part)
    return out


def read_yaml(
    path: Path, environ: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], dict[Path_, int], list[Fault]]:
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
