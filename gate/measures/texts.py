"""What a text says and asks for: the claims of an answer, the parts of a question, and words for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gate.judges.base import Statement
from gate.measures.base import Case, Stated, Tools
from gate.text import normalise, plain, sentences, tokens, words
from gate.text.tokenisation import is_foreign

MOST_CLAIMS = 40  # claims that are compared with others
LONGEST_QUESTION = 2000  # characters of a question that are taken apart
MOST_PARTS = 12  # parts of a question
NAMED = 2  # content words from which a part stands without the sentence before it
LEAD = 200  # characters of that sentence
LEAST = 3  # words of what stands behind a joint, for it to be a part of its own
_JOINT = re.compile(r",\s+and\s+|;\s+", re.IGNORECASE)
LONG = 130  # characters of a quotation in a reason
LONGEST_REASON = 300  # characters of a whole sentence
QUOTED = 90  # of words from an answer or a context


@dataclass(frozen=True, slots=True)
class Content:
    """The claims of an answer; none where it is `blank` or abstains."""

    claims: tuple[Stated, ...] = ()
    blank: bool = False

    @property
    def declines(self) -> bool:
        """Whether it says something and states nothing: a refusal, a question, a greeting."""
        return not self.claims and not self.blank

    @property
    def spread(self) -> tuple[Stated, ...]:
        """The claims, or MOST_CLAIMS of them from beginning to end."""
        if len(self.claims) <= MOST_CLAIMS:
            return self.claims
        return tuple(self.claims[round(n * (len(self.claims) - 1) / (MOST_CLAIMS - 1))] for n in range(MOST_CLAIMS))

    @property
    def nothing(self) -> str:
        """Why there is nothing to rate; empty where there is."""
        if self.blank:
            return "the answer is empty"
        return "" if self.claims else "it declines to answer"


def content_of(case: Case, tools: Tools) -> Content:
    """What the answer of a case says: the claims of the run, else those that the local extractor finds."""
    return Content(case.claims, False) if case.claims else text_content(case.answer.text, case.prompt.question, tools)


def text_content(text: str, question: str, tools: Tools) -> Content:
    """What a text says as an answer to a question."""
    if not any(c.isalnum() for c in text):
        return Content(blank=True)
    return Content(tools.claims(text, question))


def stated_in(claim: Stated, texts: Sequence[str]) -> Statement:
    """What is asked about a claim beside texts."""
    return Statement(claim.text, tuple(texts), claim.context, claim.header)


def parts(question: str) -> tuple[str, ...]:
    """The parts of a question in their order, at most MOST_PARTS; of a text without a question mark, the whole. A part
    that names hardly anything (`What should I do?`) has the sentence before it in front."""
    clean = " ".join(plain(normalise(question[:LONGEST_QUESTION])).split())
    found = [clean[start:end] for start, end in sentences(clean)]
    places = [place for place, sentence in enumerate(found) if sentence.endswith("?")]
    asking = [(found[place - 1] if place else "", found[place]) for place in places] or [("", clean)]
    return tuple(_whole(before, part) for before, sentence in asking for part in _joined(sentence) if part)[:MOST_PARTS]


def _whole(before: str, part: str) -> str:
    return f"{before[-LEAD:]} {part}" if before and len(words(part)) < NAMED else part


def _joined(sentence: str) -> Iterator[str]:
    """The sentence, cut at its joints where both sides can stand alone."""
    start = 0
    for joint in _JOINT.finditer(sentence):
        before, after = sentence[start : joint.start()], sentence[joint.end() :]
        if _asks(before) and _asks(after):
            yield before.strip()
            start = joint.end()
    yield sentence[start:].strip()


def _asks(text: str) -> bool:
    return len(tokens(text)) >= LEAST and bool(words(text))


def why_unread(**texts: str) -> str:
    """Why nothing can be said of these texts, by their names; empty where all can be read."""
    found = [f"the {name}" for name, text in texts.items() if is_foreign(text)]
    verb = "are" if len(found) > 1 else "is"
    return f"{' and '.join(found)} {verb} not in English, which is all that the local tools read" if found else ""


def clip(text: str) -> str:
    """A quotation in one line that is not too long."""
    line = " ".join(text.split()).replace('"', "'")
    return line if len(line) <= LONG else line[: LONG - 1].rstrip() + "…"


def quoted(text: str, most: int = QUOTED) -> str:
    """A stranger's words in quotation marks, on one line, cut where they are long."""
    return f'"{shortened(text, most)}"'


def shortened(text: str, most: int = LONGEST_REASON) -> str:
    """The text on one line, at most `most` characters."""
    line = " ".join(normalise(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def count(number: int, noun: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
