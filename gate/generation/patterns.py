"""Questions without a model: patterns over the sentences of documents; equal documents and seeds give equal prompts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from gate.records import Category, Chunk, Prompt, heading_at, innermost_heading
from gate.text import parse_blocks, plain, sentences

_HEADING = re.compile(r"^#{1,6}[ \t]+(\S[^\n]{0,100})$", re.MULTILINE)
_NOT_ASKED = frozenset(
    {"changelog", "license", "contributing", "index", "table of contents", "see also", "introduction"}
)
MAX_SENTENCE = 400
# A condition is whole in front of a comma at the beginning of its sentence, or at the end.
_CONDITION = re.compile(
    r"(?:^|.*[ ,])\b(if|when|unless) ([^,.;:()]{8,110})(?=[.!]?$)|^(If|When|Unless) ([^,.;:()]{8,110}),"
)
_RULE = re.compile(
    r"\b(?:(must not|may not|cannot|can't|should not|not allowed to)"
    r"|(?<!not )(?:must|should|required to|need to|have to)) "
    r"((?!not\b|be\b|have\b)[a-z][^,.;:()]{6,85})(?=[,.;!]|$)"
)
_NAME = re.compile(r"`([^`\s][^`\n<>{]{0,48}[^`\s])`")
_NUMBER = re.compile(r"\b\d")
# What such a word points at stands in another sentence.
_POINTS = re.compile(r"\b(?:it|they|them|this|that|these|those|he|she|so|see)\b", re.IGNORECASE)
_CODE = re.compile(r" {4}|\t")
_SHOWN = re.compile(r"[^\n]")


def candidates(chunk: Chunk) -> Iterator[Prompt]:
    """Everything that can be asked about a chunk, in the order of its sentences. Document and words give the id."""
    headings = [(match.start(), match.end(), clean(match.group(1))) for match in _HEADING.finditer(chunk.text)]
    for start, end in sentences(chunk.text):
        before = [heading for heading in headings if heading[0] <= start]
        row = chunk.text.count("\n", 0, start)
        path = heading_at(chunk, row)
        # A heading of another markup is none of these: below it the path is another one than at the last of them.
        marked = before and path == heading_at(chunk, chunk.text.count("\n", 0, before[-1][0]))
        named = innermost_heading(path) or PurePosixPath(chunk.source).stem.replace("_", " ").replace("-", " ")
        topic = before[-1][2] if marked else named
        if topic.lower() in _NOT_ASKED or (before and start < before[-1][1]):
            continue
        sentence = chunk.text[start:end]
        for category, question in questions_about(sentence, topic):
            name = hashlib.sha256(f"{chunk.source}\n{question}".encode()).hexdigest()[:12]
            yield Prompt(f"g-{name}", question, category, sentence.strip(), source=chunk.source, line=chunk.lines[row])


def clean(sentence: str) -> str:
    """A sentence as prose: links to their text, emphasis gone, code marks kept."""
    return " ".join(plain(sentence, ticks=True).split())


def points_elsewhere(text: str) -> bool:
    """Whether a sentence begins with a word that points at another one."""
    return _POINTS.match(text) is not None


def questions_about(sentence: str, topic: str) -> Iterator[tuple[Category, str]]:
    """(category, question) for everything that a sentence under a heading lets one ask; none for a bare fragment."""
    text = clean(sentence)
    if not 25 <= len(text) <= MAX_SENTENCE or text.count(" ") < 4:
        return
    names = _NAME.findall(text)
    if names:
        yield Category.FACTUAL_RECALL, f"What does the documentation say about `{names[0]}`{_under(topic, names[0])}?"
    elif _NUMBER.search(text):
        yield Category.FACTUAL_RECALL, f"Which figures does the documentation give for {_marked(topic)}?"
    else:
        yield Category.FACTUAL_RECALL, f"What does the documentation say about {_marked(topic)}?"
    yield from _conditions(text, topic)
    yield from _rules(text, topic)
    yield Category.AMBIGUOUS_QUERIES, f"What should I know about {_marked(topic)}?"


def _conditions(text: str, topic: str) -> Iterator[tuple[Category, str]]:
    for found in _CONDITION.finditer(text):
        word, condition = found[1] or found[3], (found[2] or found[4]).strip()
        if not _POINTS.search(condition):
            yield Category.EDGE_CASES, f"What happens {word.lower()} {condition}{_under(topic, '')}?"


def _rules(text: str, topic: str) -> Iterator[tuple[Category, str]]:
    for found in _RULE.finditer(text):
        action = found[2].strip()
        if action.count("`") % 2 == 0 and not _POINTS.search(action):
            asked = "possible or allowed" if found[1] else "necessary"
            yield Category.POLICY_BOUNDARIES, f"With regard to {_marked(topic)}: is it {asked} to {action}?"


def _marked(topic: str) -> str:
    """A heading inside a question: marked off where it has several words (What cannot be returned)."""
    return f"\u201c{topic}\u201d" if topic.count(" ") > 1 else topic


def _under(topic: str, name: str) -> str:
    """The heading as context, unless it says the same as the name."""
    same = bool(name) and (name.lower() in topic.lower() or topic.lower() in name.lower())
    return "" if same else f" (in \u201c{topic}\u201d)"


def prose(chunk: Chunk) -> Chunk:
    """The chunk with blanks in place of code and table rows: lines and offsets stay."""
    text, pieces, at = chunk.text, [], 0
    for block in parse_blocks(text):
        line = text.rfind("\n", 0, block.start) + 1
        if block.kind in ("row", "code") or (block.kind == "text" and _CODE.match(text, line)):
            pieces += [text[at : block.start], _SHOWN.sub(" ", text[block.start : block.end])]
            at = block.end
    return replace(chunk, text="".join([*pieces, text[at:]]))
