"""The reader as an ONNX graph: int8 products, and pairs of one length go through it together, each computed by itself.

The scales of int8 products are taken over all that is computed together, so pairs must be computed one by one to have
the same logits in any company. Each layer is a Scan over the pairs: its weights stay in the cache while one pair after
the other goes through. Weights are symmetric int8 per output column within -63..63, so that no processor's kernel
overflows (onnxruntime's own advice for U8S8 on AVX2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

from training.model import BUCKETS, EPSILON, FAR, HEADS, LONGEST, buckets, load, middle

Floats = NDArray[np.float32]
OPSET = 17
CONTRIB = "com.microsoft"
MOST, MOST_ROW = 63, 127  # of the products' weights; of the rows of the table of words, which are never multiplied


def quantised(weight: Floats, axis: int, most: int) -> tuple[NDArray[np.int8], Floats]:
    """Symmetric int8 within `most` with one scale for each slice along `axis`; values and scales (broadcastable)."""
    scale = np.maximum(np.abs(weight).max(axis=1 - axis, keepdims=True), 1e-8).astype(np.float32) / most
    return np.rint(weight / scale).astype(np.int8), scale


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


class Writer:
    """Writes the graph of one state (parameter -> float32 values, as training.model.Reader names them), the inputs of
    its products divided by `divisors` (training.export)."""

    def __init__(self, state: Mapping[str, Floats], divisors: Mapping[str, Floats] | None = None) -> None:
        self.state, self.divisors = state, divisors or {}
        self.layers = sum(name.endswith(".query.bias") for name in state)
        self.width = len(state["norm.weight"])
        self.held: dict[str, TensorProto] = {}

    def model(self) -> ModelProto:
        """input_ids and token_type_ids (pairs, tokens) int64 -> logits (pairs, classes) and case (pairs, 1), both
        float32; no padding."""
        nodes = Nodes("")
        after = [self._looked_up(nodes)]
        for number in range(self.layers):
            after.append(nodes("Scan", after[-1], body=self._layer(f"layers.{number}"), num_scan_inputs=1))
        nodes.named("logits", self._head(nodes, after[-1]))
        nodes.named("case", self._case(nodes, after[middle(self.layers)], after[-1]))
        shape = ["pairs", "tokens"]
        ids, types = (
            helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "token_type_ids")
        )
        outs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["pairs", width])
            for name, width in (("logits", len(self.state["classes.bias"])), ("case", 1))
        ]
        graph = helper.make_graph(nodes.made, "reader", [ids, types], outs, list(self.held.values()))
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)

    def _hold(self, name: str, value: NDArray[np.generic]) -> str:
        if name not in self.held:
            self.held[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def _number(self, *values: int) -> str:
        """A constant of whole numbers: a scalar for one, else a vector."""
        return self._hold("whole." + ".".join(map(str, values)), np.array(values[0] if len(values) == 1 else values))

    def _axis(self, number: int) -> str:
        return self._hold(f"axis.{number}", np.array([number]))

    def _looked_up(self, nodes: Nodes) -> str:
        """States of the tokens before the layers; names the distances' bias of the attention `bias`."""
        values, scale = quantised(self.state["words.weight"], 0, MOST_ROW)
        rows = nodes("Cast", nodes("Gather", self._hold("words.int8", values), "input_ids"), to=TensorProto.FLOAT)
        states = nodes("Mul", rows, nodes("Gather", self._hold("words.scale", scale), "input_ids"))
        states = nodes("Add", states, nodes("Gather", self._own("types.weight"), "token_type_ids"))
        length = nodes("Squeeze", nodes("Shape", "input_ids", start=1, end=2))
        places = nodes("Range", self._number(0), length, self._number(1))
        states = nodes("Add", states, nodes("Gather", self._own("positions.weight"), places))
        ways = nodes("Sub", nodes("Unsqueeze", places, self._axis(0)), nodes("Unsqueeze", places, self._axis(1)))
        ways = nodes("Add", ways, self._number(LONGEST - 1))
        bias = nodes("Gather", self._hold("ways", self._ways()), ways)
        nodes.named("bias", nodes("Transpose", bias, perm=[2, 0, 1]))
        return self._normed(nodes, "norm", states)

    def _ways(self) -> Floats:
        """The attention's bias (1023, heads) for each way from a place to another, -511 to 511."""
        found = buckets(LONGEST).numpy()
        return self.state["relative.weight"][np.concatenate([found[:0:-1, 0], found[0]])]

    def _layer(self, name: str) -> GraphProto:
        """One layer for one pair: (tokens, width) float32 -> the same."""
        nodes, given = Nodes(f"{name}/"), f"{name}/given"
        seen = self._product(nodes, f"{name}.out", self._attended(nodes, name, given))
        seen = self._normed(nodes, f"{name}.norm", nodes("Add", seen, given))
        wide = nodes("Gelu", self._product(nodes, f"{name}.up", seen), domain=CONTRIB)
        out = self._normed(nodes, f"{name}.norm2", nodes("Add", self._product(nodes, f"{name}.down", wide), seen))
        ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, None) for end in (given, out)]
        return helper.make_graph(nodes.made, name, ends[:1], ends[1:])

    def _attended(self, nodes: Nodes, name: str, given: str) -> str:
        """All heads of one pair, (tokens, width); query, key and value come from one product."""
        size = self.width // HEADS
        both = [np.array(self.state[f"{name}.{part}.weight"].T) for part in ("query", "key", "value")]
        bias = [np.array(self.state[f"{name}.{part}.bias"]) for part in ("query", "key", "value")]
        both[0], bias[0] = both[0] * np.float32(size**-0.5), bias[0] * np.float32(size**-0.5)
        joint = self._dense(nodes, f"{name}.attend", np.concatenate(both, 1), np.concatenate(bias), given)
        parts = nodes("Transpose", nodes("Reshape", joint, self._number(0, 3, HEADS, size)), perm=[1, 2, 0, 3])
        query, key, value = (nodes("Squeeze", p, self._axis(0)) for p in nodes.several(3, "Split", parts, axis=0))
        scores = nodes("Add", nodes("MatMul", query, nodes("Transpose", key, perm=[0, 2, 1])), "bias")
        mixed = nodes("MatMul", nodes("Softmax", scores, axis=-1), value)
        return nodes("Reshape", nodes("Transpose", mixed, perm=[1, 0, 2]), self._number(0, self.width))

    def _head(self, nodes: Nodes, states: str) -> str:
        """First state and the strongest value over the claim's tokens (segment 0) -> dense -> gelu -> logits."""
        elsewhere = nodes("Greater", "token_type_ids", self._number(0))
        pushed = nodes("Cast", elsewhere, to=TensorProto.FLOAT)
        pushed = nodes("Mul", pushed, self._hold("far", np.array(FAR, np.float32)))
        kept = nodes("Sub", states, nodes("Unsqueeze", pushed, self._axis(2)))
        strongest = nodes("ReduceMax", kept, axes=[1], keepdims=0)
        both = nodes("Concat", nodes("Gather", states, self._number(0), axis=1), strongest, axis=1)
        for layer in ("dense", "classes"):
            weight = self._hold(f"{layer}.turned", self.state[f"{layer}.weight"].T)
            both = nodes("Add", nodes("MatMul", both, weight), self._own(f"{layer}.bias"))
            both = nodes("Gelu", both, domain=CONTRIB) if layer == "dense" else both
        return both

    def _case(self, nodes: Nodes, *states: str) -> str:
        """The mean states of the context's tokens (segment 2; 0 without any) -> log odds."""
        here = nodes("Cast", nodes("Equal", "token_type_ids", self._number(2)), to=TensorProto.FLOAT)
        row = nodes("Unsqueeze", here, self._axis(1))
        sums = nodes("Concat", *(nodes("MatMul", row, one) for one in states), axis=2)
        count = nodes("Max", nodes("ReduceSum", here, self._axis(1), keepdims=1), self._hold("one", np.float32([1])))
        mean = nodes("Div", nodes("Squeeze", sums, self._axis(1)), count)
        turned = self._hold("case.turned", self.state["case.weight"].T)
        return nodes("Add", nodes("MatMul", mean, turned), self._own("case.bias"))

    def _product(self, nodes: Nodes, name: str, given: str) -> str:
        return self._dense(nodes, name, self.state[f"{name}.weight"].T, self.state[f"{name}.bias"], given)

    def _dense(self, nodes: Nodes, name: str, weight: Floats, bias: Floats, given: str) -> str:
        if name in self.divisors:
            divisor = self.divisors[name]
            weight = weight * divisor[:, None]
            given = nodes("Mul", given, self._hold(f"{name}.smooth", 1 / divisor))
        values, scale = quantised(weight, 1, MOST)
        names = [
            self._hold(f"{name}.{part}", value)
            for part, value in (
                ("int8", values), ("scale", scale[0]), ("zero", np.zeros(len(bias), np.int8)), ("bias", bias)
            )
        ]  # fmt: skip
        return nodes("DynamicQuantizeMatMul", given, *names, domain=CONTRIB)

    def _normed(self, nodes: Nodes, name: str, given: str) -> str:
        inputs = (given, self._own(f"{name}.weight"), self._own(f"{name}.bias"))
        return nodes("LayerNormalization", *inputs, axis=-1, epsilon=EPSILON)

    def _own(self, name: str) -> str:
        return self._hold(name, self.state[name])


def weights(path: Path) -> dict[str, torch.Tensor]:
    """The state of a reader: of the `.npz` of a training, or of a folder with a graph. Errors: OSError, KeyError."""
    if path.is_dir():
        return {name: torch.from_numpy(value) for name, value in restored(path / "model.onnx")[0].items()}
    return load(path)


def restored(path: Path) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """The state that a `Writer`'s file at `path` holds, as precise as its int8 weights, and the divisors that it was
    written with: a training can go on from them.

    Errors: OSError; KeyError where another program wrote the graph.
    """
    held = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(path)).graph.initializer}
    smooth = {name.removesuffix(".smooth"): 1 / value for name, value in held.items() if name.endswith(".smooth")}
    state = {name: value for name, value in held.items() if name.endswith((".weight", "norm.bias", "norm2.bias"))}
    state["words.weight"] = held["words.int8"] * held["words.scale"]
    places = buckets(LONGEST).numpy()
    state["relative.weight"] = np.zeros((BUCKETS, HEADS), np.float32)
    state["relative.weight"][np.concatenate([places[:0:-1, 0], places[0]])] = held["ways"]
    for layer in (name.removesuffix(".turned") for name in held if name.endswith(".turned")):
        state |= {f"{layer}.weight": held[f"{layer}.turned"].T, f"{layer}.bias": held[f"{layer}.bias"]}
    for name in (name.removesuffix(".int8") for name in held if name.startswith("layers.") and name.endswith(".int8")):
        weight = (
            held[f"{name}.int8"]
            * held[f"{name}.scale"]
            * held.get(f"{name}.smooth", np.ones((1,), np.float32))[:, None]
        )
        state |= {f"{name}.weight": weight.T, f"{name}.bias": held[f"{name}.bias"]}
    for name in [name.removesuffix(".attend.weight") for name in state if name.endswith(".attend.weight")]:
        weights = np.split(state.pop(f"{name}.attend.weight"), 3)
        biases = np.split(state.pop(f"{name}.attend.bias"), 3)
        scale = np.float32((len(weights[0]) // HEADS) ** 0.5)
        for part, weight, bias in zip(("query", "key", "value"), weights, biases, strict=True):
            grown = scale if part == "query" else np.float32(1)
            state |= {f"{name}.{part}.weight": weight * grown, f"{name}.{part}.bias": bias * grown}
    return {name: np.array(value, np.float32, order="C") for name, value in state.items()}, smooth
