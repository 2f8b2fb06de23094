"""A shallow reading of English: where the finite verb is, whether words form a clause, what its subject is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.extraction.lexicon import (
    ADVERBS,
    AUX,
    BASE,
    CLITICS,
    CONDITIONS,
    DETERMINERS,
    PAST,
    PLURAL,
    PREPOSITIONS,
    RELATIVES,
    SUBJECTS,
    THIRD,
)

_TOKEN = re.compile(
    r"(?P<code>`+[^`]{1,400}`+)|(?P<quote>\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”)|(?P<group>\([^()]{1,300}\)|\[[^\[\]]{1,300}\])"
    r"|(?P<word>\w[\w./:@=%+#-]*(?:['’]\w+)?|[-/.$€£₹]+\w[\w./:@=%-]*)|(?P<mark>[^\s\w])"
)
_SUBJECT_WORDS = 8  # longer subjects are found less surely and make clumsy claims


@dataclass(frozen=True, slots=True)
class Token:
    """A word (lower case), inline code, a quotation, a bracketed group or a mark at text[start:end]."""

    text: str
    kind: str
    start: int
    end: int
    capital: bool = False


Tokens = Sequence[Token]


def tokenise(text: str, start: int, end: int) -> list[Token]:
    """The tokens of text[start:end]; code, quotations and brackets are one token each: nothing is cut inside."""
    found = []
    for match in _TOKEN.finditer(text, start, end):
        raw, stop = match[0], match.end()
        if match.lastgroup == "word" and raw[-1] in ".:" and len(raw) > 1:
            raw, stop = raw.rstrip(".:"), match.start() + len(raw.rstrip(".:"))
        word = raw.lower().replace("’", "'")
        found.append(Token(word, str(match.lastgroup), match.start(), stop, raw[:1].isupper()))
        if stop < match.end():
            found.append(Token(text[stop], "mark", stop, match.end()))
    return found


def finite(tokens: Tokens, start: int = 0, end: int | None = None) -> int:
    """The index of the first finite verb in tokens[start:end], or -1."""
    end = len(tokens) if end is None else end
    return next((i for i in range(start, end) if _finite_at(tokens, i, start, end)), -1)


def _finite_at(tokens: Tokens, i: int, start: int, end: int) -> bool:
    token = tokens[i]
    if token.kind != "word":
        return False
    if token.text in CLITICS or (token.text in AUX and (i > start or token.text not in ("do", "have"))):
        return True
    before = tokens[i - 1] if i > start else None
    after = tokens[i + 1] if i + 1 < end else None
    if before is not None and before.text in ADVERBS and i - 1 > start:
        before = tokens[i - 2]
    if before is None or before.kind == "mark" or (after is not None and _auxiliary(after)):
        return False
    return _agrees(before, token, after)


def _auxiliary(token: Token) -> bool:
    return token.text in AUX or token.text in CLITICS


def _agrees(before: Token, token: Token, after: Token | None) -> bool:
    """Whether the word before can be the subject's last: `client sends`, `users send`, `we sent`, `firm sent the`."""
    word, previous = token.text, before.text
    if previous in SUBJECTS and (word.endswith("ed") or (word.endswith("s") and previous in ("it", "he", "she"))):
        return True
    if previous in PREPOSITIONS | PAST | {"and", "or"} or (
        previous in DETERMINERS and previous not in SUBJECTS | PLURAL
    ):
        return False
    named = before.kind != "word" or any(c in "_./" for c in previous)
    plural = previous.endswith("s") and not named and not previous.endswith(("ss", "us", "is", "'s"))
    if word in THIRD:
        return previous not in PLURAL and (not plural or before.capital)
    if word in BASE:
        relative = previous in ("that", "who", "which")
        return previous in PLURAL or relative or (plural and previous not in ADVERBS and not token.capital)
    return word in PAST and (previous in SUBJECTS or (after is not None and after.text in DETERMINERS))


def imperative(tokens: Tokens, start: int = 0, end: int | None = None) -> bool:
    """Whether tokens[start:end] begins as an order: `Pass`, `Then call`, `Don't use`, `Never send`."""
    end = len(tokens) if end is None else end
    i = start
    while i < end and (tokens[i].text in ADVERBS or tokens[i].text in ("don't", "do", "to", "never", ",", "you")):
        if tokens[i].text in ("you", "to"):
            return False
        i += 1
    if start < i < end and tokens[i].kind == "code":
        return True  # "First `pip install x`"
    if i >= end or tokens[i].text not in BASE or tokens[i].kind != "word":
        return False
    after = tokens[i + 1] if i + 1 < end else None
    return after is None or not (_auxiliary(after) or after.text in THIRD or after.text == "of")


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
    verb = finite(tokens, start, end)
    if verb <= start or verb - start > _SUBJECT_WORDS + 4:
        return False
    return _nominal(tokens[start:verb]) and (tokens[start].text not in RELATIVES or tokens[start].text == "that")


def _nominal(words: Tokens) -> bool:
    """Whether words can be a subject: no marks of other clauses among them."""
    if any(t.text in (",", ";", ":", "but") or t.text in CONDITIONS - {"as"} for t in words):
        return False
    if any(t.text in RELATIVES for t in words[1:]):
        return False
    verbs = [i for i in range(1, len(words) - 1) if words[i].text in THIRD and words[i - 1].text == "and"]
    return all(words[i + 1].text in PREPOSITIONS for i in verbs)  # "its parts and lets others" has a verb


def after_condition(tokens: Tokens, start: int, end: int) -> int:
    """Where the main clause begins behind `If ...,` (index), or 0 where there is no such comma."""
    for i in range(start + 2, end - 1):
        if tokens[i].text == "," and (imperative(tokens, i + 1, end) or _plain_clause(tokens, i + 1, end)):
            return i + 1
    return 0


def _plain_clause(tokens: Tokens, start: int, end: int) -> bool:
    return tokens[start].text not in CONDITIONS | {"and", "or", "but"} and clause(tokens, start, end)


def subject(tokens: Tokens, start: int, end: int) -> tuple[int, int] | None:
    """The subject of the clause tokens[start:end] as (index, index behind), where it is plain enough to be repeated."""
    while start < end and tokens[start].text in ADVERBS | {"so", "and", "but", ","}:
        start += 1
    verb = finite(tokens, start, end)
    if verb <= start or verb - start > _SUBJECT_WORDS or tokens[start].text in PREPOSITIONS | CONDITIONS | {"there"}:
        return None
    words = tokens[start:verb]
    while words and (words[-1].text in ADVERBS or (words[-1].text.endswith("ly") and len(words) > 1)):
        words = words[:-1]
    barred = RELATIVES | CONDITIONS | {"and", "or", "to", "there"}
    plain = words and not any(t.kind == "mark" or t.text in (barred if len(words) > 1 else {"there"}) for t in words)
    return (start, start + len(words)) if plain else None
