"""Defaults by value: what the claim and the document say that something is unless it is set."""

from __future__ import annotations

import re
from typing import NamedTuple

from gate.judges.alignment import Alignment
from gate.judges.checks.finding import Finding
from gate.judges.checks.listing import Listed, lists
from gate.judges.checks.polarity import any_meets
from gate.judges.reading import Reading, Term, read
from gate.text import plain

_IS = re.compile(
    r"(?:^|(?<=[\s(]))(?:the )?(?P<before>(?:[\w-]+ ){0,3}?)default,? (?P<behind>(?:[\w-]+ ){0,3}?)(?:is|are|was)[ :]+"
    r"|(?:^|(?<=[\s(]))(?:the )?(?P<subject>(?:[\w-]+ ){1,4})defaults to ",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"(?<!\S)[`'\"]{0,2}([\w.:/-]{1,40})[`'\"]{0,2} \((?:the |by )?default\)", re.IGNORECASE
)  # `x (default) or y`
_END = re.compile(r"[;:,()\u2014]|\.(?=\s|$)|\s(?:and|but|unless|if|when|while|for|in|on|with|as|or|until|because)\s")
_LONGEST = 2  # terms of a value


class Default(NamedTuple):
    """What has a default, by key, and the value as terms and as text."""

    subject: frozenset[str]
    value: tuple[Term, ...]
    text: str


def check_defaults(alignment: Alignment) -> list[Finding]:
    """At most one finding: the window gives one default, which is another than the claim's, and knows the claim's value
    as something else."""
    mine = _defaults(alignment.claim)
    if len(mine) != 1 or alignment.claim.denied:
        return []
    home = alignment.sentences[alignment.focus].passage
    near = [(i, sentence) for i, sentence in enumerate(alignment.sentences) if sentence.passage == home]
    there = [(i, default) for i, sentence in near for default in _defaults(sentence.reading)]
    known = frozenset[str]().union(*(sentence.reading.keys | sentence.context for _, sentence in near))
    if len(there) != 1 or not alignment.first <= there[0][0] < alignment.last or not mine[0].subject <= known:
        return []
    at, other = there[0]
    strange = other.subject and mine[0].subject and not other.subject & mine[0].subject
    if strange or not _tells(mine[0], other, alignment, at):
        return []
    message = f"the document says that the default is '{other.text}' where the claim says '{mine[0].text}'"
    return [Finding("default value", 0.9, message, True, at)]


def _defaults(reading: Reading) -> list[Default]:
    found = []
    text = plain(reading.plain)
    for match in _IS.finditer(text):
        value = _END.split(text[match.end() :], maxsplit=1)[0].strip(" .`'\"")
        named = f"{match['before'] or ''} {match['behind'] or ''} {match['subject'] or ''}"
        subject = frozenset(term.key for term in read(named).content)
        terms = tuple(t for t in read(value).chain if t.key not in subject)
        if 0 < len(terms) <= _LONGEST:
            found.append(Default(subject, terms, value))
    marked = [(tuple(read(value).chain), value) for value in _MARKED.findall(text)]
    return found + [Default(frozenset(), terms, value) for terms, value in marked if terms]


def _tells(mine: Default, other: Default, alignment: Alignment, at: int) -> bool:
    """Whether two values are known to be two: bare figures of which both stand there, or words of one list."""
    reading = alignment.sentences[at].reading
    if reading.denied or any(number.known for number in reading.numbers):
        return False
    if any_meets(mine.value, other.value):
        return False
    figures = {any(term.key[0] == "#" for term in default.value) for default in (mine, other)}
    if figures == {True}:
        keys = {term.key for term in mine.value}
        return any(keys <= {term.key for term in sentence.reading.chain} for sentence in alignment.sentences)
    home = [s.reading.plain for s in alignment.sentences if s.passage == alignment.sentences[at].passage]
    # `slow` (default), `fast` or `auto`
    quoted = re.search(rf"[`'\"]{re.escape(mine.text)}[`'\"]", reading.text, re.IGNORECASE)
    marked = quoted is not None and other.text in _MARKED.findall(reading.plain)
    return figures == {False} and (marked or any(_beside(mine, other, items) for text in home for items in lists(text)))


def _beside(mine: Default, other: Default, items: list[Listed]) -> bool:
    """Whether both values are items of a list."""

    def has(default: Default) -> bool:
        return any(any_meets(default.value, item.terms) for item in items)

    return has(mine) and has(other)
