"""The training pairs of one epoch: units in their answers, written claims, public pairs.

Every text is shown as the product shows it: evidence by gate.judges.windows, context by gate.claims.local. A pair's
evidence is a window around the lines that decide, or one that the search would bring in its place (then: neither).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from gate.claims.local import context_of
from gate.judges import windows
from gate.judges.windows import Piece
from gate.records import Evidence
from training import reworded
from training.amounts import amount_pairs
from training.data import (
    CONTRADICTED,
    FOLDER,
    NEITHER,
    NO_CLAIM,
    SUPPORTED,
    Document,
    Row,
    Target,
    Unit,
    load_documents,
)
from training.days import day_pairs
from training.sections import section_pairs
from training.tables import table_pairs

# The share of an epoch's material, by subject or else by kind: units about `real` and `invented` pages, written
# `claims`, those over real `documentation`, `public` sets, `sentences` (public sets of single sentences and news), and
# generated `short` answers (unless given: the share of their subject), `tables`, `amounts`, `sections` and `days`.
SHARES: Mapping[str, float] = {
    "real": 0.95, "invented": 0.22, "public-rules": 1.0, "rules-and-exceptions": 1.0, "software-manuals": 1.0,
    "technical-manuals": 1.0,
    "claims": 0.05, "documentation": 0.125, "public": 0.13, "sentences": 0.25,
}  # fmt: skip
# Pairs of a public set in a whole epoch.
PUBLIC: Mapping[str, int] = {
    "fever_dev": 7000, "fever_symmetric": 1416, "fm2": 1169, "contractnli": 1884, "conjnli": 3000, "breaking_nli": 2400,
    "med": 1200, "help": 1200, "wice_subclaim_partial": 3000, "summedits": 1500,
}  # fmt: skip
SENTENCES: Mapping[str, int] = {
    "realsumm_scu": 1400, "mnli_dev": 1000, "counterfactual_nli": 700, "negation_nli": 500, "citation_integrity": 500,
    "bump": 250, "student_answers": 600, "fever_nei": 250,
}  # fmt: skip
GENERATED = (
    ("tables", 3000, table_pairs), ("amounts", 2500, amount_pairs), ("sections", 3000, section_pairs),
    ("days", 5000, day_pairs),
)  # fmt: skip
WRITTEN = ("docs_", "policy_", "written_")
SHORT, LONGEST_CLAIM, LONGEST = 70, 60, 1800  # words of evidence taken whole; of a claim; characters of evidence
APART = 9  # pieces between deciding lines: what lies further apart fits no window
MISSED, STRANGE = 0.22, 0.04  # shares of claims shown beside a window that does not decide, and another document's
SWAPPED, FRAGMENT = 1.0, 5  # share of short answers shown under another question too; words of a short answer
BEHIND = 0.15  # share of questions shown as if the user had asked another one about the passage before
BESIDE = 0.25  # share of written claims that get a neighbour as context
# Shares of the yes/no questions that are answered in short once more, rightly and wrongly: where yes is right, where no
# is. There are three times as many of the latter.
POLITE = {True: 1.0, False: 0.33}
# Ways to say yes and no, drawn at random: the reader learns that the question makes them a claim.
YES = (
    "Yes.", "Yes", "Yes, it is.", "Yes, that's right.", "Yes, of course.", "Sure.", "Sure, no problem.", "Correct.",
    "Yep.", "That's correct.", "Absolutely.", "Certainly.", "Yes, you can.", "Indeed.", "Right.", "Yes, it does.",
    "Yes, that is the case.", "Yes, definitely.", "Yes, always.", "True.",
)  # fmt: skip
NO = (
    "No.", "No", "No, it isn't.", "No, unfortunately not.", "I'm afraid not.", "Unfortunately not.", "No, sorry.",
    "Nope.", "That's not correct.", "Not at all.", "Certainly not.", "No, you can't.", "No, it doesn't.", "No, never.",
    "No, that is not the case.", "False.", "Sadly not.", "No, not at the moment.",
)  # fmt: skip
_YES = frozenset(("yes", "yep", "yeah", "sure", "correct", "right", "true", "absolutely"))
_NO = frozenset(("no", "nope", "false"))
LISTED = re.compile(r"\||[-*]\s+|\d+[.)]\s+")
MARK = re.compile(r"[-*]\s+|\d+[.)]\s+")


class Pair(NamedTuple):
    """What the reader is shown, the classes that its label allows, the weight of its loss. Pairs of one group share a
    batch and are compared."""

    claim: str
    context: str
    evidence: str
    target: Target = (NEITHER,)
    weight: float = 1.0
    group: str = ""


def epoch(
    documents: Sequence[Document], rows: Sequence[Row], rng: random.Random, shares: Mapping[str, float] = SHARES
) -> list[Pair]:
    """The pairs of one epoch, from training data that holds nothing measured."""
    found: list[Pair] = []
    maker = UnitPairs(rng)
    for document in documents:
        share = shares.get(document.subject, shares.get(document.pages, 1.0))
        found += maker.pairs(document, share, shares.get("short"))
    found += claim_pairs([row for row in rows if row.dataset.startswith(WRITTEN)], rng, shares)
    for name, most, made in GENERATED:
        for claim, context, evidence, label, group in made(int(most * shares.get(name, 1.0)), rng):
            found.append(Pair(claim, context, evidence, (label,), 1.2, group))
    found += public_pairs([row for row in rows if not row.dataset.startswith(WRITTEN)], rng, shares)
    return found


def drawn_size(rng: random.Random) -> int:
    """Pieces of a window: one to six, three most often."""
    return rng.choices((1, 2, 3, 4, 6), (2, 3, 6, 2, 1))[0]


def around(places: Sequence[int], shown: Sequence[Piece], size: int, rng: random.Random) -> str:
    """A window that holds the pieces at `places`: most often one that the judge would cut, else of `size` pieces."""
    first, last = places[0], places[-1] + 1
    cut = [span for span in windows.spans(shown) if span[0] <= first and span[1] >= last]
    if cut and rng.random() < 0.7:
        span = rng.choice(cut)
    else:
        more = max(0, size - (last - first))
        before = rng.randint(0, more)
        span = (max(0, first - before), min(len(shown), last + more - before))
    return windows.render(shown[slice(*span)])


def found_instead(claim: str, context: str, shown: Sequence[Piece], most: int, rng: random.Random) -> str:
    """One of the `most` windows that meet the claim best; "" where there is none."""
    best = windows.best_windows(claim, context, shown, most)
    return rng.choice(best).text if best else ""


@lru_cache(maxsize=64)
def laid_out(lines: tuple[str, ...]) -> tuple[tuple[Piece, ...], dict[int, list[int]]]:
    """The pieces of a passage, and for each line (from 1) the places of those that it holds."""
    text, spans = "", {}
    for number, line in enumerate(lines, 1):
        if line:
            spans[number] = (len(text), len(text) + len(line))
            text += line + ("\n" if LISTED.match(line) else "\n\n")
    shown = tuple(windows.pieces([Evidence("", 1, text, 1.0)]))
    held = {n: [i for i, p in enumerate(shown) if p.start < end and p.end > start] for n, (start, end) in spans.items()}
    return shown, held


def shown_unit(units: Sequence[Unit], at: int, question: str, keep: int) -> tuple[str, str]:
    """Claim and context of a unit of an answer as the product shows them, with up to `keep` units before it."""
    text, before = units[at].text, [unit.text for unit in units[:at]]
    lead = header = ""
    for other in reversed(before):
        if LISTED.match(text) and not other.startswith("|") and other.rstrip().endswith(":"):
            lead = other
        if not LISTED.match(other):
            break
    for other in reversed(before if text.startswith("|") else ()):
        if not other.startswith("|"):
            break
        header = other
    last = [MARK.sub("", other, count=1) for other in before[-keep:]] if keep else []
    context = windows.show_context(context_of(question, lead, last))
    return windows.show_claim(MARK.sub("", text, count=1) if MARK.match(text) else text, header), context


@dataclass
class UnitPairs:
    """Makes pairs of units; remembers the last documents, whose windows are shown as another document's."""

    rng: random.Random
    seen: dict[str, tuple[Piece, ...]] = field(default_factory=dict)

    def pairs(self, document: Document, share: float, short: float | None = None) -> Iterator[Pair]:
        """The pairs of a `share` of the questions about a document; of the short answers `short`, where given."""
        shown, held = laid_out(document.lines)
        short = share if short is None else short
        if shown:
            yield from self._swapped(document, shown, held, short)
            yield from self._polite(document, shown, held, short)
        for question, answers in document.questions if shown else ():
            if self.rng.random() >= share:
                continue
            size, asked = drawn_size(self.rng), self._asked(document, question)
            for units in answers:
                for at in range(len(units)):
                    keep = self.rng.choices((0, 1, 2), (15, 20, 65))[0]
                    claim, context = shown_unit(units, at, asked, keep)
                    bare = Pair(claim, context, "", units[at].target, group=f"{document.id}|{question}")
                    places = sorted({i for line in units[at].lines for i in held.get(line, ())})
                    if claim:
                        yield from self._beside(bare, shown, places, size)
        self.seen[document.id] = shown
        if len(self.seen) > 30:
            del self.seen[next(iter(self.seen))]

    def _asked(self, document: Document, question: str) -> str:
        """The question, now and then with another one that the user asked before: the topic has changed."""
        others = [other for other, _ in document.questions if other != question and "\n" not in other + question]
        return f"{question}\n{self.rng.choice(others)}" if others and self.rng.random() < BEHIND else question

    def _swapped(
        self, document: Document, shown: Sequence[Piece], held: Mapping[int, list[int]], share: float
    ) -> Iterator[Pair]:
        """Right short answers under another question about the same passage, beside what decides either: a value that
        stands there does not answer everything."""
        short = [(question, units[0]) for question, units in fragments(document) if self.rng.random() < share * SWAPPED]
        for question, unit in short:
            own = {w.casefold() for w in unit.text.split()}
            others = [
                (other, right)
                for other, right in fragments(document)
                if other != question and not own & {w.casefold() for w in right[0].text.split()}
            ]
            if not others:
                continue
            other, right = self.rng.choice(others)
            claim, context = shown_unit([unit], 0, other, 0)
            places = sorted({i for n in self.rng.choice((unit, right[0])).lines for i in held.get(n, ())})
            if places and places[-1] - places[0] < APART:
                text = around(places, shown, drawn_size(self.rng), self.rng)
                yield Pair(claim, context, text, (CONTRADICTED, NEITHER), 1.2, f"{document.id}|{question}")

    def _polite(
        self, document: Document, shown: Sequence[Piece], held: Mapping[int, list[int]], share: float
    ) -> Iterator[Pair]:
        """Yes/no questions whose answer is known, answered in short: rightly, and wrongly."""
        for question, yes, lines in known_polar(document):
            places = sorted({i for n in lines for i in held.get(n, ())})
            if self.rng.random() >= share * POLITE[yes] or not places or places[-1] - places[0] >= APART:
                continue
            text, context = around(places, shown, drawn_size(self.rng), self.rng), windows.show_context(question)
            for said, target in ((YES, SUPPORTED if yes else CONTRADICTED), (NO, CONTRADICTED if yes else SUPPORTED)):
                claim = windows.show_claim(self.rng.choice(said))
                yield Pair(claim, context, text, (target,), 1.2, f"{document.id}|{question}|polar")

    def _beside(self, bare: Pair, shown: Sequence[Piece], places: Sequence[int], size: int) -> Iterator[Pair]:
        """The pair of one unit, and now and then the same beside what does not decide it."""
        sure = bare.target in ((SUPPORTED,), (CONTRADICTED,))
        if bare.target == (NO_CLAIM,) or not places:
            text = found_instead(bare.claim, bare.context, shown, 3, self.rng)
            weight = 0.9 if bare.target == (NO_CLAIM,) else 1.3 if sure else 1.0
        elif places[-1] - places[0] >= APART:
            return
        else:
            text, weight = around(places, shown, size, self.rng), 1.3 if sure else 1.0
        if text:
            yield bare._replace(evidence=text, weight=weight)
        if sure and places and self.rng.random() < MISSED:
            yield from self._missed(bare, shown, places)
        if sure and self.seen and self.rng.random() < STRANGE:
            other = self.seen[self.rng.choice(sorted(self.seen))]
            if text := found_instead(bare.claim, bare.context, other, 2, self.rng):
                yield bare._replace(evidence=text, target=(NEITHER,), weight=0.5, group="")

    def _missed(self, bare: Pair, shown: Sequence[Piece], places: Sequence[int]) -> Iterator[Pair]:
        best = windows.best_windows(bare.claim, bare.context, shown, 4)
        rest = [one.text for one in best if not any(one.first <= i < one.last for i in places)]
        if rest:
            yield bare._replace(evidence=self.rng.choice(rest[:2]), target=(NEITHER,), weight=0.6, group="")


def fragments(document: Document) -> Iterator[tuple[str, Sequence[Unit]]]:
    """The questions about a document with each right answer that is one value: too short to say what it is about."""
    for question, answers in document.questions:
        for units in answers:
            words = units[0].text.split()
            said = (
                units[0].letter == "S" and len(words) <= FRAGMENT and words[0].strip(".,!").casefold() not in _YES | _NO
            )
            if len(units) == 1 and said:
                yield question, units


def known_polar(document: Document) -> Iterator[tuple[str, bool, tuple[int, ...]]]:
    """Each yes/no question about a document that a labelled answer settles: whether yes is right, and the lines that
    decide it."""
    for question, answers in document.questions:
        for units in answers:
            first, *rest = re.split(r"[^\w']+", units[0].text.casefold(), maxsplit=1)
            if units[0].letter in "SC" and units[0].lines and first in _YES | _NO and rest:
                yield question, (first in _YES) == (units[0].letter == "S"), units[0].lines
                break


def claim_pairs(rows: Iterable[Row], rng: random.Random, shares: Mapping[str, float]) -> Iterator[Pair]:
    """Pairs of written claims: those about a share of the passages, some with a neighbour as context."""
    by: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by[row.group].append(row)
    for group in sorted(by):
        kind = "documentation" if by[group][0].dataset.startswith("docs_") else "claims"
        if rng.random() >= shares.get(kind, 1.0):
            continue
        shown = windows.pieces([Evidence("", 1, by[group][0].evidence, 1.0)])
        size = drawn_size(rng)
        for row in by[group]:
            others = [other.claim for other in by[group] if other.claim != row.claim]
            beside = others and rng.random() < BESIDE
            context = windows.show_context(rng.choice(others)) if beside else ""
            claim = windows.show_claim(row.claim)
            places = quoted(row, shown)
            if 0 < len(places) < APART and row.name != "not_in_docs":
                text = around(places, shown, size, rng)
            else:
                text = found_instead(claim, context, shown, 2, rng)
            if text:
                yield Pair(claim, context, text, row.target, 1.0, f"claims {group}")


def quoted(row: Row, shown: Sequence[Piece]) -> list[int]:
    """The places of the pieces that a row's quote stands in; none where it is not verbatim."""
    start = row.evidence.find(row.quote) if row.quote else -1
    return [i for i, p in enumerate(shown) if start >= 0 and p.start < start + len(row.quote) and p.end > start]


def public_pairs(rows: Iterable[Row], rng: random.Random, shares: Mapping[str, float]) -> Iterator[Pair]:
    """A fresh draw of the public sets, each up to its size, long evidence narrowed to the best window."""
    by: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by["summedits" if row.dataset.startswith("summedits") else row.dataset].append(row)
    for name in sorted(by):
        few = name in SENTENCES
        chosen = balanced(by[name], rng) if name == "breaking_nli" else rng.sample(by[name], len(by[name]))
        most, share = (SENTENCES[name], "sentences") if few else (PUBLIC.get(name, 0), "public")
        weight = 0.6 if few else 0.5 if name == "summedits" else 1.0
        for row in chosen[: int(most * shares.get(share, 1.0))]:
            said = reworded.variants(row.claim) if name == "contractnli" else (row.claim,)
            if said and len(row.claim.split()) <= LONGEST_CLAIM:
                yield Pair(windows.show_claim(rng.choice(said)), "", focused(row)[:LONGEST], row.target, weight)


def focused(row: Row) -> str:
    """The evidence of a public pair as it is shown: whole where it is short, else the window that meets it best."""
    if len(row.evidence.split()) > SHORT:
        shown = windows.pieces([Evidence("", 1, row.evidence, 1.0)])
        best = windows.best_windows(windows.show_claim(row.claim), "", shown, 1)
        if best:
            return best[0].text
    return windows.clean(row.evidence)


def balanced(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """All supported rows of a lopsided set and as many of the others, in random order."""
    good, bad = [row for row in rows if row.supported], [row for row in rows if not row.supported]
    found = good + rng.sample(bad, min(len(bad), len(good)))
    rng.shuffle(found)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Write texts of pairs about the passages kept for development: training.export fits int8 products on them."""
    parser = argparse.ArgumentParser(prog="python -m training.pairs", description=main.__doc__)
    parser.add_argument("--data", type=Path, default=FOLDER)
    parser.add_argument("--out", type=Path, default=FOLDER / "calibration.jsonl")
    parser.add_argument("--count", type=int, default=400)
    args = parser.parse_args(argv)
    rng = random.Random(0)
    maker = UnitPairs(rng)
    found = [pair for document in load_documents(args.data) if document.dev for pair in maker.pairs(document, 1.0)]
    texts = [{"claim": p.claim, "context": p.context, "evidence": p.evidence} for p in found]
    lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in rng.sample(texts, min(args.count, len(texts))))
    args.out.write_text("".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
