"""Pairs to tensors: tokenising claim and evidence, and batches of like length under a token budget."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.mixture import Pair
from training.rows import SUPPORTED

MAX_LENGTH = 160
MAX_CLAIM = 64
TOKENS = 2400
MOST = 48
CLASSES = 3
PAD = 1


class Encoder:
    """Claim and evidence as <s> claim </s> evidence </s>; the evidence is cut where the pair is too long."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self.tokenizer: Any = Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.cls, self.sep = (self.tokenizer.token_to_id(t) for t in ("<s>", "</s>"))

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, without special tokens."""
        return [e.ids for e in self.tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], int]]:
        """For each pair its ids and the length of the first segment."""
        out = []
        for claim, evidence in zip(self.ids([p[0] for p in pairs]), self.ids([p[1] for p in pairs]), strict=True):
            first = [self.cls, *claim[:MAX_CLAIM], self.sep]
            out.append((first + evidence[: MAX_LENGTH - len(first) - 1] + [self.sep], len(first)))
        return out


def low_precision() -> torch.autocast:
    """bfloat16 products where the processor knows them (AVX-512 BF16, AMX): elsewhere they are slower than float32."""
    known = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=known)


def tensors(coded: Sequence[tuple[list[int], int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Pad to the longest: ids, segment ids and mask, each int64 (n, longest)."""
    longest = max(len(ids) for ids, _ in coded)
    ids = torch.full((len(coded), longest), PAD)
    types, mask = (torch.zeros((len(coded), longest), dtype=torch.long) for _ in range(2))
    for i, (row, first) in enumerate(coded):
        ids[i, : len(row)] = torch.tensor(row)
        types[i, first : len(row)] = 1
        mask[i, : len(row)] = 1
    return ids, types, mask


def targets(pairs: Sequence[Pair]) -> tuple[Tensor, Tensor]:
    """Allowed classes as a 0/1 float matrix (n, 3), and the weights (n,)."""
    allowed = torch.zeros((len(pairs), CLASSES))
    for i, pair in enumerate(pairs):
        allowed[i, list(pair.target)] = 1
    return allowed, torch.tensor([p.weight for p in pairs])


def contrasts(pairs: Sequence[Pair]) -> Tensor:
    """Index pairs (k, 2) int64: a supported pair and one that is surely not, of the same group."""
    good = [i for i, p in enumerate(pairs) if p.group and p.target == (SUPPORTED,)]
    bad = [i for i, p in enumerate(pairs) if p.group and SUPPORTED not in p.target]
    found = [(i, j) for i in good for j in bad if pairs[i].group == pairs[j].group]
    return torch.tensor(found, dtype=torch.long).view(-1, 2)


def like_length(
    lengths: Sequence[int], rng: random.Random, groups: Sequence[str] | None = None, pool: int = 1600
) -> list[list[int]]:
    """Index batches in random order: groups kept together, sorted by length within pools, cut at the token budget."""
    together: dict[object, list[int]] = {}
    for i in range(len(lengths)):
        together.setdefault((groups[i] if groups else "") or i, []).append(i)
    blocks = list(together.values())
    rng.shuffle(blocks)
    out: list[list[int]] = []
    while blocks:
        part: list[list[int]] = []
        while blocks and sum(map(len, part)) < pool:
            part.append(blocks.pop())
        part.sort(key=lambda block: max(lengths[i] for i in block))
        batch: list[int] = []
        for block in part:
            for i in block:
                if batch and (len(batch) >= MOST or (len(batch) + 1) * max(lengths[j] for j in [*batch, i]) > TOKENS):
                    out.append(batch)
                    batch = []
                batch.append(i)
        out.append(batch)
    rng.shuffle(out)
    return out


def scorer(model: torch.nn.Module, encoder: Encoder) -> Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]:
    """A function from (claim, evidence) pairs to probabilities (n, 3)."""

    def score(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        coded = encoder.pairs(pairs)
        out = np.zeros((len(pairs), CLASSES), dtype=np.float32)
        model.eval()
        with torch.no_grad(), low_precision():
            for batch in like_length([len(ids) for ids, _ in coded], random.Random(0)):
                logits = model(*tensors([coded[i] for i in batch]))
                out[batch] = torch.softmax(logits.float(), -1).numpy()
        model.train()
        return out

    return score


def epochs(make: Callable[[int], list[Pair]], encoder: Encoder, seed: int) -> Iterator[tuple[list[Pair], list[Any]]]:
    """Batches without end: pairs and their coded form, epoch after epoch."""
    number = 0
    while True:
        rng = random.Random(seed + number)
        pairs = make(number)
        coded = encoder.pairs([(p.claim, p.evidence) for p in pairs])
        for batch in like_length([len(ids) for ids, _ in coded], rng, [p.group for p in pairs]):
            yield [pairs[i] for i in batch], [coded[i] for i in batch]
        number += 1
