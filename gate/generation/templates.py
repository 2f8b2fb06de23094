"""What can be asked about one sentence: patterns that find a fact, a condition or a rule, and the question for each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.records import Category

MAX_SENTENCE = 400
_SPACE = re.compile(r"\s+")
_LINK = re.compile(r"!?\[([^\]\n]{0,200})\]\([^)\n]{0,400}\)")
_EDGE = re.compile(r"\b(if|when|unless|without|whenever) ([^,.;:()]{8,110})(?=[,.;:]|$)", re.IGNORECASE)
_FORBIDDEN = re.compile(r"\b(?:must not|may not|cannot|can't|can not|should not|not allowed to) ([a-z][^,.;:()]{6,90})")
_DUTY = re.compile(r"\b(?:must|required to|need to|needs to|have to|has to|should) (?!not\b)([a-z][^,.;:()]{6,90})")
_DEFAULT = re.compile(
    r"\bdefaults? (?:to|is|are|value|of|for)\b|\bby default\b|\b(?:is|are) the defaults?\b"
    r"|\b(?:the|its|their) default (?:[\w`.-]{1,40} ){1,3}(?:is|are)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"`([^`\n]{2,50})`")
_NUMBER = re.compile(r"\b\d[\d.,]*\s?(?:%|[A-Za-z]{1,10})?")
_ASKS = re.compile(r"(?:what|how|why|when|where|which|who|can|do|does|is|are)\b", re.IGNORECASE)
_PASSIVE_START = re.compile(r"^(?:be|have|not|only|also|always|never) ")


def clean(sentence: str) -> str:
    """A sentence as prose: links to their text, emphasis gone, code marks kept."""
    text = _LINK.sub(r"\1", sentence).replace("**", "").replace("__", "")
    return _SPACE.sub(" ", text).strip(" -*#>|")


def spoken(topic: str) -> str:
    """A heading inside a question: marked off where it is a question itself (What cannot be returned)."""
    return f"\u201c{topic}\u201d" if _ASKS.match(topic) else topic


def questions_about(sentence: str, topic: str) -> Iterator[tuple[Category, str]]:
    """(category, question) for everything that a sentence under a heading lets one ask; none for a bare fragment."""
    text = clean(sentence)
    if not 25 <= len(text) <= MAX_SENTENCE or text.count(" ") < 4:
        return
    yield from _facts(text, topic)
    yield from _edges(text, topic)
    yield from _rules(text, topic)
    yield from _vague(text, topic)


def _facts(text: str, topic: str) -> Iterator[tuple[Category, str]]:
    names = _NAME.findall(text)
    if _DEFAULT.search(text):
        what = f"`{names[0]}`" if names else spoken(topic)
        yield Category.FACTUAL_RECALL, f"What is the default for {what}{_under(topic, names or [topic])}?"
    elif names:
        yield Category.FACTUAL_RECALL, f"What does the documentation say about `{names[0]}`{_under(topic, names)}?"
    elif _NUMBER.search(text):
        yield Category.FACTUAL_RECALL, f"Which figures does the documentation give for {spoken(topic)}?"
    else:
        yield Category.FACTUAL_RECALL, f"What does the documentation say about {spoken(topic)}?"


def _edges(text: str, topic: str) -> Iterator[tuple[Category, str]]:
    for match in _EDGE.finditer(text):
        word, condition = match.group(1).lower(), match.group(2).strip()
        if match.start() == 0 and text[match.end() : match.end() + 1] != ",":
            continue  # no comma tells where the condition ends: what follows from it would be in the question
        yield Category.EDGE_CASES, f"What happens {word} {condition}{_under(topic, [])}?"


def _rules(text: str, topic: str) -> Iterator[tuple[Category, str]]:
    for match in _FORBIDDEN.finditer(text):
        yield (
            Category.POLICY_BOUNDARIES,
            f"With regard to {spoken(topic)}: is it possible or allowed to {match.group(1).strip()}?",
        )
    for match in _DUTY.finditer(text):
        action = match.group(1).strip()
        if not _PASSIVE_START.match(action):
            yield Category.POLICY_BOUNDARIES, f"With regard to {spoken(topic)}: is it necessary to {action}?"


def _vague(text: str, topic: str) -> Iterator[tuple[Category, str]]:
    names = _NAME.findall(text)
    if names:
        yield Category.AMBIGUOUS_QUERIES, f"`{names[-1]}` doesn't do what I expect. What now?"
    yield Category.AMBIGUOUS_QUERIES, f"How do I do it right with {spoken(topic)}?"


def _under(topic: str, names: list[str]) -> str:
    """The heading as context, unless it says the same as the name."""
    same = any(name.lower() in topic.lower() or topic.lower() in name.lower() for name in names)
    return "" if same else f" (in \u201c{topic}\u201d)"
