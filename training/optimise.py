"""The moving parts of the optimiser: loss over allowed classes, learning rates, gradients of several processes."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch import Tensor
from torch import distributed as dist

from training import mpnet

DECAY = 0.92  # of the learning rate from a layer to the one below it
SMOOTHING = 0.03


def loss_of(logits: Tensor, allowed: Tensor, weights: Tensor) -> Tensor:
    """Negative log of the probability of all allowed classes together, with label smoothing, weighted mean."""
    logs = torch.log_softmax(logits, -1)
    marginal = -torch.logsumexp(logs.masked_fill(allowed == 0, -1e9), -1)
    smooth = -logs.mean(-1)
    return ((1 - SMOOTHING) * marginal + SMOOTHING * smooth).mul(weights).sum() / weights.sum()


def contrast_loss(logits: Tensor, contrasts: Tensor) -> Tensor:
    """Mean of log(1 + exp(bad - good)) over log odds of support, of pairs that should differ (RankNet, Burges 2005)."""
    if not len(contrasts):
        return logits.sum() * 0
    odds = logits[:, 0] - torch.logsumexp(logits[:, 1:], -1)
    return torch.nn.functional.softplus(odds[contrasts[:, 1]] - odds[contrasts[:, 0]]).mean()


def groups(model: mpnet.Reader, rate: float, frozen: int) -> list[dict[str, Any]]:
    """Parameter groups: lower layers learn more slowly, the `frozen` lowest and the embeddings of words not at all."""
    model.words.weight.requires_grad_(False)
    if frozen:
        for part in (model.positions, model.types, model.norm, *list(model.layers)[:frozen]):
            part.requires_grad_(False)
    out: list[dict[str, Any]] = []
    for name, value in model.named_parameters():
        if not value.requires_grad:
            continue
        depth = int(name.split(".")[1]) if name.startswith("layers.") else -1
        head = name.startswith(("dense", "classes"))
        lr = rate * (2.0 if head else DECAY ** (len(model.layers) - 1 - depth))
        out.append({"params": [value], "lr": lr, "top": lr, "weight_decay": 0.01 if value.ndim > 1 else 0.0})
    return out


def pace(done: float, warm: float = 0.05) -> float:
    """Share of the top learning rate after a share `done` of the training: linear up, then linear down to 2 %."""
    return done / warm if done < warm else max(0.02, (1 - done) / (1 - warm))


def reduce_gradients(model: torch.nn.Module) -> None:
    """Average the gradients over the processes, where there are several."""
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    flat = torch.cat([g.flatten() for g in grads])
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    at = 0
    for grad in grads:
        grad.copy_(flat[at : at + grad.numel()].view_as(grad))
        at += grad.numel()


def rank_and_world() -> tuple[int, int]:
    """Number of the process, and how many there are (`python -m torch.distributed.run` sets both)."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    if world > 1 and not dist.is_initialized():
        dist.init_process_group("gloo")
    return int(os.environ.get("RANK", "0")), world
