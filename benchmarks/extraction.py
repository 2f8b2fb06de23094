"""Measures claim extraction: how many labelled claims the local extractor finds, and how much else it says.

`PYTHONPATH=. python benchmarks/extraction.py CASES.jsonl [--misses]`: labelled answers (`question`, `answer`,
`variant`, `claims`). Two claims match if the F1 of their content stems, weighted by their rarity among the labelled
claims, is at least 0.4, or if one holds half of the other's weight and at least two of its stems; stems of the
question that only one of them has are left out. A short claim is matched with its question in front. `one`: recall
with each extracted claim used once, greedily by F1; `many`: one claim may stand for several. `chance`: `many` against
the labels of the next question, which should find nothing. `precision`: extracted claims that match a label. `kept`:
share of the answer's content stems that some claim holds. `pronouns`: claims that begin with one.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from gate.claims.local import Extracted, extract
from gate.text import parts, stem, words

F1, HELD = 0.4, 0.5
SHORT = 6  # content words from which on a claim is matched by its own words alone
PRONOUN = re.compile(r"(?:it|they|this|that|these|those|its|their)\b", re.IGNORECASE)
Case = dict[str, Any]
Stems = frozenset[str]


class Tally(NamedTuple):
    """Counts of one answer."""

    labelled: int  # claims
    one: int
    many: int
    chance: int
    extracted: int
    matching: int
    stems: int  # of the answer
    kept: int
    pronouns: int


def content(text: str) -> Stems:
    """Stems of the content words, identifiers with their parts."""
    found = set()
    for word in words(text):
        pieces = parts(word)
        found |= {stem(piece) for piece in pieces} if len(pieces) > 1 else {stem(word)}
    return frozenset(found)


def rarity(cases: list[Case]) -> dict[str, float]:
    """Stem -> weight: log of labelled claims by labelled claims that have it."""
    claims = {claim["claim"] for case in cases for claim in case["claims"]}
    counts = Counter(found for claim in claims for found in content(claim))
    return {found: math.log(len(claims) / count) for found, count in counts.items()}


class Matcher(NamedTuple):
    """What two claims are compared by."""

    weights: dict[str, float]
    unseen: float
    asked: Stems

    def weight(self, stems: Stems) -> float:
        """The sum of the weights; a stem that no label has weighs as much as the rarest."""
        return sum(self.weights.get(found, self.unseen) for found in stems)

    def matches(self, ours: list[Stems], theirs: list[Stems]) -> dict[tuple[int, int], float]:
        """(ours, theirs) -> F1, for the pairs that say the same."""
        found = {}
        for i, a in enumerate(ours):
            for j, b in enumerate(theirs):
                both, left, right = (self.weight(s) for s in (a & b, a - (self.asked - b), b - (self.asked - a)))
                score = 2 * both / max(1e-9, left + right)
                if score >= F1 or (len(a & b) > 1 and both >= HELD * min(left, right)):
                    found[i, j] = score
        return found


def with_question(claim: Extracted, question: str) -> str:
    """What a claim says; one of few words says it of the question and of its header."""
    if len(words(claim.text)) >= SHORT:
        return claim.text
    return f"{question} {claim.header} {claim.text}"


def tally(case: Case, other: Case, weights: dict[str, float]) -> tuple[Tally, list[str]]:
    matcher = Matcher(weights, max(weights.values()), content(case["question"]))
    extracted = [with_question(claim, case["question"]) for claim in extract(case["answer"], case["question"])]
    ours = [content(text) for text in extracted]
    theirs = [content(claim["claim"]) for claim in case["claims"]]
    same = matcher.matches(ours, theirs)
    used: set[int] = set()
    found: set[int] = set()
    for i, j in sorted(same, key=lambda pair: (-same[pair], pair)):
        if i not in used and j not in found:
            used.add(i)
            found.add(j)
    known = {j for _, j in same}
    chance = {j for _, j in matcher.matches(ours, [content(claim["claim"]) for claim in other["claims"]])}
    said, held = content(case["answer"]), frozenset().union(*ours)
    pronouns = sum(bool(PRONOUN.match(text)) for text in extracted)
    missed = [claim["claim"] for j, claim in enumerate(case["claims"]) if j not in known]
    matching = len({i for i, _ in same})
    counts = Tally(
        len(theirs), len(found), len(known), len(chance), len(ours), matching, len(said), len(said & held), pronouns
    )
    return counts, missed


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--misses", action="store_true", help="print the labelled claims that were not found")
    options = parser.parse_args()
    rows: dict[str, list[Tally]] = defaultdict(list)
    cases = [json.loads(line) for line in options.cases.read_text(encoding="utf-8").splitlines()]
    weights = rarity(cases)
    for case in cases:
        others = [other for other in cases if other["variant"] == case["variant"]]
        counts, missed = tally(case, others[(others.index(case) + 1) % len(others)], weights)
        rows[case["variant"]].append(counts)
        rows["all"].append(counts)
        if options.misses:
            print(*(f"{case['id']}: {text}" for text in missed), sep="\n", end="\n" if missed else "")
    print("| variant | answers | labelled | one | many | chance | claims | a answer | precision | kept | pronouns |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for variant in [*(name for name in rows if name != "all"), "all"]:
        t = Tally(*(sum(column) for column in zip(*rows[variant], strict=True)))
        recall = [share(part, t.labelled) for part in (t.one, t.many, t.chance)]
        mean = f"{t.extracted / len(rows[variant]):.2f}"
        precision = share(t.matching, t.extracted) if t.labelled else "-"
        cells = [
            variant,
            len(rows[variant]),
            t.labelled,
            *recall,
            t.extracted,
            mean,
            precision,
            share(t.kept, t.stems),
            t.pronouns,
        ]
        print("|", " | ".join(map(str, cells)), "|")


if __name__ == "__main__":
    main()
