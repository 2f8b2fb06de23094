"""A question in other words without a model: framed, misspelled, in another case, politely, its halves exchanged."""

from __future__ import annotations

import random
import re

from gate.text import identifiers, sentences
from gate.text_language import is_foreign

LONGEST = 2000  # characters of a question that is varied; a longer one is a document
PARAPHRASES = 2  # of a question
_SHORTEST = 5  # letters of a word that may be misspelled: shorter ones turn into other words
_HALF = 3  # words of a half that may stand first
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)'[^']*'(?!\w)|‘[^’]*’(?!\w)")
_CHUNK = re.compile(r"\S+")
_WORD = re.compile(r"(?<![\w'’])[^\W\d_]+(?![\w'’])")
_SIGNS = frozenset("_/\\@=<>{}[]#$~^|+*&%€£¥₹")
_FRAMES = ("I would like to know the following: {}", "Here is what I want to find out. {}")
_POLITE = "Could you please help me with this question? {} Thank you very much!"


def paraphrases(question: str) -> list[str]:
    """Ways to ask the same, PARAPHRASES of them: frames that fit every question; none where it is long or not in
    English. The question itself stays as it is, so that nothing else is asked."""
    text = " ".join(question.split())
    if len(text) > LONGEST or not text or is_foreign(text):
        return []
    return [frame.format(text) for frame in _FRAMES]


def reordered(question: str) -> str | None:
    """The two halves of a question in the other order; None where its one sentence has not just one comma, with a few
    words on both sides."""
    text = " ".join(question.split())
    halves = text.rstrip("?. ").split(", ")
    if len(text) > LONGEST or len(halves) != 2 or len(sentences(text)) != 1:
        return None
    if any(half.count(" ") + 1 < _HALF for half in halves) or any(mark in text for mark in '()\u201c\u201d"`:;'):
        return None
    first, second = halves
    return f"{second[:1].upper()}{second[1:]}, {first[:1].lower()}{first[1:]}?"


def kept(question: str) -> list[tuple[int, int]]:
    """Spans that no variation may touch: quotes, code, identifiers, amounts with the word behind them."""
    spans = [match.span() for match in _QUOTED.finditer(question)]
    counted = False
    for match in _CHUNK.finditer(question):
        word = match[0].strip("?!.,;:()")
        digits = any(char.isdigit() for char in word)
        if digits or counted or not _SIGNS.isdisjoint(word) or identifiers(word):
            spans.append(match.span())
        counted = digits
    return spans


def typos(question: str, seed: int) -> str | None:
    """One to three words with two inner letters swapped, never one that is code, a name or an amount."""
    closed = kept(question)
    draw = random.Random(f"{seed}:{question}")  # noqa: S311 - a sample, not a secret
    open_ = [match for match in _WORD.finditer(question) if _open(match, closed)]
    found = [(match.start(), swapped) for match in open_ if (swapped := _misspelled(match[0], draw))]
    varied = question
    for start, word in draw.sample(found, min(len(found), 3, 1 + len(found) // 4)):
        varied = varied[:start] + word + varied[start + len(word) :]
    return varied if found else None


def _open(match: re.Match[str], closed: list[tuple[int, int]]) -> bool:
    """Lower-case, long enough, and no part of what is kept."""
    if len(match[0]) < _SHORTEST or not match[0].islower():
        return False
    return not any(start < match.end() and match.start() < end for start, end in closed)


def _misspelled(word: str, draw: random.Random) -> str | None:
    places = [at for at in range(1, len(word) - 2) if word[at] != word[at + 1]]
    if not places:
        return None
    at = draw.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def case(question: str) -> str | None:
    """In lower case, or in capitals where it is already; quotes, code, abbreviations and amounts stay."""
    return next((varied for varied in (_cased(question, False), _cased(question, True)) if varied != question), None)


def _cased(question: str, upper: bool) -> str:
    spans = sorted(kept(question))
    pieces, at = [], 0
    for start, end in [*spans, (len(question), len(question))]:
        free = question[at : max(at, start)]
        pieces += [free.upper() if upper else free.lower(), question[max(at, start) : end]]
        at = max(at, end)
    return "".join(pieces)


def politeness(question: str) -> str | None:
    """With words of courtesy around it; None where it is not in English."""
    return None if is_foreign(question) else _POLITE.format(question)
