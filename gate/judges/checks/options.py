"""Defaults of options by name: what a table, a list, a heading or brackets give for the option of the claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.evidence import Sentence
from gate.judges.lexicon import listed
from gate.text_rows import cells

KIND = "default value"
_NAME = r"`(?P<name>-{0,2}[A-Za-z][\w.-]*)"
_VALUE = (
    r"(?:`[\"']?(?P<code>[^`\s\"']+)[\"']?`|(?P<bare>-?\d[\d,.]*(?<![,.])|(?:true|false|none|null)\b))"
    r"(?: ?(?P<unit>%|(?!by\b|and\b|or\b)[a-z]+))?"
)
_SORT = r"`(?: (?:option|parameter|key|setting|argument|flag))?"
_CLAIMED = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:the )?{_NAME}{_SORT} defaults to {_VALUE}",
        rf"(?:the )?{_NAME}{_SORT} is {_VALUE} by default",
        rf"by default,? (?:the )?{_NAME}{_SORT} is {_VALUE}",
        rf"the default (?:value )?(?:(?:of|for) )?(?:the )?{_NAME}{_SORT} is {_VALUE}",
    )
]
# A default of another case or time may be another one.
_OTHER = re.compile(
    r"\b(?:if|when|unless|once|was|were|used to|before|previously|formerly|earlier|until|since|no longer|not|only|on|"
    r"with|without|under|for|version|(?:raised|changed) (?:from|to)|new|old)\b|n['’]t\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`]*`")
_BEGINS = re.compile(rf"{_NAME}(?: [^`]{{1,30}})?`(?:, `[^`]+`)?(?P<rest>$|:| [-–—] | \()")
_BRACKET = re.compile(rf"\(default(?: is|:)? {_VALUE}[),;]", re.IGNORECASE)
_INLINE = re.compile(rf"{_NAME}` \([^()]{{0,30}}?\bdefault(?: is|:)? {_VALUE}[),;]", re.IGNORECASE)
_ALONE = re.compile(rf"(?:(?:the |its )?default(?: is|:)|it defaults to) {_VALUE}\.", re.IGNORECASE)
_COLUMN = re.compile(rf"[:;] default(?: value)? {_VALUE}(?:;|$)", re.IGNORECASE)
_NEAR = 3  # sentences behind the name of an option in which its default stands
_SECONDS = {"ms": 0.001, "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hour": 3600}
_ALIKE = (  # what may be said for each other
    listed("0 none null false off no disabled unlimited infinite empty never"),
    listed("1 true on yes enabled always"),
)
_PLURAL = re.compile(r"(?<=\d [a-z]{3})s$|(?<=[a-z]{4})s$")  # `3 secs`, `5 seconds`
_FIGURE = re.compile(r"(-?\d[\d,]*(?:\.\d+)?) ?([a-z%]*)")


class Said(NamedTuple):
    """What is said to be the default of an option: its name, its value, and in which sentence."""

    name: str
    value: str
    place: int = -1


def check_options(alignment: Alignment) -> list[Finding]:
    """At most one finding: every default that the evidence gives for the option of the claim is another one."""
    mine = _claimed(alignment.claim.text)
    if not mine:
        return []
    there = [told for told in _defaults(alignment.sentences) if told.name == mine.name]
    if not there or not all(_differ(mine.value, told.value) for told in there) or _told(mine, alignment.sentences):
        return []
    message = f"the document gives '{there[0].value}' as the default of '{mine.name}', the claim '{mine.value}'"
    return [Finding(KIND, 0.9, message, True, there[0].place)]


def _claimed(claim: str) -> Said | None:
    found = next((match for pattern in _CLAIMED if (match := pattern.match(claim))), None)
    if not found or _OTHER.search(_CODE.sub("", claim)):
        return None
    return Said(found["name"], _value(found))


def _value(found: re.Match[str]) -> str:
    return f"{found['code'] or found['bare']} {found['unit'] or ''}".strip()


def _defaults(sentences: Sequence[Sentence]) -> Iterator[Said]:
    """The defaults that the sentences give, each with the name in its row, or that its item or heading begins with."""
    name, since, passage = "", 0, -1
    for place, sentence in enumerate(sentences):
        text = sentence.reading.text.strip().lstrip("-*+# ")
        if sentence.told is not None or sentence.passage != passage:
            name, passage = "", sentence.passage
        if sentence.told is not None:
            yield from _in_row(text, sentence.told, place)
            continue
        yield from (Said(inline["name"], _value(inline), place) for inline in _INLINE.finditer(text))
        if begun := _BEGINS.match(text):
            name, since = begun["name"], place
        elif not text.endswith((".", ":", "!", "*")):
            name = ""  # a heading
        found = _ALONE.match(text) or (_BRACKET.search(text) if begun else None)
        if name and found and place - since <= _NEAR:
            yield Said(name, _value(found), place)


def _in_row(text: str, told: str, place: int) -> Iterator[Said]:
    """The default in the row of an option, under the header that says so."""
    first = _BEGINS.fullmatch(cells(text)[0]) if told and cells(text) else None
    column = _COLUMN.search(told) if first else None
    if first and column:
        yield Said(first["name"], _value(column), place)


def _told(mine: Said, sentences: Sequence[Sentence]) -> bool:
    """Whether a sentence about the option and a default has the claim's value: perhaps one of another case."""
    figure = re.compile(rf"(?<![\w.]){re.escape(mine.value.split()[0])}(?![\w])", re.IGNORECASE)
    return any(
        mine.name in s.reading.text and "default" in s.reading.text.lower() and figure.search(s.reading.text)
        for s in sentences
    )


def _differ(one: str, other: str) -> bool:
    """Whether two values are surely two: a figure and a word, words, or figures of one unit or none."""
    a, b = (_FIGURE.fullmatch(_PLURAL.sub("", value.lower())) for value in (one, other))
    if a and b:
        figures = [float(found[1].replace(",", "")) for found in (a, b)]
        units = [_SECONDS.get(found[2]) for found in (a, b)]
        if units[0] and units[1]:
            return abs(figures[0] * units[0] - figures[1] * units[1]) > 1e-9
        return a[2] == b[2] and figures[0] != figures[1]
    words = [value.split()[0].lower() for value in (one, other)]
    if any(group.issuperset(words) for group in _ALIKE):
        return False
    plain = all(found or re.fullmatch(r"[a-z_-]+", word) for found, word in zip((a, b), words, strict=True))
    return plain and not words[0].startswith(words[1]) and not words[1].startswith(words[0])
