"""Trained weights into a reader that the gate can run: graph, tokenizer, description, notice."""

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

from training import batches, evaluate, graph, rows, smooth

NOTICE = Path(__file__).parent / "NOTICE"
BASE = "all-mpnet-base-v2 (Apache-2.0), its lower layers"


def tokenizer(given: bytes) -> bytes:
    """The base's tokenizer for pairs as they were trained: <s> claim </s> evidence </s>, segments 0 and 1; unpadded."""
    made = json.loads(given)
    names = {"<s>": 0, "</s>": 2}

    def special(name: str, segment: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": segment}}

    def text(name: str, segment: int) -> dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": segment}}

    single = [special("<s>", 0), text("A", 0), special("</s>", 0)]
    made |= {
        "truncation": None,
        "padding": None,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": [*single, text("B", 1), special("</s>", 1)],
            "special_tokens": {k: {"id": k, "ids": [v], "tokens": [k]} for k, v in names.items()},
        },
    }
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()


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
        "together": 16,
        "base": BASE,
        "weights": "int8 per output column, inputs of like size (SmoothQuant); each pair computed by itself",
        "sha256": sha256,
        "trained": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "development": figures.splitlines(),
        "sources": "NOTICE",
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write model.onnx, tokenizer.json, reader.json and NOTICE below --out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/judge"))
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="leave the development figures out")
    args = parser.parse_args(argv)
    weights = torch.load(args.weights, weights_only=True)
    state = {k: v.numpy() for k, v in weights.items()}
    args.out.mkdir(parents=True, exist_ok=True)
    divisors = smooth.fitted(weights, args.data, args.tokenizer)
    onnx.save(graph.Writer(state, divisors).model(), str(args.out / "model.onnx"))
    (args.out / "tokenizer.json").write_bytes(tokenizer(args.tokenizer.read_bytes()))
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
