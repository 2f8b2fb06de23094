"""Where the finite verb of an English clause is: by lists of verbs, by agreement, and by what stands around a word."""

from __future__ import annotations

from gate.extraction.forms import can_end_subject, looks_base, looks_third, measured
from gate.extraction.lexicon import (
    ADVERBS,
    AUX,
    BASE,
    CLITICS,
    CONDITIONS,
    DETERMINERS,
    LONE,
    PAST,
    PLURAL,
    PREPOSITIONS,
    PRETERITES,
    RELATIVES,
    SUBJECTS,
    THIRD,
)
from gate.extraction.tokens import Token, Tokens
from gate.text_stem import ends_plural

_OBJECTS = frozenset({"the", "a", "an", "its", "their", "his", "her", "our", "your", "my", "it", "them", "him", "us"})
_ENDS_CLAUSE = frozenset({"and", "but", "or"}) | CONDITIONS | RELATIVES
_BEHIND_COUNTED = PREPOSITIONS | {".", ",", ";", ":", "!", "(", "and", "or", "+", "/", "-", "–", "—"}
_NO_DOING = frozenset(
    {"thing", "something", "anything", "everything", "nothing", "king", "string", "spring", "morning"}
)
_OFTEN = frozenset({"never", "always", "usually", "normally", "typically", "often"})
_TIMES = frozenset({"second", "minute", "hour", "day", "night", "week", "month", "year"})
_DOING = 12  # tokens of a subject that tells what one does
_NEAR = 30  # tokens of a clause that are looked through
_BARRED = BASE | PREPOSITIONS | CONDITIONS | RELATIVES | {"to"}
_NO_HEADS = AUX | ADVERBS | RELATIVES | CONDITIONS
_BEHIND = PREPOSITIONS | ADVERBS | _OBJECTS
_SUBORDINATES = PREPOSITIONS | CONDITIONS


def finite(tokens: Tokens, start: int = 0, end: int | None = None) -> int:
    """The index of the first finite verb in tokens[start:end], or -1."""
    end = len(tokens) if end is None else end
    return next((i for i in range(start, end) if _finite_at(tokens, i, start, end)), -1)


def _finite_at(tokens: Tokens, i: int, start: int, end: int) -> bool:
    token = tokens[i]
    if token.kind != "word":
        return False
    before = tokens[i - 1] if i > start else None
    hour = token.text == "am" and (before is None or before.text != "i")  # "8 am"
    if auxiliary(token) and not hour and (before is not None or token.text not in ("do", "have")):
        return True
    after = tokens[i + 1] if i + 1 < end else None
    if before is not None and i - 1 > start and _adverb(before, tokens[i - 2]):
        before = tokens[i - 2]
    if before is None or (after is not None and auxiliary(after)):
        return False
    if token.text in BASE and tokens[i - 1].text in _OFTEN and i - 1 > start and can_end_subject(before.text):
        return True  # `lids wider than 5 cm never fit`
    if before.kind == "mark":
        return token.text in THIRD and after is not None and _resumes(tokens, i, start, after)
    if _counted(tokens, i, start, end):
        return False
    return _agrees(before, token, after) or _likely(tokens, i, before, start, end) or _apart(tokens, i, start, end)


def _counted(tokens: Tokens, i: int, start: int, end: int) -> bool:
    """Whether the i-th word is a noun behind its number: `5 seats`, `3 reports of a day`, `500 API calls a day`."""
    opened = i == start + 1 or tokens[i - 2].kind == "mark"
    if opened and tokens[i - 1].text[:1].isdigit() and (i + 1 >= end or tokens[i + 1].text in _BEHIND_COUNTED):
        return True
    said = [token.text for token in tokens[i + 1 : end] if token.kind != "mark"]
    rated = len(said) == 2 and said[0] in ("a", "an", "per", "each", "every") and said[1] in _TIMES
    return rated and tokens[start].text[:1].isdigit()


def _adverb(token: Token, before: Token) -> bool:
    """Whether a word only stands between subject and verb: `apps generally need`, not `the family needs`."""
    derived = token.text.endswith("ly") and before.kind == "word" and before.text not in DETERMINERS | AUX
    return token.text in ADVERBS or (derived and can_end_subject(before.text))


def _apart(tokens: Tokens, i: int, start: int, end: int) -> bool:
    """Whether the verb's subject is not the noun before it, but what one does (`Paying the bill unlocks it`) or several
    names of code (``a` and `b` take a key`)."""
    word, low = tokens[i].text, i - (tokens[i - 1].text in ADVERBS)
    inside = tokens[start:low] if 2 <= low - start <= _DOING else ()
    if not inside or i + 1 >= end:
        return False
    named = inside[-1].kind == "code" and all(t.kind == "code" or t.text in (",", "and", "both") for t in inside)
    if word in BASE and any(token.text in ("and", "or") for token in inside):
        return named or _together(tokens, i, inside, end)
    done = inside[0].text.endswith("ing") and inside[0].text not in _NO_DOING | PREPOSITIONS
    if not done or any(token.kind == "mark" for token in inside) or not looks_third(word):
        return False
    after, last = tokens[i + 1], inside[-1].text
    many = len(inside) > 2 and inside[-2].text in DETERMINERS and ends_plural(last) and word in THIRD
    found = measured(after) or after.kind == "code" or after.text in _OBJECTS | {"you"}
    return last not in DETERMINERS | PREPOSITIONS and (found or (many and after.kind == "word"))


def _together(tokens: Tokens, i: int, inside: Tokens, end: int) -> bool:
    """Whether an object follows a verb of several: `The chair and the clerk settle the matter`."""
    first, last, after = inside[0], inside[-1], tokens[i + 1]
    barred = first.text in _BARRED or any(t.kind == "mark" for t in inside)
    governs = measured(after) or after.text in _OBJECTS | {"nothing", "everything"}
    able = can_end_subject(last.text) and last.text not in DETERMINERS | ADVERBS
    return governs and able and not barred and not _verb_behind(tokens, i + 1, end)


def auxiliary(token: Token) -> bool:
    """Whether a token is or holds an auxiliary verb: `is`, `it's`; `May` is a month."""
    return (token.text in AUX and not (token.capital and token.text == "may")) or token.text in CLITICS


def _agrees(before: Token, token: Token, after: Token | None) -> bool:
    """Whether the word before can be the subject's last: `client sends`, `users send`, `we sent`, `firm sent the`."""
    word, previous = token.text, before.text
    if previous in SUBJECTS and (word.endswith("ed") or (word.endswith("s") and previous in ("it", "he", "she"))):
        return True
    if not can_end_subject(previous):
        return False
    named = before.kind != "word" or any(c in "_./" for c in previous)
    plural = ends_plural(previous) and not named and not previous.endswith("'s")
    if word in THIRD:
        return previous not in PLURAL and (not plural or before.capital)
    relative = previous in ("that", "who", "which")
    if word in BASE and (previous in PLURAL or relative or (plural and previous not in ADVERBS and not token.capital)):
        return True
    return word in PRETERITES or (word in PAST and (previous in SUBJECTS or (after is not None and measured(after))))


def _likely(tokens: Tokens, i: int, previous: Token, start: int, end: int) -> bool:
    """Whether a word that may be something else is the verb, as no other is near: `the list of users contains`,
    `the wheel spins the belt`, `the pool opened in May`."""
    word = tokens[i].text
    after = tokens[i + 1] if i + 1 < end else None
    if not can_end_subject(previous.text) or previous.text in _NO_HEADS:
        return False
    if word in THIRD:
        found = after is not None and _governs(after) and _headed(tokens, start, i) == "one"
    elif word in BASE:
        begins = after is not None and (measured(after) or after.text in _OBJECTS)
        found = begins and _headed(tokens, start, i) == "many"
    elif word in LONE:
        found = after is None or _governs(after) or after.kind == "mark"
    else:
        plural = previous.kind == "word" and previous.text.endswith("s")
        fits = not previous.text[:1].isdigit() and (looks_base(word) if plural else looks_third(word))
        found = fits and after is not None and after.text in _OBJECTS
    return found and not _verb_behind(tokens, i + 1, end)


def _governs(after: Token) -> bool:
    """Whether a word can stand behind a verb: the beginning of its object or of what tells how."""
    return measured(after) or after.kind in ("code", "quote") or after.text in _BEHIND


def _resumes(tokens: Tokens, i: int, start: int, after: Token) -> bool:
    """Whether a verb goes on behind a mark: `Team plan - includes 5 seats`, `the client, a wrapper, sends`."""
    if tokens[i - 1].text in ("-", "–", "—", ":"):
        return _governs(after)
    return after.kind != "mark" and _named_between(tokens, i, start)


def _named_between(tokens: Tokens, i: int, start: int) -> bool:
    """Whether the comma before the i-th token ends what is said beside its subject: `the client, a wrapper, sends`, `a
    client, or its wrapper, sends`."""
    if tokens[i - 1].text != ",":
        return False
    low = max(start, i - _NEAR)
    opened = next((j for j in range(i - 2, low, -1) if tokens[j].kind == "mark"), -1)
    if opened < 1 or tokens[opened].text != "," or tokens[start].text in _SUBORDINATES:
        return False
    inside = tokens[opened + 1]
    other = inside.kind == "code" or inside.text[:1].isdigit() or inside.text in ("or", "in")
    return (inside.text in ("a", "an", "the") and i - opened > 3) or (other and i - opened > 2)


def _headed(tokens: Tokens, start: int, i: int) -> str:
    """The number of the head whose description ends before the i-th token: one for `the list of users`; or empty."""
    if tokens[start].text in _SUBORDINATES:
        return ""
    at = next((j for j in range(max(start + 1, i - _NEAR), i - 1) if tokens[j].text in PREPOSITIONS), start)
    head = tokens[at - 1]
    if at == start or head.kind != "word":
        return ""
    return "many" if head.text.endswith("s") or head.text in PLURAL else "one"


def _verb_behind(tokens: Tokens, start: int, end: int) -> bool:
    """Whether an auxiliary verb follows in the same clause."""
    for token in tokens[start : min(end, start + _NEAR)]:
        if token.kind == "mark" or token.text in _ENDS_CLAUSE:
            return False
        if auxiliary(token):
            return True
    return False
