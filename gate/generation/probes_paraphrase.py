"""The same question in other words, without a model: templates of questions, and synonyms of what they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.generation.local import same
from gate.generation.probes_words import LONGEST, kept

NUMBER = 2  # of paraphrases of a question
# What is asked, and the ways to ask it; `{0}` is the first group. The first pattern that fits counts.
_TEMPLATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"what is the default (?:value )?(?:for|of) (.+)", ("Which value does {0} have by default?",)),
    (r"what does the documentation say about (.+)", ("What do the documents state about {0}?",
                                                     "What can be read about {0} in the documentation?")),
    (r"which figures does the documentation give for (.+)", ("What numbers are given for {0} in the documentation?",)),
    (r"what does ([^,]+) mean", ("What is the meaning of {0}?", "What is meant by {0}?")),
    (r"what is meant by (.+)", ("What does {0} mean?", "What is the meaning of {0}?")),
    (r"(?:how much does|what does) ([^,]+) cost((?: (?:per|a|each) \w+)?)", ("What is the price of {0}{1}?",
                                                                            "What do I have to pay for {0}{1}?")),
    (r"(?:how much is|what is the price (?:of|for)) (.+)", ("How much do I have to pay for {0}?",
                                                            "How much does {0} cost?")),
    (r"how long does ([^,]+) (take|last)", ("How much time does {0} {1}?", "What is the duration of {0}?")),
    (r"how much time does ([^,]+) take", ("How long does {0} take?",)),
    (r"how many ([\w-]+) (?:are|is) (.+)", ("What is the number of {0} that are {1}?",)),
    (r"how (?:do|can|should) (i|you|we|one) (.+)", ("In what way can {0} {1}?",
                                                    "I want to know how to {1}.")),
    (r"(?:can|may|could) (?:i|you|we|one) (.+)", ("Is it possible to {0}?", "Am I able to {0}?")),
    (r"am i (?:allowed|permitted) to (.+)", ("May I {0}?", "Is it permitted to {0}?")),
    (r"is it possible or allowed to (.+)", ("Can one {0}, and is it permitted?",)),
    (r"is it (?:possible|feasible) to (.+)", ("Can one {0}?", "Is there a way to {0}?")),
    (r"(?:do|must|should) (?:i|you|we|one) (?:need to |have to )(.+)", ("Is it necessary to {0}?",
                                                                        "Am I required to {0}?")),
    (r"is it (?:necessary|required) to (.+)", ("Does one have to {0}?", "Do I need to {0}?")),
    (r"what (?:happens|will happen|occurs) (if|when|unless) (.+)", ("What is the result {0} {1}?",
                                                                    "What follows {0} {1}?")),
    (r"is there (?:a|an) (.+)", ("Does a {0} exist?",)),
    (r"who (made|wrote|built|invented|founded) (.+)", ("By whom was {1} {0}?",)),
    (r"what is the (?:purpose|point) of (.+)", ("What is {0} for?",)),
)  # fmt: skip
# Tried after the synonyms: they fit nearly everything.
_FRAMES = (
    (r"what (is|are) ([^,]+)", "I want to know what {1} {0}."),
    (
        r"how (long|big|large|high|old|fast|far|wide|heavy|strong|often) (is|are) ([^,]+)",
        "I want to know how {0} {2} {1}.",
    ),
    (r"((?:is|are|was|were|does|do|did|has|have|will) (?!.*\bor\b).+)", "{0} or not?"),
)
_NOT_MADE = {"wrote": "written"}
_REGARD = re.compile(r"^with regard to ([^:,]+)[:,] (.+)$", re.IGNORECASE)
_NOTE = re.compile(r"^(.+?)( \((?:in|for) [^()]+\))$")
_SYNONYMS = (
    (r"^which\b", "what"), (r"^what (?!is|are|was|were|do|does|did|can|should|if|happens|else|about)", "which "),
    (r"^why\b", "for what reason"), (r"^where\b", "in which place"), (r"^when (?=do|does|is|are|can|will)",
                                                                      "at what time "),
    (r"^how fast\b(?= (?:do|does|is|are|can)\b)", "at what speed"),
    (r"^how come\b", "why"), (r"^how often\b", "how many times"), (r"^how big\b", "how large"),
    (r"\ballowed\b", "permitted"), (r"\bpermitted\b", "allowed"), (r"\bneed to\b", "have to"), (r"\bhave to\b",
                                                                                                  "need to"),
    (r"\bmaximum\b", "largest possible"), (r"\bminimum\b", "smallest possible"), (r"\bbuy\b", "purchase"),
    (r"\bpurchase\b", "buy"), (r"\bbegins?\b(?= )", "start"), (r"\brequired\b", "needed"), (r"\bneeded\b",
                                                                                                "required"),
    (r"\bdifference between\b", "distinction between"), (r"\bway to\b", "method to"), (r"\bpurpose\b", "aim"),
    (r"\bhappens\b", "occurs"), (r"\blimit\b(?! the)", "upper limit"), (r"\bcontact\b", "get in touch with"),
)  # fmt: skip


def paraphrases(question: str) -> list[str]:
    """At most NUMBER ways to ask the same, none of them the question itself; none where no template fits."""
    text = " ".join(question.split())
    if len(text) > LONGEST:
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
    asked = text.rstrip("? ")
    note = _NOTE.match(asked)
    core, tail = (note[1], note[2]) if note else (asked, "")
    for pattern, ways in _TEMPLATES:
        if match := re.fullmatch(pattern, core, re.IGNORECASE):
            groups = [_NOT_MADE.get(group, group) for group in match.groups()]
            yield from (way.format(*groups)[:-1] + tail + way[-1] for way in ways)
            break
    yield from _reworded(text)
    for pattern, way in _FRAMES:
        if match := re.fullmatch(pattern, core, re.IGNORECASE):
            yield _first(way.format(*match.groups())[:-1] + tail + way[-1])


def _reworded(text: str) -> Iterator[str]:
    """One synonym each, outside what must stay as it is written."""
    closed = kept(text)
    for pattern, other in _SYNONYMS:
        match = re.search(pattern, text, re.IGNORECASE)
        if match and not any(start < match.end() and match.start() < end for start, end in closed):
            yield _first(text[: match.start()] + other + text[match.end() :])


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _inner(text: str) -> str:
    return text[:1].lower() + text[1:]
