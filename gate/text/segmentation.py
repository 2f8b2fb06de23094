"""Where sentences begin and end in prose and in Markdown: spans, in linear time whatever the text."""

from __future__ import annotations

import re

from gate.text.layout import parse_blocks
from gate.text.markup import code_spans

_STOP = re.compile(r"[.!?…]{1,20}[\"'”’»)\]*_]{0,8}(?=[\s<])|[。！？｡]+[」』”’）]{0,4}|[؟۔।](?=\s)|-->|(?=<!--)")
_LAST = re.compile(r"(?:[\w.&/-]|(?<=\w)['’](?=\w)){1,24}$")
_READABLE = re.compile(r"[^\W_]")
_WORD = re.compile(r"\w*")
_INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]")
_NEXT = re.compile(r"[\s\"'“‘«(\[*_]*")
_ABBREVIATION_LIST = (
    "e.g i.e eg ie cf vs dr mr mrs ms prof st sr jr no nos fig figs eq sec ch vol art approx ca incl excl resp "
    "dept est gen gov hon rev mt univ sgt capt lt col viz al p pp ed eds rs misc min max tel ext"
)
_BEFORE_A_NUMBER_LIST = "jan feb mar apr jun jul aug sep sept oct nov dec nr"
_DAY_LIST = "Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun"
_UNCERTAIN_LIST = "etc inc ltd co corp a.m p.m am pm u.s u.k e.u u.n ph.d b.c a.d min max no ed ext"
_STARTER_LIST = (
    "the this that these those it its they we you he she i a an if when while in on for to but and so however by "
    "there here as at with after before each every all both no not your our their use set see is are do does"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_LIST.split())  # never end a sentence
_BEFORE_A_NUMBER = frozenset(_BEFORE_A_NUMBER_LIST.split())  # `Jan. 5` is no end
_DAYS = frozenset(_DAY_LIST.split())  # `Sat. 10 to 2`, but `in the sun. 10 people`
_UNCERTAIN = frozenset(_UNCERTAIN_LIST.split())  # may end one
_STARTERS = frozenset(_STARTER_LIST.split())  # words that begin one
_NUMBERED = re.compile(r"[A-Z#]{0,2}\d|[IVX]+\b")
_ZONE = re.compile(  # behind `5 p.m.`
    r"(?:eastern|central|mountain|pacific|local|[ecmpbg][sd]?t|gmt|utc|cest|ist|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|new york|london|"
    r"(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber)s?\b",
    re.IGNORECASE,
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of the sentences of `text`, in order, without markers and surrounding blanks.

    Blank lines, headings, list items, table rows and lines of fenced code end a sentence; hard-wrapped lines do not.
    Markers (`-`, `1.`, `#`, `>`) are outside the spans; a span without a letter or digit is left out. A row of a table
    is one, whatever its cells hold: what stands in them is said of the row; so is an option of a program with what it
    does.
    """
    blocks = parse_blocks(text)
    rows = [False, *(block.kind == "row" for block in blocks), False]
    found: list[tuple[int, int]] = []
    for block, above, below in zip(blocks, rows, rows[2:], strict=False):
        shown = text[block.start : block.end]
        # `red | green | blue. Each ..` alone is no row
        row = block.kind == "row" and (above or below or shown.lstrip()[:1] == "|")
        whole = row or (block.kind == "code" and "\n" in shown)
        found += [_trim(text, block.start, block.end)] if whole else sentences_in(text, block.start, block.end)
    return [span for span in found if span[0] < span[1]]


def sentences_in(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of one block text[start:end]."""
    spans: list[tuple[int, int]] = []
    codes = code_spans(text, start, end)
    at, code = start, 0
    for stop in _STOP.finditer(text, start, end):
        while code < len(codes) and codes[code][1] <= stop.start():
            code += 1
        inside = code < len(codes) and codes[code][0] < stop.start()
        if not inside and _ends(text, stop, end):
            spans.append((at, stop.end()))
            at = stop.end()
    spans.append((at, end))
    return [span for span in (_trim(text, *span) for span in spans) if span[0] < span[1]]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Without blanks at the ends; empty where nothing can be read."""
    piece = text[start:end]
    if _READABLE.search(piece) is None:
        return start, start
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _ends(text: str, stop: re.Match[str], end: int) -> bool:
    """Whether a stop followed by a blank, or the edge of an HTML comment, ends its sentence."""
    mark = stop[0].rstrip("\"'”’»)]*_」』）")
    if mark[-1:] in "。！？｡؟۔।>":  # "" too: before a comment
        return True
    skip = _NEXT.match(text, stop.end(), end)
    upcoming = text[skip.end() : skip.end() + 24] if skip else ""
    if mark != ".":
        quoted = len(stop[0]) > len(mark)
        return not upcoming[:1].islower() or (set(mark) <= {"!", "?"} and not quoted)
    if ")" in stop[0] and upcoming[:1].islower():
        return False  # `the pump (see 4.2.) starts`
    previous = _LAST.search(text, max(0, stop.start() - 24), stop.start())
    word = previous[0] if previous else ""
    if word.lower() in ("a.m", "p.m"):
        return upcoming[:1].isupper() and "(" not in (skip[0] if skip else "") and _ZONE.match(upcoming) is None
    return not (word in _DAYS and upcoming[:1].isdigit()) and _ends_word(word, upcoming)


def _ends_word(word: str, upcoming: str) -> bool:
    """Whether a single full stop behind a word ends the sentence."""
    previous = word.lower()
    upper = not upcoming[:1].islower()
    starter = _WORD.match(upcoming)
    starts = upper and starter is not None and starter[0].lower() in _STARTERS
    if previous == "no":  # `No. 5`, but not `Otherwise no. Dogs are ..`
        return upper and _NUMBERED.match(upcoming) is None
    if previous in _UNCERTAIN:
        return starts if previous in _ABBREVIATIONS or "." in previous else upper
    if previous in _ABBREVIATIONS or (previous in _BEFORE_A_NUMBER and upcoming[:1].isdigit()):
        return False
    initials = (len(word) == 1 and word.isupper()) or _INITIALS.fullmatch(previous) is not None
    return starts if initials else True
