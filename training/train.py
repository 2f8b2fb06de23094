"""Train the reader: curriculum over public, rule-made and written pairs, moving average, checkpoints."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import distributed as dist

from training import batches, evaluate, leakage, mixture, mpnet, optimise, rows

AVERAGE = 0.998
# of each epoch: share of the public sets, rule-made pairs for each written claim; the last entry repeats
CURRICULUM = ((1.0, 0.6), (0.5, 1.2), (0.25, 1.0))


class Run:
    """One training: model, its moving average, optimiser, and the clock that drives the learning rate."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.rank, self.world = optimise.rank_and_world()
        torch.manual_seed(args.seed)
        self.model = mpnet.base(args.base)
        if args.init:
            self.model.load_state_dict(torch.load(args.init, weights_only=True))
        for layer in self.model.layers:
            layer.drop.p = args.dropout
        torch.manual_seed(args.seed + self.rank)
        self.optimizer = torch.optim.AdamW(
            optimise.groups(self.model, args.rate, args.freeze), betas=(0.9, 0.98), eps=1e-6, fused=True
        )
        self.mean = {k: v.detach().clone() for k, v in self.model.state_dict().items()}
        self.encoder = batches.Encoder(args.tokenizer)
        self.began, self.seen, self.steps = time.monotonic(), 0, 0

    def done(self) -> float:
        """The share of the training that is behind us, by pairs seen or by the clock, whichever is further."""
        by_clock = (time.monotonic() - self.began) / 60 / self.args.minutes if self.args.minutes else 0.0
        share = torch.tensor(max(self.seen / self.args.pairs, by_clock))
        if self.world > 1:
            dist.broadcast(share, 0)
        return float(share)

    def step(self, pairs: list[mixture.Pair], coded: list[Any], done: float) -> float:
        """One step of the optimiser over a batch; returns its loss."""
        with batches.low_precision():
            logits = self.model(*batches.tensors(coded))
        loss = optimise.loss_of(logits, *batches.targets(pairs))
        loss = loss + self.args.contrast * optimise.contrast_loss(logits, batches.contrasts(pairs))
        loss.backward()
        if self.world > 1:
            optimise.reduce_gradients(self.model)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = group["top"] * optimise.pace(done)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        keep = min(AVERAGE, (1 + self.steps) / (10 + self.steps))
        own = self.model.state_dict()
        names = [n for n in own if n != "words.weight"]
        torch._foreach_lerp_([self.mean[n] for n in names], [own[n] for n in names], 1 - keep)
        return loss.item()

    def save(self) -> None:
        """Write the averaged weights."""
        part = self.args.out / "mean.part"
        torch.save(self.mean, part)
        part.replace(self.args.out / "mean.pt")

    def measure(self, names: Sequence[str]) -> str:
        """Development figures of the averaged weights."""
        own = {k: v.clone() for k, v in self.model.state_dict().items()}
        self.model.load_state_dict(self.mean)
        text = evaluate.report(names, self.args.data, batches.scorer(self.model, self.encoder))
        self.model.load_state_dict(own)
        return text


def stream(run: Run) -> Iterator[tuple[list[mixture.Pair], list[Any]]]:
    """The process's share of the batches of all epochs, leaking rows left out."""
    args = run.args
    train = leakage.clean(rows.load(args.data, "train"), leakage.measured(args.data, args.cases))
    plan = json.loads(args.curriculum) if args.curriculum else CURRICULUM

    def make(number: int) -> list[mixture.Pair]:
        share, made = plan[min(number, len(plan) - 1)]
        rng = random.Random(args.seed * 1000 + number)
        return mixture.epoch(train, rng, share, made, args.fresh, args.older)

    for i, batch in enumerate(batches.epochs(make, run.encoder, args.seed)):
        if i % run.world == run.rank:
            yield batch


def train(args: argparse.Namespace) -> None:
    """Train until the pairs or the minutes are used up, saving and measuring now and then."""
    run = Run(args)
    recent: list[float] = []
    last = time.monotonic()
    for pairs, coded in stream(run):
        if not run.seen:  # the clock of --minutes starts with the training, not with the reading of its data
            run.began = last = time.monotonic()
        done = run.done()
        if done >= 1:
            break
        recent.append(run.step(pairs, coded, done))
        run.seen += len(pairs) * run.world
        if run.rank == 0 and run.steps % 100 == 0:
            rate = run.seen / (time.monotonic() - run.began)
            sys.stderr.write(
                f"{done:6.1%} step {run.steps} pairs {run.seen} {rate:.1f}/s loss {sum(recent) / len(recent):.4f}\n"
            )
            recent = []
        if run.rank == 0 and time.monotonic() - last > 60 * args.every:
            run.save()
            sys.stderr.write(run.measure(["docs_apache.dev"]) + "\n")
            last = time.monotonic()
    if run.rank == 0:
        run.save()
        sys.stderr.write(run.measure(["docs_apache.dev"]) + "\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Parse the options and train; everything is written below --out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/judge"))
    parser.add_argument("--cases", type=Path, default=Path("../shared/data/cases"))
    parser.add_argument("--base", type=Path, required=True, help="folder of the base encoder, all-mpnet-base-v2")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="weights of an earlier training to go on from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=150_000)
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="stop (and lower the rate) by the clock, 0: by --pairs alone"
    )
    parser.add_argument("--every", type=float, default=12.0, help="minutes between checkpoints")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--freeze", type=int, default=0, help="how many of the lowest layers stay as they are")
    parser.add_argument("--dropout", type=float, default=0.1, help="inside the layers")
    parser.add_argument("--contrast", type=float, default=0.5, help="weight of the comparison within groups")
    parser.add_argument("--curriculum", help="JSON list of [public share, rule-made pairs a claim] for each epoch")
    parser.add_argument("--fresh", nargs="*", default=(), help="written sets (written_...) that each epoch holds whole")
    parser.add_argument("--older", type=float, default=1.0, help="share of the other written passages in an epoch")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)
    torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    train(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
