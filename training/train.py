"""Train the reader, on a processor or on CUDA with the same code; a killed training goes on where it stopped.

    python -m training.train --start FILE.npz --work build/train --minutes 90
    python -m training.train --base FOLDER --layers 12 --work build/train --pairs 1500000 --freeze 0 --rate 1e-4

WORK holds the epochs as tokens (made when they are missing, or ahead by --prepare), `check.pt`, and at the end
`reader.npz`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from training import batches, data, evaluate, leakage, model, pairs
from training.batches import Batch, Epoch

SMOOTHING = 0.03
WARM_UP, LEAST = 0.04, 0.02  # share of the training; of the learning rate at its end
AVERAGED = 4  # steps between two of the moving average
SAVED = 480.0  # seconds between two checkpoints
TOLD = 25  # steps between two lines of progress


@dataclass(frozen=True)
class Settings:
    """What a training is told; `minutes` or `pairs` end it, whichever is reached first."""

    work: Path
    minutes: float = float("inf")
    pairs: float = float("inf")
    rate: float = 5e-5
    decay: float = 0.93
    freeze: int = 3
    tokens: int = 5000
    contrast: float = 0.7
    seed: int = 0


@dataclass
class Progress:
    """How far a training has come; `place`: the batches done of the epoch `epoch`."""

    steps: int = 0
    seen: int = 0
    epoch: int = 0
    place: int = 0
    seconds: float = 0.0


def batch_loss(logits: Tensor, batch: Batch, contrast: float) -> Tensor:
    """Cross-entropy over the classes that each label allows, smoothed, and the comparing loss within groups."""
    logs = torch.log_softmax(logits, -1)
    marginal = -torch.logsumexp(logs.masked_fill(batch.allowed == 0, -1e9), -1)
    each = (1 - SMOOTHING) * marginal - SMOOTHING * logs.mean(-1)
    loss = (each * batch.weight).sum() / batch.weight.sum()
    if len(batch.compared):
        odds = logits[:, 0] - torch.logsumexp(logits[:, 1:], -1)
        good, bad = odds[batch.compared[:, 0]], odds[batch.compared[:, 1]]
        loss = loss + contrast * F.softplus(bad - good).mean()
    return loss


def pace(done: float) -> float:
    """The share of the learning rate at a share of the training: warm-up, then linear decay."""
    return done / WARM_UP if done < WARM_UP else max(LEAST, (1 - done) / (1 - WARM_UP))


@dataclass
class Trainer:
    """One training: the reader, its optimizer and moving average, and how far it has come."""

    reader: model.Reader
    settings: Settings
    device: torch.device
    progress: Progress = field(default_factory=Progress)

    def __post_init__(self) -> None:
        self.reader.to(self.device).train()
        groups = model.learning_groups(self.reader, self.settings.rate, self.settings.decay, self.settings.freeze)
        self.optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, fused=True)
        self.learning = [value for value in self.reader.parameters() if value.requires_grad]
        self.mean = {name: value.detach().clone() for name, value in self.reader.state_dict().items()}
        self.low = model.low_precision(self.device)
        self.losses: list[float] = []

    @property
    def done(self) -> float:
        """The share of the training that is over."""
        return max(self.progress.seconds / 60 / self.settings.minutes, self.progress.seen / self.settings.pairs)

    def step(self, batch: Batch) -> float:
        """Learn from one batch; its loss."""
        on_device = batch.to(self.device)
        with self.low:
            logits = self.reader(on_device.ids, on_device.types, on_device.mask)
        loss = batch_loss(logits.float(), on_device, self.settings.contrast)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.learning, 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = group["top"] * pace(self.done)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.progress.steps += 1
        self.progress.seen += len(batch.ids)
        if self.progress.steps % AVERAGED == 0:
            self._average()
        return loss.item()

    def _average(self) -> None:
        steps, own = self.progress.steps, self.reader.state_dict()
        weight = 1 - min(0.97, (1 + steps) / (10 + steps))
        torch._foreach_lerp_(list(self.mean.values()), [own[name] for name in self.mean], weight)

    def save(self, path: Path) -> None:
        """Write a checkpoint; it appears whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        held = {
            "reader": self.reader.state_dict(),
            "mean": self.mean,
            "optimizer": self.optimizer.state_dict(),
            "progress": vars(self.progress),
            "random": torch.get_rng_state(),
        }
        torch.save(held, part)
        part.replace(path)

    def restore(self, path: Path) -> None:
        """Go on from a checkpoint. Errors: OSError; RuntimeError where it is another reader's."""
        held = torch.load(path, map_location="cpu", weights_only=True)
        self.reader.load_state_dict(held["reader"])
        self.optimizer.load_state_dict(held["optimizer"])
        self.mean = {name: value.to(self.device) for name, value in held["mean"].items()}
        self.progress = Progress(**held["progress"])
        torch.set_rng_state(held["random"])

    def batches(self, epoch_of: Callable[[int], Epoch]) -> Iterator[Batch]:
        """Batches without end from where the training stands, epoch after epoch."""
        while True:
            number = self.progress.epoch
            epoch = epoch_of(number)
            planned = batches.plan(epoch, self.settings.tokens, random.Random(self.settings.seed + number))
            for chosen in planned[self.progress.place :]:
                yield batches.tensors(epoch, chosen)
                self.progress.place += 1
            self.progress.epoch, self.progress.place = number + 1, 0

    def run(self, epoch_of: Callable[[int], Epoch], most: int | None = None) -> None:
        """Train to the end, or for at most so many steps; checkpoints on the way."""
        began = self.progress.seconds, time.monotonic()
        saved, last = time.monotonic(), self.progress.steps + most if most else None
        for batch in self.batches(epoch_of):
            if self.done >= 1 or self.progress.steps == last:
                break
            self.losses.append(self.step(batch))
            self.progress.seconds = began[0] + time.monotonic() - began[1]
            if self.progress.steps % TOLD == 0:
                self._tell()
            if time.monotonic() - saved > SAVED:
                self.save_behind(self.settings.work / "check.pt")
                saved = time.monotonic()

    def save_behind(self, path: Path) -> None:
        """A checkpoint within the loop, where the batch just learned does not count as done yet."""
        self.progress.place += 1
        self.save(path)
        self.progress.place -= 1

    def _tell(self) -> None:
        at, lately = self.progress, self.losses[-TOLD:]
        speed = at.seen / max(at.seconds, 1e-9)
        loss = sum(lately) / len(lately)
        print(f"{self.done:6.1%} step {at.steps} pairs {at.seen} {speed:.1f}/s loss {loss:.3f}", flush=True)


def scorer(reader: model.Reader, encoder: batches.Encoder, device: torch.device) -> evaluate.Scorer:
    """A function from (claim, context, evidence) to the probabilities of the four classes."""
    low = model.low_precision(device)

    def score(items: Sequence[evaluate.Triple]) -> NDArray[np.float32]:
        def chances(batch: Batch) -> Tensor:
            on_device = batch.to(device)
            return torch.softmax(reader(on_device.ids, on_device.types, on_device.mask).float(), -1).cpu()

        reader.eval()
        with torch.inference_mode(), low:
            epoch = encoder.epoch([pairs.Pair(*item) for item in items])
            found = batches.computed(epoch, 8 * Settings.tokens, len(model.CLASSES), chances)
        reader.train()
        return found

    return score


def epochs(args: argparse.Namespace, encoder: batches.Encoder) -> Callable[[int], Epoch]:
    """A function that gives an epoch by its number: as it lies in WORK, or made and put there."""
    shares = {**pairs.SHARES, **{name: float(value) for name, _, value in (one.partition("=") for one in args.share)}}
    held: list[Any] = []

    def epoch_of(number: int) -> Epoch:
        path = args.work / f"epoch{number}.npz"
        if not path.is_file():
            if not held:
                held.extend(leakage.load_clean(args.data, args.cases))
            made = pairs.epoch(*held, random.Random(9000 + args.seed + number), shares)
            encoder.epoch(made).save(path)
            print(f"epoch {number}: {len(made)} pairs", flush=True)
        return Epoch.load(path)

    return epoch_of


def first_reader(args: argparse.Namespace) -> model.Reader:
    """The reader to start from: trained weights, or the base."""
    if args.start:
        from training.graph import weights

        return model.restored(weights(args.start), args.dropout)
    return model.base(args.base, args.layers, args.dropout)


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of a training."""
    parser = argparse.ArgumentParser(prog="python -m training.train", description="Train the reader.")
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--start", type=Path, help="the .npz or the folder of a reader to go on from")
    start.add_argument("--base", type=Path, help="a folder with all-mpnet-base-v2's model.safetensors")
    parser.add_argument("--layers", type=int, default=12, help="of the base")
    parser.add_argument("--work", type=Path, default=Path("build/train"))
    parser.add_argument("--tokenizer", type=Path, default=Path("gate/models/reader/tokenizer.json"))
    parser.add_argument("--data", type=Path, default=data.SHARED, help="the public sets")
    parser.add_argument("--cases", type=Path, default=leakage.CASES, help="labelled cases: no pair shares with them")
    parser.add_argument("--prepare", type=int, default=0, help="make so many epochs ahead and stop")
    parser.add_argument("--share", action="append", default=[], metavar="NAME=SHARE", help="of a kind or subject")
    for name, kind in (("minutes", float), ("pairs", float), ("rate", float), ("decay", float), ("freeze", int)):
        parser.add_argument(f"--{name}", type=kind, default=getattr(Settings, name))
    parser.add_argument("--tokens", type=int, default=0, help="of a batch, padding included (5,000; on CUDA 40,000)")
    parser.add_argument("--contrast", type=float, default=Settings.contrast, help="weight of the comparing loss")
    parser.add_argument("--most", type=int, default=1000, help="claims of each dev set that are read at the end")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Train to the end of the clock or of the pairs, write `reader.npz` and print the figures of the dev sets."""
    args = parse(argv)
    args.work.mkdir(parents=True, exist_ok=True)
    encoder = batches.Encoder(args.tokenizer)
    epoch_of = epochs(args, encoder)
    if args.prepare:
        for number in range(args.prepare):
            epoch_of(number)
        return 0
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    tokens = args.tokens or (40_000 if device.type == "cuda" else Settings.tokens)
    settings = Settings(
        args.work, args.minutes, args.pairs, args.rate, args.decay, args.freeze, tokens, args.contrast, args.seed
    )
    torch.manual_seed(args.seed)
    trainer = Trainer(first_reader(args), settings, device)
    if (check := args.work / "check.pt").is_file():
        trainer.restore(check)
        print(f"goes on from {json.dumps(vars(trainer.progress))}", flush=True)
    epoch_of(trainer.progress.epoch)  # made before the clock runs
    trainer.run(epoch_of)
    trainer.save(check)
    model.save(args.work / "reader.npz", trainer.mean)
    trainer.reader.load_state_dict(trainer.mean)
    chosen = evaluate.all_sets(args.data)
    print(evaluate.report(scorer(trainer.reader, encoder, device), chosen, args.most), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
