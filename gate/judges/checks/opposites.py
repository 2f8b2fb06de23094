"""Opposites: a word of the claim in whose place the document has one of the opposite sense, of the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from gate.judges.alignment import AKIN, Alignment, match
from gate.judges.checks.finding import Finding
from gate.judges.lexicon import lexicon, listed
from gate.judges.reading import CUES, Reading, Term
from gate.text_days import week_of

_STATES = listed("enabled disabled")
_METHODS = listed("get gets put puts post posts patch head")  # of HTTP, where they are written in capitals
# Share their stem with `optional` and with `refuse`: a refusal is something that happens, and one can turn to somebody.
_NOUNS = listed("option options rejection rejections refusal refusals denial denials")
_OLD = listed("old older oldest")  # the opposite of `latest`, which shares its stem with `later`
_ABOUT = listed("under over above below within")  # bound something before an amount only
_BOUNDS = _ABOUT | listed(
    "more less fewer most least minimum min maximum max greater larger longer higher smaller shorter lower exceed "
    "exceeds"
)
_TIMES = listed("before after later earlier prior following preceding subsequent latest previous")
_CONVERSE = listed("send sends sent sending receive receives received receiving")  # two sides of one event
_MANY = listed("however how as so")
_FREE = listed("may can allow allows allowed permit permits permitted")
_BARRED = listed(
    "refuse refuses refused reject rejects rejected deny denies denied forbid forbids forbidden prohibit prohibits "
    "prohibited disallow disallows disallowed ban bans banned"
)
_SAVE = listed("except unless")
_WHEN = listed("when while if because since until once")
_BE = listed("is are was were be been being")
_THEN = _WHEN - listed("until") | listed("after by with")
_REACH = 4  # terms between a denial and what it denies, or between a bound and its amount
_SOFT = 0.6  # strength of what may hold on both sides


def check_opposites(alignment: Alignment) -> list[Finding]:
    """Terms of the claim in whose place the focus sentence has the opposite, where neither side has both."""
    book, claim = lexicon(), alignment.claim
    reading = alignment.sentences[alignment.focus].reading
    days = week_of(claim.plain), week_of(reading.plain)
    if all(days) and days[0].isdisjoint(days[1]):
        return []  # `closed on weekends` and `open Monday to Friday`
    around = frozenset[str]().union(*(sentence.reading.keys for sentence in alignment.window))
    found = []
    for term in claim.terms:
        # A state that another sentence speaks of ("it can be turned off") is not what this one says.
        met = term.key in (reading.keys if term.word in _STATES else around) or match(term, reading) >= AKIN
        if met or any(book.opposed(term.key, key) for key in claim.keys):
            continue
        others = [o for o in reading.terms if book.opposed(term.key, o.key) and o.key not in claim.keys]
        against = [other for other in others if _alike_denied((claim, term), (reading, other))]
        if against and len(against) == len(others) and _of_the_same((claim, term), (reading, against[0])):
            other = against[0]
            message = f"the document says '{other.word}' where the claim says '{term.word}'"
            strength = 0.3 + 0.7 * alignment.cover_sentence
            if {term.word, other.word} <= _CONVERSE:
                strength = min(strength, _SOFT)
            found.append(Finding("opposite", strength, message, True, alignment.focus))
    return found


Said = tuple[Reading, Term]


def _alike_denied(mine: Said, theirs: Said) -> bool:
    """Whether both words are denied or neither is, by their clause and by what stands right before them."""
    by_clause = [term.clause in reading.denied for reading, term in (mine, theirs)]
    by_place = [_denied(reading.terms, term) for reading, term in (mine, theirs)]
    return by_clause[0] == by_clause[1] and by_place[0] == by_place[1]


def _denied(terms: Sequence[Term], term: Term) -> bool:
    """`without` denies what stands right behind it."""
    before = [other for other in terms[max(0, term.at - _REACH) : term.at] if other.clause == term.clause]
    return any(other.word in CUES and (other.word != "without" or term.at - other.at <= 2) for other in before)


def _of_the_same(mine: Said, theirs: Said) -> bool:
    """Whether two opposed words are said of the same."""
    words = mine[1].word, theirs[1].word
    if (
        _NOUNS & set(words)
        or ("later" in words and _OLD & set(words))
        or any(_is_many(*said) for said in (mine, theirs))
    ):
        return False
    if _ends(mine, theirs) or _ends(theirs, mine):
        return False
    if set(words) <= _METHODS and not all(_in_capitals(*said) for said in (mine, theirs)):
        return False
    if _BOUNDS & set(words):
        amounts = [_amount(*said) for said in (mine, theirs)]
        stray = any(word in _ABOUT and not amount for word, amount in zip(words, amounts, strict=True))
        return not stray and amounts[0] == amounts[1]
    if set(words) <= _TIMES:
        return bool(_next(*mine) & _next(*theirs))
    if words[0] in _FREE and words[1] in _BARRED:
        if any(term.word in _FREE and term.key in mine[0].keys for term in theirs[0].terms):
            return False  # `Smoking is permitted there`, of what is prohibited inside but permitted there
        saved = _SAVE & (mine[0].words | theirs[0].words) or "but" in mine[0].words
        return not saved and (_next(*mine) or _last(*mine)) <= _barred(*theirs)
    return True


def _ends(lasting: Said, other: Said) -> bool:
    """Whether the one is said of the time `until` something, and the other of what comes with a condition: `it stays
    locked until you confirm`, `it is unlocked once you confirm`; `until the tide is high`, `if the tide is low`."""
    at = lasting[1].at
    near = lasting[0].terms[max(0, at - _REACH) : at + 1 + _REACH]
    return any(term.word == "until" for term in near) and "until" not in other[0].words and bool(other[0].words & _THEN)


def _in_capitals(reading: Reading, term: Term) -> bool:
    return term.word.upper().removesuffix("S") in reading.plain


def _is_many(reading: Reading, term: Term) -> bool:
    """`however many`: any number of them."""
    return term.word == "many" and term.at > 0 and reading.terms[term.at - 1].word in _MANY


def _amount(reading: Reading, term: Term) -> frozenset[str]:
    """The keys of the amount that a word bounds: the first within reach behind it."""
    behind = reading.terms[term.at + 1 : term.at + 1 + _REACH]
    first = next((other for other in behind if other.key[0] == "#" and other.word != "one"), None)
    return frozenset((first.key, *first.amounts)) if first else frozenset()


def _next(reading: Reading, term: Term) -> frozenset[str]:
    """The run of words with content that stands first behind a word, within reach."""
    return _run([other for other in reading.terms[term.at + 1 :] if other.clause == term.clause])


def _last(reading: Reading, term: Term) -> frozenset[str]:
    """The run of words with content that stands last before a word, within reach."""
    return _run([other for other in reading.terms[: term.at] if other.clause == term.clause][::-1])


def _run(terms: Sequence[Term]) -> frozenset[str]:
    start = next((i for i, other in enumerate(terms[:_REACH]) if other.weight > 0), None)
    return (
        frozenset(other.key for other in takewhile(lambda one: one.weight > 0, terms[start:]))
        if start is not None
        else frozenset()
    )


def _barred(reading: Reading, term: Term) -> frozenset[str]:
    """What is refused: what stands in the clause behind `refuses`, before `is refused` too, and not in a condition."""
    passive = any(other.word in _BE for other in reading.terms[max(0, term.at - 3) : term.at])
    behind = takewhile(lambda one: one.word not in _WHEN, reading.terms[term.at + 1 :])
    side = [*(reading.terms[: term.at] if passive else ()), *behind]
    return frozenset(other.key for other in side if other.clause == term.clause)
