"""Whether two texts say the same: the claims of each, judged against the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from gate.measures.base import Support, Tools
from gate.measures.clash import clash
from gate.measures.lists import lacking
from gate.measures.twins import twin
from gate.records import Label
from gate.text import tokens

BORNE = {Label.SUPPORTED: 1.0, Label.WEAKLY_SUPPORTED: 0.5, Label.UNSUPPORTED: 0.0, Label.UNJUDGED: 0.0}
EXCHANGED = 0.4  # the most of a statement that the other text has with other words in one place
Said = tuple[str, str, str]  # two texts and the question that both answer


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim of one text as the other one bears it out: `borne` is 1, 0.5 (in part) or 0; of a list
    that is borne out, the share of its items that the other one names, `lacking` are those that it does not. `instead`
    are the words that the other text has in one place of it, where it is the same besides."""

    claim: str
    borne: float
    contradicted: bool = False
    quote: str = ""
    instead: str = ""
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """The claims of a text `a` by the text `b`, and those of `b` by `a`. A text without claims has none: a refusal."""

    a: tuple[Fact, ...] = ()
    b: tuple[Fact, ...] = ()

    @property
    def borne_a(self) -> float:
        """Share of the claims of `a` that `b` bears out (precision, where `b` is the reference)."""
        return share(self.a)

    @property
    def borne_b(self) -> float:
        """Share of the claims of `b` that `a` bears out (recall, where `b` is the reference)."""
        return share(self.b)

    @property
    def contradicted_a(self) -> float:
        """Share of the claims of `a` that `b` contradicts."""
        return fmean(fact.contradicted for fact in self.a) if self.a else 0.0

    @property
    def contradicted_b(self) -> float:
        """Share of the claims of `b` that `a` contradicts."""
        return fmean(fact.contradicted for fact in self.b) if self.b else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both shares that are borne out, 0..1; 1 where neither text claims anything."""
        if not self.a and not self.b:
            return 1.0
        both = self.borne_a + self.borne_b
        return 2 * self.borne_a * self.borne_b / both if both else 0.0

    @property
    def same(self) -> float:
        """`f1`, less what is contradicted on the side where more is: 0..1."""
        return max(0.0, self.f1 - max(self.contradicted_a, self.contradicted_b))


def share(facts: Sequence[Fact]) -> float:
    """The mean of what is borne out, 0..1; 0 of nothing."""
    return fmean(fact.borne for fact in facts) if facts else 0.0


def agreement(a: str, b: str, question: str, tools: Tools) -> Facts:
    """How far two answers to one question say the same."""
    return agreements([(a, b, question)], tools)[0]


def agreements(pairs: Sequence[Said], tools: Tools) -> list[Facts]:
    """The same for many (a, b, question), with one call of the judge for all."""
    claims = [(_claims(a, question, tools), _claims(b, question, tools)) for a, b, question in pairs]
    asked = [
        (claim, _texts(other, theirs))
        for (a, b, _), (of_a, of_b) in zip(pairs, claims, strict=True)
        if not _equal(a, b)
        for mine, other, theirs in ((of_a, b, of_b), (of_b, a, of_a))
        for claim in mine
    ]
    support = tools.support(asked) if asked else []
    found = iter([_fact(*one, seen, tools) for one, seen in zip(asked, support, strict=True)])
    made = []
    for (a, b, _), (of_a, of_b) in zip(pairs, claims, strict=True):
        if _equal(a, b):
            made.append(Facts(*(tuple(Fact(claim, 1.0, quote=claim) for claim in side) for side in (of_a, of_b))))
        else:
            made.append(Facts(*(tuple(next(found) for _ in side) for side in (of_a, of_b))))
    return made


def _claims(text: str, question: str, tools: Tools) -> tuple[str, ...]:
    return tools.claims(text, question) if text.strip() else ()


def _texts(text: str, claims: Sequence[str]) -> tuple[str, ...]:
    """A text as evidence: itself, and what it says in full sentences (`Yes.`: what is asked is so)."""
    whole = "\n".join(claims)
    return (text,) if _equal(text, whole) or not whole else (text, whole)


def _equal(a: str, b: str) -> bool:
    return a == b or tokens(a) == tokens(b)


def _fact(claim: str, texts: Sequence[str], support: Support, tools: Tools) -> Fact:
    """What the judge says, unless both statements cannot be true: it weighs words, and a `not` is only one."""
    text = texts[-1]
    against = clash(claim, text)
    if against:
        return Fact(claim, 0.0, contradicted=True, quote=against)
    other = twin(claim, text, tools)
    if other and other.opposite:
        return Fact(claim, 0.0, contradicted=True, quote=other.sentence)
    borne = BORNE[support.label]
    if other:
        return Fact(claim, min(borne, EXCHANGED), support.contradicted, other.sentence, instead=other.theirs)
    gone, number = lacking(claim, text) if borne else ((), 0)
    if 0 < len(gone) < number:
        return Fact(claim, min(borne, 1 - len(gone) / number), support.contradicted, support.quote, lacking=gone)
    return Fact(claim, borne, support.contradicted, support.quote)
