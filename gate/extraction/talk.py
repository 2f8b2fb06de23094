"""The talk that the statements of an answer make: what each takes from those before it, so that it stands alone.

A pronoun becomes the name that it surely stands for. Where that is not sure, the statement before is put in front:
longer, but true to what the answer says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gate.extraction import context, polar
from gate.extraction.grammar import imperative
from gate.extraction.interviews import asked, labels, names, restates, tells
from gate.extraction.leaning import half, leans, pronoun
from gate.extraction.lexicon import AUX, DETERMINERS
from gate.extraction.ones import with_noun
from gate.extraction.segments import Unit
from gate.extraction.statements import Reader, of_unit
from gate.extraction.tokens import tokenise
from gate.extraction.topics import compared, lasting, topic
from gate.extraction.wording import Extracted, sentence, windows

_FRONT = 150  # characters of what is put in front of a claim
_BOTH = re.compile(r"(both|they|neither)(?: of (?:them|these|those))?\b", re.IGNORECASE)
_OBJECT = re.compile(r"(it|them)(?![\w'’])")
_OWNER = re.compile(r"(?:its|their)\b", re.IGNORECASE)
_RELATIVE = re.compile(r",\W{1,5}(?:which|who)\W{1,5}$")
_JOINT = re.compile(r"^[\s,;:—–-]*(?:(?:and|but|so|however|while|whereas|yet|then)\b[\s,]*)*", re.IGNORECASE)
_THAT = re.compile(r"(?:that|those)(?:['’](?:s|d|ll|re)| (?:is|are|was|were|would|will))\b", re.IGNORECASE)
_WHICH = 20  # characters in which `, which` stands before what it tells


@dataclass
class _Thread:
    """What has been said so far."""

    asked: str
    antecedent: context.Subject = context.UNKNOWN
    subjects: list[context.Subject] = field(default_factory=list)  # of the sentence that is read
    before: list[str] = field(default_factory=list)  # the statements of the last sentence
    here: list[str] = field(default_factory=list)  # those of the sentence that is read
    lone: bool = False  # each statement of the last sentence has a subject, and it is the antecedent
    place: tuple[int, str] = (-1, "")  # its paragraph and kind
    begun: bool = False  # something was stated
    last: tuple[str, str, str] = ("", "", "")  # the statement before: as it was said, with names, as a claim
    told: int = 0  # where the statement ends that reaches farthest

    def enter(self, unit: Unit) -> None:
        """Begin the next unit."""
        self.before = self.here or self.before
        if unit.paragraph != self.place[0]:
            self.antecedent = context.UNKNOWN
            shown = unit.kind == "code" or (unit.kind, self.place[1]) == ("sentence", "code")
            self.before = self.before if shown or unit.kind == self.place[1] == "sentence" else []
        elif len({one.text.lower() for one in self.subjects if one.plural == self.antecedent.plural}) > 1:
            self.antecedent = context.UNKNOWN  # `Ann sings; Eve plays. She ...`: who?
        if self.here:
            self.lone = len(self.subjects) == len(self.here)
        self.place, self.subjects, self.here = (unit.paragraph, unit.kind), [], []

    def ask(self, question: str) -> None:
        """The answer asks itself something: what it said before is another matter."""
        self.asked, self.begun, self.antecedent, self.before = question, False, context.UNKNOWN, []

    def alone(self, text: str) -> str:
        """A statement with the names that its pronouns surely stand for."""
        text = _side_by_side(context.resolve(text, self.antecedent), self.asked, first=not self.begun)
        subject = context.UNKNOWN if self.begun else topic(self.asked)
        text = context.resolve(text if self.begun else lasting(text, self.asked), subject)
        subject = self.antecedent if self.lone and not self.here else subject
        return replaced(text, subject) if subject.text and not half(text) else text

    def front(self, text: str) -> str:
        """A statement that leans with what it leans on."""
        named = [one for one in self.before if context.main_subject(one).text]
        said = self.here[-1:] or [" ".join(self.before), *named[-1:], *self.before[-1:]]
        near = next((one for one in said if 0 < len(one) <= _FRONT and pronoun(one) < 0), "")
        plain = self.asked.endswith("?") and tells(self.asked)
        if not near and not self.begun and plain and (half(text) or (_THAT.match(text) and names(self.asked))):
            return f"{self.asked} {text}"  # `It does, but only in May`
        return f"{near} {text}" if near else text

    def joint(self, text: str) -> tuple[str, str] | None:
        """A statement that has the one before in front, with what was found out about that one: with names, and as a
        claim."""
        raw, named, shown = (_open(one) for one in self.last)
        rest = text[len(raw) :]
        return (named + rest, shown + rest) if raw and self.here and text.startswith(raw) else None

    def other(self, rest: str) -> None:
        """Take note of whom the second half of a statement is about, if that is named: `Cats are out; dogs are in`."""
        name = context.named_in(_JOINT.sub("", rest))  # `They ..` may be about either
        self.subjects += [context.Subject(name, self.antecedent.plural)] if name else []

    def tell(self, text: str, end: int) -> None:
        """Take note of a statement; what is said on the side leaves the talk where it was."""
        self.begun = True
        if end > self.told:
            if self.asked and text.startswith(self.asked):
                self.antecedent = topic(self.asked)
            elif not _about(text, self.antecedent):
                self.antecedent = context.carried_on(self.antecedent, text)
            self.subjects += [self.antecedent] if self.antecedent.text else []
            self.here.append(text)
        self.told = max(self.told, end)


def claims(reader: Reader) -> Iterator[Extracted]:
    """Every statement of the answer as a claim that stands alone, in order."""
    thread = _Thread(polar.asked_for(reader.question))
    theirs, place = reader, -1
    for i, unit in enumerate(reader.units):
        thread.enter(unit)
        if labels(reader.answer, reader.units, i) or restates(reader.answer, reader.units, i, reader.question):
            continue
        if own := asked(reader.answer, reader.units, i):
            reader, place = replace(theirs, question=own), unit.paragraph
            thread.ask(own)
        elif reader is not theirs and unit.kind != "item" and unit.paragraph != place:
            reader = theirs  # what follows the answer to a question of its own is about that of the user again
            thread.asked = polar.asked_for(reader.question)
        found = of_unit(reader, i)
        for n, claim in enumerate(found):
            text = _read(thread, claim, reader)
            again = n + 1 < len(found) and found[n + 1].text.startswith(_open(claim.text))
            if text and not (again and pronoun(text) >= 0):  # it stands in front of the next claim, whatever it means
                yield from windows(replace(claim, text=text))


def _read(thread: _Thread, claim: Extracted, reader: Reader) -> str:
    """What a statement says alone; empty for a remark that leans on the statement that it is a part of."""
    joint = thread.joint(claim.text)
    if joint:
        text, shown = (with_noun(one, thread.before, reader.question) for one in joint)
        thread.other(claim.text[len(_open(thread.last[0])) :])
        thread.here[-1], thread.last, thread.told = text, (claim.text, text, shown), max(thread.told, claim.end)
        return shown
    beside = claim.end <= thread.told
    if beside and _OWNER.match(claim.text):
        return ""
    text = with_noun(thread.alone(claim.text), [*thread.before, *thread.here], reader.question)
    leaning = leans(text) and not (thread.asked and text.startswith(thread.asked))
    if beside and leaning:
        return ""
    shown = sentence(thread.front(text) if leaning else text, reader.names)
    if _RELATIVE.search(reader.answer, max(0, claim.start - _WHICH), claim.start):
        thread.told = max(thread.told, claim.end)  # a remark: the talk goes on about what it was about
    else:
        thread.tell(text, claim.end)
        thread.last = (claim.text, text, shown)
    return shown


def _open(text: str) -> str:
    """A statement without its full stop."""
    return text[:-1] if text.endswith(".") else text


def _side_by_side(text: str, asked: str, *, first: bool) -> str:
    """`Both` at the beginning as the two that the question compares; `they` so only in the first statement."""
    found = _BOTH.match(text)
    names = compared(asked) if found else []
    two = found is not None and found[1].lower() != "they"
    if not found or len(names) < 2 or (two and len(names) > 2) or not (two or first) or not leans(text):
        return text
    rest = text[found.end() :]
    if two and not found[0].lower().endswith(("them", "these", "those")) and pronoun(text) != 0:
        return text
    if found[1].lower() == "neither":
        return f"Neither {names[0]} nor {names[1]}{rest}"
    return f"{'Both ' if two else ''}{', '.join(names[:-1])} and {names[-1]}{rest}"


def replaced(text: str, subject: context.Subject) -> str:
    """`text`, an order or what the reader may do, with the pronoun that nothing before it can stand for replaced by the
    subject, if the numbers agree: `You can take it in May`."""
    at = pronoun(text)
    found = _OBJECT.match(text, at) if at > 0 else None
    tokens = tokenise(text, 0, max(at, 0))
    reader = bool(tokens) and tokens[0].text not in AUX and any(t.text == "you" for t in tokens)
    if (
        not found
        or (found[1] == "them") != subject.plural
        or not (reader or imperative(tokens))
        or text[:at].endswith("of ")
    ):
        return text
    first, *others = subject.text.split(" ")
    name = " ".join([first.lower() if first.lower() in DETERMINERS else first, *others])
    return f"{text[:at]}{name}{text[found.end() :]}"


def _about(text: str, antecedent: context.Subject) -> bool:
    """Whether a statement about the reader (`You can take it in May`) goes on about what was talked of."""
    at = pronoun(text)
    found = _OBJECT.match(text, at) if at > 0 else None
    return found is not None and bool(antecedent.text) and (found[1] == "them") == antecedent.plural
