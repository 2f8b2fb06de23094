"""Where sentences begin and end in prose and in Markdown: spans, in linear time whatever the text."""

from __future__ import annotations

import re

_MARK = re.compile(
    r"[ \t]*(?:(?:[-*+•‣▪–]|\(?\d{1,3}[.)]|\(?[A-Za-z]\)|[a-z]\.(?=[ \t]+\S))[ \t]+(?:\[[ xX]\][ \t]+)?)"
)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")
_FENCE = re.compile(r"[ \t]{0,12}(```+|~~~+)")
_STOP = re.compile(r"[.!?…]{1,20}[\"'”’»)\]*_]{0,8}(?=\s)|[。！？｡]+[」』”’）]{0,4}|[؟۔।](?=\s)")
_TICKS = re.compile(r"`+")
_LAST = re.compile(r"[\w.&/-]{1,24}$")
_NEXT = re.compile(r"[\s\"'“‘«(\[*_]*")
_ABBREVIATION_LIST = (
    "e.g i.e eg ie cf vs dr mr mrs ms prof st sr jr no nos fig figs eq sec ch vol art approx ca incl excl resp "
    "dept est gen gov hon rev sgt capt lt col viz al p pp ed eds rs misc min max tel ext"
)
_UNCERTAIN_LIST = "etc inc ltd co corp a.m p.m am pm u.s u.k e.u u.n ph.d b.c a.d min max no ed ext"
_STARTER_LIST = (
    "the this that these those it its they we you he she i a an if when while in on for to but and so however by "
    "there here as at with after before each every all both no not your our their use set see is are do does"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_LIST.split())  # never end a sentence
_UNCERTAIN = frozenset(_UNCERTAIN_LIST.split())  # may end one
_STARTERS = frozenset(_STARTER_LIST.split())  # words that begin one


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of the sentences of `text`, in order, without markers and surrounding blanks.

    Blank lines, headings, list items, table rows and lines of fenced code end a sentence; hard-wrapped lines do not.
    Markers (`-`, `1.`, `#`, `>`) are outside the spans; a span without a letter or digit is left out.
    """
    return [span for start, end in blocks(text) for span in _split(text, start, end)]


def blocks(text: str) -> list[tuple[int, int]]:
    """Spans of paragraphs, headings, list items, table rows and code lines, without their markers."""
    found: list[tuple[int, int]] = []
    width = fence = 0
    open_since = -1
    last = (0, 0)
    for start, end in _lines(text):
        begin, kind = _classify(text, start, end)
        if kind == "fence" or fence:
            fence, kind = _fenced(text, start, end, fence)
        joins = kind == "text" and open_since >= 0 and not _deliberate(text, last, (begin, end), width)
        if open_since >= 0 and not joins:
            found.append((open_since, last[1]))
            open_since = -1
        if kind in ("text", "item"):
            open_since, width = (open_since, max(width, end - start)) if joins else (begin, end - start)
        elif kind in ("row", "code", "heading"):
            found.append((begin, end))
        last = (start, end)
    if open_since >= 0:
        found.append((open_since, last[1]))
    return found


def code_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Spans of inline code, backticks included, paired as Markdown does: a run closes with the next run as long."""
    runs = [m.span() for m in _TICKS.finditer(text, start, len(text) if end is None else end)]
    closing: list[int] = [-1] * len(runs)
    seen: dict[int, int] = {}
    for i in range(len(runs) - 1, -1, -1):
        length = runs[i][1] - runs[i][0]
        closing[i] = seen.get(length, -1)
        seen[length] = i
    spans, i = [], 0
    while i < len(runs):
        close = closing[i]
        if close >= 0:
            spans.append((runs[i][0], runs[close][1]))
            i = close
        i += 1
    return spans


def _lines(text: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for line in text.splitlines(keepends=True):
        spans.append((at, at + len(line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"))))
        at += len(line)
    return spans


def _classify(text: str, start: int, end: int) -> tuple[int, str]:
    """Where the words of a line begin, and what it is: text, item, heading, row, fence or rule (nothing to read)."""
    quoted = False
    while (quote := _QUOTE.match(text, start, end)) and quote.end() > start:
        start, quoted = quote.end(), True
    if _FENCE.match(text, start, end):
        return start, "fence"
    if heading := _HEADING.match(text, start, end):
        return heading.end(), "heading"
    if mark := _MARK.match(text, start, end):
        return mark.end(), "item"
    line = text[start:end].strip()
    if not any(c.isalnum() for c in line):
        return start, "rule"
    if line.startswith("|") or line.count(" | ") >= 2:
        return start, "row"
    return start, "text" if not quoted or text[start:end].strip() else "rule"


def _fenced(text: str, start: int, end: int, fence: int) -> tuple[int, str]:
    """The state after a line of a code block: the length of the open fence (0: closed), negative for tildes."""
    mark = _FENCE.match(text, start, end)
    length = 0 if not mark else len(mark[1]) * (1 if mark[1][0] == "`" else -1)
    if not fence:
        return length, "rule"
    closes = (
        length * fence > 0 and abs(length) >= abs(fence) and mark is not None and not text[mark.end() : end].strip()
    )
    if closes:
        return 0, "rule"
    return fence, "code" if any(c.isalnum() for c in text[start:end]) else "rule"


def _deliberate(text: str, last: tuple[int, int], line: tuple[int, int], width: int) -> bool:
    """Whether the line break was meant: the next word would have fitted, and it looks like a beginning."""
    if text[line[0]].islower() or text[line[0]] in " \t" or text[last[0] : last[1]].rstrip()[-1:] in ",;-–(":
        return False
    word = text[line[0] : line[0] + 60].split(None, 1)[0]
    return last[1] - last[0] + 1 + len(word) <= max(width, line[1] - line[0], 60)


def _split(text: str, start: int, end: int) -> list[tuple[int, int]]:
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
    if not any(c.isalnum() for c in piece):
        return start, start
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _ends(text: str, stop: re.Match[str], end: int) -> bool:
    """Whether a stop followed by a blank ends its sentence."""
    mark = stop[0].rstrip("\"'”’»)]*_」』）")
    if mark[-1] in "。！？｡؟۔।":
        return True
    skip = _NEXT.match(text, stop.end(), end)
    upcoming = text[skip.end() : skip.end() + 24] if skip else ""
    if mark != ".":
        quoted = len(stop[0]) > len(mark)
        return not upcoming[:1].islower() or (set(mark) <= {"!", "?"} and not quoted)
    previous = _LAST.search(text, max(0, stop.start() - 24), stop.start())
    return _ends_word(previous[0].lower() if previous else "", upcoming)


def _ends_word(previous: str, upcoming: str) -> bool:
    """Whether a single full stop behind the word `previous` ends the sentence."""
    upper = not upcoming[:1].islower()
    starter = re.match(r"\w*", upcoming)
    starts = upper and starter is not None and starter[0].lower() in _STARTERS
    if previous in _UNCERTAIN:
        return starts if previous in _ABBREVIATIONS or "." in previous else upper
    if previous in _ABBREVIATIONS:
        return False
    initials = len(previous) == 1 and previous.isalpha() or re.fullmatch(r"(?:[a-z]\.)+[a-z]", previous) is not None
    return starts if initials else True
