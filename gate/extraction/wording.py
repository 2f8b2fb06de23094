"""How a claim is put into words: one line, no markup but code, a full stop, and never too long to be read at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gate.text import normalise, numbers, plain, tokens

CHARACTERS = 1500  # of one claim
_NAMES = re.compile(r"`([a-z]\w*)`|\b([a-z]\w*)(?:\.\w|\[|\()")
_CITED = re.compile(r"(`[^`\n]*`)|\s?(?:\[\^?\d{1,3}(?:, ?\d{1,3}){0,9}\]|【[^】]{0,30}】)")
_SEVERAL = re.compile(r"(`[^`\n]*`)|\s?(?:\[\^?\d{1,3}\] ?){2,}")  # `[3][4]` looks like a link
_GOES_ON = re.compile(r"[,;]\s+(?:and|or|but)\s*$")  # of an item in a list that is one sentence
_SHOWS = re.compile(r"[,;:–—]\s*(?:e\.g\.|i\.e\.|for (?:example|instance)|like (?:so|this))[\s:,]*$", re.IGNORECASE)
_CLOSES = re.compile(r"[.!?…][\"'”’)]?([*_]{1,3})$")
_ENDED = re.compile(r"[.!?。！？…।॥۔؟][\"'”’)\]]{0,3}$")


@dataclass(frozen=True, slots=True)
class Extracted:
    """One claim: self-contained `text`, said at answer[start:end]."""

    text: str
    start: int
    end: int


def one_line(text: str) -> str:
    """`text` normalised, without citation marks and markup but the backticks of code, in one line."""
    text = _SEVERAL.sub(lambda found: found[1] or "", text)
    shown = _CITED.sub(lambda found: found[1] or "", plain(text, ticks=True))
    return " ".join(normalise(shown).split())


def names_of(text: str) -> frozenset[str]:
    """Lower-case words that `text` shows as code: what begins a claim as written."""
    return frozenset(name for pair in _NAMES.findall(text) for name in pair if name)


def tidy(answer: str, prefix: str, start: int, end: int, names: frozenset[str] = frozenset()) -> Extracted:
    """The claim `prefix` + answer[start:end], as a sentence."""
    said = _SHOWS.sub("", _GOES_ON.sub("", answer[start:end]))  # what is shown is not in it
    stop = max(start + len(said.rstrip(" \t\n,;:—–-")), start + 1)
    stop -= _closing(answer, start, stop)
    return Extracted(sentence(one_line(prefix + answer[start:stop]), names), start, stop)


def _closing(answer: str, start: int, stop: int) -> int:
    """How many characters at the end of answer[start:stop] close an emphasis that begins before it in its line:
    `*Prices include VAT.*`, whose first mark is no part of the sentence."""
    found = _CLOSES.search(answer[start:stop])
    mark = found[1] if found else ""
    line = answer[answer.rfind("\n", 0, start) + 1 : start]
    opened = mark != "" and line.count(mark) % 2 == 1
    return len(mark) if opened and re.search(rf"(?<![\w*_]){re.escape(mark)}(?![\s*_])", f"{line}x") else 0


def sentence(text: str, names: frozenset[str] = frozenset()) -> str:
    """With a capital, unless a name of code comes first, and with a full stop."""
    first = text.split(maxsplit=1)[0].rstrip(",.!") if text.strip() else ""
    if first.isascii() and first.replace("'", "").isalpha() and first.islower() and first not in names:
        text = text[0].upper() + text[1:]
    return text if _ENDED.search(text) else text.rstrip(",;: ") + "."


def distinct(claims: Iterable[Extracted]) -> list[Extracted]:
    """The claims that have words, without those that say again what an earlier one says."""
    found: dict[tuple[str, ...], Extracted] = {}
    for claim in claims:
        found.setdefault(_said(claim.text), claim)
    return [claim for key, claim in found.items() if key]


def _said(text: str) -> tuple[str, ...]:
    """The words of `text` with measures and numbers in words by their value: `five seconds` are 5 seconds."""
    found, at = [], 0
    for number in numbers(text):
        if number.known:
            amount = [repr((number.value, number.unit, number.other))]
        elif text[number.start].isalpha():
            amount = tokens(f"{number.value:.12g} {number.unit}")
        else:
            continue
        found += [*tokens(text[at : number.start]), *amount]
        at = number.end
    return (*found, *tokens(text[at:]))


def windows(claim: Extracted) -> list[Extracted]:
    """A claim, or its pieces of at most CHARACTERS where it is too long to be read at once. None is less than half of
    that but the last: the question before a long word would be one, and a claim that every document bears out."""
    if len(claim.text) <= CHARACTERS:
        return [claim]
    pieces, at = [], 0
    while at < len(claim.text):
        end = at + CHARACTERS
        cut = claim.text.rfind(" ", at + CHARACTERS // 2, end) + 1 if end < len(claim.text) else len(claim.text)
        cut = cut if cut > at else end
        pieces.append(replace(claim, text=claim.text[at:cut].strip()))
        at = cut
    return [piece for piece in pieces if piece.text]


def coarse(claims: list[Extracted]) -> Iterator[Extracted]:
    """Neighbouring claims joined up to CHARACTERS each."""
    joined = claims[0]
    for claim in claims[1:]:
        if len(joined.text) + len(claim.text) < CHARACTERS:
            joined = Extracted(f"{joined.text} {claim.text}", joined.start, max(joined.end, claim.end))
        else:
            yield joined
            joined = claim
    yield joined
