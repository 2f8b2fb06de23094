"""Which questions may be rephrased, and which of their parts are what they seem: a thing that has a name of its own."""

from __future__ import annotations

import re

from gate.text import sentences
from gate.text_stem import ends_plural

_ASKS = (
    r"(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|can|could|may|might|must|should|"
    r"shall|will|would|has|have|had)"
)
_SECOND = re.compile(rf"\b(?:and|or|but|also),? {_ASKS}\b", re.IGNORECASE)
_STOPS = re.compile(r"[?!;\n]")
_DETERMINERS = frozenset(
    ("the", "my", "your", "our", "their", "its", "his", "her", "this", "that", "these", "those", "a", "an")
)
_PRONOUNS = frozenset(("it", "this", "that", "they", "these", "those"))
_PLACE_LIST = (
    "of for in on at to per with without between by from about against behind under over during within into after "
    "before through than as up out off down"
)
_PLACES = frozenset(_PLACE_LIST.split())
# A clause of its own: what stands behind it is no part of the thing.
_CLAUSE = re.compile(
    r"\b(?:if|when|while|unless|until|because|although|whether|where|why|how|what|which|who|is|are|was|were|does|do|did"
    r"|has|have|had|will|would|can|could|may|must|should)\b",
    re.IGNORECASE,
)
# Behind a noun these say something of it: `the shop open`, `the app called`, `the bus late`.
_SAID_LIST = (
    "able active away available best called clear closed done due effective free full good gone going here "
    "hot ill kept known late left like likely low made meant necessary new now off old on open out paid ready right "
    "safe sent sold spent still taken then there today tomorrow true valid visible warm worth written wrong yet"
)
_SAID = frozenset(_SAID_LIST.split())
_FORM = re.compile(r"\w{2,}(?:ed|ing)", re.IGNORECASE)


def one_question(text: str) -> bool:
    """Whether it asks one thing in one sentence: no greeting, no second question behind the first."""
    core = text.rstrip("?.! ")
    return not (_STOPS.search(core) or _SECOND.search(core)) and len(sentences(text)) == 1


def thing(text: str) -> bool:
    """Whether it names something and says nothing of it: `the fee for a pass`, `it`; not `the app called`."""
    parts = text.lower().split()
    if len(parts) < 2:
        return text.strip().lower() in _PRONOUNS
    if parts[0] not in _DETERMINERS or parts[-1] in _PLACES | _SAID or _CLAUSE.search(text) or "," in text:
        return False
    head = parts[: next((n for n, part in enumerate(parts) if part in _PLACES), len(parts))]
    return len(head) > 1 and head[-1] not in _SAID and not _FORM.fullmatch(head[-1])


def nameable(text: str) -> bool:
    """A thing, or words without an article that can be one: `breakfast`, `parking`; not `left on the card`."""
    first = text.lower().partition(" ")[0]
    return thing(text) or not (
        not first
        or first in _SAID | _PLACES | _PRONOUNS | _DETERMINERS
        or re.fullmatch(r"\w{2,}ed", first)
        or _CLAUSE.search(text)
        or "," in text
    )


def single(text: str) -> bool:
    """Something nameable of which there is one: the verb behind it has its `s`."""
    parts = text.lower().split()
    head = parts[: next((n for n, part in enumerate(parts) if part in _PLACES and n), len(parts))]
    many = "and" in parts or (head[-1:] and ends_plural(head[-1]))
    return nameable(text) and not many
