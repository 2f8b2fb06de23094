"""Whether two texts say the same: the claims of each, judged against the other; and which answers are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from gate.judges.base import Statement, Support
from gate.measures.base import Case, Outcome, Stated, Tools
from gate.measures.texts import stated_in, text_content
from gate.records import Label
from gate.text import tokens

# Probability from which an answer bears a claim out whole, and below it in part: the judge's own line is drawn for long
# documents, where much is nearly said. On 128 written pairs of an answer and its reference 0.80 are told apart with it,
# 0.78 by the label alone (balanced accuracy; its AUC is 0.877, without the question above the text 0.870).
WHOLE = 0.5
BORNE = {Label.SUPPORTED: 1.0, Label.WEAKLY_SUPPORTED: 0.5, Label.UNSUPPORTED: 0.0, Label.UNJUDGED: 0.0}
UNLABELLED = "the local judge could not label its claims: they are not in English, or too long"
Compared = tuple[str, str, str]  # two texts and the question that both answer


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim of one text as the other one bears it out: `borne` is 1, 0.5 (in part) or 0; not `judged` is one that the
    judge left without a label."""

    text: str
    borne: float
    contradicted: bool = False
    quote: str = ""
    judged: bool = True
    context: str = ""
    header: str = ""


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
    def judged(self) -> bool:
        """Whether the judge labelled every claim of both."""
        return all(fact.judged for fact in (*self.a, *self.b))

    @property
    def f1(self) -> float:
        """The harmonic mean of both shares that are borne out, 0..1; 1 where neither text claims anything."""
        if not self.a and not self.b:
            return 1.0
        both = self.borne_a + self.borne_b
        return 2 * self.borne_a * self.borne_b / both if both else 0.0


def share(facts: Sequence[Fact]) -> float:
    """The mean of what is borne out, 0..1; 0 of nothing."""
    return fmean(fact.borne for fact in facts) if facts else 0.0


def agreements(pairs: Sequence[Compared], tools: Tools) -> list[Facts]:
    """How far two answers to one question say the same, for many (a, b, question), with one call of the judge."""
    sides = [
        (text_content(a, question, tools).claims, text_content(b, question, tools).claims) for a, b, question in pairs
    ]
    asked = [
        statement
        for (a, b, question), (of_a, of_b) in zip(pairs, sides, strict=True)
        if not same_words(a, b)
        for statement in (*_against(of_a, b, question), *_against(of_b, a, question))
    ]
    support = iter(tools.support(asked) if asked else [])
    made = []
    for (a, b, question), (of_a, of_b) in zip(pairs, sides, strict=True):
        if same_words(a, b):
            made.append(Facts(*(tuple(Fact(one.text, 1.0, quote=one.text) for one in side) for side in (of_a, of_b))))
        else:
            made.append(Facts(*(tuple(_fact(one, next(support), question) for one in side) for side in (of_a, of_b))))
    return made


def _against(claims: Sequence[Stated], other: str, question: str) -> Iterator[Statement]:
    """The claims beside another answer, which stands under the question that it leans on as they do."""
    heading = _heading(question)
    text = f"# {heading}\n\n{other}" if heading else other
    return (stated_in(claim, (text,)) for claim in claims)


def same_words(one: str, other: str) -> bool:
    """Whether two texts have the same words in the same order."""
    return one == other or tokens(one) == tokens(other)


def _heading(question: str) -> str:
    return " ".join(question.split())


def _fact(claim: Stated, support: Support, question: str) -> Fact:
    """The quote is the other answer's: without the question that it stands under."""
    quote = support.quote.removeprefix(_heading(question)).lstrip(": \n")
    judged, borne = support.label is not Label.UNJUDGED, BORNE[support.label]
    borne = min(borne, 0.5) if support.chance < WHOLE else borne
    return Fact(claim.text, borne, support.contradicted, quote, judged, claim.context, claim.header)


def rouge_l(one: str, other: str) -> float:
    """The F-measure of the longest common subsequence of tokens, 0..1 (Lin 2004); 1 where neither has any."""
    left, right = tokens(one), tokens(other)
    if not left or not right:
        return float(left == right)
    return 2 * common(left, right) / (len(left) + len(right))


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence; a row of the table is one integer (Hyyrö 2004)."""
    places: dict[str, int] = defaultdict(int)
    for at, token in enumerate(one):
        places[token] |= 1 << at
    whole = (1 << len(one)) - 1
    row = whole
    for token in other:
        met = row & places.get(token, 0)
        row = ((row + met) | (row - met)) & whole
    return len(one) - row.bit_count()


def families(outcome: Outcome, measure: str) -> Mapping[str, tuple[list[Case], list[Case]]]:
    """prompt id -> (the answers to it, those to its probes for this measure), in the order of the prompts."""
    found: dict[str, tuple[list[Case], list[Case]]] = {}
    for case in outcome.cases:
        found.setdefault(case.prompt.id, ([], []))[0].append(case)
    for case in outcome.probes.get(measure, ()):
        if case.prompt.of in found:
            found[case.prompt.of][1].append(case)
    return found


def base_of(probe: Case, own: list[Case]) -> Case:
    """The answer that one to a probe is compared with: that of the same repeat."""
    return next((case for case in own if case.answer.repeat == probe.answer.repeat), own[0])


def kind_of(probe: Case) -> str:
    """What its probe did: `typos`, `withheld`."""
    return (probe.prompt.probe or "").partition(":")[2]


def lost(outcome: Outcome, measure: str) -> dict[str, str]:
    """prompt id -> why a prompt cannot be rated of which an answer, or one to its probes, is missing."""
    answered = {case.prompt.id for case in outcome.cases}
    reasons: dict[str, str] = {}
    for prompt in outcome.missing:
        if prompt.probe is None:
            reasons[prompt.id] = "an answer is missing" if prompt.id in answered else "it has no answer"
    for prompt in outcome.missing:
        name, _, kind = (prompt.probe or "").partition(":")
        if name == measure and prompt.of is not None:
            reasons.setdefault(prompt.of, f"its probe {kind} was not answered")
    return reasons
