"""What the reader is shown: passages as pieces (sentences, items, rows in words), and windows of a few of them.

The texts are the same in training and in use: `training` builds its pairs with these functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from gate.records import Evidence, heading_at
from gate.store.passages import key_terms
from gate.text import Block, normalise, parse_blocks, plain, sentences_in
from gate.text.layout import cells, row_in_words, rows_in_words

SIZE = 3  # pieces of a window that say something by themselves
SHORT = 5  # words: a shorter piece (a code word, `Note:`) does not count towards SIZE
MOST = 8  # pieces of a window, short ones included
LONGEST = 900  # characters of a window
PIECE = 500  # characters of a piece: a longer one (minified text) is cut at a blank
# How much a term counts that stands in the context alone, and one that the headings alone meet.
CONTEXT, HEADING = 0.8, 0.5
_ENDS = ".:!?;,"  # what needs no full stop to be told from the piece behind it


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, item, row or line of code: `evidence[passage].text[start:end]`; `text` as the reader is shown it;
    `path` the headings above it, outermost first; `lead` the sentence that introduces its list, or ""."""

    passage: int
    start: int
    end: int
    text: str
    path: tuple[str, ...]
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring pieces `pieces[first:last]` of one passage, as one text for the reader, and how well its words meet
    the claim (0 to about 1)."""

    text: str
    first: int
    last: int
    score: float = 0.0


def show_claim(text: str, header: str = "") -> str:
    """A claim in one line without markup; a table row in words, each cell under its header."""
    row = cells(text)
    if row and header:
        return clean(row_in_words([plain(cell) for cell in row], [plain(name) for name in cells(header)]))
    return clean(", ".join(cell for cell in row if cell)) if row else clean(text)


def show_context(context: str) -> str:
    """The question, the lead-in and the units before a claim in one line, without markup."""
    return " ".join(clean(piece) for piece in context.split("\n") if piece.strip())


@lru_cache(maxsize=1 << 14)
def clean(text: str) -> str:
    """One line without markup, invisible characters and doubled blanks."""
    return " ".join(plain(normalise(text)).split())


def pieces(evidence: Sequence[Evidence]) -> list[Piece]:
    """The pieces of all passages, in order. A heading is no piece: it goes with what stands below it."""
    same = [replace(passage, score=0.0) for passage in evidence]  # found for several claims, each with its own score
    return [Piece(number, *made) for number, passage in enumerate(same) for made in _pieces(passage)]


_Made = tuple[int, int, str, tuple[str, ...], str]


@lru_cache(maxsize=1 << 10)
def _pieces(passage: Evidence) -> tuple[_Made, ...]:
    text, found, lead = passage.text, list[_Made](), ""
    above = _Above(passage)
    blocks = parse_blocks(text)
    rows = rows_in_words(text, [(block.start, block.end) for block in blocks], passage.header)
    for block, row in zip(blocks, rows, strict=True):
        if block.kind == "heading":
            above.enter(block)
        elif row is not None:
            found += [(block.start, block.end, clean(row)[:LONGEST], above.path(block), "")] if row else []
        else:
            listed = block.kind in ("item", "code")
            lead = lead if listed else ""
            said = [(start, end, clean(text[start:end])) for start, end in _spans(text, block)]
            said = [one for one in said if any(c.isalnum() for c in one[2])]
            found += [(*one, above.path(block), lead) for one in said]
            lead = said[-1][2] if said and not listed and said[-1][2].endswith(":") else lead
    return tuple(found)


class _Above:
    """The headings above a place of a passage: those of its chunk, then its own."""

    def __init__(self, passage: Evidence) -> None:
        self._passage = passage
        self._base = _names(passage.heading)
        self._own: list[tuple[int, str]] = []

    def enter(self, block: Block) -> None:
        """Put a heading of the passage below those of a higher level, by its number of `#`."""
        text = self._passage.text
        level = text[text.rfind("\n", 0, block.start) + 1 : block.start].count("#") or 1
        while self._own and self._own[-1][0] >= level:
            self._own.pop()
        self._own.append((level, clean(text[block.start : block.end])))

    def path(self, block: Block) -> tuple[str, ...]:
        """Outermost first."""
        if self._passage.turns:
            return _names(heading_at(self._passage, self._passage.text.count("\n", 0, block.start)))
        return (*self._base, *(name for _, name in self._own if name not in self._base))


def _names(path: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in path.split(" > ") if part.strip())


def _spans(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """The sentences of a block, a line of code whole; none longer than PIECE."""
    whole = block.kind == "code"
    for start, end in [(block.start, block.end)] if whole else sentences_in(text, block.start, block.end):
        while end - start > PIECE:
            cut = text.rfind(" ", start + PIECE // 2, start + PIECE)
            cut = cut if cut > 0 else start + PIECE
            yield start, cut
            start = cut
        yield start, end


def render(shown: Sequence[Piece]) -> str:
    """Neighbouring pieces as the reader sees them: headings with colons, a list's lead-in, then the pieces."""
    if not shown:
        return ""
    parts = [f"{name.rstrip(':')}:" for name in shown[0].path[-3:]]
    before: Piece | None = None
    for piece in shown:
        if before is not None and piece.path != before.path:
            parts += [f"{name.rstrip(':')}:" for name in piece.path if name not in before.path]
        if piece.lead and (before is None or piece.lead not in (before.lead, before.text)):
            parts.append(piece.lead)
        parts.append(piece.text)
        before = piece
    return " ".join(part if part[-1:] in _ENDS else f"{part}." for part in parts)[: LONGEST + 300]


def spans(given: Sequence[Piece]) -> list[tuple[int, int]]:
    """From every piece on, as many neighbours of its passage as hold SIZE that say something by themselves."""
    found = []
    for first, piece in enumerate(given):
        last, held, size = first, 0, 0
        while last < min(first + MOST, len(given)) and held < SIZE and given[last].passage == piece.passage:
            size += len(given[last].text)
            if last > first and size > LONGEST:
                break
            held += len(given[last].text.split()) >= SHORT
            last += 1
        found.append((first, last))
    return found


def best_windows(claim: str, context: str, given: Sequence[Piece], count: int) -> list[Window]:
    """The `count` windows whose words meet a claim best, best first; a window that shares its best piece with a better
    one is left out. `claim` and `context` as they are shown.

    Score: the share of the claim's terms that stand in the window, weighted by how rare they are among the pieces
    (idf as in BM25); terms of the context count CONTEXT of that, terms that only the headings have HEADING.
    """
    own = dict.fromkeys(key_terms(claim), 1.0)
    terms = own | {term: CONTEXT for term in key_terms(context) if term not in own}
    held = [frozenset(key_terms(piece.text)) & terms.keys() for piece in given]
    above = [frozenset(key_terms(" ".join((*piece.path, piece.lead)))) & terms.keys() for piece in given]
    weight = {
        term: share * math.log(1 + (len(given) + 0.5) / (0.5 + sum(term in some for some in held)))
        for term, share in terms.items()
    }
    total = sum(weight.values()) or 1.0
    scored = []
    for first, last in spans(given):
        said = frozenset().union(*held[first:last])
        headed = frozenset().union(*above[first:last]) - said
        got = sum(weight[t] for t in sorted(said)) + HEADING * sum(weight[t] for t in sorted(headed))
        focus = max(range(first, last), key=lambda at: (sum(weight[t] for t in sorted(held[at])), -at))
        best = sum(weight[t] for t in held[focus])
        scored.append((round((got + 0.5 * best) / (1.5 * total) - 0.01 * (last - first > SIZE), 6), first, last, focus))
    chosen: list[Window] = []
    taken: set[int] = set()
    texts: set[str] = set()
    for score, first, last, focus in sorted(scored, key=lambda one: (-one[0], one[1])):
        if len(chosen) == count:
            break
        text = render(given[first:last])
        if focus in taken or text in texts:
            continue
        taken.update(range(first, last))
        texts.add(text)
        chosen.append(Window(text, first, last, score))
    return chosen
