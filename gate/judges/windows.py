"""The pieces of evidence that a reader is shown: the few neighbouring sentences that meet a claim best, by their words
and by their meaning, and the best sentence of both kinds alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from gate.judges import tasks
from gate.judges.alignment import Alignment, cover, union
from gate.judges.evidence import Sentence
from gate.judges.measured import as_claimed
from gate.records import Item
from gate.text import normalise, plain

SIZE = 3  # sentences of a window; what the shipped reader was trained on
SHORT = 5  # words: a shorter line (a heading, the head of a list, most code) belongs to what follows it
MOST = 12  # sentences of a window, short ones included
LONGEST = 900  # characters of a window that are worth reading
# Pieces of words and marks, about as many as tokens of a reader, in a window of several sentences: with a claim of
# usual length the shipped reader sees so many. What is cut off at its end, as of code, nobody would have read.
SEEN = 110
_WORD = re.compile(r"(?<![\w.])[^\W\d_]{2,}(?![\w.(=])")
_PIECE = re.compile(r"[^\W_]{1,7}|[^\w\s]|_")
_ADDRESS = re.compile(r"\(?https?://[^\s)]{1,2000}\)?")


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring sentences of an alignment, `sentences[first:last]`, and their `text` as a reader sees it."""

    text: str
    first: int
    last: int


def prose(text: str) -> str:
    """One line without markup, addresses of links and fences: what a reader was trained to read."""
    start = text[: 4 * LONGEST]
    return " ".join(plain(normalise(_ADDRESS.sub(" ", plain(start)).replace("```", " "))).split())[:LONGEST]


def distinct(windows: Iterable[Window]) -> list[Window]:
    """Those with a text, each text once; the first of equal ones."""
    found: dict[str, Window] = {}
    for window in windows:
        if window.text:
            found.setdefault(window.text, window)
    return list(found.values())


def verbatim(item: Item, sentence: Sentence) -> str:
    """A sentence as it stands in its passage."""
    return item.evidence[sentence.passage].text[sentence.start : sentence.end]


def met(alignment: Alignment, first: int, last: int) -> float:
    """The weighted share of the claim that the sentences [first:last] meet together."""
    return cover(alignment.terms, union(alignment.rows[first:last], len(alignment.terms)))


def focus_window(item: Item, alignment: Alignment) -> list[Window]:
    """The sentence that meets most of the claim, by itself: surroundings explain a sentence, and they also distract
    from it. None where it has no text, as the header of a table."""
    return distinct([_window(item, alignment, alignment.focus, alignment.focus + 1)])


def further_windows(item: Item, alignment: Alignment, kin: int | None = None) -> list[Window]:
    """What else a reader is shown, in this order: the sentence at `kin`, which means most nearly what the claim says
    (what speaks of a claim in other words shares few of its words); the window that covers the claim best; the sentence
    at `kin` with its neighbours; and the window that covers the claim best of those that share no sentence with the
    first of these: what denies a claim may stand elsewhere."""
    spans = _spans(alignment)
    shares = [round(met(alignment, first, last), 9) for first, last in spans]
    order = sorted(range(len(spans)), key=lambda place: (-shares[place], place))
    best = spans[order[0]]
    said = set(_said(item, alignment, best))
    other = next((spans[place] for place in order[1:] if said.isdisjoint(_said(item, alignment, spans[place]))), best)
    alone, beside = ([(kin, kin + 1)], [_beside(alignment, kin)]) if kin is not None else ([], [])
    return distinct(_window(item, alignment, *span) for span in (*alone, best, *beside, other))


def _said(item: Item, alignment: Alignment, span: tuple[int, int]) -> list[str]:
    """The sentences of a span as they stand: passages overlap, so places do not tell."""
    return [verbatim(item, sentence) for sentence in alignment.sentences[span[0] : span[1]]]


def _beside(alignment: Alignment, place: int) -> tuple[int, int]:
    """A sentence and one that is not short on either side of it, within its passage."""
    sentences = alignment.sentences
    spare = (SEEN - _size(sentences[place])) // 2

    def end(step: int) -> int:
        at, left = place, spare
        while 0 <= at + step < len(sentences) and sentences[at + step].passage == sentences[place].passage:
            left -= _size(sentences[at + step])
            if left < 0:
                break
            at += step
            if _is_long(sentences[at]) or abs(at - place) >= MOST // 2:
                break
        return at

    return end(-1), end(1) + 1


def _is_long(sentence: Sentence) -> bool:
    """Whether it says something by itself; a row says what its header makes of it, the header nothing."""
    return bool(sentence.told) if sentence.told is not None else len(_WORD.findall(sentence.reading.plain)) >= SHORT


def _size(sentence: Sentence) -> int:
    return len(_PIECE.findall(sentence.told or sentence.reading.plain))


def _spans(alignment: Alignment) -> list[tuple[int, int]]:
    """From every sentence on, as many as hold SIZE sentences that are not short, within one passage, and are SEEN."""
    sentences = alignment.sentences
    long, sizes = [_is_long(sentence) for sentence in sentences], [_size(sentence) for sentence in sentences]
    found = []
    for first, sentence in enumerate(sentences):
        last, held, size = first, 0, 0
        while held < SIZE and last < min(first + MOST, len(sentences)) and sentences[last].passage == sentence.passage:
            if last > first and size + sizes[last] > SEEN:
                break
            held, size = held + long[last], size + sizes[last]
            last += 1
        found.append((first, last))
    return found


def _window(item: Item, alignment: Alignment, first: int, last: int) -> Window:
    claim, shown = alignment.claim, alignment.sentences[first:last]
    text = item.evidence[shown[0].passage].text
    pieces = []
    for rows, group in groupby(shown, lambda sentence: sentence.told is not None):
        some = list(group)
        pieces += [one.told for one in some if one.told] if rows else [text[some[0].start : some[-1].end]]
    pieces = [tasks.told(piece) for piece in pieces] if tasks.has_plans(text) else pieces
    return Window(as_claimed(prose("\n".join(pieces)), claim.plain, claim.numbers), first, last)
