"""The weights of a reader that ships, back from its ONNX file: training goes on from them (int8 values, widened)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from training import mpnet

Floats = NDArray[np.float32]


def restored(shipped: Path) -> dict[str, torch.Tensor]:
    """The state of the reader that `training.graph` wrote to `shipped`. Errors: KeyError where another wrote it."""
    held = {i.name: numpy_helper.to_array(i) for i in onnx.load(str(shipped)).graph.initializer}

    def wide(name: str) -> Floats:
        found = held[f"{name}.int8"].astype(np.float32) * held[f"{name}.scale"]
        return found * held[f"{name}.smooth"][:, None] if f"{name}.smooth" in held else found

    turned = {"words.weight": wide("words"), "relative.weight": _relative(held["ways"])}
    kept = ("weight", "bias")
    turned |= {n: held[n] for n in held if n.rsplit(".", 1)[-1] in kept and f"{n[: -len('.bias')]}.int8" not in held}
    turned |= {f"{n}.weight": held[f"{n}.turned"].T for n in ("dense", "classes")}
    for layer in {n.split(".attend.")[0] for n in held if ".attend." in n}:
        turned |= _attention(wide(f"{layer}.attend"), held[f"{layer}.attend.bias"], layer)
        for part in ("out", "up", "down"):
            turned |= {
                f"{layer}.{part}.weight": wide(f"{layer}.{part}").T,
                f"{layer}.{part}.bias": held[f"{layer}.{part}.bias"],
            }
    return {name: torch.from_numpy(np.array(value, order="C")) for name, value in turned.items()}


def _attention(weight: Floats, bias: Floats, layer: str) -> dict[str, Floats]:
    """Query, key and value of a layer from their joint product, (width, 3 * width); the query's scale taken out."""
    width = len(weight)
    root = np.float32((width // mpnet.HEADS) ** 0.5)
    found: dict[str, Floats] = {}
    for at, (part, scale) in enumerate((("query", root), ("key", np.float32(1)), ("value", np.float32(1)))):
        place = slice(at * width, (at + 1) * width)
        found[f"{layer}.{part}.weight"], found[f"{layer}.{part}.bias"] = weight[:, place].T * scale, bias[place] * scale
    return found


def _relative(ways: Floats) -> Floats:
    """The bias of each bucket, from the bias of each way."""
    table = mpnet.buckets(mpnet.LONGEST).numpy()
    found = np.zeros((mpnet.BUCKETS, ways.shape[1]), np.float32)
    found[np.concatenate([table[:0:-1, 0], table[0]])] = ways
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Write the state of a shipped reader to --out, for `training.train --init`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", type=Path, default=Path("gate/models/reader/model.onnx"))
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    torch.save(restored(args.reader), args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
