"""The graph that the embedder runs: the one of model.onnx, written so that texts of one length go through it together.

int8 models take one scale over all that is computed together, so texts must be computed one by one to have the same
vector in any company. One by one through the whole model, a short text waits for 21 MB of weights from memory. Here
each layer is a Scan: one text after the other, with the layer's weights still in the cache. Every product is the very
operation that onnxruntime makes of model.onnx for a single text, so the vectors are the same to the last bit.
Needs the package `onnx`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from training.graph import CONTRIB, Nodes

HEADS, SIZE = 12, 32
EPSILON = 1e-12  # of BERT's layer norms
OPSET = 17
OUTSIDE = 4096  # bytes: larger whole-number tensors stay in model.onnx and are read from there
CONSTANTS = {
    "heads": np.array([0, HEADS, SIZE]),
    "joined": np.array([0, HEADS * SIZE]),
    "zero": np.array(0),
    "one": np.array(1),
}


class Bert:
    """Writes the layers of one model, whose tensors have Hugging Face's names."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.tensors = {tensor.name: tensor for tensor in model.graph.initializer}
        self.dense = dense(model, self.tensors)
        self.layers = sum(name.endswith(".intermediate.dense") for name in self.dense)

    def texts(self) -> onnx.GraphProto:
        """ids (texts, tokens) int64 -> states (texts, tokens, dimension) float32."""
        nodes = Nodes("")
        length = nodes("Squeeze", nodes("Shape", "ids", start=1, end=2))
        places = nodes("Range", "zero", length, "one")
        words = self._looked_up(nodes, "word", "ids")
        states = nodes("Add", words, self._looked_up(nodes, "token_type", "zero"))
        states = nodes("Add", states, self._looked_up(nodes, "position", places))
        states = self._normed(nodes, "embeddings", states)
        for number in range(self.layers):
            states = nodes("Scan", states, body=self._layer(f"encoder.layer.{number}"), num_scan_inputs=1)
        nodes.named("states", states)
        ends = [
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "tokens"]),
            helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "tokens", HEADS * SIZE]),
        ]
        return helper.make_graph(nodes.made, "texts", ends[:1], ends[1:])

    def _layer(self, name: str) -> onnx.GraphProto:
        """One layer for one text: (tokens, dimension) float32 -> the same."""
        nodes, given = Nodes(f"{name}/"), f"{name}/given"
        seen = self._product(nodes, f"{name}.attention.output.dense", self._attended(nodes, name, given))
        seen = self._normed(nodes, f"{name}.attention.output", nodes("Add", seen, given))
        wide = nodes("Gelu", self._product(nodes, f"{name}.intermediate.dense", seen), domain=CONTRIB)
        out = self._normed(
            nodes, f"{name}.output", nodes("Add", self._product(nodes, f"{name}.output.dense", wide), seen)
        )
        ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, None) for end in (given, out)]
        return helper.make_graph(nodes.made, name, ends[:1], ends[1:])

    def _attended(self, nodes: Nodes, name: str, given: str) -> str:
        whole, scale, zero = nodes.several(3, "DynamicQuantizeLinear", given)
        parts = {}
        for part, order in (("query", [1, 0, 2]), ("key", [1, 2, 0]), ("value", [1, 0, 2])):
            weight, scales, zeros, bias = self.dense[f"{name}.attention.self.{part}"]
            inputs = (whole, weight, scale, scales, zero, zeros, bias)
            made = nodes("Reshape", nodes("MatMulIntegerToFloat", *inputs, domain=CONTRIB), "heads")
            parts[part] = nodes("Transpose", made, perm=order)
        alpha = float(np.float32(1) / np.sqrt(np.float32(SIZE)))
        scores = nodes("FusedMatMul", parts["query"], parts["key"], domain=CONTRIB, alpha=alpha)
        found = nodes("MatMul", nodes("Softmax", scores, axis=-1), parts["value"])
        return nodes("Reshape", nodes("Transpose", found, perm=[1, 0, 2]), "joined")

    def _product(self, nodes: Nodes, name: str, given: str) -> str:
        return nodes("DynamicQuantizeMatMul", given, *self.dense[name], domain=CONTRIB)

    def _normed(self, nodes: Nodes, name: str, given: str) -> str:
        inputs = (given, f"{name}.LayerNorm.weight", f"{name}.LayerNorm.bias")
        return nodes("LayerNormalization", *inputs, axis=-1, epsilon=EPSILON)

    def _looked_up(self, nodes: Nodes, kind: str, places: str) -> str:
        name = f"embeddings.{kind}_embeddings.weight"
        rows = nodes("Gather", f"{name}_quantized", places, axis=0)
        return nodes("DequantizeLinear", rows, f"{name}_scale", f"{name}_zero_point")


def dense(model: onnx.ModelProto, tensors: Iterable[str]) -> dict[str, tuple[str, str, str, str]]:
    """name -> names of its weights, their scales and zero points, and its bias. The weights have names that say
    nothing: they are found by going back from the bias, Add <- Mul <- Cast <- MatMulInteger."""
    made = {name: node for node in model.graph.node for name in node.output}
    held = set(tensors)

    def before(node: onnx.NodeProto | None, op: str) -> onnx.NodeProto | None:
        found = [made[name] for name in (node.input if node else ()) if name in made and made[name].op_type == op]
        return found[0] if found else None

    layers = {}
    for node in model.graph.node:
        product = before(node, "Mul") if node.op_type == "Add" else None
        whole, scale = before(before(product, "Cast"), "MatMulInteger"), before(product, "Mul")
        if whole and scale:
            (bias,), (scales,) = ([name for name in one.input if name in held] for one in (node, scale))
            layers[bias.removesuffix(".bias")] = (whole.input[1], scales, whole.input[3], bias)
    return layers


def graph_of(weights: bytes, file: str) -> bytes:
    """The graph as a model of its own, whose large tensors are read from `file`, which holds `weights`."""
    bert = Bert(onnx.load_model_from_string(weights))
    graph = bert.texts()
    used = {name for part in [graph, *bodies(graph)] for node in part.node for name in node.input}
    held = [tensor for name, tensor in sorted(bert.tensors.items()) if name in used]
    graph.initializer.extend(outside(tensor, weights, file) for tensor in held)
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in CONSTANTS.items())
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
    made: bytes = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString(deterministic=True)
    return made


def bodies(graph: onnx.GraphProto) -> list[onnx.GraphProto]:
    """The graphs of a graph's Scans."""
    return [a.g for node in graph.node for a in node.attribute if a.name == "body"]


def outside(tensor: onnx.TensorProto, weights: bytes, file: str) -> onnx.TensorProto:
    """The tensor, or where it stands in the file if it is large; bytes only, which may stand anywhere."""
    if tensor.data_type not in (TensorProto.INT8, TensorProto.UINT8) or len(tensor.raw_data) <= OUTSIDE:
        return tensor
    if weights.count(tensor.raw_data) != 1:
        raise ValueError(f"{tensor.name} stands not once in the model")
    made = onnx.TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
    made.data_location = TensorProto.EXTERNAL
    place = {"location": file, "offset": weights.index(tensor.raw_data), "length": len(tensor.raw_data)}
    for key, value in place.items():
        made.external_data.add(key=key, value=str(value))
    return made
