"""YAML from strangers as plain data: the safe loader, a bounded size, and aliases that cannot grow."""

from __future__ import annotations

from typing import Any

import yaml

MAX_CHARS = 4_000_000
MAX_NODES = 400_000
MAX_DEPTH = 60


def load(text: str) -> Any:
    """The value of a YAML text. Keys become texts; nothing is taken from the environment. Errors: ValueError."""
    if len(text) > MAX_CHARS:
        raise ValueError(f"is longer than {MAX_CHARS:,} characters of YAML")
    try:
        node = yaml.compose(text, Loader=_Loader)
        return None if node is None else _Reader().read(node, 0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}: " if mark else ""
        raise ValueError(f"{place}is not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        problem = str(error).splitlines()[0] if isinstance(error, yaml.YAMLError) else "nested too deeply"
        raise ValueError(f"is not valid YAML: {problem}") from None


class _Loader(yaml.SafeLoader):
    """The safe loader, with a bound on what it builds."""

    nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """As the parent does. Errors: ValueError where there are too many nodes."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise ValueError(f"has more than {MAX_NODES:,} values")
        return super().compose_node(parent, index)


class _Reader:
    """Walks the tree of nodes; an alias counts each time that it is met, so that a bomb ends at the bound."""

    def __init__(self) -> None:
        self.nodes = 0
        self.constructor = yaml.constructor.SafeConstructor()

    def read(self, node: yaml.Node, depth: int) -> Any:
        """The value of a node. Errors: ValueError where there are too many, or too deep."""
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise ValueError(f"line {node.start_mark.line + 1}: is nested too deeply or grows too large by aliases")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(child, depth + 1) for child in node.value]
        try:
            value = self.constructor.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError):
            value = node.value
        # A date or a strange tag: as it is written.
        return value if value is None or isinstance(value, str | int | float | bool) else str(node.value)

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        """Names to values; what `<<` merges in stands behind what is written here."""
        made: dict[str, Any] = {}
        merged: list[Any] = []
        for key, value in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                found = self.read(value, depth + 1)
                merged += found if isinstance(found, list) else [found]
            else:
                made[str(key.value) if isinstance(key, yaml.ScalarNode) else "?"] = self.read(value, depth + 1)
        for other in merged:
            made = {**other, **made} if isinstance(other, dict) else made
        return made
