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

from training import bert, export

_HEAD = {
    "dense.weight": ("head.dense", True),
    "dense.bias": ("head.dense.bias", False),
    "classes.weight": ("head.classes", True),
    "classes.bias": ("head.classes.bias", False),
}


def restored(base: Path, shipped: Path) -> dict[str, torch.Tensor]:
    """The state of the reader in `shipped`, which was exported over the graph of `base`. Errors: KeyError where the
    two do not belong together."""
    graph = onnx.load(str(base))
    held = {i.name: numpy_helper.to_array(i) for i in onnx.load(str(shipped)).graph.initializer}
    layers = sum("attention.self.query.bias" in i.name for i in graph.graph.initializer)

    def value(name: str) -> NDArray[np.float32]:
        if name == export.WORDS:
            return held["words.int8"].astype(np.float32) * held["words.scale"]
        if f"{name}.int8" in held:
            return held[f"{name}.int8"].astype(np.float32) * held[f"{name}.scale"]
        return held[name].astype(np.float32)

    places = {**bert.onnx_names(graph, layers), **_HEAD}
    return {
        ours: torch.from_numpy(np.ascontiguousarray(value(theirs).T if turned else value(theirs)))
        for ours, (theirs, turned) in places.items()
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write the state of a shipped reader to --out, for `training.train --init`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--reader", type=Path, default=Path("gate/models/reader/model.onnx"))
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    torch.save(restored(args.base, args.reader), args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
