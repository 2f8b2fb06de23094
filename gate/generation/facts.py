"""Questions that a sentence answers by itself: what something costs, includes, is, when it starts, what one may do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.generation.templates import clean, spoken
from gate.records import Category
from gate.text import numbers, words

_LONGEST = 320  # characters of a sentence
_WHAT_LIST = (
    "accept add allow apply change cache carry collect contain control count cover create define delete describe "
    "determine disable display enable generate give handle hold ignore include indicate install limit list load manage "
    "need offer override prevent print produce protect provide raise read receive record remove replace represent "
    "require return run save select send set show skip sort specify store support use validate verify wrap write"
)
_WHAT = frozenset(_WHAT_LIST.split())
_WHEN = ("start", "begin", "open", "close", "end", "stop", "expire", "arrive", "leave", "happen")
_HOW_LONG = ("take", "last")
_BASES = frozenset((*_WHAT, *_WHEN, *_HOW_LONG, "cost"))
_STEMS = "|".join(sorted((*_BASES, "carri", "appli", "specifi")))
_SUBJECT = re.compile(
    r"(?:The|An?|Each|Every|All|Any|Our|[A-Z`][\w`./-]{1,40})(?: [\w`./'-]{1,40}){0,9}",
)
_VERB = re.compile(rf" (?:also |always |usually |automatically |currently )?((?:{_STEMS})(?:e?s)?)(?= \S)")
_FAR = 120  # characters of a sentence in which its verb must be
_BEING = re.compile(
    r"(?P<subject>(?:The|An?|[A-Z`][\w`./-]{1,40})(?: [\w`./'-]{1,40}){0,4}?) (?P<verb>is|are) "
    r"(?:an?|the) (?!same\b|only\b|following\b|other\b)\S.{10,250}"
)
_CAN = re.compile(
    r"\b(?:you|users?|customers?|clients?|visitors?|guests?|members?|people|everyone|anyone|employees?|students?"
    r"|patients?) (?:can|may) (?!(?:also |then |now |still )?(?:want|need|like|be|have|see|find|not) )"
    r"(?:also |then |now |still )?([a-z][^,.;:()]{6,80}?)(?=[,.;:()]|$)",
    re.IGNORECASE,
)
# What is no subject, or makes another verb the main one.
_NOT_SUBJECT = re.compile(
    r"^(?:If|When|While|To|In|On|For|With|Without|By|As|At|After|Before|Since|Once|Note|See|There|Here|What|How|Which|Who"
    r"|It|Its|Nothing|None|No|Sometimes|This|That|These|Those|They|We|You|He|She|I|And|But|Or|So|Then|Also|Please|Not|Because|Although)\b"
    r"|\b(?:which|that|who|whose|is|are|was|were|be|can|will|may|must|should|would|do|does|did|has|have|had|and|or|if"
    r"|when|to|not|you|it|they|this|these|first|second|third|last|next|same|only|other|following|above|below)\b",
)
_NOT_REST = re.compile(
    r"(?:of|to|is|are|was|were|can|will|must|may|should|and|or|by|neither|nothing"
    rf"|{_STEMS})\b",
    re.IGNORECASE,
)
_NO_OBJECT = re.compile(r"(?:with|without|when|in|on|at|from|for|as|after|before|until|only|if|so)\b", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:between )?(?:\S+ (?:to|and|or) )?(?:\S+ ){1,3}(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:\S+ ){0,3}?(?:at|on|from|after|every|when|if|until|before|within|in|as soon as)\b", re.IGNORECASE
)
_DETERMINERS = ("The", "A", "An", "Each", "Every", "All", "Any", "Our")


def facts(sentence: str, topic: str) -> Iterator[tuple[Category, str]]:
    """(category, question) for what a sentence under a heading states; most sentences give none."""
    text = clean(sentence)
    if not 20 <= len(text) <= _LONGEST:
        return
    for match in _CAN.finditer(text):
        if match[1].count("`") % 2 == 0:
            yield (
                Category.POLICY_BOUNDARIES,
                f"With regard to {spoken(topic)}: is it possible or allowed to {match[1].strip()}?",
            )
    being = _BEING.match(text)
    asked, subject = _stated(text)
    if not asked and being and _subject(being["subject"]):
        subject, asked = being["subject"], f"What {being['verb']} {_subject(being['subject'])}"
    if asked:
        yield Category.FACTUAL_RECALL, f"{asked}{_where(subject, topic)}?"


def _stated(text: str) -> tuple[str, str]:
    """(the question without its end, its subject as written) by the first verb that can be that of the sentence."""
    for found in _VERB.finditer(text, 0, _FAR):
        subject = text[: found.start()]
        asked = _asked(subject, found[1], text[found.end() + 1 :]) if _SUBJECT.fullmatch(subject) else ""
        if asked:
            return asked, subject
    return "", ""


def _asked(written: str, verb: str, rest: str) -> str:
    """The question without its end; empty where the sentence is built otherwise."""
    subject, base = _subject(written), _base(verb)
    if not subject or _NOT_REST.match(rest) or not _agree(written, verb):
        return ""
    does = "does" if verb != base else "do"
    amounts = {number.unit for number in numbers(rest)}
    if base == "cost":
        return f"How much {does} {subject} cost" if amounts else ""
    if base in _HOW_LONG and (amounts & {"s", "month"} or _SPAN.match(rest)):
        return f"How long {does} {subject} {base}"
    if base in _WHEN:
        return f"When {does} {subject} {base}" if _TIME.match(rest) else ""
    known = base in (*_WHAT, "take") and not _NO_OBJECT.match(rest)
    return f"What {does} {subject} {base}" if known else ""


def _base(verb: str) -> str:
    """`costs`, `carries`, `passes` -> `cost`, `carry`, `pass`; a base form stays."""
    forms = (verb, verb.removesuffix("s"), verb.removesuffix("es"), f"{verb.removesuffix('ies')}y")
    return next((form for form in forms if form in _BASES), "")


def _agree(subject: str, verb: str) -> bool:
    """A verb without an s has a subject in the plural; else it is no verb, or one that something else governs."""
    plural = subject.endswith("s") and not subject.endswith("ss")
    return bool(_base(verb)) and (verb != _base(verb) or plural)


def _subject(text: str) -> str:
    """The subject inside a question; empty where it is none."""
    first, *rest = text.split()
    if _NOT_SUBJECT.search(text) or text.count("`") % 2 or (first in _DETERMINERS and not rest) or not words(text):
        return ""
    return text[0].lower() + text[1:] if first in _DETERMINERS else text


def _where(subject: str, topic: str) -> str:
    """The heading, where the subject is one bare word and the heading says more than that."""
    bare = len(words(subject)) < 2 and "`" not in subject
    return f" (in \u201c{topic}\u201d)" if bare and subject.split()[-1].lower() not in topic.lower() else ""
