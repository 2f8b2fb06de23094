"""Trained weights into one ONNX file: the base's graph with our weights as int8, widened when loaded, and our head."""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training import batches, bert, evaluate, rows

WORDS = "embeddings.word_embeddings.weight"
NOTICE = Path(__file__).parent / "NOTICE"


def quantised(weight: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 with one scale for each slice along `axis`; returns values and scales (broadcastable)."""
    other = 1 - axis
    scale = np.maximum(np.abs(weight).max(axis=other, keepdims=True), 1e-8).astype(np.float32) / 127
    return np.clip(np.rint(weight / scale), -127, 127).astype(np.int8), scale


def widened(name: str, weight: NDArray[np.float32]) -> tuple[list[Any], list[Any]]:
    """Initializers and nodes that give a float32 matrix from int8 values and scales of its columns (folded at load)."""
    values, scale = quantised(weight, axis=1)
    held = [numpy_helper.from_array(values, f"{name}.int8"), numpy_helper.from_array(scale, f"{name}.scale")]
    nodes = [
        helper.make_node("Cast", [f"{name}.int8"], [f"{name}.wide"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}.wide", f"{name}.scale"], [name]),
    ]
    return held, nodes


def _looked_up(graph: Any, weight: NDArray[np.float32]) -> list[Any]:
    """Replace the look-up of word embeddings by one of int8 rows and their scales."""
    values, scale = quantised(weight, axis=0)
    graph.initializer.extend(
        [numpy_helper.from_array(values, "words.int8"), numpy_helper.from_array(scale, "words.scale")]
    )
    gather = next(n for n in graph.node if n.op_type == "Gather" and n.input[0] == WORDS)
    ids, out = gather.input[1], gather.output[0]
    graph.node.remove(gather)
    return [
        helper.make_node("Gather", ["words.int8", ids], ["words.rows"], axis=0),
        helper.make_node("Gather", ["words.scale", ids], ["words.scales"], axis=0),
        helper.make_node("Cast", ["words.rows"], ["words.wide"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["words.wide", "words.scales"], [out]),
    ]


def _head(state: dict[str, NDArray[np.float32]]) -> tuple[list[Any], list[Any]]:
    """[CLS] and the strongest value over the claim's tokens -> dense -> gelu -> three logits."""
    node = helper.make_node
    constants = {
        "head.zero": np.array(0, dtype=np.int64), "head.one": np.array(1.0, np.float32),
        "head.far": np.array(bert.FAR, np.float32),
        "head.half": np.array(0.5, np.float32), "head.root": np.array(2**0.5, np.float32),
        "head.dense": np.ascontiguousarray(state["dense.weight"].T), "head.dense.bias": state["dense.bias"],
        "head.classes": np.ascontiguousarray(state["classes.weight"].T), "head.classes.bias": state["classes.bias"],
    }  # fmt: skip
    nodes = [
        node("Gather", ["last_hidden_state", "head.zero"], ["head.cls"], axis=1),
        node("Cast", ["token_type_ids"], ["head.types"], to=TensorProto.FLOAT),
        node("Cast", ["attention_mask"], ["head.mask"], to=TensorProto.FLOAT),
        node("Sub", ["head.one", "head.types"], ["head.first"]),
        node("Mul", ["head.mask", "head.first"], ["head.claim"]),
        node("Sub", ["head.claim", "head.one"], ["head.off"]),
        node("Mul", ["head.off", "head.far"], ["head.push"]),
        node("Unsqueeze", ["head.push"], ["head.push3"], axes=[2]),
        node("Add", ["last_hidden_state", "head.push3"], ["head.kept"]),
        node("ReduceMax", ["head.kept"], ["head.strongest"], axes=[1], keepdims=0),
        node("Concat", ["head.cls", "head.strongest"], ["head.both"], axis=1),
        node("MatMul", ["head.both", "head.dense"], ["head.d"]),
        node("Add", ["head.d", "head.dense.bias"], ["head.x"]),
        node("Div", ["head.x", "head.root"], ["head.scaled"]),
        node("Erf", ["head.scaled"], ["head.erf"]),
        node("Add", ["head.erf", "head.one"], ["head.erf1"]),
        node("Mul", ["head.x", "head.erf1"], ["head.gx"]),
        node("Mul", ["head.gx", "head.half"], ["head.gelu"]),
        node("MatMul", ["head.gelu", "head.classes"], ["head.c"]),
        node("Add", ["head.c", "head.classes.bias"], ["logits"]),
    ]
    return [numpy_helper.from_array(v, k) for k, v in constants.items()], nodes


def assemble(base: Path, state: dict[str, NDArray[np.float32]]) -> Any:
    """The ONNX model of the trained state: inputs as the base's, one output `logits` (n, 3)."""
    model = onnx.load(str(base))
    graph = model.graph
    layers = sum("attention.self.query.bias" in i.name for i in graph.initializer)
    held = {i.name: i for i in graph.initializer}
    first: list[Any] = []
    for ours, (theirs, turned) in bert.onnx_names(model, layers).items():
        value = np.ascontiguousarray(state[ours].T if turned else state[ours]).astype(np.float32)
        if theirs == WORDS:
            graph.initializer.remove(held[theirs])
            first.extend(_looked_up(graph, value))
        elif turned:
            graph.initializer.remove(held[theirs])
            more, nodes = widened(theirs, value)
            graph.initializer.extend(more)
            first.extend(nodes)
        else:
            held[theirs].CopyFrom(numpy_helper.from_array(value, theirs))
    constants, nodes = _head(state)
    graph.initializer.extend(constants)
    body = [*first, *graph.node, *nodes]
    del graph.node[:]
    graph.node.extend(body)
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch_size", 3]))
    onnx.checker.check_model(model)
    return model


def temperature(logits: NDArray[np.float64], target: NDArray[np.int64]) -> float:
    """The divisor of the logits that makes the labels most likely, searched from 0.5 to 4 (Guo et al. 2017)."""

    def loss(t: float) -> float:
        scaled = logits / t
        top = scaled.max(1)
        logs = np.log(np.exp(scaled - top[:, None]).sum(1)) + top
        return float(np.mean(logs - scaled[np.arange(len(target)), target]))

    return round(min(np.geomspace(0.5, 4, 80), key=loss), 3)


def fitted_temperature(data: Path, score: evaluate.Scorer) -> float:
    """Fit the temperature on the development claims over documentation, each read in its deciding window."""
    from training import windows

    pairs, target = [], []
    for row in rows.read(data / "docs_apache.dev.jsonl.gz"):
        parts = windows.units(row.evidence)
        span = windows.locate(row.quote, parts)
        best = " ".join(parts[max(0, span[0] - 1) : span[1] + 1]) if span else windows.best(row.claim, parts, 1)[0]
        pairs.append((row.claim, best))
        target.append(row.target[0])
    return temperature(np.log(np.clip(score(pairs), 1e-9, 1)).astype(np.float64), np.array(target))


def description(args: argparse.Namespace, heat: float, figures: str, sha256: str) -> dict[str, Any]:
    """What reader.json says."""
    return {
        "labels": ["supported", "contradicted", "neither"],
        "max_length": batches.MAX_LENGTH,
        "max_claim": batches.MAX_CLAIM,
        "temperature": heat,
        "window": "three sentences; lines of fewer than five words count with the sentence after them",
        "base": args.base_name,
        "weights": "int8 per output column, widened to float32 when loaded",
        "sha256": sha256,
        "trained": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "development": figures.splitlines(),
        "sources": "NOTICE",
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write model.onnx, tokenizer.json, reader.json and NOTICE below --out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/judge"))
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--base-name", default="bge-small-en-v1.5 (MIT)")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="leave the development figures out")
    args = parser.parse_args(argv)
    state = {k: v.numpy() for k, v in torch.load(args.weights, weights_only=True).items()}
    args.out.mkdir(parents=True, exist_ok=True)
    onnx.save(assemble(args.base, state), str(args.out / "model.onnx"))
    (args.out / "tokenizer.json").write_bytes(args.tokenizer.read_bytes())
    (args.out / "NOTICE").write_bytes(NOTICE.read_bytes())
    sha256 = hashlib.sha256((args.out / "model.onnx").read_bytes()).hexdigest()

    def describe(heat: float, figures: str) -> None:
        text = json.dumps(description(args, heat, figures, sha256), indent=2)
        (args.out / "reader.json").write_text(text + "\n", encoding="utf-8")

    from gate.judges.reader import Reader

    describe(1.0, "")
    heat = fitted_temperature(args.data, Reader(args.out).score)
    describe(heat, "")
    if not args.quick:
        describe(heat, evaluate.report(evaluate.DEV, args.data, Reader(args.out).score))
    return 0


if __name__ == "__main__":
    sys.exit(main())
