"""What a short text consists of: words with content, names, amounts, a yes or a no, and what it says is not so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gate.measures.bounds import unbound
from gate.measures.clash import NEGATIONS
from gate.text import STOPWORDS, identifiers, normalise, numbers, plain, tokens
from gate.text_numbers import Number
from gate.text_periods import period

MOST = 20_000  # characters that are read
_YES = frozenset(
    ["yes", "yeah", "yep", "true", "correct", "indeed", "certainly", "absolutely", "ja", "oui", "si", "sí"]
)
_NO = frozenset(["no", "nope", "false", "incorrect", "nein", "non", "never"])
_LEAD = re.compile(
    r"(?:(?:well|so|sure|certainly)[,:]? )?(?:(?:the|my|final|short) ?){0,3}(?:answer(?: is)?[: ]|(?:it|that|this)"
    r"(?:'s| is| are| was| would be) |it (?:costs|takes|lasts|has|uses) )",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:(?:[,;]|and|but) not|instead of|rather than|unlike|formerly|previously) (?:(?:the|an?|with|by|in|to|using) )?"
    r"`?([\w./-]+)|\bnot (?:(?:the|an?|with|by|in|to|using) )?`?([\w./-]+)`?,? but\b"
)
_CAPITAL = re.compile(r"\b[A-Z]\w+")
_VERSION = re.compile(r"^v(?=\d)")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a text consists of: words with content in order, names as in code, amounts, yes (True) or no at its head."""

    text: str
    words: tuple[str, ...]
    codes: frozenset[str]
    amounts: tuple[Number, ...]
    says: bool | None
    all: tuple[str, ...]
    denied: frozenset[str]
    capitals: frozenset[str]

    @property
    def bare(self) -> bool:
        """Whether it is a yes or a no and nothing beside it."""
        return self.says is not None and not self.words and not self.amounts


@lru_cache(maxsize=1024)
def parts_of(text: str) -> Parts:
    """The parts of a text; of a long one, of its beginning."""
    clean = " ".join(plain(normalise(text[:MOST])).split())
    body = _LEAD.sub("", clean, count=1) if _LEAD.match(clean) else clean
    amounts = tuple(numbers(body))
    rest = body
    for number in reversed(amounts):
        rest = f"{unbound(rest[: number.start])} {rest[period(rest, number.end)[1] :]}"
    found = _tokens(rest)
    says = None
    if found and found[0] in _YES | _NO:
        says, found = found[0] in _YES, found[1:]
    kept = tuple(word for word in found if (word not in STOPWORDS or len(found) == 1) and word not in NEGATIONS)
    codes = {_name(code.lower()) for code in identifiers(rest)} | {word for word in kept if not word.isalpha()}
    denied = frozenset(
        _name(word.rstrip(".")) for found in _DENIED.finditer(body.lower()) for word in found.groups() if word
    )
    every = tuple(word for word in _tokens(body) if word not in ("a", "an", "the"))
    capitals = frozenset(word.lower() for word in _CAPITAL.findall(rest))
    return Parts(body.strip(" ."), kept, frozenset(codes), amounts, says, every, denied, capitals)


def _tokens(text: str) -> list[str]:
    return [_name(word) for word in tokens(text)]


def _name(word: str) -> str:
    """A word without what may be left out of a name: the `v` of a version, call brackets, a value."""
    return _VERSION.sub("", word).split("=")[0].removesuffix("()") or word
