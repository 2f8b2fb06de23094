"""What the second of two clauses takes from the first: nothing, its subject, or its verb."""

from __future__ import annotations

from dataclasses import dataclass

from gate.extraction.grammar import clause, imperative, orders, subject, timed
from gate.extraction.lexicon import (
    ADVERBS,
    AUX,
    BASE,
    CONDITIONS,
    DETERMINERS,
    PAST,
    PLURAL,
    PREPOSITIONS,
    PRETERITES,
    RELATIVES,
    SUBJECTS,
    THIRD,
)
from gate.extraction.tokens import Token, Tokens
from gate.extraction.verbs import finite
from gate.text_stem import ends_plural

_OF = frozenset({"consists", "disposes", "speaks", "thinks", "knows", "tells", "approves", "hears"})
_ALSO = frozenset({"and", "or", "then"})
_JOINS = frozenset({"and", "or", "but", ";"})
_OWNS = frozenset({"has", "have", "had"})
_ONLY = frozenset({"just", "only", "not"})
_NEW = frozenset({"a", "an", "another", "no", "some", "any"})
_FRONT = 10  # words up to the verb that are repeated with it
_PLANS = frozenset({"plan", "book", "budget"})  # nouns but for `so plan for it`
_MODALS = frozenset({"can", "will", "may", "must", "should", "could", "would", "might", "cannot", "can't", "won't"})
MANY = frozenset({"are", "were", "aren't", "weren't", "have", "haven't", "do", "don't"})
_SINGULAR = frozenset({"is", "was", "isn't", "wasn't", "doesn't", "has", "can", "will", "may", "must", "it's"})
_OBJECTS = DETERMINERS | PREPOSITIONS | ADVERBS | {"to", "it", "them", "you", "nothing", "everything"}
_BEGINS = SUBJECTS | DETERMINERS
_PLAIN = BASE | MANY
_TOLD = PRETERITES | {"cost"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A place to cut: the left side ends before token `left`, the right one begins with token `right`."""

    left: int
    right: int
    joiner: str
    comma: bool


def carried(text: str, tokens: Tokens, low: int, cut: Cut) -> str | None:
    """What the right side takes from the left: nothing for a clause, the subject for a bare verb; None: do not cut."""
    end = len(tokens)
    order = imperative(tokens, low, cut.left)
    if cut.joiner == ";":
        return ""
    if _ordered(tokens, low, cut, order):
        return ""
    named = tokens[cut.right].kind == "code" and cut.right < end - 1 and not clause(tokens, cut.right, end)
    if order and named and cut.comma and cut.joiner in _ALSO:
        return _verb_of(text, tokens, low)
    if cut.joiner == "or" or (order and cut.joiner in ("and", "then")):
        return None  # `Pass the date and the plan ends`: the order is a condition
    if tokens[cut.right].text in ("that", "which") and not _auxiliary_next(tokens, cut.right):
        return None
    if _inverted(tokens, cut.right) or _limits(tokens, cut) or _another_case(tokens, low, cut):
        return None
    return _shared(text, tokens, low, cut)


def _ordered(tokens: Tokens, low: int, cut: Cut, order: bool) -> bool:
    """Whether the right side is an order of its own: behind another one, or as what follows from a statement."""
    if order and cut.joiner == "and" and not cut.comma:
        return orders(tokens, low, cut.left, cut.right)
    planned = cut.joiner == "so" and tokens[cut.right].text in _PLANS
    long = len(tokens) - cut.right > 2 and (imperative(tokens, cut.right) or planned)
    return long and (cut.joiner == "so" or (order and cut.comma and cut.joiner in _ALSO))


def _limits(tokens: Tokens, cut: Cut) -> bool:
    """Whether the right side only says how far the left one goes: `but just for lids they have oiled`."""
    first = cut.right
    placed = first + 1 < len(tokens) and tokens[first].text in _ONLY and tokens[first + 1].text in PREPOSITIONS
    return placed and cut.joiner in ("but", "and") and not any(token.text == "," for token in tokens[first:])


def _another_case(tokens: Tokens, low: int, cut: Cut) -> bool:
    """Whether a verb behind a bare comma belongs to a condition on the left, as one of several cases: `None if the key
    is missing, has expired, or is empty`."""
    supposed = cut.right == cut.left + 1 and any(token.text in CONDITIONS for token in tokens[low + 1 : cut.left])
    joiners = (token.text for token in tokens[cut.right :] if token.text in _JOINS)
    return supposed and next(joiners, "") == "or"


def _inverted(tokens: Tokens, i: int) -> bool:
    """Whether a clause begins with what turns it about and leans on the one before: `only then does it open`."""
    first = i
    while i < len(tokens) - 1 and tokens[i].text in ADVERBS:
        i += 1
    turned = first < i < len(tokens) - 1 and tokens[i].text in AUX
    owns = turned and tokens[i].text in _OWNS and tokens[i + 1].text in _NEW  # `then has another try`
    return turned and not owns and tokens[i + 1].text in _BEGINS


def _shared(text: str, tokens: Tokens, low: int, cut: Cut) -> str | None:
    """The subject of the left side for a right side that begins with its verb; nothing for one with its own."""
    taken = _verb_first(tokens, low, cut) if cut.joiner in ("and", "but") else 0
    name = _named(tokens, low, cut.left) if taken else None
    if taken and (name is None or tokens[cut.right].text not in THIRD or not _plural(tokens[name[1] - 1])):
        return None if name is None else text[tokens[name[0]].start : tokens[name[1] + taken - 2].end] + " "
    # `You can pay by card, and refunds take 5 days`: no verb of `you`
    joined = cut.right - cut.left > 1 or not cut.comma  # ", provided that it is full" is no clause of its own
    later = cut.joiner == "so" and timed(tokens, cut.right, len(tokens))
    return "" if joined and (later or clause(tokens, cut.right, len(tokens))) else None


def _named(tokens: Tokens, low: int, left: int) -> tuple[int, int] | None:
    """The subject with what stands in front of it: `in normal weeks the run`."""
    verb = finite(tokens, low, left)
    if tokens[low].text not in PREPOSITIONS or verb - low > _FRONT:
        return subject(tokens, low, left)
    begins = (i for i in range(verb - 1, low + 1, -1) if tokens[i].text in _BEGINS)
    first = next((i for i in begins if tokens[i - 1].text not in PREPOSITIONS), 0)
    name = subject(tokens, first, left) if first else None
    return (low, name[1]) if name else None


def _plural(token: Token) -> bool:
    return token.text in PLURAL or (ends_plural(token.text) and token.kind == "word" and not token.capital)


def _verb_of(text: str, tokens: Tokens, low: int) -> str | None:
    """The verb of an order whose object is code, for a second one: `Use` of ``Use `a` to x, and `b` to y``."""
    i = next((i for i in range(low, len(tokens) - 2) if tokens[i].text in BASE), -1)
    found = i >= 0 and (
        tokens[i + 1].kind == "code" or (tokens[i + 1].text in DETERMINERS and tokens[i + 2].kind == "code")
    )
    return text[tokens[i].start : tokens[i].end] + " " if found else None


def _auxiliary_next(tokens: Tokens, i: int) -> bool:
    return i + 1 < len(tokens) and tokens[i + 1].text in AUX


def _verb_first(tokens: Tokens, low: int, cut: Cut) -> int:
    """Whether the right side begins with a verb that fits the left subject: 1, 2 if with its modal verb, else 0."""
    i = cut.right
    while i < len(tokens) - 1 and tokens[i].text in ADVERBS:
        i += 1
    verb = finite(tokens, low, cut.left)
    if len(tokens) - i < 3 or tokens[i].kind != "word" or verb < 0:
        return 0
    many = tokens[verb].text in _PLAIN
    born = "born" in (token.text for token in tokens[verb : cut.left])  # `she was born in Ghent and studied in Rome`
    if tokens[i].text in AUX:
        owed = tokens[i].text == "have" and tokens[i + 1].text == "to" and _many_before(tokens, low, verb)
        return int((many or owed or tokens[i].text not in ("do", "have")) and tokens[i + 1].text not in AUX)
    if many and tokens[i].text in BASE:
        return int(_object(tokens[i + 1]))
    if tokens[i].text in BASE and tokens[verb].text in _MODALS and verb + 1 < cut.left:
        return 2 if governs(tokens, i + 1) and tokens[verb + 1].text in BASE else 0
    if tokens[i].text in _TOLD or (tokens[i].text in PAST and (tokens[verb].text in PAST or born)):
        return int(governs(tokens, i + 1))
    if tokens[i + 1].text in AUX or (tokens[i + 1].text == "of" and tokens[i].text not in _OF):
        return 0  # `comes with the pins and holds of the old one, but grants have to be given`
    singular = tokens[verb].text in THIRD or tokens[verb].text in _SINGULAR
    return int(tokens[i].text in THIRD and singular and governs(tokens, i + 1))


def _many_before(tokens: Tokens, low: int, verb: int) -> bool:
    """Whether the subject of a verb is of several, whatever brackets stand between: `Groups (of ten) can`."""
    last = next((i for i in range(verb - 1, low - 1, -1) if tokens[i].kind != "group"), -1)
    return last >= low and _plural(tokens[last]._replace(capital=tokens[last].capital and last > low))


def _object(token: Token) -> bool:
    """Whether a token can only be what follows a verb: `the`, `it`, `5`, code."""
    return token.kind in ("code", "quote", "group") or token.text in _OBJECTS or token.text[:1].isdigit()


def governs(tokens: Tokens, i: int) -> bool:
    """Whether a verb and not a plural noun stands before the i-th token: an object follows, no verb."""
    if i >= len(tokens):
        return False  # of an answer that was cut off
    if _object(tokens[i]):
        return True
    stop = next(
        (j for j in range(i, len(tokens)) if tokens[j].kind == "mark" or tokens[j].text in RELATIVES), len(tokens)
    )
    return tokens[i].kind == "word" and finite(tokens, i, stop) < 0
