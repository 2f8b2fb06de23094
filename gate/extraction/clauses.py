"""Coordinated facts apart: a sentence is cut where both sides are clauses, never inside a list of nouns."""

from __future__ import annotations

from dataclasses import dataclass

from gate.extraction.grammar import Tokens, after_condition, clause, finite, imperative, subject, tokenise
from gate.extraction.lexicon import ADVERBS, AUX, BASE, CONDITIONS, DETERMINERS, PREPOSITIONS, RELATIVES, THIRD

_JOINERS = frozenset({"and", "but", "while", "whereas", "yet", "or", "then"})
_PAIRED = frozenset({"either", "between", "whether", "neither", "both", "otherwise"})
_DASHES = frozenset({"—", "–"})
_TIED = frozenset({"if", "unless", "when", "whenever", "until", "once"})
_RESULTS = frozenset({"it", "you", "they", "that", "this", "it'll", "you'll", "they'll", "that'll", "you're", "it's"})
_MODALS = frozenset({"can", "will", "may", "must", "should", "could", "would", "might", "cannot", "can't", "won't"})
_SINGULAR = frozenset({"is", "was", "isn't", "wasn't", "doesn't", "has", "can", "will", "may", "must", "it's"})
_MAX_TOKENS = 400  # longer sentences are machine output; they stay whole


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause: `prefix` is the shared condition or subject that was said earlier, the rest is text[start:end]."""

    prefix: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place to cut: the left side ends before token `left`, the right one begins with token `right`."""

    left: int
    right: int
    joiner: str
    comma: bool


def split(text: str, start: int, end: int) -> list[Piece]:
    """The clauses of the sentence text[start:end], in order; one piece where it cannot be cut safely.

    A condition in front is repeated for every clause that it governs, a shared subject for a verb that lost it.
    """
    tokens = tokenise(text, start, end)
    if not tokens or len(tokens) > _MAX_TOKENS:
        return [Piece("", start, end)]
    first = next((i for i, token in enumerate(tokens) if token.text not in ADVERBS), 0)
    body = after_condition(tokens, first, len(tokens)) if tokens[first].text in CONDITIONS else 0
    condition = text[start : tokens[body].start] if body else ""
    pieces: list[Piece] = []
    low, prefix, begin, subject_said = body, "", start, ""
    for cut in _cuts(tokens, body):
        if cut.left <= low or not _sides(tokens, low, cut):
            continue
        carried = _carried(text, tokens, low, cut) if not _chained(tokens, cut, subject_said) else subject_said
        if carried is None:
            continue
        subject_said = carried
        pieces.append(Piece(prefix, begin, tokens[cut.left - 1].end))
        low, begin = cut.right, tokens[cut.right].start
        # A semicolon or a contrast begins a statement of its own; the condition does not reach there.
        prefix = (condition if cut.joiner in ("and", "then") else "") + carried
        prefix = prefix if prefix.endswith(" ") or not prefix else prefix + " "
    return [*pieces, Piece(prefix, begin, end)]


def _cuts(tokens: Tokens, body: int) -> list[_Cut]:
    found, i = [], body + 1
    while i < len(tokens) - 1:
        cut = _cut_at(tokens, i)
        if cut and cut.right < len(tokens):
            found.append(cut)
            i = cut.right
        else:
            i += 1
    return found


def _cut_at(tokens: Tokens, i: int) -> _Cut | None:
    token = tokens[i]
    if token.text == ";" or (token.kind == "mark" and token.text in _DASHES):
        right = i + 1
        while right < len(tokens) - 1 and tokens[right].text in ("and", "but", "so", "however", ","):
            right += 1
        return _Cut(i, right, token.text, comma=True)
    comma = token.text == ","
    at = i + 1 if comma else i
    word = tokens[at].text
    if comma and (word in THIRD or word in AUX):
        return _Cut(i, at, "and", comma)  # "adds a, removes b, and renames c"
    if word not in _JOINERS or tokens[at].kind != "word" or (not comma and word not in ("and", "but")):
        return None
    right = at + 1
    if right < len(tokens) and tokens[at].text in ("and", "but") and tokens[right].text in ("then", "so"):
        right += 1
    return _Cut(i, right, tokens[at].text, comma)


def _sides(tokens: Tokens, low: int, cut: _Cut) -> bool:
    """Whether the left side says something and does not hold the right one back (`both`, `whether`, `when ... and`)."""
    left = tokens[low : cut.left]
    if tokens[cut.right].text in ("otherwise", "else"):
        return False  # it says nothing without what it is the other case of
    if cut.joiner == ";":
        return all(
            any(token.text in BASE for token in side) or finite(side) >= 0 for side in (left, tokens[cut.right :])
        )
    if [token.text for token in left[:2]] == ["not", "only"]:
        return False
    began = left[0].text in THIRD and cut.joiner == "and"  # a verb whose subject was carried to it
    if (finite(left) < 0 and not imperative(left) and not began) or _enumerates(left, cut):
        return False
    if any(token.text in _PAIRED for token in left):
        return cut.comma and cut.joiner != "and"
    if cut.comma:
        return True
    tail = tokens[cut.right :]
    held = any(token.text in (CONDITIONS - {"as"}) | RELATIVES for token in left)
    return not held and not any(token.text in _TIED for token in tail)


def _chained(tokens: Tokens, cut: _Cut, subject_said: str) -> bool:
    """Whether the right side is a third verb of a subject that was carried already: `a does x, does y and does z`."""
    begins = tokens[cut.right].text in THIRD or tokens[cut.right].text in AUX
    return bool(subject_said) and cut.joiner in ("and", "but") and begins and _object(tokens, cut.right + 1)


def _enumerates(left: Tokens, cut: _Cut) -> bool:
    """Whether `and` ends a list: `A, B and C are`."""
    tail = [token.text for token in left[-4:]]
    return not cut.comma and "," in tail and finite(left[len(left) - 4 + tail.index(",") + 1 :]) < 0


def _carried(text: str, tokens: Tokens, low: int, cut: _Cut) -> str | None:
    """What the right side takes from the left: nothing for a clause, the subject for a bare verb; None: do not cut."""
    end = len(tokens)
    order = imperative(tokens, low, cut.left)
    if cut.joiner == ";":
        return ""
    if order and cut.comma and cut.joiner in ("and", "or", "then") and cut.right < end - 1:
        if imperative(tokens, cut.right, end) and end - cut.right > 2:
            return ""
        if tokens[cut.right].kind == "code" and not clause(tokens, cut.right, end):
            return _verb_of(text, tokens, low)
    if cut.joiner == "or" or (order and tokens[cut.right].text in _RESULTS):
        return None
    if tokens[cut.right].text in ("that", "which") and not _auxiliary_next(tokens, cut.right):
        return None
    if cut.joiner in ("and", "but") and (taken := _verb_first(tokens, low, cut)):
        shared = subject(tokens, low, cut.left)
        return None if shared is None else text[tokens[shared[0]].start : tokens[shared[1] + taken - 2].end] + " "
    return "" if clause(tokens, cut.right, end) else None


def _verb_of(text: str, tokens: Tokens, low: int) -> str | None:
    """The verb of an order whose object is code, for a second one: `Use` of ``Use `a` to x, and `b` to y``."""
    i = next((i for i in range(low, len(tokens) - 2) if tokens[i].text in BASE), -1)
    found = i >= 0 and (
        tokens[i + 1].kind == "code" or (tokens[i + 1].text in DETERMINERS and tokens[i + 2].kind == "code")
    )
    return text[tokens[i].start : tokens[i].end] + " " if found else None


def _auxiliary_next(tokens: Tokens, i: int) -> bool:
    return i + 1 < len(tokens) and tokens[i + 1].text in AUX


def _verb_first(tokens: Tokens, low: int, cut: _Cut) -> int:
    """Whether the right side begins with a verb that fits the left subject: 1, 2 if with its modal verb, else 0."""
    i = cut.right
    while i < len(tokens) - 1 and tokens[i].text in ADVERBS:
        i += 1
    verb = finite(tokens, low, cut.left)
    if len(tokens) - i < 3 or tokens[i].kind != "word" or verb < 0:
        return 0
    if tokens[i].text in AUX:
        return int(tokens[i].text not in ("do", "have") and tokens[i + 1].text not in AUX)
    if tokens[i].text in BASE and tokens[verb].text in _MODALS and verb + 1 < cut.left:
        return 2 if _object(tokens, i + 1) and tokens[verb + 1].text in BASE else 0
    singular = tokens[verb].text in THIRD or tokens[verb].text in _SINGULAR
    return int(tokens[i].text in THIRD and singular and _object(tokens, i + 1))


def _object(tokens: Tokens, i: int) -> bool:
    """Whether a verb and not a plural noun stands before the i-th token: an object follows, no verb."""
    known = DETERMINERS | PREPOSITIONS | ADVERBS | {"to", "it", "them", "you", "nothing"}
    if tokens[i].kind in ("code", "quote", "group") or tokens[i].text in known or tokens[i].text[:1].isdigit():
        return True
    stop = next((j for j in range(i, len(tokens)) if tokens[j].kind == "mark" or tokens[j].text in RELATIVES), i)
    return tokens[i].kind == "word" and finite(tokens, i, stop) < 0
