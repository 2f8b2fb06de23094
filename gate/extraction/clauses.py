"""Coordinated facts apart: a sentence is cut where both sides are clauses, never inside a list of nouns."""

from __future__ import annotations

from gate.extraction.carry import MANY, Cut, carried, governs
from gate.extraction.frames import SCOPED, Frame, behind_colon, condition_at, labelled, spaced
from gate.extraction.grammar import clause, imperative, supposes
from gate.extraction.halves import told
from gate.extraction.lexicon import (
    AUX,
    BASE,
    CONDITIONS,
    DETERMINERS,
    PAST,
    RELATIVES,
    SUBJECTS,
    THIRD,
)
from gate.extraction.nouns import listed, next_in_order
from gate.extraction.pieces import Piece
from gate.extraction.tokens import Tokens, tokenise
from gate.extraction.verbs import finite

_VERBS = THIRD | AUX | PAST
_JOINERS = frozenset({"and", "but", "while", "whereas", "yet", "or", "then"})
_PAIRED = frozenset({"either", "between", "whether", "neither", "both", "otherwise"})
_PARTNERS = {"either": "or", "neither": "nor", "both": "and", "between": "and"}
_ECHOES = frozenset({"so", "nor", "neither"})
_ALL = frozenset({"nothing", "anything", "none", "all", "everything", "nobody", "no-one"})
_DASHES = frozenset({"—", "–"})
_THUS = frozenset({"that", "far", "long", "much", "many", "as", "on", "forth", "too", "-"}) | AUX  # `so far`, `so is`
_TIED = frozenset({"if", "unless", "when", "whenever", "until", "once"})
_SPANS = frozenset({"after", "before", "until", "since", "till", "once"})  # with a noun as well as with a clause
_MAX_TOKENS = 400  # longer sentences are machine output; they stay whole
_BEGINS = DETERMINERS | SUBJECTS
_TELLS = THIRD | PAST
_SUBORDINATES = (CONDITIONS - {"as"}) | RELATIVES
_FINITE = THIRD | AUX
_PLAIN = BASE | MANY


def split(text: str, start: int, end: int) -> list[Piece]:
    """The clauses of the sentence text[start:end], in order; one piece where it cannot be cut safely.

    A condition in front is repeated for every clause that it governs, a shared subject for a verb that lost it, and
    what stands before a colon for every clause behind it. One that says nothing alone has the one before in front.
    """
    tokens = tokenise(text, start, end)
    if not tokens or len(tokens) > _MAX_TOKENS:
        return [Piece("", start, end)]
    body, condition = condition_at(text, tokens, 0)
    frame = Frame(condition, tokens[0].text in SCOPED)
    pieces: list[Piece] = []
    low, prefix, begin, subject_said = body, "", start, ""
    for cut in _cuts(tokens, body):
        if cut.left <= low or not _sides(tokens, low, cut, subject_said):
            continue
        colon = behind_colon(tokens, low, cut.left)
        taken = carried(text, tokens, colon, cut) if not _chained(tokens, low, cut, subject_said) else subject_said
        if taken is None:
            continue
        subject_said = taken
        pieces.append(Piece(prefix, begin, tokens[cut.left - 1].end))
        if colon > low:
            frame = frame.behind(prefix + text[begin : tokens[colon - 1].end], label=not clause(tokens, low, colon))
        low, begin = cut.right, tokens[cut.right].start
        frame = Frame() if labelled(tokens, cut.right) else frame.beyond(cut.joiner)
        ordered = imperative(tokens, cut.right) and tokens[0].text not in PAST  # `Shut it, ...` is an order itself
        prefix = spaced(frame.shared(cut.joiner, bool(taken) or ordered) + taken)
        body, condition = condition_at(text, tokens, cut.right)
        if condition and (cut.joiner == ";" or tokens[cut.right].text in CONDITIONS):
            low, prefix, frame = body, "", Frame(condition, tokens[cut.right].text in SCOPED)
    return told(text, [*pieces, Piece(prefix, begin, end)])


def _cuts(tokens: Tokens, body: int) -> list[Cut]:
    found, i = [], body + 1
    while i < len(tokens) - 1:
        cut = _cut_at(tokens, i)
        if cut and cut.right < len(tokens):
            found.append(cut)
            i = cut.right
        else:
            i += 1
    return found


def _cut_at(tokens: Tokens, i: int) -> Cut | None:
    token = tokens[i]
    if token.text == ";" or (token.kind == "mark" and token.text in _DASHES):
        right = i + 1
        while right < len(tokens) - 1 and tokens[right].text in ("and", "but", "so", "however", ","):
            right += 1
        return Cut(i, right, token.text, comma=True)
    comma = token.text == ","
    at = i + 1 if comma else i
    word = tokens[at].text
    if comma and word in _VERBS and not _appositive(tokens, i):
        return Cut(i, at, "and", comma)  # "adds a, removes b, and renames c"
    return _joined_at(tokens, i, at)


def _joined_at(tokens: Tokens, i: int, at: int) -> Cut | None:
    """The cut before the joiner tokens[at], which may stand behind a comma tokens[i]."""
    word, comma = tokens[at].text, at > i
    if comma and word == "so" and at + 1 < len(tokens) and tokens[at + 1].text not in _THUS:
        return Cut(i, at + 1, "so", comma)
    if word not in _JOINERS or tokens[at].kind != "word" or (not comma and word not in ("and", "but")):
        return None
    if word == "but" and tokens[i - 1].text in _ALL:
        return None  # `nothing but what is listed`
    right = at + 1
    if right + 1 < len(tokens) and tokens[at].text in ("and", "but") and tokens[right].text in ("then", "so"):
        right += tokens[right + 1].text not in AUX
    if right + 1 < len(tokens) and tokens[right].text in _ECHOES and tokens[right + 1].text in AUX:
        return None  # `and so is the lid`
    return Cut(i, right, tokens[at].text, comma)


def _appositive(tokens: Tokens, comma: int) -> bool:
    """Whether the comma ends another name of a subject that a joiner began: `and the other lid, a loose one, `."""
    begin = next((i for i in range(comma - 1, 0, -1) if tokens[i].text in _JOINERS or tokens[i].text == ";"), 0)
    inside = tokens[begin + 1 : comma]
    return begin > 0 and any(token.text == "," for token in inside) and finite(inside) < 0


def _both_say(tokens: Tokens, low: int, cut: Cut) -> bool:
    """Whether both sides of a semicolon say something: `Free: 1 seat; Pro: 5 seats` does without a verb."""
    if labelled(tokens, low) and labelled(tokens, cut.right):
        return True
    sides = (tokens[low : cut.left], tokens[cut.right :])
    return all(any(token.text in BASE for token in side) or finite(side) >= 0 for side in sides)


def _sides(tokens: Tokens, low: int, cut: Cut, subject_said: str) -> bool:
    """Whether the left side says something and does not hold the right one back (`both`, `whether`, `when ... and`)."""
    left = tokens[low : cut.left]
    if tokens[cut.right].text in ("otherwise", "else"):
        return False  # it says nothing without what it is the other case of
    if cut.joiner == ";":
        return _both_say(tokens, low, cut)
    if [token.text for token in left[:2]] == ["not", "only"]:
        return False
    began = subject_said and left[0].text in _TELLS and cut.joiner == "and"  # a verb whose subject was carried to it
    if (finite(left) < 0 and not imperative(left) and not began) or _enumerates(left, cut):
        return False
    if _paired(left, cut):
        return cut.comma and cut.joiner != "and"
    tail = tokens[cut.right :]
    if cut.comma:
        return cut.joiner != "then" or not next_in_order(tail)
    if listed(tail):
        return False
    return not _held(left) and not any(token.text in _TIED for token in tail)


def _paired(left: Tokens, cut: Cut) -> bool:
    """Whether a word on the left waits for the other one of its pair: `either a or b` does not, behind a comma."""
    texts = [token.text for token in left]
    places = [i for i, text in enumerate(texts) if text in _PAIRED]
    return any(not cut.comma or _PARTNERS.get(texts[i]) not in texts[i + 1 :] for i in places)


def _held(left: Tokens) -> bool:
    """Whether a clause began on the left that the right side may belong to: `when it rains and`, no `after a day`."""
    for i, token in enumerate(left):
        clear = token.text in _SPANS and i and finite(left, i + 1) < 0
        if (token.text in _SUBORDINATES and not clear) or supposes(left, i):
            return True
    return False


def _chained(tokens: Tokens, low: int, cut: Cut, subject_said: str) -> bool:
    """Whether the right side is a third verb of a subject that was carried already: `a does x, does y and does z`."""
    verb = tokens[cut.right].text
    first = tokens[low].text
    begins = verb in _FINITE or (verb in PAST and first in PAST) or (verb in BASE and first in _PLAIN)
    return bool(subject_said) and cut.joiner in ("and", "but") and begins and governs(tokens, cut.right + 1)


def _enumerates(left: Tokens, cut: Cut) -> bool:
    """Whether `and` ends a list: `A, B and C are`."""
    tail = [token.text for token in left[-4:]]
    return not cut.comma and "," in tail and finite(left[len(left) - 4 + tail.index(",") + 1 :]) < 0
