"""What a text says and asks for: its claims, whether another text says the same, the parts of a question; what the
contexts of an assistant say of it; and words for people."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from gate.judges.base import Statement, Support
from gate.measures.base import Case, Stated, Tools
from gate.records import Evidence, Label
from gate.store.passages import Cut, best_passages, cut, key_terms
from gate.text import normalise, plain, sentences, tokens, words
from gate.text.tokenisation import is_foreign

MOST_CLAIMS = 40  # claims that are compared with others
LONGEST_QUESTION = 2000  # characters of a question that are taken apart
MOST_PARTS = 12  # parts of a question
NAMED = 2  # content words from which a part stands without the sentence before it
LEAD = 200  # characters of that sentence
LEAST = 3  # words of what stands behind a joint, for it to be a part of its own
_JOINT = re.compile(r",\s+and\s+|;\s+", re.IGNORECASE)
LONGEST_REASON = 300  # characters of a whole sentence
QUOTED = 90  # of words from an answer or a context
# Probability from which an answer bears a claim out whole, and below it in part: the judge's own line is drawn for long
# documents, where much is nearly said. On 128 written pairs of an answer and its reference 0.80 are told apart with it,
# 0.78 by the label alone (balanced accuracy; its AUC is 0.877, without the question above the text 0.870).
WHOLE = 0.5
BORNE = {Label.SUPPORTED: 1.0, Label.WEAKLY_SUPPORTED: 0.5, Label.UNSUPPORTED: 0.0, Label.UNJUDGED: 0.0}
LONGEST_CONTEXT = 1_000_000  # characters of a context that are read
PASSAGES = 4  # that speak most of a claim or a question
UNLABELLED = "the local judge could not label its claims: they are not in English, or too long"


@dataclass(frozen=True, slots=True)
class Claimed:
    """The claims of an answer; none where it is `blank` or abstains."""

    claims: tuple[Stated, ...] = ()
    blank: bool = False

    @property
    def declines(self) -> bool:
        """Whether it says something and states nothing: a refusal, a question, a greeting."""
        return not self.claims and not self.blank

    @property
    def spread(self) -> tuple[Stated, ...]:
        """The claims, or MOST_CLAIMS of them from beginning to end."""
        if len(self.claims) <= MOST_CLAIMS:
            return self.claims
        return tuple(self.claims[round(n * (len(self.claims) - 1) / (MOST_CLAIMS - 1))] for n in range(MOST_CLAIMS))

    @property
    def nothing(self) -> str:
        """Why there is nothing to rate; empty where there is."""
        if self.blank:
            return "the answer is empty"
        return "" if self.claims else "it declines to answer"


def claims_of(case: Case, tools: Tools) -> Claimed:
    """What the answer of a case says: the claims of the run, else those that the local extractor finds."""
    return Claimed(case.claims) if case.claims else text_claims(case.answer.text, case.prompt.question, tools)


def text_claims(text: str, question: str, tools: Tools) -> Claimed:
    """What a text says as an answer to a question."""
    if not any(c.isalnum() for c in text):
        return Claimed(blank=True)
    return Claimed(tools.claims(text, question))


def stated_in(claim: Stated, texts: Sequence[str]) -> Statement:
    """What is asked about a claim beside texts."""
    return Statement(claim.text, tuple(texts), claim.context, claim.header)


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
    def judged(self) -> bool:
        """Whether the judge labelled every claim of both."""
        return all(fact.judged for fact in (*self.a, *self.b))

    @property
    def f1(self) -> float:
        """The harmonic mean of both shares that are borne out, 0..1; 1 where neither text claims anything."""
        if not self.a and not self.b:
            return 1.0
        of_a, of_b = borne_share(self.a), borne_share(self.b)
        return 2 * of_a * of_b / (of_a + of_b) if of_a + of_b else 0.0


def borne_share(facts: Sequence[Fact]) -> float:
    """The share of facts that the other text bears out, 0..1; 0 of none."""
    return fmean(fact.borne for fact in facts) if facts else 0.0


def contradicted_share(facts: Sequence[Fact]) -> float:
    """The share of facts that the other text contradicts, 0..1; 0 of none."""
    return fmean(fact.contradicted for fact in facts) if facts else 0.0


def agreements(pairs: Sequence[tuple[str, str, str]], tools: Tools) -> list[Facts]:
    """How far two answers to one question say the same, for many (a, b, question), with one call of the judge."""
    sides = [[text_claims(text, question, tools).claims for text in (a, b)] for a, b, question in pairs]
    asked = [
        _beside(claim, other, question)
        for (a, b, question), (of_a, of_b) in zip(pairs, sides, strict=True)
        if not same_words(a, b)
        for claims, other in ((of_a, b), (of_b, a))
        for claim in claims
    ]
    support = iter(tools.support(asked) if asked else [])
    made = []
    for (a, b, question), claims in zip(pairs, sides, strict=True):
        if same_words(a, b):
            made.append(Facts(*(tuple(Fact(one.text, 1.0, quote=one.text) for one in side) for side in claims)))
        else:
            made.append(Facts(*(tuple(_fact(one, next(support), question) for one in side) for side in claims)))
    return made


def _beside(claim: Stated, other: str, question: str) -> Statement:
    """A claim beside another answer, which stands under the question that it leans on as the claim does."""
    heading = " ".join(question.split())
    return stated_in(claim, (f"# {heading}\n\n{other}" if heading else other,))


def same_words(one: str, other: str) -> bool:
    """Whether two texts have the same words in the same order."""
    return one == other or tokens(one) == tokens(other)


def _fact(claim: Stated, support: Support, question: str) -> Fact:
    """The quote is the other answer's: without the question that it stands under."""
    quote = support.quote.removeprefix(" ".join(question.split())).lstrip(": \n")
    judged, borne = support.label is not Label.UNJUDGED, BORNE[support.label]
    borne = min(borne, 0.5) if support.chance < WHOLE else borne
    return Fact(claim.text, borne, support.contradicted, quote, judged, claim.context, claim.header)


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
    start = text[:LONGEST_CONTEXT]
    made = cut(Evidence("", 1, start, 1.0))
    sentences = frozenset(tuple(tokens(start[unit.start : unit.end])) for unit in made.units)
    return made, sentences, is_foreign(start), len(text) > LONGEST_CONTEXT


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


def parts(question: str) -> tuple[str, ...]:
    """The parts of a question in their order, at most MOST_PARTS; of a text without a question mark, the whole. A part
    that names hardly anything (`What should I do?`) has the sentence before it in front."""
    clean = " ".join(plain(normalise(question[:LONGEST_QUESTION])).split())
    found = [clean[start:end] for start, end in sentences(clean)]
    asking = [(before, one) for before, one in zip(["", *found], found, strict=False) if one.endswith("?")]
    return tuple(
        f"{before[-LEAD:]} {part}" if before and len(words(part)) < NAMED else part
        for before, sentence in asking or [("", clean)]
        for part in _joined(sentence)
        if part
    )[:MOST_PARTS]


def _joined(sentence: str) -> Iterator[str]:
    """The sentence, cut at its joints where both sides can stand alone."""
    start = 0
    for joint in _JOINT.finditer(sentence):
        sides = sentence[start : joint.start()], sentence[joint.end() :]
        if all(len(tokens(side)) >= LEAST and words(side) for side in sides):
            yield sides[0].strip()
            start = joint.end()
    yield sentence[start:].strip()


def why_unread(**texts: str) -> str:
    """Why nothing can be said of these texts, by their names; empty where all can be read."""
    found = [f"the {name}" for name, text in texts.items() if is_foreign(text)]
    verb = "are" if len(found) > 1 else "is"
    return f"{' and '.join(found)} {verb} not in English, which is all that the local tools read" if found else ""


def quoted(text: str) -> str:
    """A stranger's words in quotation marks, on one line, cut where they are long."""
    return f'"{shortened(text, QUOTED)}"'


def shortened(text: str, most: int = LONGEST_REASON) -> str:
    """The text on one line, at most `most` characters."""
    line = " ".join(normalise(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
