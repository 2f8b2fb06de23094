"""A text as the local judge reads it: terms in order with weights, numbers, names, and what can be matched."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from gate.errors import ModelFileError
from gate.text import STOPWORDS, Number, identifiers, normalise, numbers, parts, plain, stem, tokens, versions

MODELS = Path(__file__).parents[1] / "models"


def listed(words: str) -> frozenset[str]:
    """The set of the words of a line."""
    return frozenset(words.split())


# Words whose sense is polarity or scope: the checks read them; coverage does not count them.
SCOPE = listed(
    "not no never without neither nor none nothing nobody cannot only always all every must any never most few many "
    "much more less least often sometimes usually either unless except instead per cent use used uses using"
)
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_NUMBER_WORDS = dict(zip(_COUNTED.split(), map(str, range(17)), strict=True)) | {
    "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90",
    "hundred": "100", "twice": "2",
}  # fmt: skip
_DIGITS = re.compile(r"[-+$€£]?(\d[\d,]*(?:\.\d+)?)(%?)")
_PLAIN = re.compile(r"[^\W\d_]+")
_UNSPLIT = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1)
def word_table() -> tuple[dict[str, float], dict[str, int], dict[str, frozenset[str]]]:
    """(weight 0..1 of a stem, synonym group of a stem, stems that say the opposite of a stem), as shipped.

    A weight is log((N + 1) / (n + 1)) / log(N + 1) for a stem in n of N passages; a word not in the table weighs 1.
    Errors: ModelFileError.
    """
    try:
        levels = json.loads((MODELS / "words.json").read_text(encoding="utf-8"))["levels"]
        senses = json.loads((MODELS / "senses.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError) as error:
        raise ModelFileError(f"the judge's word tables cannot be read: {error}", "install the package again") from error
    weights = {word: int(level) / 20 for level, line in levels.items() for word in line.split()}
    groups = {stem(word): i for i, line in enumerate(senses["same"]) for word in line.split()}
    against: dict[str, set[str]] = {}
    for line in senses["opposite"]:
        left, right = ({stem(word) for word in side.split()} for side in line.split("|"))
        for word in left:
            against.setdefault(word, set()).update(right)
        for word in right:
            against.setdefault(word, set()).update(left)
    return weights, groups, {word: frozenset(found) for word, found in against.items()}


@dataclass(frozen=True, slots=True)
class Term:
    """One token: `key` is what it is matched by, `at` its place; `weight` is 0 for words without content."""

    key: str
    at: int
    weight: float
    code: bool
    parts: tuple[str, ...]
    word: str


@dataclass(frozen=True)
class Reading:
    """A claim or a sentence, read."""

    text: str
    terms: tuple[Term, ...]

    @cached_property
    def keys(self) -> frozenset[str]:
        """What a term of another reading is matched with: keys, parts of names, neighbours written as one."""
        found = {term.key for term in self.terms}
        for term in self.terms:
            found.update(term.parts)
        found.update(a.word + b.word for a, b in pairwise(self.terms) if len(a.word) > 2 < len(b.word))
        return frozenset(found)

    @cached_property
    def heads(self) -> frozenset[str]:
        """The first five letters of long words, for what the stemmer does not join."""
        return frozenset(key[:5] for key in self.keys if len(key) > 5 and key.isalpha())

    @cached_property
    def groups(self) -> frozenset[int]:
        """The synonym groups that are touched."""
        groups = word_table()[1]
        return frozenset(groups[key] for key in self.keys if key in groups)

    @cached_property
    def content(self) -> tuple[Term, ...]:
        """The terms that count, each key once."""
        return tuple({term.key: term for term in reversed(self.terms) if term.weight > 0}.values())[::-1]

    @cached_property
    def plain(self) -> str:
        """Normalised text without markup."""
        return plain(normalise(self.text))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Amounts with units, by value."""
        return tuple(numbers(self.plain))

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """Versions as digits and dots."""
        return tuple(version for version, _, _ in versions(self.plain))

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Names that look like code, as written, without call brackets and values."""
        return tuple(dict.fromkeys(code.removesuffix("()").split("=")[0] for code in identifiers(self.text)))


def read(text: str) -> Reading:
    """Read a text; equal texts give equal readings."""
    weights = word_table()[0]
    return Reading(text, tuple(_term(token, at, weights) for at, token in enumerate(tokens(text))))


def _term(token: str, at: int, weights: dict[str, float]) -> Term:
    number = _NUMBER_WORDS.get(token)
    digits = _DIGITS.fullmatch(token)
    if number or digits:
        value = number or f"{float(digits[1].replace(',', '')):g}" if digits else number or ""
        return Term(f"#{value}", at, 0.0 if value == "1" and number else 0.8, False, (), token)
    if _PLAIN.fullmatch(token):
        key = stem(token)
        weight = 0.0 if token in STOPWORDS or token in SCOPE else weights.get(key, 1.0)
        return Term(key, at, weight, False, (), token)
    pieces = tuple(stem(piece) for piece in _pieces(token))
    known = [weights.get(piece, 1.0) for piece in pieces if piece not in STOPWORDS]
    code = not re.fullmatch(r"[^\W\d_]+(?:[-'/][^\W\d_]+)*", token)
    return Term(token.strip("./:@~$#") or token, at, max([*known, 0.9 if code else 0.3]), code, pieces, token)


def _pieces(token: str) -> list[str]:
    return [piece.lower() for run in _UNSPLIT.findall(token) for piece in parts(run)]


def keys_of(text: str) -> set[str]:
    """Stems of a text and of the parts of its names: what the table of weights counts."""
    found: set[str] = set()
    for token in tokens(text):
        found.update([stem(token)] if _PLAIN.fullmatch(token) else [stem(piece) for piece in _pieces(token)])
    return {key for key in found if key.isalpha()}
