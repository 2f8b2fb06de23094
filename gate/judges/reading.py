"""A text as the local judge reads it: terms in order with weights, numbers, names, and what can be matched."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import NamedTuple

from gate.judges.lexicon import Lexicon, lexicon, listed
from gate.judges.measured import amount_keys, amount_words
from gate.judges.switches import one_of, switched
from gate.text import (
    STOPWORDS,
    Number,
    code_spans,
    identifiers,
    normalise,
    numbers,
    parts,
    plain,
    stem,
    tokens,
    versions,
)
from gate.text_days import named_days
from gate.text_periods import spelled
from gate.text_signs import worded

# Words whose sense is polarity or scope: the checks read them; coverage does not count them.
SCOPE = listed(
    "not no never without neither nor none nothing nobody cannot only always all every must any never most few many "
    "much more less least often sometimes usually either unless except instead per cent use used uses using am pm "
    "eur usd gbp kb mb gb tb kib mib gib ms sec min"
)
CUES = listed("not no never without neither nor none nothing nobody cannot")
_DENY_NOTHING = (" only", "no problem", "no problems", "no doubt", "no matter", "no worries")
NUMBER_WEIGHT = 0.8
_CLAUSE = re.compile(r"[;:,)\u2014](?=\s|$)|(?<=\s)[-(]|(?=\b(?:but|while|whereas|although|unless)\b)")
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_VALUES = dict(zip(_COUNTED.split(), range(17), strict=True)) | {"twenty": 20, "thirty": 30, "once": 1, "twice": 2}
_DIGITS = re.compile(r"[-+$€£]?(\d[\d,]{0,20}(?:\.\d{1,15})?)(?:%|st|nd|rd|th|:\d\d)?")
_CAMEL = re.compile(r"\b[A-Za-z]+[a-z][A-Z][A-Za-z]*\b")
_ACRONYM = re.compile(r"\b[A-Z]{3,5}\b")
_PLAIN = re.compile(r"[^\W\d_]+")
_SPOKEN = re.compile(r"[^\W\d_]+(?:[-'/][^\W\d_]+)*")
_UNSPLIT = re.compile(r"[^\W_]+")


class Place(NamedTuple):
    """Where a token stands: its number in the text, and that of its clause."""

    at: int
    clause: int


@dataclass(frozen=True, slots=True)
class Term:
    """One token: `key` is what it is matched by, `at` its place, `clause` which clause it stands in; `weight` is 0 for
    words without content. `amounts` are the keys of the amounts that it is a part of, or of its other readings."""

    key: str
    at: int
    clause: int
    weight: float
    code: bool
    parts: tuple[str, ...]
    word: str
    amounts: tuple[str, ...] = ()
    short: bool = False  # an acronym


@dataclass(frozen=True)
class Reading:
    """A claim or a sentence, read."""

    text: str
    plain: str
    terms: tuple[Term, ...]
    numbers: tuple[Number, ...]  # with units, by value

    @cached_property
    def keys(self) -> frozenset[str]:
        """What a term of another reading is matched with: keys, parts of names, neighbours written as one, amounts."""
        found = {term.key for term in self.terms}
        for term in self.terms:
            found.update(term.parts)
        found.update(a.word + b.word for a, b in pairwise(self.terms) if len(a.word) > 2 < len(b.word))
        for number in self.numbers:
            found.update(amount_keys(number))
        return frozenset(found)

    @cached_property
    def initials(self) -> str:
        """The first letters of all words in a row, in which an acronym stands: the icu of `intensive care unit`."""
        return "".join(term.word[0] for term in self.terms)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all terms, each once."""
        return frozenset(term.word for term in self.terms)

    @cached_property
    def heads(self) -> frozenset[str]:
        """The first five letters of long words, for what the stemmer does not join."""
        return frozenset(key[:5] for key in self.keys if len(key) > 5 and key.isalpha())

    @cached_property
    def groups(self) -> frozenset[int]:
        """The synonym groups that are touched."""
        groups = lexicon().groups
        return frozenset[int]().union(*(groups[key] for key in self.keys if key in groups))

    @cached_property
    def content(self) -> tuple[Term, ...]:
        """The terms that count, each key once; amounts come last, by value."""
        found = {term.key: term for term in reversed(self.terms) if term.weight > 0}
        keys = [amount_keys(number) for number in self.numbers]
        amounts = {one[0]: Term(one[0], -1, 0, NUMBER_WEIGHT, False, (), one[0], one) for one in keys}
        return (*tuple(found.values())[::-1], *amounts.values())

    @cached_property
    def chain(self) -> tuple[Term, ...]:
        """What stands next to what: terms with content and amounts, in order, each as often as it stands."""
        return tuple(term for term in self.terms if term.weight > 0 or term.key[0] == "#")

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """Versions as digits and dots."""
        return tuple(version for version, _, _ in versions(self.plain))

    @cached_property
    def spans(self) -> tuple[str, ...]:
        """What stands in backticks."""
        return tuple(dict.fromkeys(self.text[a:b].strip("` ") for a, b in code_spans(self.text)))

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Names that look like code, as written, without call brackets, values and possessive endings."""
        found = (code.removesuffix("'s").removesuffix("()").split("=")[0] for code in identifiers(self.text))
        return tuple(dict.fromkeys(code for code in found if code))

    @cached_property
    def denied(self) -> frozenset[int]:
        """The clauses with an odd number of negations."""
        counts: dict[int, int] = {}
        for term, after in zip_longest(self.terms, self.terms[1:]):
            if term.word in CUES and not (after and f"{term.word} {after.word}".endswith(_DENY_NOTHING)):
                counts[term.clause] = counts.get(term.clause, 0) + 1
        return frozenset(clause for clause, count in counts.items() if count % 2)


def read(text: str) -> Reading:
    """Read a text; equal texts give equal readings."""
    bare = named_days(spelled(worded(plain(normalise(text)))))
    book = lexicon()
    camels = {name.lower(): name for name in _CAMEL.findall(bare)}
    # The cells of a row stay apart: `| 2 hours | 30 minutes |` are two amounts.
    found = tuple(numbers(bare.replace(", ", "; ") if text.lstrip().startswith("|") else bare))
    measured, short = amount_words(bare, found), {name.lower() for name in _ACRONYM.findall(bare)}
    terms: list[Term] = []
    for clause, piece in enumerate(_CLAUSE.split(switched(one_of(bare)))):
        for token in tokens(piece):
            term = _term(token, camels.get(token, token), Place(len(terms), clause), book)
            told = replace(term, amounts=measured[token]) if token in measured else term
            terms.append(replace(told, short=True) if token in short else told)
    return Reading(text, bare, tuple(terms), found)


def _term(token: str, written: str, place: Place, book: Lexicon) -> Term:
    at, clause = place
    digits = _DIGITS.fullmatch(token)
    if digits or token in _VALUES:  # amounts count by value, see `content`; their place counts here
        value = float(digits[1].replace(",", "")) if digits else _VALUES[token]
        return Term(f"#{value:g}", at, clause, 0.0, False, (), token)
    if _PLAIN.fullmatch(token) and written == token:
        key = book.key(token)
        empty = token in STOPWORDS or token in SCOPE
        return Term(key, at, clause, 0.0 if empty else book.weights.get(key, 1.0), False, (), token)
    pieces = tuple(book.key(piece) for piece in _pieces(written))
    known = [book.weights.get(piece, 1.0) for piece in pieces if piece not in STOPWORDS]
    code = not _SPOKEN.fullmatch(written) or written != token
    weight = 0.0 if token in STOPWORDS else max([*known, 0.9 if code else 0.3])  # `e.g` is one
    return Term(token.strip("./:@~$#-") or token, at, clause, weight, code, pieces, token)


def _pieces(token: str) -> list[str]:
    return [piece.lower() for run in _UNSPLIT.findall(token) for piece in parts(run)]


def keys_of(text: str) -> set[str]:
    """Stems of a text and of the parts of its names: what the table of weights counts."""
    lemmas = lexicon().lemmas
    found: set[str] = set()
    for token in tokens(text):
        words = [token] if _PLAIN.fullmatch(token) else _pieces(token)
        found.update(stem(lemmas.get(word, word)) for word in words)
    return {key for key in found if key.isalpha()}
