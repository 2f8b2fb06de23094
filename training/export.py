"""Trained weights into a reader that the gate can run: graph, tokenizer, description, notice.

The products' inputs are made easier to hold in int8 (SmoothQuant, Xiao et al. 2023): a few of them are far larger than
the others and take the scale of all. Each is divided by a number that its row of weights is multiplied with: the
product stays the same, and both sides lose less. The divisors are fitted on a small file of pairs.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training import batches, graph, model
from training.pairs import Pair

Floats = NDArray[np.float32]
NOTICE = Path(__file__).parent / "NOTICE"
CALIBRATION = Path(__file__).parent / "data" / "calibration.jsonl"
TOKENIZER = Path(__file__).parents[1] / "gate" / "models" / "reader" / "tokenizer.json"
# How much of the difference between inputs goes over to the weights, by product. The error of the log-odds of support,
# root mean square against float32, over 200 pairs with a reader of 12 layers: 0.40 at 0.65 for all, 0.29 at 0.75, 0.28
# at 0.8, 0.30 at 0.85; with 0.8 for the others 0.25 at 0.7 for `up`, 0.23 at 0.6, 0.20 at 0.5. Weights within
# -127..127, which some processors overflow on, won 0.02.
STRENGTH = {"attend": 0.8, "out": 0.8, "up": 0.5, "down": 0.8}
FITTED = 200  # pairs of the calibration file that divisors are fitted on; the agreement is measured on those behind
PARTS = {"attend": ("query", "key", "value"), "out": ("out",), "up": ("up",), "down": ("down",)}


def load_pairs(path: Path) -> list[Pair]:
    """Texts of a calibration file, one JSON object (claim, context, evidence) a line. Errors: OSError, ValueError."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Pair(row["claim"], row.get("context", ""), row["evidence"]) for row in rows]


def one_by_one(epoch: batches.Epoch) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Ids, segments and mask of each pair without padding."""
    for i in range(len(epoch)):
        batch = batches.tensors(epoch, [i])
        length = int(batch.mask.sum())
        yield batch.ids[:, :length], batch.types[:, :length], batch.mask[:, :length]


def exact_logits(reader: model.Reader, epoch: batches.Epoch) -> Floats:
    """Logits (n, 4) in float32, each pair by itself."""
    reader.eval()
    with torch.inference_mode():
        return np.concatenate([reader(*one).numpy() for one in one_by_one(epoch)])


def largest(reader: model.Reader, epoch: batches.Epoch) -> dict[str, Tensor]:
    """product -> the largest magnitude of each of its inputs, over the pairs of an epoch."""
    seen: dict[str, Tensor] = {}

    def watch(name: str) -> Any:
        def hook(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            top = inputs[0].detach().abs().flatten(0, -2).amax(0).float()
            seen[name] = torch.maximum(seen[name], top) if name in seen else top

        return hook

    hooks = [
        getattr(layer, parts[0]).register_forward_pre_hook(watch(f"layers.{number}.{name}"))
        for number, layer in enumerate(reader.layers)
        for name, parts in PARTS.items()
    ]
    exact_logits(reader, epoch)
    for hook in hooks:
        hook.remove()
    return seen


def divisors(state: Mapping[str, Floats], tops: Mapping[str, Tensor]) -> dict[str, Floats]:
    """product -> what each of its inputs is divided by, float32 (inputs,), of a state and its `largest` inputs."""
    found = {}
    for name, top in tops.items():
        layer, _, part = name.rpartition(".")
        weights = np.concatenate([state[f"{layer}.{one}.weight"] for one in PARTS[part]])
        held = np.maximum(np.abs(weights).max(0), 1e-5)
        ratio = np.maximum(top.numpy(), 1e-5) ** STRENGTH[part] / held ** (1 - STRENGTH[part])
        found[name] = (ratio / np.exp(np.log(ratio).mean())).astype(np.float32)
    return found


def support_odds(logits: Floats) -> NDArray[np.float64]:
    """Log-odds of support (n,) of logits (n, 4)."""
    exact = logits.astype(np.float64)
    return np.asarray(exact[:, 0] - np.logaddexp.reduce(exact[:, 1:], axis=1))


def shipped_logits(path: Path, epoch: batches.Epoch, output: str = "logits") -> Floats:
    """An output of the graph in `path`, on one thread: the logits (n, 4), or the log odds (n, 1) of a `case`."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    inputs = ({"input_ids": ids.numpy(), "token_type_ids": types.numpy()} for ids, types, _ in one_by_one(epoch))
    return np.concatenate([session.run([output], one)[0] for one in inputs])


def tokenizer(source: bytes) -> bytes:
    """The base's tokenizer without truncation and padding; a pair is `<s> A </s> B </s>`, segments 0 and 1.

    The gate puts the three parts together itself; the pair's form names the special tokens.
    """
    made = json.loads(source)
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


def description(layers: int, sha256: str) -> dict[str, Any]:
    """What reader.json says."""
    return {
        "labels": list(model.CLASSES),
        "segments": model.SEGMENTS,
        "layout": "<s> claim </s> context </s> evidence </s>",
        "max_length": batches.MAX_LENGTH,
        "max_claim": batches.MAX_CLAIM,
        "max_context": batches.MAX_CONTEXT,
        "max_evidence": batches.MAX_EVIDENCE,
        "temperature": 1.0,
        "together": 16,
        "cases": True,
        "base": f"all-mpnet-base-v2 (Apache-2.0), {layers} layers",
        "weights": "int8 per output column, inputs of like size (SmoothQuant); each pair computed by itself",
        "sha256": sha256,
        "trained": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "sources": "NOTICE",
    }


def keep_frozen(state: dict[str, Floats], smooth: dict[str, Floats], before: Path, layers: int) -> None:
    """Take the lowest `layers` and the embeddings, which a training left as they were, from the graph that it started
    from: their int8 weights stay the same to the bit, and a copy in the history costs nothing for them."""
    old, old_smooth = graph.restored(before)

    def frozen(name: str) -> bool:
        part, _, rest = name.partition(".")
        return part in ("words", "positions", "types", "relative", "norm") or (
            part == "layers" and int(rest.partition(".")[0]) < layers
        )

    state.update({name: value for name, value in old.items() if frozen(name)})
    smooth.update({name: value for name, value in old_smooth.items() if frozen(name)})


def export(weights: Path, out: Path, calibration: Path, source: Path, frozen: tuple[Path, int] | None = None) -> float:
    """Write model.onnx, tokenizer.json, reader.json and NOTICE to `out`; `frozen`: the graph that the training started
    from and its frozen layers.

    Returns the root mean square by which the log-odds of support differ from float32, over pairs that the divisors
    were not fitted on. Errors: OSError, ValueError.
    """
    out.mkdir(parents=True, exist_ok=True)
    reader = model.restored(model.load(weights))
    state = {name: value.numpy() for name, value in reader.state_dict().items()}
    pairs, encoder = load_pairs(calibration), batches.Encoder(source)
    fitted, apart = encoder.epoch(pairs[:FITTED]), encoder.epoch(pairs[FITTED:])
    smooth = divisors(state, largest(reader, fitted))
    if frozen:
        keep_frozen(state, smooth, *frozen)
        reader.load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})
    onnx.save(graph.Writer(state, smooth).model(), str(out / "model.onnx"))
    (out / "tokenizer.json").write_bytes(tokenizer(source.read_bytes()))
    (out / "NOTICE").write_bytes(NOTICE.read_bytes())
    digest = hashlib.sha256((out / "model.onnx").read_bytes()).hexdigest()
    text = json.dumps(description(len(reader.layers), digest), indent=2)
    (out / "reader.json").write_text(text + "\n", encoding="utf-8")
    if not len(apart):
        return float("nan")
    gap = support_odds(shipped_logits(out / "model.onnx", apart)) - support_odds(exact_logits(reader, apart))
    return float(np.sqrt(np.mean(gap**2)))


def main(argv: Sequence[str] | None = None) -> int:
    """Write the reader below --out and print how far its log-odds are from float32."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=main.__doc__)
    parser.add_argument("--weights", type=Path, required=True, help="the .npz of a training")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--calibration", type=Path, default=CALIBRATION, help="pairs, one JSON object a line")
    parser.add_argument("--tokenizer", type=Path, default=TOKENIZER)
    parser.add_argument("--start", type=Path, help="the folder of the reader that the training started from")
    parser.add_argument("--freeze", type=int, default=0, help="its layers that the training left as they were")
    args = parser.parse_args(argv)
    torch.set_num_threads(1)  # pairs go one by one: a second thread would mostly wait
    frozen = (args.start / "model.onnx", args.freeze) if args.start and args.freeze else None
    gap = export(args.weights, args.out, args.calibration, args.tokenizer, frozen)
    print(f"{args.out}: log-odds of support differ from float32 by {gap:.3f} (root mean square)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
