"""The same question in other words, without a model: templates of questions, and synonyms of what they are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from gate.generation.local import same
from gate.generation.probes_forms import nameable, one_question, single, thing
from gate.generation.probes_words import LONGEST, kept

NUMBER = 2  # of paraphrases of a question
# Of these sums one says what they are, not what one pays for them.
_MONEY = r"\b(?:fee|price|cost|charge|deposit|fine|rent|tax|bill|rate|refund|discount|salary|allowance|surcharge)s?\b"
# A noun in front of its verb: `which colours are`; not `what else is`, `which is`, `what am I`, `what time does`.
_NO_NOUN = (
    r"(?!(?:of|ones?|else|exactly|about|time|if|not|it|this|that|these|those|we|you|they|is|are|was|were|am|do|does|did"
    r"|can|could|may|must|should|will|would|has|have|had|costs?|comes?|works?|fits?|lasts?|goes|needs?|runs?|makes?"
    r"|takes?|gives?|includes?|covers?|applies|apply)\b)"
)
_NOUN = rf"{_NO_NOUN}[\w-]+ (?:is|are|was|were|do|does|did|can|should|must|will)\b"
# A group with one of these names has to be what it says, else the way does not fit.
_CHECKS: Mapping[str, Callable[[str], bool]] = {"thing": thing, "named": nameable, "single": single}
# What is asked, and the ways to ask it; `{0}` is the first group. The first pattern that fits counts.
_TEMPLATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"what is the default (?:value )?(?:for|of) (?P<named>.+)", ("Which value does {0} have by default?",)),
    (r"what does the documentation say about (.+)", ("What do the documents state about {0}?",
                                                     "What can be read about {0} in the documentation?")),
    (r"which figures does the documentation give for (.+)", ("What numbers are given for {0} in the documentation?",)),
    (r"what does (?P<named>[^,]+) mean", ("What is the meaning of {0}?", "What is meant by {0}?")),
    (r"what is meant by (?P<single>.+)", ("What does {0} mean?", "What is the meaning of {0}?")),
    (r"(?:how much does|what does) (?P<named>[^,]+) cost((?: (?:per|a|each) \w+)?)",
     ("What is the price of {0}{1}?", "What do I have to pay for {0}{1}?")),
    (rf"(?:how much is(?! .*{_MONEY})|what is the price (?:of|for)) (?P<single>.+)",
     ("How much do I have to pay for {0}?", "How much does {0} cost?")),
    (r"how long does (?P<named>[^,]+) take", ("How much time does {0} take?", "What is the duration of {0}?")),
    (r"how long does (?P<named>[^,]+) last", ("For how long does {0} last?", "What is the duration of {0}?")),
    (r"how much time does (?P<named>[^,]+) take", ("How long does {0} take?",)),
    (r"how many ([\w-]+) are (?!there\b)(.+)", ("What is the number of {0} that are {1}?",)),
    (r"how (?:do|can) (i|we|one) (.+)", ("In what way can {0} {1}?", "I want to know how to {1}.")),
    (r"how (do|can|should) (i|you|we|one) (.+)", ("In what way {0} {1} {2}?",)),
    (r"(?:can|could) i (.+)", ("Is it possible to {0}?", "Am I able to {0}?")),
    (r"(?:can|could) (?:we|one) (.+)", ("Is it possible to {0}?",)),
    (r"(?:can|could) you (.+)", ("Are you able to {0}?",)),
    (r"may (?:i|we|one) (.+)", ("Is it permitted to {0}?",)),
    (r"am i (?:allowed|permitted) to (.+)", ("May I {0}?", "Is it permitted to {0}?")),
    (r"is it possible or allowed to (.+)", ("Can one {0}, and is it permitted?",)),
    (r"is it (?:possible|feasible) to (.+)", ("Can one {0}?", "Is there a way to {0}?")),
    (r"do i (?:need|have) to (.+)", ("Is it necessary to {0}?", "Am I required to {0}?")),
    (r"do (?:we|one) (?:need|have) to (.+)", ("Is it necessary to {0}?",)),
    (r"is it (?:necessary|required) to (.+)", ("Does one have to {0}?", "Do I need to {0}?")),
    (r"what (?:happens|will happen|occurs) (if|when|unless) (.+)", ("What is the result {0} {1}?",
                                                                    "What follows {0} {1}?")),
    (r"is there (an? [\w-]+(?: [\w-]+)?)", ("Does {0} exist?",)),
    (r"who (made|wrote|built|invented|founded) (?P<named>.+)", ("By whom was {1} {0}?",)),
    (r"what is the (?:purpose|point) of (?P<thing>.+)", ("What is {0} for?",)),
    (r"when (is|are|does|do|did|can|will) (.+)", ("When exactly {0} {1}?",)),
)  # fmt: skip
# Tried after the synonyms: they fit nearly everything.
_FRAMES = (
    (r"what (is|are) (?P<thing>[^,]+)", "I want to know what {1} {0}."),
    (
        r"how (long|big|large|high|old|fast|far|wide|heavy|strong|much) (is|are) (?P<thing>[^,]+)",
        "I want to know how {0} {2} {1}.",
    ),
    (
        r"((?:is|are|was|were|does|do|did|has|have|will) "
        r"(?!.*\b(?:or|if|when|where|whether|who|what|why|how|unless|until|because|although)\b).+)",
        "{0} or not?",
    ),
)
_NOT_MADE = {"wrote": "written"}
_REGARD = re.compile(r"^with regard to ([^:,]+)[:,] (.+)$", re.IGNORECASE)
_NOTE = re.compile(r"^(.+?)( \((?:in|for) [^()]+\))$")
_SYNONYMS = (
    (rf"^which (?={_NO_NOUN}[\w-]+ \w)", "what "), (rf"^what (?={_NOUN})", "which "),
    (r"^why (?=(?:is|are|was|were|do|does|did|can|must|should|has|have)\b)", "for what reason "),
    (r"^where (?=(?:is|are) (?!.*\b(?:from|to|going)\W*$))", "in which place "),
    (r"^where (?=can (?:i|you|we|one) (?:buy|charge|eat|find|park|pay|see|smoke|stay|store)\b)", "in which place "),
    (r"^how fast (?=(?:do|does|can)\b)", "at what speed "),
    (r"^how often (?=(?:do|does|is|are|can|should|must)\b)", "with what frequency "), (r"^how big\b", "how large"),
    (r"\ballowed\b", "permitted"), (r"\bpermitted\b", "allowed"),
    (r"\b(i|we|you|they) need to\b", r"\1 have to"), (r"^do (i|we) have to\b", r"do \1 need to"),
    (r"\bmaximum (?=(?:number|size|amount|value|load|volume|width|height|weight)\b)", "largest possible "),
    (r"\bminimum (?=(?:number|size|amount|value|load|volume|width|height|weight)\b)", "smallest possible "),
    (r"\bbuy\b", "purchase"), (r"\b(i|we|you|they|to) purchase\b", r"\1 buy"),
    (r"\bbegins\b", "starts"), (r"\bbegin\b", "start"), (r"\brequired\b(?! to\b)", "needed"),
    (r"\bneeded\b(?! to\b)", "required"), (r"\bdifference between\b", "distinction between"),
    (r"\bthe purpose of\b", "the aim of"), (r"\bwhat happens\b(?! to\b)", "what occurs"),
    (r"\bthe limit\b", "the upper limit"), (r"\b(i|we|you|to) contact\b", r"\1 get in touch with"),
)  # fmt: skip


def paraphrases(question: str) -> list[str]:
    """At most NUMBER ways to ask the same, none of them the question itself; none where no template fits, or it
    asks more than one thing."""
    text = " ".join(question.split())
    if len(text) > LONGEST or not one_question(text):
        return []
    found: dict[str, str] = {}
    for varied in _varied(text):
        if same(varied) != same(text):
            found.setdefault(same(varied), varied)
    return list(found.values())[:NUMBER]


def _varied(text: str) -> Iterator[str]:
    regard = _REGARD.match(text)
    if regard:  # what it is about stays in front
        yield from (f"With regard to {regard[1]}: {_inner(one)}" for one in _varied(_first(regard[2])))
        return
    asked = text.rstrip("?. ")
    note = _NOTE.match(asked)
    core, tail = (note[1], note[2]) if note else (asked, "")
    for pattern, ways in _TEMPLATES:
        if match := _fitting(pattern, core):
            groups = [_NOT_MADE.get(group, group) for group in match.groups()]
            yield from (way.format(*groups)[:-1] + tail + way[-1] for way in ways)
            break
    yield from _reworded(text)
    for pattern, way in _FRAMES:
        if match := _fitting(pattern, core):
            yield _first(way.format(*match.groups())[:-1] + tail + way[-1])


def _fitting(pattern: str, core: str) -> re.Match[str] | None:
    match = re.fullmatch(pattern, core, re.IGNORECASE)
    if match and all(_CHECKS[name](part) for name, part in match.groupdict().items()):
        return match
    return None


def _reworded(text: str) -> Iterator[str]:
    """One synonym each, outside what must stay as it is written."""
    closed = kept(text)
    for pattern, other in _SYNONYMS:
        match = re.search(pattern, text, re.IGNORECASE)
        if match and not any(start < match.end() and match.start() < end for start, end in closed):
            yield _first(text[: match.start()] + match.expand(other) + text[match.end() :])


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _inner(text: str) -> str:
    return text[:1].lower() + text[1:]
