"""A question with its words as people type them: misspelled, in another case, with or without courtesy."""

from __future__ import annotations

import random
import re

from gate.text import identifiers

LONGEST = 2000  # characters of a question that is varied; a longer one is a document
_SHORTEST = 5  # letters of a word that may be misspelled: shorter ones turn into other words
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)'[^']*'(?!\w)|‘[^’]*’(?!\w)")
_CHUNK = re.compile(r"\S+")
_WORD = re.compile(r"(?<![\w'’])[^\W\d_]+(?![\w'’])")
_SIGNS = frozenset("_/\\@=<>{}[]#$~^|+*&%€£¥₹")
# Two letters swapped make another word of these.
_TURN_LIST = (
    "trial trail angel angle quiet quite casual causal unite untie diary dairy marital martial sacred scared silver "
    "sliver filed field tired tried being begin signed singed united untied conversation conservation "
    "retries retires prefect perfect preserve persevere specific pacific"
)
_TURNS = frozenset(_TURN_LIST.split())
_COURTESY = re.compile(
    r"^(?:hello|hi|hey|good (?:morning|evening|day)|excuse me)[,!.] |,? ?\bplease\b,?"
    r"|[.!,]? (?:many thanks|thank you|thanks)[\w ]*[.!]*$",
    re.IGNORECASE,
)
_POLITE = (
    "Could you please help me with this question? {} Thank you very much!",
    "Please tell me: {}",
    "Hello! I would be grateful for an answer to this. {} Many thanks!",
)
_FUNCTION = re.compile(
    r"\b(?:what|which|who|when|where|why|how|is|are|was|does|do|did|can|could|may|must|should|will|the|of|to|and)\b",
    re.IGNORECASE,
)


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


def english(question: str) -> bool:
    """Whether words may be put around a question in English."""
    letters = [char for char in question if char.isalpha()]
    return bool(_FUNCTION.search(question)) and sum(char.isascii() for char in letters) >= 0.95 * len(letters)


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
    for at in draw.sample(places, len(places)):
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if swapped not in _TURNS:
            return swapped
    return None


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


def politeness(question: str, seed: int) -> str | None:
    """With words of courtesy around it, or without those that it has; None where it is not in English."""
    if not english(question):
        return None
    blunt = _COURTESY.sub("", question).strip()
    if blunt != question.strip() and blunt:
        return blunt[0].upper() + blunt[1:]
    draw = random.Random(f"{seed}:{question}:polite")  # noqa: S311 - a sample, not a secret
    return draw.choice(_POLITE).format(question)
