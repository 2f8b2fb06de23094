"""Strangers' text cut into stretches for the page: its claims, its inline Markdown, the words of a quote that decide.

Nothing here makes HTML: a stretch names the elements around it from a fixed list, and the template escapes its text.
Offsets of claims are into the text as it was written, which a Markdown parser does not keep: hence these few patterns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import SequenceMatcher

from gate.reports.safe import visible
from gate.text import STOPWORDS, sentences, stem

SEVERITY = ("contradicted", "unsupported", "weakly_supported", "unjudged", "supported")
TAGS = ("mark", "code", "strong", "em", "small")  # the only elements that a stretch may have around it, outermost first
HIDDEN = ""  # the name of a layer whose text is not shown: what Markdown marks words with
COMPARED = 1000  # characters of a claim that a quote is compared with
Layer = tuple[int, int, str]  # text[start:end] has this tag

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+)(?<=\S)\*\*")
_EM = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+)(?<=\S)\*(?![\w*])|(?<!\w)_(?=[^\s_])([^_\n]+)(?<=\S)_(?!\w)")
_LINK = re.compile(r"!?\[([^\[\]\n]+)\](\([^()\s]*\))")
_WORD = re.compile(r"\w+(?:['’.,:/@+-]\w+)*%?")


@dataclass(frozen=True, slots=True)
class Span:
    """A claim's place in an answer: `text[start:end]`, with its number in the report and its kind (see SEVERITY)."""

    number: int
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text that stands within these elements (see TAGS)."""

    text: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of text; `kind` is the worst that covers it (empty: none), `ends` the numbers of claims ending here."""

    runs: tuple[TextRun, ...]
    kind: str = ""
    ends: tuple[int, ...] = ()


def stretches(text: str, spans: Sequence[Span], show: Callable[[str], str] = visible) -> list[Stretch]:
    """The text cut at its claims, each part with its Markdown read. A span that reaches out of the text is clipped, and
    one with nothing inside is left out. Time: linear in parts, after sorting."""
    inside = [(max(0, s.start), min(len(text), s.end), s) for s in spans]
    inside = [each for each in inside if each[0] < each[1]]
    ends: dict[int, list[int]] = {}
    for _, end, span in inside:
        ends.setdefault(end, []).append(span.number)
    borders = {0, len(text), *(place for start, end, _ in inside for place in (start, end))}
    layers = [*markdown(text), *((start, end, f"kind {span.kind}") for start, end, span in inside)]
    found: list[Stretch] = []
    runs: list[TextRun] = []
    for start, end, names in _sweep(len(text), layers):
        if HIDDEN not in names:
            runs.append(TextRun(show(text[start:end]), tuple(tag for tag in TAGS if tag in names)))
        if end in borders:
            kind = next((kind for kind in SEVERITY if f"kind {kind}" in names), "")
            found.append(Stretch(tuple(runs), kind, tuple(sorted(ends.get(end, ())))))
            runs = []
    return found


def quoted(text: str, claim: str, denied: bool) -> list[TextRun]:
    """A quote with its Markdown read and the words marked that decide on the claim."""
    layers = [*markdown(text), *((*span, "mark") for span in deciding(text, claim, denied))]
    return [
        TextRun(visible(text[start:end]), tuple(tag for tag in TAGS if tag in names))
        for start, end, names in _sweep(len(text), layers)
        if HIDDEN not in names
    ]


def _sweep(length: int, layers: Sequence[Layer]) -> Iterator[tuple[int, int, set[str]]]:
    """The stretches between the borders of the layers, in order, each with the names of those that cover it."""
    opens: dict[int, list[str]] = {}
    closes: dict[int, list[str]] = {}
    for start, end, name in layers:
        opens.setdefault(start, []).append(name)
        closes.setdefault(end, []).append(name)
    active: Counter[str] = Counter()
    last = 0
    for border in sorted({0, length, *opens, *closes}):
        if border > last:
            yield last, border, {name for name, times in active.items() if times}
        active.subtract(closes.get(border, ()))
        active.update(opens.get(border, ()))
        last = border


def markdown(text: str) -> list[Layer]:
    """Code, emphasis and links as layers over the text; everything else of Markdown stays as it is written. The address
    of a link stays to be read, small: it may be what decides."""
    found = list(_fences(text))
    for match in _CODE.finditer(text):
        _add(found, match.span(), [(*match.span(1), "code")])
    code = bytearray(len(text))
    for start, end, _ in found:
        code[start:end] = b"\1" * (end - start)
    for pattern, tag in ((_STRONG, "strong"), (_EM, "em"), (_LINK, "")):
        for match in pattern.finditer(text):
            if code[match.start()] or code[match.end() - 1]:
                continue
            words = match.span(1) if match[1] is not None else match.span(2)
            _add(found, match.span(), [(*words, tag)] if tag else [words, (*match.span(2), "small")])
    return found


def _add(found: list[Layer], whole: tuple[int, int], kept: Sequence[tuple[int, int] | Layer]) -> None:
    """Hide what of `whole` is not kept, and style what is, where it has a tag."""
    at = whole[0]
    for part in kept:
        if part[0] > at:
            found.append((at, part[0], HIDDEN))
        if len(part) == 3:
            found.append(part)
        at = part[1]
    if at < whole[1]:
        found.append((at, whole[1], HIDDEN))


def _fences(text: str) -> Iterator[Layer]:
    """Blocks of code between fences; one that is not closed reaches to the end."""
    at, fence, opens, start = 0, "", (0, 0), 0
    for row in text.splitlines(keepends=True):
        mark = _FENCE.match(row)
        if mark and not fence:
            fence, opens, start = mark[1], (at, at + mark.end()), at + len(row)
        elif mark and mark[1].startswith(fence) and not row[mark.end() :].strip():
            yield from _fenced(text, opens, start, at)
            yield at, at + len(row), HIDDEN
            fence = ""
        at += len(row)
    if fence:
        yield from _fenced(text, opens, start, at)


def _fenced(text: str, opens: tuple[int, int], start: int, end: int) -> Iterator[Layer]:
    """The code text[start:end], and the row above it that opens with a mark. One word behind the mark names the
    language of the code; more words, or a word without code below it, are text that an answer may claim."""
    words = text[opens[1] : start].split()
    shown = len(words) > 1 or (words and not text[start:end].strip())
    yield opens[0], opens[1] if shown else start, HIDDEN
    if start < end:
        yield start, end, "code"


def deciding(text: str, claim: str, denied: bool) -> list[tuple[int, int]]:
    """Where the words stand that decide: in the sentence that shares most words with the claim (of equals the longer
    words), those that it shares; where the documents deny the claim, those that it has otherwise."""
    said = [_key(match[0]) for match in _WORD.finditer(claim[:COMPARED])]
    content = {word for word in said if word not in STOPWORDS}
    read = [list(_WORD.finditer(text, *span)) for span in sentences(text)]
    keys = [[_key(word[0]) for word in row] for row in read]
    common = [content.intersection(row) for row in keys]
    best = max(range(len(read)), key=lambda at: (len(common[at]), sum(map(len, common[at]))), default=None)
    if best is None:
        return []
    chosen = _otherwise(said, keys[best]) if denied else _shared(content, keys[best])
    return _spans(text, read[best], chosen)


def _key(word: str) -> str:
    return stem(word.lower())


def _shared(content: AbstractSet[str], found: Sequence[str]) -> set[int]:
    """Places in `found` of content words, and of a word without content between two of them."""
    shared = {at for at, key in enumerate(found) if key in content}
    return shared | {at for at, key in enumerate(found) if key in STOPWORDS and {at - 1, at + 1} <= shared}


def _otherwise(said: Sequence[str], found: Sequence[str]) -> set[int]:
    """Places in `found` of what `said` does not have there; amounts alone where most differs and `said` has one, and
    else all of it."""
    codes = SequenceMatcher(None, said, found, autojunk=False).get_opcodes()
    differ = {at for code, _, _, start, end in codes if code != "equal" for at in range(start, end)}
    if 2 * len(differ) > len(found):
        amounts = {key for key in (*said, *found) if any(sign.isdigit() for sign in key)}
        rival = amounts.intersection(said)
        differ = {at for at in differ if rival and found[at] in amounts and found[at] not in said}
    return differ or set(range(len(found)))


def _spans(text: str, words: Sequence[re.Match[str]], chosen: set[int]) -> list[tuple[int, int]]:
    """The chosen words, neighbours of one line together."""
    spans: list[tuple[int, int]] = []
    for at in sorted(chosen):
        start, end = words[at].span()
        if spans and at - 1 in chosen and "\n" not in text[spans[-1][1] : start]:
            start, _ = spans.pop()
        spans.append((start, end))
    return spans
