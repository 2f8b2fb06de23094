"""The contexts that an assistant was given: what speaks of a text, what stands there, and whether they answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.measures.base import Stated, Tools
from gate.measures.texts import stated_in
from gate.records import Evidence, Label
from gate.store.passages import Cut, best_passages, cut, key_terms
from gate.text import sentences, stem, tokens, words
from gate.text.tokenisation import is_foreign

LONGEST = 1_000_000  # characters of a context that are read
PASSAGES, SENTENCES = 4, 8
# Likeness of a question and the best passage, by the shipped embedder. Below FAR the passage is about other things;
# from NEAR on, or from LIKE on with most words of the question, it answers. Questions about a manual, asked to it and
# to another one: 0.65 to 0.91 and 0.52 to 0.72.
FAR, LIKE, NEAR = 0.64, 0.74, 0.82
COVERED, LITTLE = 0.66, 0.25  # share of the question's content words
# Texts that do not hold the answer seem to bear out one claim in 30, none of 292 with a probability above 0.73: one
# claim shows the evidence from SURE on, else FEWEST do, or SOME of many (answers about the guides in training/stack).
SURE, FEWEST, SOME = 0.8, 2, 0.2


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


@dataclass(frozen=True, slots=True)
class Answerable:
    """Whether the answer is there; None where that cannot be told. `passage` is the one that speaks most of it."""

    there: bool | None
    passage: str = ""


def answered_by(question: str, texts: Sequence[str], tools: Tools) -> Answerable:
    """Whether `texts` answer `question`, by their words and their likeness."""
    found = cut_contexts(texts)
    if not found.cuts and not found.unread:
        return Answerable(there=False)
    if is_foreign(question) or found.unread:
        return Answerable(there=None)
    passages = [passage.text for passage in found.passages(question, PASSAGES)]
    if not passages:
        return Answerable(there=False)
    # A passage may begin with other matters: its best sentence counts as well.
    pieces = [(passage, piece) for passage in passages for piece in (passage, *_sentences(passage))]
    vectors = tools.embed([question, *(piece for _, piece in pieces)])
    like = [float(vectors[0] @ vector) for vector in vectors[1:]]
    best = max(range(len(pieces)), key=like.__getitem__)
    return Answerable(_judged(question, pieces[best][0], like[best]), pieces[best][1])


def _sentences(passage: str) -> list[str]:
    found = (passage[start:end].strip() for start, end in sentences(passage)[:SENTENCES])
    return [sentence for sentence in found if sentence != passage.strip()]


def _judged(question: str, passage: str, like: float) -> bool | None:
    asked = {stem(word) for word in words(question)}
    share = len(asked & {stem(word) for word in tokens(passage)}) / len(asked) if asked else 0.0
    if like < FAR or (share <= LITTLE and like < LIKE):
        return False
    return True if like >= NEAR or (like >= LIKE and share >= COVERED) else None


def enough(borne: int, claims: int, surest: float) -> bool:
    """Whether what is borne out shows that the evidence is there: so many of the claims, or one of them surely, by its
    probability."""
    return surest >= SURE or borne >= max(min(FEWEST, claims), SOME * claims)


def borne_out(claims: Sequence[Stated], texts: Sequence[str], tools: Tools) -> str:
    """The surest of the claims, where the texts bear out enough of them; else empty."""
    found = chances(claims, texts, tools)
    surest = max(found, key=found.__getitem__, default="")
    return surest if found and enough(len(found), len({claim.text for claim in claims}), found[surest]) else ""


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
