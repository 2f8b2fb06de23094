"""The training pairs of one epoch: written claims with focused windows, rule-made pairs, public pairs."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from training import bindings, reworded, rules, windows
from training.rows import CONTRADICTED, NEITHER, SUPPORTED, Row, Target

WRITTEN = ("docs_", "policy_", "written_")
EITHER: Target = (CONTRADICTED, NEITHER)
_SURE = {"number", "negation", "opposite", "unit", "duty", "neighbour"}
BOUND = 0.4  # share of the broken sentences, where it can be done, in which the parts are right and go with another

# how many pairs of a public set one epoch draws, and the size of its windows; short evidence is taken whole
PUBLIC: dict[str, int] = {
    "fever_dev": 7000, "fever_symmetric": 1416, "fm2": 1169, "contractnli": 1884, "conjnli": 3000, "breaking_nli": 2400,
    "med": 1200, "help": 1200, "wice_subclaim_partial": 374, "summedits": 1500,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """One training pair with the classes that its label allows and a weight for its loss."""

    claim: str
    evidence: str
    target: Target
    source: str
    weight: float = 1.0
    group: str = ""  # pairs of one group differ in a detail: they share a batch and are compared with each other


def is_written(row: Row) -> bool:
    """Whether a row is a claim written over a passage (as opposed to a public pair)."""
    return row.dataset.startswith(WRITTEN)


def drawn_size(rng: random.Random) -> int:
    """The size of a window: one to four units, three most often."""
    return rng.choices((1, 2, 3, 4), (2, 3, 5, 1))[0]


def around(span: tuple[int, int], parts: Sequence[str], size: int, rng: random.Random) -> str:
    """A window of `size` units (more if the span is longer) that holds the span at a random place."""
    size = max(span[1] - span[0], size)
    first = max(0, span[1] - size)
    start = min(rng.randint(first, max(first, span[0])), max(0, len(parts) - size))
    return " ".join(parts[start : start + size])


def without(span: tuple[int, int], claim: str, parts: Sequence[str], size: int, rng: random.Random) -> str | None:
    """One of the two windows that cover the claim best once the deciding units are taken out."""
    rest = [*parts[: span[0]], *parts[span[1] :]]
    return rng.choice(windows.best(claim, rest, 2, size)) if rest else None


def _renamed(claim: str, window: str, parts: Sequence[str], rng: random.Random) -> tuple[str, str]:
    """Rename one name or number that claim and window share, in both: the label stays what it was."""
    shared = [n for n in rules.names(claim) if n in window]
    fresh = [n for p in parts for n in rules.names(p) if n not in window and n not in claim]
    if shared and fresh and rng.random() < 0.5:
        old, new = rng.choice(shared), rng.choice(fresh)
        return rules.rename(claim, old, new), rules.rename(window, old, new)
    numbers = [n for n in rules.numbers(claim) if n in rules.numbers(window)]
    if not numbers:
        return claim, window
    old = rng.choice(numbers)
    new = rules.other_number(old, rng)
    return rules.rename(claim, old, new), rules.rename(window, old, new)


def written(row: Row, foreign: Sequence[str], size: int, rng: random.Random) -> Iterator[Pair]:
    """Pairs of one written claim: its window, the passage without its window, broken and renamed forms."""
    parts = windows.units(row.evidence)
    span = windows.locate(row.quote, parts)
    window = around(span, parts, size, rng) if span else rng.choice(windows.best(row.claim, parts, 2, size))
    claim, source, group = row.claim, row.dataset, row.group
    yield Pair(claim, window, row.target, source, group=group)
    if rng.random() < 0.25:
        yield Pair(*_renamed(claim, window, [*parts, *foreign], rng), row.target, f"{source}:renamed", group=group)
    if span and rng.random() < 0.35 and (rest := without(span, claim, parts, size, rng)):
        yield Pair(claim, rest, (NEITHER,), f"{source}:removed", 0.7)
    if row.label and rng.random() < 0.4 and (change := _broken(claim, parts, rng)):
        target = (CONTRADICTED,) if change[0] in _SURE else EITHER
        yield Pair(change[1], window, target, f"{source}:broken", 0.8, group)


def ruled(row: Row, size: int, rng: random.Random) -> Iterator[Pair]:
    """Pairs made by rule from a sentence of the passage; claim and evidence are changed equally often."""
    parts = windows.units(row.evidence)
    long = [i for i, p in enumerate(parts) if 6 <= len(p.split()) <= 45]
    if len(long) < 2:
        return
    at = rng.choice(long)
    sentence, span = parts[at], (at, at + 1)
    form = rng.random()
    if form < 0.8:
        yield from _crossed(at, parts, size, rng)
    elif form < 0.9:
        if rest := without(span, sentence, parts, size, rng):
            yield Pair(rules.kept(sentence, rng), rest, (NEITHER,), "rule:removed")
    else:
        second = rng.choice([i for i in long if i != at])
        joined = f"{rules.kept(sentence, rng).rstrip('.')}, and {rules.kept(parts[second], rng)}"
        left = [p for i, p in enumerate(parts) if i != second]
        place = at - (second < at)
        yield Pair(joined, around((place, place + 1), left, size, rng), (NEITHER,), "rule:joined", 0.7)


def _broken(text: str, others: Sequence[str], rng: random.Random) -> tuple[str, str] | None:
    """The sentence so that it no longer holds, by what goes with which or by another rule."""
    bound = bindings.bound(text, others, rng) if rng.random() < BOUND else None
    return bound or rules.broken(text, others, rng)


def _crossed(at: int, parts: list[str], size: int, rng: random.Random) -> Iterator[Pair]:
    """Two pairs that differ in one detail only, one supported and one not: in the claim or in the evidence."""
    near = [p for i, p in enumerate(parts) if i != at and abs(i - at) <= 2]
    said = (bindings.half(parts[at], rng) if rng.random() < BOUND else None) or parts[at]
    change = _broken(said, near, rng)
    if not change:
        return
    kind, changed = change
    target = (CONTRADICTED,) if kind in _SURE else EITHER
    place = rng.getrandbits(32)
    plain, edited = (
        around((at, at + 1), [*parts[:at], text, *parts[at + 1 :]], size, random.Random(place))
        for text in (parts[at], changed)
    )
    true, false = rules.kept(said, rng), rules.kept(changed, rng)
    group = f"{kind} {place}"
    forms = (((true, plain), (false, plain)), ((true, plain), (true, edited)), ((false, edited), (false, plain)))
    good, bad = rng.choice(forms if said == parts[at] else forms[:1])
    yield Pair(*good, (SUPPORTED,), "rule:kept", 1.0, group)
    yield Pair(*bad, target, f"rule:{kind}", 1.0, group)


def _focused(row: Row, rng: random.Random) -> str:
    if len(row.evidence.split()) <= 70:
        return row.evidence
    parts = windows.units(row.evidence)
    span = windows.locate(row.quote, parts)
    return around(span, parts, 3, rng) if span else windows.best(row.claim, parts, 1, rng.choice((3, 4)))[0]


def public(rows: Sequence[Row], rng: random.Random, share: float = 1.0) -> Iterator[Pair]:
    """A fresh draw of the public sets, each up to its size, long evidence narrowed to the best window."""
    by: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        name = "summedits" if row.dataset.startswith("summedits") else row.dataset
        by[name].append(row)
    for name, found in by.items():
        chosen = balanced(found, rng) if name == "breaking_nli" else rng.sample(found, len(found))
        for row in chosen[: int(PUBLIC.get(name, 0) * share)]:
            if len(row.claim.split()) > 45:
                continue
            options = reworded.variants(row.claim) if name == "contractnli" else (row.claim,)
            if options:
                yield Pair(
                    rng.choice(options), _focused(row, rng), row.target, name, 0.5 if name == "summedits" else 1.0
                )


def balanced(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """All supported rows of a lopsided set and as many of the others, in random order."""
    good = [r for r in rows if r.label]
    out = good + rng.sample([r for r in rows if not r.label], len(good))
    rng.shuffle(out)
    return out


def chosen(rows: Sequence[Row], rng: random.Random, fresh: Sequence[str], older: float) -> list[Row]:
    """The written claims of the `fresh` sets, and of the others those about a share of the passages. Errors: ValueError
    for a set that is not there: an epoch without it would train on without a word."""
    own = [r for r in rows if is_written(r)]
    if unknown := set(fresh) - {r.dataset for r in own}:
        raise ValueError(f"no written set is named {', '.join(sorted(unknown))}")
    groups = {group for group in sorted({r.group for r in own}) if rng.random() < older}
    return [r for r in own if r.dataset in fresh or r.group in groups]


def epoch(
    rows: Sequence[Row], rng: random.Random, share: float, made: float, fresh: Sequence[str] = (), older: float = 1.0
) -> list[Pair]:
    """The pairs of one epoch: the written claims (see `chosen`), `made` rule-made pairs a claim, a `share` of the
    public sets."""
    own = chosen(rows, rng, fresh, older)
    names = [n for r in rng.sample(own, min(200, len(own))) for n in rules.names(r.claim)]
    sizes = {group: drawn_size(rng) for group in sorted({r.group for r in own})}
    out: list[Pair] = []
    for row in own:
        out.extend(written(row, rng.sample(names, min(10, len(names))), sizes[row.group], rng))
        for _ in range(int(made) + (rng.random() < made % 1)):
            out.extend(ruled(row, drawn_size(rng), rng))
    out.extend(public([r for r in rows if not is_written(r)], rng, share))
    return out
