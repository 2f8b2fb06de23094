"""The contexts that an assistant was given: what speaks of a text, and what stands there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.measures.base import Stated, Tools
from gate.measures.texts import stated_in
from gate.records import Evidence, Label
from gate.store.passages import Cut, best_passages, cut, key_terms
from gate.text import tokens
from gate.text.tokenisation import is_foreign

LONGEST = 1_000_000  # characters of a context that are read
PASSAGES = 4  # that speak most of a claim or a question


@dataclass(frozen=True, slots=True)
class Contexts:
    """One answer's contexts. `cuts` are those that can be read, in their order; `stated` the tokens of every sentence
    of all; `unread` counts those that cannot be read, or not to their end: in another language, or too long."""

    cuts: tuple[Cut, ...]
    stated: frozenset[tuple[str, ...]] = frozenset()
    unread: int = 0

    def states(self, claim: str) -> bool:
        """Whether a claim stands there as a sentence of its own, whatever its language."""
        return bool(found := tuple(tokens(claim))) and found in self.stated

    def passages(self, text: str, count: int) -> tuple[Evidence, ...]:
        """Up to `count` passages that speak most of `text`, best first, with the share of its terms as their score."""
        return best_passages(text, self.cuts, count)

    def passages_of(self, claim: Stated, count: int) -> tuple[Evidence, ...]:
        """Up to `count` passages that speak of a claim alone, and as many that do of it with its context: a claim that
        leans on its answer (`No.`, `It can.`) names nothing itself. Best first, none twice."""
        alone = self.passages(claim.text, count)
        within = self.passages(f"{claim.context}\n{claim.text}", count) if claim.context.strip() else ()
        found: dict[str, Evidence] = {}
        for passage in (*alone, *within):
            found.setdefault(passage.text, passage)
        return tuple(found.values())

    def sentence(self, text: str) -> str:
        """The sentence that shares most terms with `text`, the shorter of equals; empty where none shares any."""
        wanted = frozenset(key_terms(text))
        best = max(
            (
                (len(wanted & unit.terms), -unit.size, one.chunk.text[unit.start : unit.end])
                for one in self.cuts
                for unit in one.units
            ),
            default=(0, 0, ""),
        )
        return best[2] if best[0] else ""


def cut_contexts(contexts: Sequence[str]) -> Contexts:
    """The contexts without blank and repeated ones."""
    found = [_cut_one(text) for text in dict.fromkeys(contexts) if text.strip()]
    readable = tuple(one for one, _, foreign, _ in found if not foreign)
    stated = frozenset[tuple[str, ...]]().union(*(sentences for _, sentences, _, _ in found))
    return Contexts(readable, stated, sum(foreign or cut_off for _, _, foreign, cut_off in found))


@lru_cache(maxsize=256)
def _cut_one(text: str) -> tuple[Cut, frozenset[tuple[str, ...]], bool, bool]:
    """A context, cut, with its sentences, whether it is in another language, and whether it is too long: many answers
    of a run are given the same."""
    start = text[:LONGEST]
    made = cut(Evidence("", 1, start, 1.0))
    sentences = frozenset(tuple(tokens(start[unit.start : unit.end])) for unit in made.units)
    return made, sentences, is_foreign(start), len(text) > LONGEST


def chances(claims: Sequence[Stated], texts: Sequence[str], tools: Tools) -> Mapping[str, float]:
    """The probability of support of the claims that the texts bear out, in their order; 1 of what stands there."""
    found = cut_contexts(texts)
    made = {claim.text: 1.0 for claim in claims if found.states(claim.text)}
    wanted = [
        stated_in(claim, [passage.text for passage in found.passages_of(claim, PASSAGES)])
        for claim in {claim.text: claim for claim in claims if claim.text not in made}.values()
        if found.cuts
    ]
    wanted = [statement for statement in wanted if statement.texts]
    support = tools.support(wanted) if wanted else []
    made |= {s.claim: one.chance for s, one in zip(wanted, support, strict=True) if one.label is Label.SUPPORTED}
    return {claim.text: made[claim.text] for claim in claims if claim.text in made}
