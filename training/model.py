"""The reader in torch: the encoder of MPNet and a head over the claim's tokens; no product sees padding.

Input: `<s> claim </s> context </s> evidence </s>`, segments 0, 2 and 1. Output: the logits of CLASSES. Apart from
these a line over the context's states gives the log odds that the question asks what a rule means for a case.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

CLASSES = ("supported", "contradicted", "neither", "no_claim")
SEGMENTS = 3  # claim 0, evidence 1, context 2
HEADS = 12
BUCKETS = 32
LONGEST = 512
FAR = 1e4
EPSILON = 1e-5  # of MPNet's layer norms
_MATRIX = 100_000  # values: a larger matrix is kept as int8, one scale a row
_HEAD = ("dense", "classes")
NO_CASE = -20.0  # log odds of a question about a case, of a reader that has not learnt to tell


def buckets(length: int) -> Tensor:
    """The bucket, int64 (length, length), of the way from each place to each other (Raffel et al. 2020)."""
    half = BUCKETS // 2
    exact = half // 2
    place = torch.arange(length)
    back = place[:, None] - place[None, :]
    far = back.abs()
    grown = torch.log(far.clamp(min=1) / exact) / math.log(128 / exact) * (half - exact)
    return (back < 0).long() * half + torch.where(far < exact, far, (exact + grown.long()).clamp(max=half - 1))


class Layer(nn.Module):
    """One post-norm transformer layer."""

    def __init__(self, width: int, inner: int, drop: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norm, self.norm2 = nn.LayerNorm(width, EPSILON), nn.LayerNorm(width, EPSILON)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, bias: Tensor, at: Tensor) -> Tensor:
        """x (tokens, width) of all pairs without padding; bias (pairs, heads, length, length); at: the place of each
        token among the padded pairs * length."""
        pairs, _, length, _ = bias.shape
        width = x.shape[1]

        def spread(y: Tensor) -> Tensor:
            padded = y.new_zeros(pairs * length, width).index_copy(0, at, y)
            return padded.view(pairs, length, HEADS, width // HEADS).transpose(1, 2)

        query, key, value = spread(self.query(x)), spread(self.key(x)), spread(self.value(x))
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        mixed = mixed.transpose(1, 2).reshape(pairs * length, width).index_select(0, at)
        x = self.norm(x + self.drop(self.out(mixed)))
        out: Tensor = self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))
        return out


class Reader(nn.Module):
    """Encoder plus head: first state and the strongest value over the claim's tokens -> four logits."""

    def __init__(self, sizes: tuple[int, int, int, int], drop: float = 0.0, head_drop: float = 0.1) -> None:
        super().__init__()
        vocabulary, width, inner, layers = sizes
        self.words, self.positions, self.types = (nn.Embedding(n, width) for n in (vocabulary, LONGEST, SEGMENTS))
        self.relative = nn.Embedding(BUCKETS, HEADS)
        self.norm = nn.LayerNorm(width, EPSILON)
        self.layers = nn.ModuleList(Layer(width, inner, drop) for _ in range(layers))
        self.dense, self.classes = nn.Linear(2 * width, width), nn.Linear(width, len(CLASSES))
        self.case = nn.Linear(2 * width, 1)  # the log odds of a question about a case (training.cases)
        nn.init.zeros_(self.case.weight)
        nn.init.constant_(self.case.bias, NO_CASE)
        self.drop = nn.Dropout(head_drop)
        self.table: Tensor
        self.register_buffer("table", buckets(LONGEST), persistent=False)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Logits float32 (pairs, 4) of token ids, segment ids and mask, each int64 (pairs, length)."""
        x = _padded(deque(self._layered(ids, types, mask), maxlen=1).pop(), mask)
        claim = (mask * (types == 0))[:, :, None].to(x.dtype)
        strongest = (x + (claim - 1) * FAR).amax(1)
        hidden = F.gelu(self.dense(self.drop(torch.cat([x[:, 0], strongest], 1))).float())
        logits: Tensor = self.classes(self.drop(hidden)).float()
        return logits

    def about(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """(pairs, 2 * width) float32: the mean states of the context's tokens after three quarters of the layers and
        after the last, which `case` weighs; 0 without a context."""
        taken = (middle(len(self.layers)), len(self.layers))
        flats = (flat for n, flat in enumerate(self._layered(ids, types, mask), 1) if n in taken)
        x = torch.cat([_padded(flat, mask).float() for flat in flats], 2)
        context = (mask * (types == 2))[:, :, None].to(x.dtype)
        return (x * context).sum(1) / context.sum(1).clamp(min=1)

    def _layered(self, ids: Tensor, types: Tensor, mask: Tensor) -> Iterator[Tensor]:
        """The states of all tokens, one behind the other without padding, after each layer."""
        pairs, length = ids.shape
        places = torch.arange(length, device=ids.device)[None]
        x = self.drop(self.norm(self.words(ids) + self.positions(places) + self.types(types)))
        bias = self.relative(self.table[:length, :length]).permute(2, 0, 1)[None]
        bias = bias + (mask[:, None, None, :].float() - 1) * FAR
        if torch.is_autocast_enabled(ids.device.type):
            bias = bias.bfloat16()  # once, not in every layer
        at = mask.reshape(-1).nonzero().squeeze(1)
        flat = x.reshape(pairs * length, -1).index_select(0, at)
        for layer in self.layers:
            flat = layer(flat, bias, at)
            yield flat


def middle(layers: int) -> int:
    """After how many layers the first of the states is taken by which a question about a case is told."""
    return 3 * layers // 4


def _padded(flat: Tensor, mask: Tensor) -> Tensor:
    """States (pairs, length, width), 0 where there is no token."""
    at = mask.reshape(-1).nonzero().squeeze(1)
    return flat.new_zeros(mask.numel(), flat.shape[1]).index_copy(0, at, flat).view(*mask.shape, -1)


def load(path: Path) -> dict[str, Tensor]:
    """The state in a `.npz`: int8 rows `NAME|q` with their scales `NAME|s`, or plain arrays.

    Errors: OSError, ValueError (no such file).
    """
    held, found = np.load(path), {}
    for name in held.files:
        if name.endswith("|q"):
            value = held[name].astype(np.float32) * held[f"{name[:-2]}|s"]
            found[name[:-2]] = torch.from_numpy(value)
        elif not name.endswith("|s"):
            found[name] = torch.from_numpy(held[name].astype(np.float32))
    return found


def save(path: Path, state: Mapping[str, Tensor]) -> None:
    """Write a state as `load` reads it, large matrices as int8; the file appears whole or not at all."""
    packed = {}
    for name, tensor in state.items():
        value = tensor.detach().float().cpu().numpy()
        if value.ndim == 2 and value.size > _MATRIX:
            scale = (np.abs(value).max(1, keepdims=True) / 127 + 1e-12).astype(np.float32)
            packed[f"{name}|q"], packed[f"{name}|s"] = np.round(value / scale).astype(np.int8), scale
        else:
            packed[name] = value
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        np.savez(file, **packed)
    part.replace(path)


def restored(state: Mapping[str, Tensor], drop: float = 0.0) -> Reader:
    """The reader with the weights of an earlier training; segments and classes that it had not begin neutral."""
    vocabulary, width = state["words.weight"].shape
    layers = sum(name.endswith(".query.bias") for name in state)
    reader = Reader((vocabulary, width, len(state["layers.0.up.bias"]), layers), drop)
    own = reader.state_dict()
    with torch.no_grad():
        for name, value in own.items():
            if name.startswith("case.") and name not in state:  # a reader from before there was one
                continue
            value[: len(state[name])].copy_(state[name])
            missing = value[len(state[name]) :]
            if len(missing):
                missing.copy_(state[name].mean(0) * (0.0 if name == "types.weight" else 0.5))
        if len(state["classes.bias"]) < len(CLASSES):
            own["classes.bias"][len(state["classes.bias"]) :] = -2.0
    return reader


_PARTS = {
    "query": "attention.attn.q", "key": "attention.attn.k", "value": "attention.attn.v", "out": "attention.attn.o",
    "norm": "attention.LayerNorm", "up": "intermediate.dense", "down": "output.dense", "norm2": "output.LayerNorm",
}  # fmt: skip


def base(folder: Path, layers: int, drop: float = 0.0) -> Reader:
    """The reader with the encoder weights of all-mpnet-base-v2 in `folder` (model.safetensors), its lowest `layers`;
    the segments begin alike, the head as torch makes it."""
    from safetensors.torch import load_file

    held = load_file(str(folder / "model.safetensors"))
    vocabulary, width = held["embeddings.word_embeddings.weight"].shape
    reader = Reader((vocabulary, width, held["encoder.layer.0.intermediate.dense.bias"].shape[0], layers), drop)
    own = reader.state_dict()
    own["words.weight"].copy_(held["embeddings.word_embeddings.weight"])
    own["positions.weight"].copy_(held["embeddings.position_embeddings.weight"][2:])  # MPNet counts from 2
    own["types.weight"].zero_()
    own["relative.weight"].copy_(held["encoder.relative_attention_bias.weight"])
    for part in ("weight", "bias"):
        own[f"norm.{part}"].copy_(held[f"embeddings.LayerNorm.{part}"])
        for i in range(layers):
            for ours, theirs in _PARTS.items():
                own[f"layers.{i}.{ours}.{part}"].copy_(held[f"encoder.layer.{i}.{theirs}.{part}"])
    return reader


def learning_groups(reader: Reader, rate: float, decay: float, frozen: int) -> list[dict[str, object]]:
    """Parameters for the optimizer, each layer slower than the one above it by `decay`, the head twice as fast.

    With `frozen` layers, those and all embeddings stay as they are: no gradient runs through them.
    """
    groups: list[dict[str, object]] = []
    for name, value in reader.named_parameters():
        depth = int(name.split(".")[1]) if name.startswith("layers.") else -1
        head = name.startswith(_HEAD)
        if frozen and depth < frozen and not head:
            value.requires_grad_(False)
            continue
        pace = rate * (2.0 if head else decay ** (len(reader.layers) - 1 - depth))
        groups.append({"params": [value], "lr": pace, "top": pace, "weight_decay": 0.01 if value.ndim > 1 else 0.0})
    return groups


def low_precision(device: torch.device) -> torch.autocast:
    """bfloat16 products where they are faster: on CUDA, and on processors where a measured product says so."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda" or _quicker())


def _quicker(width: int = 768, times: int = 5) -> bool:
    """Whether a product in bfloat16 takes less time here than in float32: without the units for it, a hundred times."""
    spent = {}
    for kind in (torch.float32, torch.bfloat16):
        value = torch.ones(width, width, dtype=kind)
        value @ value
        began = time.perf_counter()
        for _ in range(times):
            value @ value
        spent[kind] = time.perf_counter() - began
    return spent[torch.bfloat16] < spent[torch.float32]
