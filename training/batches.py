"""Pairs as tokens: one epoch in a few arrays, and batches of like length under a token budget."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.pairs import Pair

MAX_LENGTH, MAX_CLAIM, MAX_CONTEXT, MAX_EVIDENCE = 384, 96, 96, 288  # tokens; reader.json says them to the gate
PAD = 1
POOL = 9000  # pairs that are sorted by length together


class Batch(NamedTuple):
    """Tensors of one step: tokens int64 (n, longest), allowed classes (n, 4), and pairs of places (k, 2) to compare:
    a supported text and one of its group that is not."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    allowed: Tensor
    weight: Tensor
    compared: Tensor

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""
        return Batch(*(one.to(device, non_blocking=True) for one in self))


@dataclass(frozen=True)
class Epoch:
    """Pairs as tokens, one behind the other: `ids[offsets[i]:offsets[i + 1]]`; the claim ends at `first`, its context
    at `second`. `group` 0 is none."""

    ids: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    first: NDArray[np.uint16]
    second: NDArray[np.uint16]
    allowed: NDArray[np.uint8]
    weight: NDArray[np.float32]
    group: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.weight)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each pair."""
        return np.diff(self.offsets)

    def save(self, path: Path) -> None:
        """Write it; the file appears whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        with part.open("wb") as file:
            np.savez(file, **vars(self))
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Epoch:
        """An epoch that was saved. Errors: OSError, ValueError."""
        with np.load(path) as held:
            return cls(**{name: held[name] for name in held.files})


class Encoder:
    """Texts as tokens: `<s> claim </s> context </s> evidence </s>`, cut as gate.judges.reader cuts them."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self.tokenizer: Any = Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.tokenizer.encode_special_tokens = True
        self.start, self.end = (self.tokenizer.token_to_id(t) for t in ("<s>", "</s>"))

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, without special tokens."""
        return [e.ids for e in self.tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def epoch(self, pairs: Sequence[Pair]) -> Epoch:
        """All pairs as tokens, in order."""
        texts = (self.ids([getattr(pair, part) for pair in pairs]) for part in ("claim", "context", "evidence"))
        ids: list[int] = []
        offsets, first, second = [0], [], []
        for claim, context, evidence in zip(*texts, strict=True):
            head = [self.start, *claim[:MAX_CLAIM], self.end]
            middle = [*_ends(context, MAX_CONTEXT), self.end] if context else []
            room = min(MAX_EVIDENCE, MAX_LENGTH - len(head) - len(middle) - 1)
            ids += [*head, *middle, *evidence[:room], self.end]
            offsets.append(len(ids))
            first.append(len(head))
            second.append(len(head) + len(middle))
        groups: dict[str, int] = {}
        return Epoch(
            np.array(ids, np.uint16),
            np.array(offsets, np.int64),
            np.array(first, np.uint16),
            np.array(second, np.uint16),
            np.array([[k in pair.target for k in range(4)] for pair in pairs], np.uint8).reshape(-1, 4),
            np.array([pair.weight for pair in pairs], np.float32),
            np.array([groups.setdefault(p.group, len(groups) + 1) if p.group else 0 for p in pairs], np.int64),
        )


def _ends(ids: list[int], most: int) -> list[int]:
    """Both ends of what is too long: the question stands first, the unit before the claim last."""
    return ids if len(ids) <= most else [*ids[: most // 2], *ids[most // 2 - most :]]


def plan(epoch: Epoch, tokens: int, rng: random.Random) -> list[list[int]]:
    """Batches of indices in random order: groups together, of like length, at most `tokens` with padding."""
    together: dict[int, list[int]] = {}
    for i, group in enumerate(epoch.group.tolist()):
        together.setdefault(group or -i - 1, []).append(i)
    lengths = epoch.lengths.tolist()
    blocks = [(max(lengths[i] for i in block), block) for block in together.values()]
    rng.shuffle(blocks)
    found: list[list[int]] = []
    while blocks:
        pool, held = [], 0
        while blocks and held < POOL:
            pool.append(blocks.pop())
            held += len(pool[-1][1])
        found += _cut(sorted(pool, key=lambda one: one[0]), tokens)
    rng.shuffle(found)
    return found


def _cut(blocks: Sequence[tuple[int, list[int]]], tokens: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for longest, block in blocks:  # sorted: the block's longest is the batch's
        if batch and (len(batch) + len(block)) * longest > tokens:
            yield batch
            batch = []
        batch = batch + block
    if batch:
        yield batch


def tensors(epoch: Epoch, chosen: Sequence[int]) -> Batch:
    """The pairs of these indices, padded to a multiple of eight tokens."""
    size = -(-int(epoch.lengths[list(chosen)].max()) // 8) * 8
    ids = np.full((len(chosen), size), PAD, np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for k, i in enumerate(chosen):
        row = epoch.ids[epoch.offsets[i] : epoch.offsets[i + 1]]
        ids[k, : len(row)], mask[k, : len(row)] = row, 1
        types[k, epoch.first[i] : epoch.second[i]], types[k, epoch.second[i] : len(row)] = 2, 1
    arrays = (ids, types, mask, epoch.allowed[list(chosen)].astype(np.float32), epoch.weight[list(chosen)])
    return Batch(*map(torch.from_numpy, arrays), _compared(epoch, chosen))


def computed(epoch: Epoch, tokens: int, width: int, compute: Callable[[Batch], Tensor]) -> NDArray[np.float32]:
    """What `compute` makes of the pairs of a batch (pairs, width), for all pairs in their order: (n, width)."""
    found = np.zeros((len(epoch), width), np.float32)
    for chosen in plan(epoch, tokens, random.Random(0)):
        found[chosen] = compute(tensors(epoch, chosen)).numpy()
    return found


def _compared(epoch: Epoch, chosen: Sequence[int]) -> Tensor:
    """Places (k, 2) of a supported pair and one of its group that surely is not; those without a claim stay out."""
    worse: dict[int, list[int]] = {}
    for k, i in enumerate(chosen):
        if epoch.group[i] and not epoch.allowed[i][0] and not epoch.allowed[i][3]:
            worse.setdefault(int(epoch.group[i]), []).append(k)
    found = [
        (k, other)
        for k, i in enumerate(chosen)
        if epoch.group[i] and epoch.allowed[i].tolist() == [1, 0, 0, 0]
        for other in worse.get(int(epoch.group[i]), ())
    ]
    return torch.tensor(found, dtype=torch.long).view(-1, 2)
