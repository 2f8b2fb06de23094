"""Divisors that make a reader's activations easier to hold in int8 (SmoothQuant, Xiao et al. 2023).

A few inputs of a product are far larger than the others and take the scale of all. Each is divided by a number that
its row of weights is multiplied with: the product stays the same, and both sides lose less.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training import batches, mixture, mpnet, rows, windows

Floats = NDArray[np.float32]
# How much of the difference between inputs goes over to the weights. The error of the log odds of support, root mean
# square against float32, on pairs that were not measured here: 1.0 without, 1.1 at 0.5, 0.25 at 0.65, 0.2 at 0.75 and
# 0.8, 0.3 at 0.9. The published 0.5 is too little for MPNet's outliers.
STRENGTH = 0.75
PAIRS = 200
PARTS = {"attend": ("query", "key", "value"), "out": ("out",), "up": ("up",), "down": ("down",)}


def fitted(weights: Mapping[str, Tensor], data: Path, tokenizer: Path) -> dict[str, Floats]:
    """The divisors of trained weights, from the best windows of PAIRS written training claims."""
    written = [row for row in rows.load(data, "train") if mixture.is_written(row)]
    drawn = random.Random(0).sample(written, PAIRS)
    pairs = [(row.claim, windows.best(row.claim, windows.units(row.evidence), 1)[0]) for row in drawn]
    tops = largest(mpnet.restored(weights), batches.Encoder(tokenizer).pairs(pairs))
    return divisors({name: value.numpy() for name, value in weights.items()}, tops)


def largest(reader: mpnet.Reader, coded: Sequence[tuple[list[int], int]]) -> dict[str, Tensor]:
    """product -> the largest magnitude of each of its inputs, over encoded pairs."""
    seen: dict[str, Tensor] = {}

    def watch(name: str) -> object:
        def hook(_: nn.Module, given: tuple[Tensor, ...]) -> None:
            top = given[0].detach().abs().flatten(0, -2).amax(0).float()
            seen[name] = torch.maximum(seen[name], top) if name in seen else top

        return hook

    hooks = [
        getattr(layer, parts[0]).register_forward_pre_hook(watch(f"layers.{number}.{name}"))
        for number, layer in enumerate(reader.layers)
        for name, parts in PARTS.items()
    ]
    reader.eval()
    with torch.no_grad():
        for one in coded:
            reader(*batches.tensors([one]))
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
        ratio = np.maximum(top.numpy(), 1e-5) ** STRENGTH / held ** (1 - STRENGTH)
        found[name] = (ratio / np.exp(np.log(ratio).mean())).astype(np.float32)
    return found
