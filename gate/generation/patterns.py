"""What a sentence or a heading lets a person ask, and the reply to it, without a model.

A form only proposes. A question is asked where the reader finds its reply in the passage, so a form may be wrong often.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePosixPath

from gate.judges.windows import Piece, pieces, render
from gate.records import Category, Chunk, Evidence, Prompt
from gate.text import STOPWORDS, identifiers, normalise, parse_blocks, plain, stems, words

_MOST = 3  # sentences of a reference
_SENTENCE = (25, 400)  # characters of a sentence that is asked about
_QUESTION = 130  # characters of a question
_LEAST = 3  # content words of a sentence
_DETAILED = 4  # content words of a question that stands without the headings above it
_CHAR = r"(?:[^,.;:()?!\"]|(?<=\w)[.:](?=\w))"
_PART = rf"(?P<part>{_CHAR}{{6,90}}?)"
_NAME = r"(?P<name>[^\s,.;:()?!\"]+(?: [^\s,.;:()?!\"]+){0,4}?)"
_END = r"(?:[.!;]|,? (?:because|since|but|though|so)\b| in order\b|, (?:and|as|which|where|or)\b| [-–—] ).*"
_DO = (
    r"(?P<reply>(?!\S+ \w+s |the |an? |it (?!is rec)|this |that |they )[a-z`].+)"  # what one does: nobody else does it
)
_GIVEN = rf"(?!you \w+ to |\w+ed\b|you then ){_PART}"
_IF = rf"(?P<word>If|When) {_GIVEN}, (?:then )?"
_EFFECT = r"(?P<reply>(?!.* (?:can|should) )(?:the|an?|it|they|no|all|[A-Z`]\S+) .+)"
_WHETHER = r"(?!.*\bthis\b)(?!.*\b(?:determin|check|see|know|ask|decid|tell|test)\w* if )"
_CLAUSE_OF = r"[^,.;:()?!]{3,60}? (?:is|are|will|does|do|has|cannot|must)\b [^,.;:]{5,90}?(?<! even| only| just)"
_HAPPENS = rf"{_WHETHER}(?P<reply>{_CLAUSE_OF})"
_MAY = r"(?P<verb>can|must|should|(?<=^You )may)(?P<not> ?not\b|n't\b| never\b|)(?: also| still| now)?+"
_ACT = rf"(?!want|need|wish|find|notice|either|be found|\w+ly ){_PART}{_END}"
_STATE = "required|supported|allowed|possible|available|optional|permitted|forbidden|enabled|disabled|compatible"
_NUMBER = r"(?P<reply>.*\d.+)"
_WHEN = r"(?P<reply>(?:at|on|after|before|by|in|from|one|\d).+)"
_TIME = r"(?P<reply>.*\b(?:second|minute|hour|day|week|month|year).+)"
_HAS = r"(?P<verb>require|return|cover|accept|need|limit|contain)"
_FACT, _EDGE, _RULE = Category.FACTUAL_RECALL, Category.EDGE_CASES, Category.POLICY_BOUNDARIES
# (category, a whole sentence, the question). The reply is the group of that name; without one it is yes, or no where
# the sentence denies.
_FORMS = tuple(
    (category, re.compile(pattern), question)
    for category, pattern, question in (
        (_FACT, rf"(?:In order to|To) {_PART}, {_DO}", "how do I {part}?"),
        (_FACT, rf"If you(?: want|'d like| would like| wish| need) to {_PART}, {_DO}", "how do I {part}?"),
        (_FACT, rf"(?:You can )?(?P<reply>[Uu]se (?:the |an? )?`[^`]+`(?: [\w-]+)?) to {_PART}{_END}",
         "how do I {part}?"),
        (_FACT, rf"{_NAME} (?P<verb>is|are) (?P<reply>(?:an?|the|used to|designed to) .+)", "what {verb} {name}?"),
        (_FACT, r"(?P<name>`[^`\s]{2,50}`)(?:\s*[:–—]|\s-) (?P<reply>.+)", "what does {name} mean?"),
        (_FACT, rf"{_NAME} {_HAS}s (?P<reply>(?!to ).+)", "what does {name} {verb}?"),
        (_FACT, rf"{_NAME} (?P<verb>cost|hold|weigh)s {_NUMBER}", "how much does {name} {verb}?"),
        (_FACT, rf"{_NAME} (?P<verb>take|last)s {_TIME}", "how long does {name} {verb}?"),
        (_FACT, rf"{_NAME} (?P<verb>start|stop|begin|end|open|close|expire)s {_WHEN}", "when does {name} {verb}?"),
        (_FACT, rf"(?!\w+ defaults){_NAME} (?P<verb>default)s (?P<reply>to .+)", "what does {name} {verb} to?"),
        (_EDGE, rf"{_IF}(?P<reply>you (?P<verb>can|should|must) .+)", "what {verb} I do {word} {part}?"),
        (_EDGE, rf"{_IF}{_EFFECT}", "what happens {word} {part}?"),
        (_EDGE, rf"{_HAPPENS} (?P<word>if|when) {_GIVEN}[.]", "what happens {word} {part}?"),
        (_RULE, rf"{_NAME} {_MAY} {_ACT}", "{verb} {name} {part}?"),
        (_RULE, rf"{_NAME} (?P<verb>is|are)(?P<not> not|n't| never) {_PART}{_END}", "{verb} {name} {part}?"),
        (_RULE, rf"{_NAME} (?P<verb>is|are) (?P<part>(?:{_STATE})(?: {_CHAR}{{1,90}}?)?){_END}",
         "{verb} {name} {part}?"),
        (_RULE, rf"{_NAME} (?:need|have) to {_PART}{_END}", "do {name} have to {part}?"),
        (_RULE, rf"{_NAME} (?:needs|has) to {_PART}{_END}", "does {name} have to {part}?"),
    )
)  # fmt: skip
_ASKS = re.compile(
    r"(?:how|what|why|when|where|who|which|can|do|does|is|are|should|will|must)\b[^?]* [^?]*\S\?$", re.IGNORECASE
)
_YES_NO = re.compile(r"(?:can|do|does|is|are|should|will|must)\b", re.IGNORECASE)
# What such a word points at stands elsewhere: in the sentence before, or on another page.
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|so|such|there|here|we|us|our|other|another|alternatively|however|otherwise)\b",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?:see|below|above|following|refer to|described|examples?|let's|tutorial|this (?:page|section|guide))\b",
    re.IGNORECASE,
)
_QUOTES = re.compile("(?:^| )['\u2018\u201c]")  # what is quoted may have been cut
_MARKS = re.compile("[:?!]")  # of a heading that is no name
_WORD = re.compile(r"\w")
_VERB = re.compile(r"\b(?:to|can|must|will) ([a-z]{2,20})\b")
_NOUN = re.compile(r"\b(?:an?|the|your|of|each|this) ([a-z]{2,20})\b")
_TELLS = re.compile(r"\byou\b|^(?:use|set|run|add|call|pass) ", re.IGNORECASE)  # what to do
_DEBRIS = re.compile(r"[{}<>|\\=\[\]]|https?:|\w\(|\d+\.\d+\.\d")
_VERBS = frozenset(
    ("will", "can", "must", "should", "may", "is", "are", "not", "have", "has", "need", "be", "do", "does")
)
# No subject of a sentence has them inside.
_CLAUSE = _VERBS | {"if", "when", "which", "who", "you", "and", "or", "to", "but"}
_HEADS = frozenset(("the", "a", "an", "each", "every", "all", "any", "your", "you", "no"))
_TO_YOU = re.compile(r"\b(for|to|with|gives?|lets?|allows?|helps?|enables?|by|from|of|tells?) you\b")
_SPOKEN = {"you are": "I am", "you're": "I'm", "you've": "I've", "you": "I", "your": "my", "yourself": "myself"}
_YOU = re.compile(r"\b(?:you are|you're|you've|yourself|your|you)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A question, and the replies of which the reader has to find one in `passage`."""

    prompt: Prompt
    replies: tuple[str, ...]
    passage: str


@dataclass(frozen=True, slots=True)
class _Section:
    """Neighbouring sentences of a chunk under one path of headings."""

    chunk: Chunk
    pieces: Sequence[Piece]
    path: tuple[str, ...]
    texts: list[str] = field(default_factory=list)

    def draft(self, category: Category, question: str, replies: tuple[str, ...], at: int, size: int) -> Draft:
        """The question whose reference are `size` sentences from `at` on; document and words give the id."""
        chunk, piece = self.chunk, self.pieces[at]
        name = hashlib.sha256(f"{chunk.source}\n{question}".encode()).hexdigest()[:12]
        line = chunk.lines[chunk.text.count("\n", 0, piece.start)]
        reference = " ".join(self.texts[at : at + size])
        prompt = Prompt(f"g-{name}", question, category, reference, source=chunk.source, line=line)
        return Draft(prompt, replies, render(self.pieces[max(0, at - 1) : at + size]))

    def tells(self, heading: str, size: int) -> bool:
        """Whether its first `size` sentences say what one does, in half of the words of the heading."""
        asked, said = stems(heading), self.texts[:size]
        return any(map(_TELLS.search, said)) and 2 * len(asked & stems(" ".join(said))) >= len(asked)

    def speaks_of(self, heading: str) -> bool:
        """Whether a heading names what the section is about: its first sentence has the words, or begins with it."""
        if " " in heading:
            return not (_VERBS & {*heading.lower().split()}) and stems(heading) <= stems(self.texts[0])
        return re.match(rf"(?:the |an? )?`?{re.escape(heading)}", self.texts[0], re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class Around:
    """What tells how a sentence is meant: the text that it stands in, the stems of the headings above it, `verbs`."""

    text: str = ""
    topic: frozenset[str] = frozenset()
    verbs: Mapping[str, bool] = field(default_factory=dict)


def verbs(chunks: Iterable[Chunk]) -> Mapping[str, bool]:
    """The verbs of documents, each with whether it is no noun there too: they tell `Resetting the pump` and `Reset the
    pump` from `String length` and `Pump settings`."""
    texts = [chunk.text for chunk in chunks]
    nouns = {word for text in texts for word in _NOUN.findall(text)}
    return {word: word not in nouns for text in texts for word in _VERB.findall(text)}


def drafts(chunk: Chunk, known: Mapping[str, bool]) -> Iterator[Draft]:
    """Everything that may be asked about the prose of a chunk, in its order; `known` are `verbs`."""
    evidence = Evidence(chunk.source, 0, chunk.text, 0.0, chunk.heading, chunk.lines, turns=chunk.turns)
    blocks = parse_blocks(chunk.text)
    spans = [(block.start, block.end) for block in blocks if block.kind in ("text", "item")]
    heads = [block.end for block in blocks if block.kind == "heading"]
    prose = [piece for piece in pieces([evidence]) if any(start <= piece.start < end for start, end in spans)]
    for path, group in groupby(prose, key=lambda piece: piece.path):
        some = list(group)
        under = [piece for piece in some if piece.text not in path]  # an underlined heading is a piece of its own
        if _DEBRIS.search(" ".join(path)) or not under:
            continue
        section = _Section(chunk, under, (re.sub("[_-]", " ", PurePosixPath(chunk.source).stem), *path))
        section.texts.extend(clean(chunk.text[piece.start : piece.end]) for piece in under)
        if len(under) < len(some) or not all(_WORD.search(chunk.text[end : under[0].start]) for end in heads):
            yield from _headed(section, known)  # the chunk has it from its heading on
        around = Around(chunk.text, stems(" ".join(section.path)), known)
        for at, text in enumerate(section.texts):
            for category, question, reply in questions_about(text, around):
                yield section.draft(category, question, (reply,), at, 1)


def _headed(section: _Section, known: Mapping[str, bool]) -> Iterator[Draft]:
    """The question that a heading asks, or asks for; the reference is what stands first below it."""
    heading, first = re.sub(r" \([^)]*\)$", "", clean(section.path[-1])), section.texts[0]
    size = next((n for n, text in enumerate(section.texts[:_MOST]) if not _whole(text)), min(_MOST, len(section.texts)))
    verb, rest = _verb(heading, known)
    if not size or len(heading) > _QUESTION or _DEBRIS.search(heading) or _POINTS.search(heading):
        return
    if _ASKS.match(heading):
        yes_no = _YES_NO.match(heading) is not None
        yield section.draft(_RULE if yes_no else _FACT, heading, ("Yes.", "No.") if yes_no else (first,), 0, size)
    elif verb not in ("", "?") and rest[:3] not in ("", "and", "or ") and section.tells(heading, size):
        yield section.draft(_FACT, _spoken(f"how do I {verb} {rest}?"), (first,), 0, size)
    elif not verb and heading[:1].isalnum() and not _MARKS.search(heading) and section.speaks_of(heading):
        question = _spoken(f"what should I know about {_within(heading, section.chunk.text)}?")
        yield section.draft(Category.AMBIGUOUS_QUERIES, question, (first,), 0, size)


def _verb(heading: str, known: Mapping[str, bool]) -> tuple[str, str]:
    """The verb that a heading begins with (`Configuring the pump`, `How to reset ..`) as one says it, "?" for what
    may be a noun as well, or "", and what follows it."""
    first, _, rest = re.sub("^how to ", "", heading, flags=re.IGNORECASE).partition(" ")
    word = first.lower()
    root = word.removesuffix("ing")
    if root == word:
        return (word if known[word] else "?") if word in known else "", rest
    return next((form for form in (root, f"{root}e", root[:-1]) if form in known), ""), rest


def clean(sentence: str) -> str:
    """A sentence as prose: links to their text, emphasis gone, code marks kept."""
    return " ".join(plain(normalise(sentence), ticks=True).split())


def stands_alone(text: str) -> bool:
    """Whether a reader understands it without the text around: a whole sentence that begins with no pronoun, asks
    nothing and announces nothing."""
    text = text.strip().lstrip("*_\"'>")
    part = text[:1] == "(" or text[:1].islower()
    return not (part or _POINTS.match(text) or text.endswith(("?", ":")) or len(words(text)) < _LEAST)


def _whole(text: str) -> bool:
    """Whether a sentence is prose that says something by itself: no fragment, no debris of a template, no signpost."""
    low, high = _SENTENCE
    fits = low <= len(text) <= high and text.endswith((".", "!")) and not text.endswith("..")
    return fits and stands_alone(text) and not _DEBRIS.search(text) and not _AWAY.search(text)


def questions_about(text: str, around: Around) -> Iterator[tuple[Category, str, str]]:
    """(category, question, reply) for everything that a sentence lets one ask, none for what is no prose."""
    for category, pattern, question in _FORMS if _whole(text) else ():
        if (found := pattern.fullmatch(text)) is None:
            continue
        parts = {"name": "", "part": "", "verb": "", "word": ""} | {k: v or "" for k, v in found.groupdict().items()}
        reply = parts.get("reply") or ("No." if parts.get("not") else "Yes.")
        verb = "can" if parts["verb"] == "may" or (parts["verb"] == "must" and parts.get("not")) else parts["verb"]
        named = {"name": _within(parts["name"], around.text), "verb": verb, "word": parts["word"].lower()}
        asked = _spoken(question.format(**parts | named))
        whole = words(reply) and _is_subject(parts["name"], around) and not _POINTS.search(asked)
        if whole and not _cut(parts["part"]) and _is_clear(asked, around):
            yield category, asked, reply[:1].upper() + reply[1:]


def _is_subject(name: str, around: Around) -> bool:
    """Whether it may be one: no clause, no order (`Click on the trash can ..`), nothing that another sentence names."""
    first, *rest = name.lower().split() or ["you"]
    bare = first == "the" and len(rest) < 2 and not stems(name) & around.topic
    adverb = any(word.endswith("ly") for word in (first, *rest)) or first in ("more", "most", "less", "whether")
    known = first in _HEADS or not (first in STOPWORDS or around.verbs.get(first))
    return known and not (bare or adverb or _cut(name) or _CLAUSE & {*rest})


def _cut(part: str) -> bool:
    return part.count("`") % 2 > 0 or _QUOTES.search(part) is not None


def _is_clear(question: str, around: Around) -> bool:
    """Whether it says about what: by a word of the headings, a name, or much detail."""
    asked = stems(question)
    told = len(asked) >= _DETAILED or asked & around.topic or identifiers(question)
    return len(question) <= _QUESTION and bool(told)


def _within(name: str, around: str) -> str:
    """A name that stood first, as it is written within a sentence."""
    first, *rest = name.split(" ")
    title = any(word.istitle() for word in rest) or re.search(rf"[a-z,] {re.escape(first)}\b", around)
    own = first.lower() not in STOPWORDS and (not first.istitle() or title)
    return name if own else name[:1].lower() + name[1:]


def _spoken(question: str) -> str:
    """The question in the words of who asks: `you` is I."""
    text = _TO_YOU.sub(r"\1 me", question)
    text = _YOU.sub(lambda found: _SPOKEN[found[0].lower()], text)
    return text[:1].upper() + text[1:]
