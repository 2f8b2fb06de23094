"""A small BERT for pairs in torch: read from the base's ONNX file, run in bfloat16 with float32 weights."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

HEADS = 12
FAR = 1e4


class Layer(nn.Module):
    """One post-norm transformer layer; x float32 (batch, length, width), mask 0 where a token counts, else -1e4."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norm, self.norm2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Attend, then feed forward; the residual stream stays float32."""
        batch, length, width = x.shape

        def split(y: Tensor) -> Tensor:
            return y.view(batch, length, HEADS, width // HEADS).transpose(1, 2)

        low = x.bfloat16() if torch.is_autocast_enabled("cpu") else x
        query, key, value = split(self.query(low)), split(self.key(low)), split(self.value(low))
        scores = torch.matmul(query, key.transpose(2, 3)) * (width // HEADS) ** -0.5 + mask.to(query.dtype)
        mixed = torch.matmul(torch.softmax(scores, -1), value)
        x = self.norm(x + self.drop(self.out(mixed.transpose(1, 2).reshape(batch, length, width))))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Reader(nn.Module):
    """Encoder plus head: [CLS] and the strongest value over the claim's tokens -> three logits."""

    def __init__(self, sizes: tuple[int, int, int, int]) -> None:
        super().__init__()
        vocabulary, width, inner, layers = sizes
        self.words, self.positions, self.types = (nn.Embedding(n, width) for n in (vocabulary, 512, 2))
        self.norm = nn.LayerNorm(width, 1e-12)
        self.layers = nn.ModuleList(Layer(width, inner) for _ in range(layers))
        self.dense, self.classes = nn.Linear(2 * width, width), nn.Linear(width, 3)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Logits float32 (batch, 3) of token ids, segment ids and mask, each int64 (batch, length)."""
        places = torch.arange(ids.shape[1])[None]
        x = self.drop(self.norm(self.words(ids) + self.positions(places) + self.types(types)))
        far = (mask[:, None, None, :].float() - 1) * FAR
        for layer in self.layers:
            x = layer(x, far)
        claim = (mask * (1 - types))[:, :, None].float()
        strongest = (x + (claim - 1) * FAR).amax(1)
        hidden = F.gelu(self.dense(self.drop(torch.cat([x[:, 0], strongest], 1))).float())
        return self.classes(self.drop(hidden)).float()


_PARTS = {
    "query": "attention/self/query",
    "key": "attention/self/key",
    "value": "attention/self/value",
    "out": "attention/output/dense",
    "up": "intermediate/dense",
    "down": "output/dense",
}


def onnx_names(model: object, layers: int) -> dict[str, tuple[str, bool]]:
    """Where each of our parameters lives in the base's ONNX graph: parameter -> (initializer, transposed)."""
    matmul = {n.name: n.input[1] for n in model.graph.node if n.op_type == "MatMul"}  # type: ignore[attr-defined]
    out = {
        f"{ours}.weight": (f"embeddings.{theirs}_embeddings.weight", False)
        for ours, theirs in (("words", "word"), ("positions", "position"), ("types", "token_type"))
    }
    out |= {f"norm.{p}": (f"embeddings.LayerNorm.{p}", False) for p in ("weight", "bias")}
    for i in range(layers):
        for ours, theirs in _PARTS.items():
            out[f"layers.{i}.{ours}.weight"] = (matmul[f"/encoder/layer.{i}/{theirs}/MatMul"], True)
            out[f"layers.{i}.{ours}.bias"] = (f"encoder.layer.{i}.{theirs.replace('/', '.')}.bias", False)
        for ours, theirs in (("norm", "attention.output"), ("norm2", "output")):
            out |= {
                f"layers.{i}.{ours}.{p}": (f"encoder.layer.{i}.{theirs}.LayerNorm.{p}", False)
                for p in ("weight", "bias")
            }
    return out


def from_onnx(path: Path) -> Reader:
    """Build the reader with the encoder weights of a BERT in ONNX (as sentence-transformers exports it)."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(path))
    held = {i.name: i for i in model.graph.initializer}
    layers = sum("attention.self.query.bias" in name for name in held)
    vocabulary, width = held["embeddings.word_embeddings.weight"].dims
    inner = held["encoder.layer.0.intermediate.dense.bias"].dims[0]
    reader = Reader((vocabulary, width, inner, layers))
    own = reader.state_dict()
    for name, (source, turned) in onnx_names(model, layers).items():
        value = torch.from_numpy(numpy_helper.to_array(held[source]).copy())
        own[name].copy_(value.T if turned else value)
    return reader
