"""The reader in torch: the lower layers of MPNet and a head of our own, in bfloat16 with float32 weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

HEADS = 12
BUCKETS = 32
LONGEST = 512
FAR = 1e4
EPSILON = 1e-5  # of MPNet's layer norms
LAYERS = 8  # of twelve: the upper ones make sentence vectors, and cost a third of the time


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
    """One post-norm transformer layer; x float32 (batch, length, width), bias (batch or 1, heads, length, length)."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norm, self.norm2 = nn.LayerNorm(width, EPSILON), nn.LayerNorm(width, EPSILON)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """Attend, then feed forward; the residual stream stays float32."""
        batch, length, width = x.shape

        def split(y: Tensor) -> Tensor:
            return y.view(batch, length, HEADS, width // HEADS).transpose(1, 2)

        low = x.bfloat16() if torch.is_autocast_enabled("cpu") else x
        query, key, value = split(self.query(low)), split(self.key(low)), split(self.value(low))
        scores = torch.matmul(query, key.transpose(2, 3)) * (width // HEADS) ** -0.5 + bias.to(query.dtype)
        mixed = torch.matmul(torch.softmax(scores, -1), value)
        x = self.norm(x + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, length, width))))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Reader(nn.Module):
    """Encoder plus head: first state and the strongest value over the claim's tokens -> three logits."""

    def __init__(self, sizes: tuple[int, int, int, int]) -> None:
        super().__init__()
        vocabulary, width, inner, layers = sizes
        self.words, self.positions, self.types = (nn.Embedding(n, width) for n in (vocabulary, LONGEST, 2))
        self.relative = nn.Embedding(BUCKETS, HEADS)
        self.norm = nn.LayerNorm(width, EPSILON)
        self.layers = nn.ModuleList(Layer(width, inner) for _ in range(layers))
        self.dense, self.classes = nn.Linear(2 * width, width), nn.Linear(width, 3)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Logits float32 (batch, 3) of token ids, segment ids and mask, each int64 (batch, length)."""
        length = ids.shape[1]
        places = torch.arange(length)[None]
        x = self.drop(self.norm(self.words(ids) + self.positions(places) + self.types(types)))
        bias = self.relative(buckets(length)).permute(2, 0, 1)[None] + (mask[:, None, None, :].float() - 1) * FAR
        for layer in self.layers:
            x = layer(x, bias)
        claim = (mask * (1 - types))[:, :, None].float()
        strongest = (x + (claim - 1) * FAR).amax(1)
        hidden = F.gelu(self.dense(self.drop(torch.cat([x[:, 0], strongest], 1))).float())
        return self.classes(self.drop(hidden)).float()


_PARTS = {
    "query": "attention.attn.q", "key": "attention.attn.k", "value": "attention.attn.v", "out": "attention.attn.o",
    "norm": "attention.LayerNorm", "up": "intermediate.dense", "down": "output.dense", "norm2": "output.LayerNorm",
}  # fmt: skip


def base(folder: Path, layers: int = LAYERS) -> Reader:
    """The reader with the encoder weights of all-mpnet-base-v2 in `folder` (model.safetensors), its lowest `layers`;
    the two segments begin alike, the head as torch makes it."""
    from safetensors.torch import load_file

    held = load_file(str(folder / "model.safetensors"))
    vocabulary, width = held["embeddings.word_embeddings.weight"].shape
    reader = Reader((vocabulary, width, held["encoder.layer.0.intermediate.dense.bias"].shape[0], layers))
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


def restored(state: Mapping[str, Tensor]) -> Reader:
    """The reader with the weights of an earlier training."""
    vocabulary, width = state["words.weight"].shape
    layers = sum(name.endswith(".query.bias") for name in state)
    reader = Reader((vocabulary, width, len(state["layers.0.up.bias"]), layers))
    reader.load_state_dict(dict(state))
    return reader
