"""A shallow reading of English: whether words form a clause or an order, and what their subject is."""

from __future__ import annotations

from gate.extraction.lexicon import (
    ADVERBS,
    BASE,
    CLITICS,
    CONDITIONS,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    SUBJECTS,
    THIRD,
)
from gate.extraction.tokens import Tokens
from gate.extraction.verbs import auxiliary, finite

_VERBS = THIRD | BASE
_TRAILING = ADVERBS | {"either"}  # behind a subject, before its verb
_JOINS_NOUNS = frozenset({"and", "or", "of", "for", "per"})
_BEFORE_ORDER = frozenset({"don't", "do", "to", "never", ",", "you", "either"})
_DONE = frozenset({"it", "this", "that", "so"})
_LIMITS = frozenset({"only", "even", "not"})  # "only `a` and `b` are" orders nothing
_WHATEVER = frozenset({"whatever", "whoever", "whichever", "what"})
_ANYBODY = frozenset({"anyone", "anybody", "everyone", "everybody", "those", "nobody"})
_TAKES_VERB = frozenset({"let", "make", "have", "help", "get", "go", "come", "try", "want", "either", "not", "don't"})
_GIVEN = frozenset({"provided", "providing", "assuming"})
_CLAUSE_TOKENS = 60  # that are looked through for its verb and what may stand around that
_SUBJECT_WORDS = 8  # longer subjects are found less surely and make clumsy claims
_ORDERS = BASE | {"be"}
_KNOWN = BASE | DETERMINERS | PREPOSITIONS
_OBJECTS = DETERMINERS | {"it", "them"}
_OF_TIME = CONDITIONS & PREPOSITIONS
_WHETHER = CONDITIONS - {"as"}
_JOINS = CONDITIONS | {"and", "or", "but"}
_BEGINS = SUBJECTS | DETERMINERS
_LEADS = ADVERBS | {"so", "and", "but", ","}
_NO_SUBJECT = PREPOSITIONS | CONDITIONS | {"there"}
_NOT_NAMED = RELATIVES | CONDITIONS | {"and", "or", "to", "there"}


def imperative(tokens: Tokens, start: int = 0, end: int | None = None) -> bool:
    """Whether tokens[start:end] begins as an order: `Pass`, `Then call`, `Don't use`, `Never send`."""
    end = len(tokens) if end is None else end
    i = start
    while i < end and (tokens[i].text in ADVERBS or tokens[i].text in _BEFORE_ORDER):
        if tokens[i].text in ("you", "to"):
            return False
        i += 1
    if start < i < end and tokens[i].kind == "code" and tokens[i - 1].text not in _LIMITS:
        return True  # "First `pip install x`"
    if start < i < end and tokens[i - 1].text == "do" and tokens[i].text in _DONE:
        return tokens[-1].text != "?"  # "Do it soon"
    if start < i < end - 1 and _barred(tokens, i):
        return True
    if i >= end or tokens[i].text not in _ORDERS or tokens[i].kind != "word" or tokens[i].text == "last":
        return False  # `and last the lid`
    after = tokens[i + 1] if i + 1 < end else None
    return after is None or not (auxiliary(after) or after.text in THIRD or after.text == "of")


def _barred(tokens: Tokens, i: int) -> bool:
    """Whether the i-th token is a verb that no list knows, behind the words of an order not to do something: `Do not
    immerse the unit`."""
    word, said = tokens[i], [token.text for token in tokens[max(0, i - 2) : i]]
    new = word.kind == "word" and not word.capital and word.text not in _KNOWN
    return new and (said[-1] == "don't" or said == ["do", "not"]) and tokens[i + 1].text in _OBJECTS


def orders(tokens: Tokens, low: int, left: int, right: int) -> bool:
    """Whether tokens[low:left] and tokens[right:] are two orders, each with its own object, and share no goal."""
    verb = next((i for i in range(low, left) if tokens[i].text in BASE), left)
    shared = any(token.text in _TAKES_VERB for token in tokens[low:left])
    goals = any(tokens[i].text == "to" and tokens[i + 1].text in BASE for i in range(low, len(tokens) - 1))
    apart = (
        verb + 2 < left and finite(tokens, verb + 1, left) < 0 and right + 2 < len(tokens) and not shared and not goals
    )
    return apart and imperative(tokens, right) and _owned(tokens, verb + 1) and _owned(tokens, right + 1)


def _owned(tokens: Tokens, i: int) -> bool:
    """Whether the object of an order begins at the i-th token."""
    return tokens[i].kind in ("code", "quote") or tokens[i].text in DETERMINERS or tokens[i].capital


def compound(tokens: Tokens, start: int = 0) -> bool:
    """Whether tokens[start:] rather name something, though a word of theirs may be a verb: `user access controls`."""
    verb = finite(tokens, start)
    if verb <= start or tokens[verb].text not in _VERBS or tokens[start].text in SUBJECTS:
        return False
    qualified = any(token.text in PREPOSITIONS for token in tokens[start:verb])
    if tokens[start].text in DETERMINERS and tokens[-1].text == "." and not qualified:
        return False
    after = tokens[verb + 1] if verb + 1 < len(tokens) else None
    return after is None or after.kind in ("mark", "group") or after.text in _JOINS_NOUNS


def clause(tokens: Tokens, start: int, end: int | None = None) -> bool:
    """Whether tokens[start:end] begins as an independent clause: subject, then finite verb."""
    end = len(tokens) if end is None else end
    if start >= end or tokens[start].kind == "mark":
        return False
    if tokens[start].text in CONDITIONS:
        verb = finite(tokens, start, end)
        return after_condition(tokens, start, end) > 0 or (verb > 0 and finite(tokens, verb + 1, end) > 0)
    if tokens[start].text in CLITICS:
        return True
    verb = finite(tokens, start, min(end, start + _CLAUSE_TOKENS))
    if verb <= start or verb - start > _SUBJECT_WORDS + 4:
        return False
    if tokens[start].text in _ANYBODY and tokens[start + 1].text == "who":
        main = finite(tokens, verb + 1, min(end, start + _CLAUSE_TOKENS))
        return main > 0 and not any(token.text in ("and", "or", ",") for token in tokens[verb:main])
    return _nominal(tokens[start:verb]) and (tokens[start].text not in RELATIVES or tokens[start].text == "that")


def _nominal(words: Tokens) -> bool:
    """Whether words can be a subject: no marks of other clauses among them."""
    if any(t.text in (",", ";", ":", "but") or t.text in _WHETHER for t in words):
        return False
    if any(t.text in RELATIVES for t in words[1:]) or sum(t.text == "as" for t in words) > 1:
        return False  # `to the gate as soon as you can` has no subject but its last
    verbs = [i for i in range(1, len(words) - 1) if words[i].text in THIRD and words[i - 1].text == "and"]
    return all(words[i + 1].text in PREPOSITIONS for i in verbs)  # "its parts and lets others" has a verb


def after_condition(tokens: Tokens, start: int, end: int) -> int:
    """Where the main clause begins behind `If ...,` (index), or 0 where there is no such comma."""
    for i in range(start + 2, end - 1):
        if tokens[i].text == "," and (imperative(tokens, i + 1, end) or _plain_clause(tokens, i + 1, end)):
            return i + 1
    return 0


def _plain_clause(tokens: Tokens, start: int, end: int) -> bool:
    return tokens[start].text not in _JOINS and clause(tokens, start, end)


def supposes(tokens: Tokens, i: int) -> bool:
    """Whether a clause that is only a condition begins at the i-th token: `provided you ask`, `as long as it lasts`."""
    before, words = tokens[max(0, i - 1) : i], [token.text for token in tokens[i : i + 2]]
    if words == ["long", "as"]:
        begun = any(token.text in ("as", "so") for token in before)
    else:
        given = len(words) > 1 and words[0] in _GIVEN and words[1] in SUBJECTS | DETERMINERS
        begun = given and not any(auxiliary(token) for token in before)
    return begun and finite(tokens, i + 1) >= 0


def timed(tokens: Tokens, start: int, end: int) -> bool:
    """Whether a clause follows on words of time that no comma ends: `after four years it stands at 88`."""
    if start >= end or tokens[start].text not in _OF_TIME:
        return False
    begins = (i for i in range(start + 2, min(end, start + _SUBJECT_WORDS)) if tokens[i].text in _BEGINS)
    return any(finite(tokens, start + 1, i) < 0 and clause(tokens, i, end) for i in begins)


def subject(tokens: Tokens, start: int, end: int) -> tuple[int, int] | None:
    """The subject of the clause tokens[start:end] as (index, index behind), where it is plain enough to be repeated."""
    while start < end and tokens[start].text in _LEADS:
        start += 1
    verb = finite(tokens, start, end)
    if verb <= start or verb - start > _SUBJECT_WORDS or tokens[start].text in _NO_SUBJECT:
        return None
    words = tokens[start:verb]
    while words and (words[-1].text in _TRAILING or (words[-1].text.endswith("ly") and len(words) > 1)):
        words = words[:-1]
    if words and words[0].text in _WHATEVER:
        return None
    barred = _NOT_NAMED if len(words) > 1 else {"there"}
    plain = words and not any(t.kind == "mark" or t.text in barred for t in words)
    return (start, start + len(words)) if plain else None
