"""Nodes of an ONNX graph, written one after the other by calls that give the names of their outputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from onnx import NodeProto, helper

CONTRIB = "com.microsoft"


@dataclass
class Nodes:
    """Nodes of one graph in order; calling it adds one and gives the name of its output."""

    prefix: str
    made: list[NodeProto] = field(default_factory=list)

    def __call__(self, op: str, *inputs: str, domain: str = "", **attributes: object) -> str:
        """The name of the new node's output."""
        return self.several(1, op, *inputs, domain=domain, **attributes)[0]

    def several(self, count: int, op: str, *inputs: str, domain: str = "", **attributes: object) -> list[str]:
        """The names of a node's outputs."""
        names = [f"{self.prefix}{len(self.made)}.{n}" for n in range(count)]
        self.made.append(helper.make_node(op, inputs, names, domain=domain, **attributes))
        return names

    def named(self, name: str, given: str) -> None:
        """Give the value `given` the name `name`."""
        self.made.append(helper.make_node("Identity", [given], [name]))
