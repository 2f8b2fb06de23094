"""YAML as plain data with the line of every value: sizes are bounded, aliases cannot grow, no tag makes an object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import yaml

KeyPath = tuple[str | int, ...]
Scalar = Callable[[yaml.Node, KeyPath], Any]


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


def parse_yaml(text: str, scalar: Scalar, most: int, depth: int) -> Tree:
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
