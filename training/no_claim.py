"""Trains which units state nothing (gate/claims/no_claim.py) from units labelled X against S, C, P and N.

`python -m training.no_claim [--units FOLDER] [--out FILE]`: every answer of the labelled units is written as an
assistant sends it and taken apart by the extractor's own layout. Passages with sha1(id) % 12 == 0 are left out of the
training; on them the bar is measured and the figures are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gate.claims import no_claim
from gate.claims.local import place_of
from gate.claims.units import Unit, units

LOST = 0.005  # of the units that state something, at the bar
EPOCHS, BATCH, RATE, DECAY = 12, 512, 0.6, 1e-5
DEV = 12
SHARE = 0.2  # of the answers that get a variant of each kind
REFUSED = 5  # one refusal is made up for so many answers
SHORT = 6  # words of an answer that may come in bold
Listed = list[tuple[str, str]]  # (label, unit)
_PASSAGE = re.compile(r"# P ([\w-]+) \|")
_UNIT = re.compile(r"([SCPNX])(?:@[\d,]+)? (.+)$")
_ENDED = re.compile(r"[.!?:;,…–—][\"'”’)*_`]*$")
_OWN_LINE = re.compile(r"(?:[-*|#]|\d+[.)]) ?")


class Labelled(NamedTuple):
    """One unit as the extractor makes it; `nothing`: it states nothing."""

    answer: str
    question: str
    found: list[Unit]
    at: int
    nothing: bool
    dev: bool

    @property
    def text(self) -> str:
        unit = self.found[self.at]
        return self.answer[unit.start : unit.end]


def answers(path: Path) -> Iterator[tuple[str, str, Listed]]:
    """(passage id, question, [(label, unit)]) of each answer of a file."""
    passage, question, listed = "", "", []
    for line in [*path.read_text(encoding="utf-8").splitlines(), "A"]:
        if line.startswith("# ") or line == "A":
            if listed:
                yield passage, question, listed
            listed = []
        if found := _PASSAGE.match(line):
            passage, question = found[1], ""
        elif line.startswith("# Q "):
            question = line[4:].strip()
        elif found := _UNIT.match(line):
            listed.append((found[1], found[2].strip()))


def written(listed: Listed) -> tuple[str, list[tuple[int, int, str]]]:
    """The answer as an assistant would send it, with the place and label of each unit."""
    text, places, own, last = "", [], False, False
    for label, unit in listed:
        alone = _OWN_LINE.match(unit) is not None
        text += "" if not text else "\n" if alone and last else "\n\n" if alone or own else " "
        places.append((len(text), len(text) + len(unit), label))
        text, last, own = text + unit, alone, alone or _ENDED.search(unit) is None
    return text, places


def variants(listed: Listed, seed: int) -> Iterator[Listed]:
    """The same answer as others would write it: without a full stop, in bold, with its sources below."""
    chance = random.Random(seed)
    label, last = listed[-1]
    if last.endswith(".") and chance.random() < SHARE:
        yield [*listed[:-1], (label, last[:-1])]
    if len(listed) == 1 and len(last.split()) < SHORT:
        yield [(label, f"**{last.rstrip('.')}**")]
    if chance.random() < SHARE:
        yield [(label, unit.rstrip(".") if unit.count(".") == 1 else f"- {unit.lstrip('- ')}") for label, unit in listed]
    if chance.random() < SHARE:
        words = [word for _, unit in listed for word in re.findall(r"[A-Za-z'’-]+", unit)] or ["More"]
        at = chance.randrange(len(words))
        title = " ".join(words[at : at + chance.randint(1, 3)]).capitalize()
        where = chance.randint(0, len(listed) - 1)
        yield [*listed[:where], ("X", chance.choice((f"## {title}", f"**{title}**", f"### {title}"))), *listed[where:]]
    if chance.random() < SHARE:  # a greeting before tells nothing of what comes last
        opener = chance.choice(("Sure!", "Hi there!", "Good question.", "Hello, and thanks for asking.", "Great!", "Hi!"))
        yield [("X", opener), *(pair for pair in listed if pair[0] != "X" or chance.random() < SHARE)]
    if chance.random() < SHARE / 3:
        title = chance.choice(("Sources:", "**Sources:**", "References:", "Source:", "## Sources", "**References**"))
        names = [f"{chance.choice('-*')} {_source(chance)}" for _ in range(chance.randint(1, 4))]
        yield [*listed, *(("X", line) for line in (title, *names))]


def _refusal(chance: random.Random) -> str:
    """One of the ways to say that nothing was found, down to the marks that programs ask for."""
    pick = chance.choice
    text = pick(("context", "text", "passage", "documents", "provided context", "document", "sources", "information"))
    have = pick(("information", "details", "data", "an answer", "anything", "a figure", "mention"))
    about = pick(("", " on that", " about this", " for this question", " regarding your request", " to answer this"))
    found = pick(
        (
            f"Insufficient {pick(('context', 'data', 'information', 'evidence'))}{about}",
            f"Not enough {pick(('context', 'data', 'information', 'detail'))}{about}",
            f"There is {pick(('no', 'not enough'))} {pick(('information', 'context', 'data'))}{about}",
            f"No {pick(('information', 'answer', 'data', 'context', 'details'))} {pick(('available', 'found', 'given'))}",
            f"The {text} {pick(('is', 'are'))} insufficient{about}", f"The {text} does not contain {have}{about}",
            f"The {text} doesn't {pick(('mention', 'say', 'cover', 'include', 'specify'))} {pick(('that', 'this', 'it'))}",
            f"Not {pick(('found', 'mentioned', 'stated', 'specified', 'covered', 'given'))}{pick(('', f' in the {text}'))}",
            f"Based on the {text}, I {pick(('cannot', 'can not', 'am unable to'))} {pick(('answer', 'tell', 'say'))}{about}",
            f"{pick(('I am', 'Unable', 'I was unable'))} {pick(('unable ', ''))}to {pick(('answer', 'find', 'help'))}{about}",
            f"{pick(('It', 'This', 'That'))} {pick(('cannot', 'could not'))} be {pick(('determined', 'answered', 'found'))}{about}",
            f"{pick(('This', 'That', 'Your question', 'The request'))} {pick(('is', 'falls', 'goes'))} "
            f"{pick(('out of', 'outside', 'beyond', 'outside of'))} {pick(('scope', 'the scope', 'my scope', 'my expertise'))}"
            f"{pick(('', f' of the {text}'))}",
            f"{pick(('That', 'This'))} information is not {pick(('available', 'provided', 'included'))}",
            pick(("N/A", "n/a", "Unknown", "NO_ANSWER", "NOT_FOUND", "unanswerable", "No idea", "I don't know", "Unsure")),
        )
    )  # fmt: skip
    return pick(("", "", "Sorry, ", "I'm sorry, but ")) + found + pick((".", ".", ""))


def _alike(chance: random.Random) -> str:
    """A statement in the words of a refusal."""
    pick = chance.choice
    thing = pick(("funds", "postage", "notice", "information on the form", "data on the card", "cover", "evidence"))
    return pick(
        (
            f"Insufficient {thing} {pick(('leads to a fee', 'leads to a refusal', 'delays the order', 'voids the claim'))}",
            f"Not enough {thing} {pick(('means a fine', 'stops the process', 'is the usual reason', 'delays the order'))}",
            f"Unknown {pick(('callers', 'senders', 'keys', 'hosts'))} are {pick(('blocked', 'ignored', 'logged', 'kept'))}",
            f"The {pick(('documents', 'context', 'text', 'sources'))} {pick(('need no stamp', 'are kept for 5 years'))}",
            f"No {pick(('deposit', 'fee', 'card', 'account', 'ticket', 'information'))} is {pick(('needed', 'asked for'))}",
            f"This {pick(('information', 'request', 'answer'))} is {pick(('deleted after 30 days', 'sent by post', 'free'))}",
            f"It {pick(('cannot', 'could not'))} be {pick(('refunded', 'cancelled', 'repeated', 'exchanged', 'extended'))}",
            f"Not {pick(('included', 'allowed', 'possible', 'refundable', 'covered by the warranty', 'required', 'yet'))}",
            pick(("None", "Neither", "Nothing", "No one", "Never", "Not really", "Not at all", "No limit", "Unlimited")),
        )
    ) + pick((".", ".", ""))  # fmt: skip


def _source(chance: random.Random) -> str:
    name = chance.choice(("guide", "faq", "manual", "handbook", "terms", "pricing", "notes", "readme", "rules", "setup"))
    page = chance.randint(1, 90)
    return chance.choice(
        (
            f"{name}.md", f"docs/{name}.md", f"[{page}] {name}.pdf", f"{name}.pdf (page {page})", f"`{name}.txt`",
            f"https://example.com/{name}", f"[{name.title()}](https://example.com/{name}.html)", f"{name}.md, line {page}",
            f"{name}.pdf, p. {page}", f"{name.title()}, section {page}", f"{name}-{page}.html", f"{name}.md#L{page}",
        )
    )  # fmt: skip


def labelled(folder: Path) -> Iterator[Labelled]:
    """The units of all answers; one that holds units of both kinds states something."""
    for path in sorted(folder.glob("*.txt")):
        for n, (passage, question, listed) in enumerate(answers(path)):
            if n % REFUSED == 0:
                yield from _taken_apart(question, [("X", _refusal(random.Random(n)))], dev=False)
                yield from _taken_apart(question, [("S", _alike(random.Random(n)))], dev=False)
            dev = int(hashlib.sha1(passage.encode()).hexdigest(), 16) % DEV == 0
            yield from _taken_apart(question, listed, dev=dev)
            for varied in [] if dev else variants(listed, n):
                yield from _taken_apart(question, varied, dev=False)


def _taken_apart(question: str, listed: Listed, *, dev: bool) -> Iterator[Labelled]:
    text, places = written(listed)
    found = units(text)
    for n, unit in enumerate(found):
        labels = {label for start, end, label in places if start < unit.end and unit.start < end}
        if labels:
            yield Labelled(text, question, found, n, labels == {"X"}, dev)


def table(rows: list[Labelled]) -> list[Any]:
    """The features of each unit, as places in the table of weights."""
    return [no_claim.buckets(row.text, row.question, place_of(row.found, row.at)) for row in rows]


def scores(made: list[Any], weights: Any, bias: float) -> Any:
    counts = [len(one) for one in made]
    return np.bincount(np.repeat(np.arange(len(made)), counts), weights[np.concatenate(made)], len(made)) + bias


def fit(made: list[Any], nothing: Any) -> tuple[Any, float]:
    """Weights and bias by AdaGrad in small batches: each weight has a step of its own, and the second half is averaged."""
    weights, bias = np.zeros(no_claim.BUCKETS), float(np.log(nothing.mean() / (1 - nothing.mean())))
    square, kept, taken = np.full(no_claim.BUCKETS, 1e-6), np.zeros(no_claim.BUCKETS), 0
    order = np.random.default_rng(0)
    for epoch in range(EPOCHS):
        shuffled = order.permutation(len(made))
        for at in range(0, len(made), BATCH):
            batch = shuffled[at : at + BATCH]
            chosen = [made[i] for i in batch]
            off = 1 / (1 + np.exp(-scores(chosen, weights, bias))) - nothing[batch]
            columns = np.concatenate(chosen)
            slope = np.bincount(columns, np.repeat(off, [len(one) for one in chosen]), no_claim.BUCKETS) / len(batch)
            slope += DECAY * weights
            square += slope**2
            weights -= RATE * slope / np.sqrt(square)
            if 2 * epoch >= EPOCHS:
                kept, taken = kept + weights, taken + 1
    return kept / taken, bias


def auc(found: Any, nothing: Any) -> float:
    order = found.argsort().argsort() + 1
    positive = int(nothing.sum())
    return float((order[nothing].sum() - positive * (positive + 1) / 2) / (positive * (len(found) - positive)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=Path, default=Path("../shared/data/context"))
    parser.add_argument("--out", type=Path, default=no_claim.WEIGHTS)
    parser.add_argument("--misses", action="store_true", help="print the dev units on the wrong side of the bar")
    options = parser.parse_args()
    rows = list(labelled(options.units))
    train, dev = [row for row in rows if not row.dev], [row for row in rows if row.dev]
    weights, bias = fit(table(train), np.array([row.nothing for row in train]))
    scale = float(np.abs(weights).max()) / 127
    small = np.round(weights / scale).astype(np.int8)
    nothing = np.array([row.nothing for row in dev])
    found = scores(table(dev), small.astype(np.float64) * scale, bias)
    bar = float(np.quantile(found[~nothing], 1 - LOST))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(options.out, weights=small, scale=scale, bias=bias, bar=1 / (1 + np.exp(-bar)))
    recall = float((found[nothing] > bar).mean())
    print(f"{len(train)} units to train on, {len(dev)} dev, {int(nothing.sum())} of them state nothing")
    print(f"AUC {auc(found, nothing):.4f}, recall {recall:.3f} at {LOST:.1%} of claims lost")
    print(f"bar {1 / (1 + np.exp(-bar)):.3f}, {options.out.stat().st_size / 1024:.0f} KB")
    if options.misses:
        for row, score in zip(dev, found, strict=True):
            if (score > bar) != row.nothing:
                print(f"{'kept' if row.nothing else 'LOST'} {score - bar:+.2f}", row.question, "|", row.text)


if __name__ == "__main__":
    main()
