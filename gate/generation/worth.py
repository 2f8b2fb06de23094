"""Which questions that patterns find are worth asking: whole conditions, bans for people, names that are names."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from gate.generation.local import Candidate
from gate.generation.templates import clean
from gate.records import Category

_EDGE = re.compile(r"What happens (if|when|unless) (.{8,120}?)(?: \(in \u201c.*\u201d\))?\?")
_POINTS = re.compile(r"(?:it|that|he|she)\b|.*\b(?:they|them|this|these|those|one|then|so|other|it)\b", re.IGNORECASE)
_ACTION = re.compile(r"is it (possible or allowed|necessary) to (.+)\?")
_LONGEST = 85  # characters of an action: beyond, the pattern may have cut it
# Who may or may not do something; a value that cannot be negative is another matter.
_WHO = re.compile(
    r"\b(?:you|we|users?|customers?|clients?|visitors?|guests?|members?|people|anyone|nobody|callers?|developers?"
    r"|teams?|employees?|students?|patients?|staff)(?: \w{1,12}ly| also)? (?:may|cannot|can't|can|should not) "
    r"|\bmust not |\bnot allowed to ",
    re.IGNORECASE,
)
# A duty under a condition, or none: "if you need to", "you don't need to", "you might need to".
_NO_DUTY = re.compile(
    r"\b(?:if|when|where|unless|whether|until|whenever|might|may|not|n't|never|no|only|without) (?:[\w'`-]+ ){0,8}$"
    r"|n't $",
    re.IGNORECASE,
)
_DUTY = re.compile(r"\b(?:must|required to|needs? to|ha(?:ve|s) to|should) $", re.IGNORECASE)
_NAME = re.compile(r"`([^`]*)`")
_BAD_NAME = re.compile(r"^\s|\s$|[<>{]|(?:\S+\s+){4}")
_VAGUE = (
    "What does the documentation say about ",
    "How do I do it right with ",
    "What is the default for ",
    "Which figures ",
)
_NOT_ASKED = frozenset(
    ("changelog", "changes", "history", "release_notes", "releases", "license", "code_of_conduct", "contributing")
)


def rank(candidate: Candidate) -> int:
    """0 for what one sentence states, 1 for whatever is said about a name, 2 for a whole section: these come last."""
    if not candidate.question.startswith(_VAGUE):
        return 0
    return 1 if "`" in candidate.question else 2


def worth(candidate: Candidate) -> bool:
    """Whether somebody might ask it, and the sentence that it comes from (`reference`, as written) is what it seems."""
    text = clean(candidate.reference)
    if "``" in text or PurePosixPath(candidate.source).stem.lower().replace("-", "_") in _NOT_ASKED:
        return False
    if candidate.category is Category.EDGE_CASES:
        return _whole(candidate.question, text)
    if candidate.category is Category.POLICY_BOUNDARIES:
        return _ruled(candidate.question, text)
    return not any(_BAD_NAME.search(name) for name in _NAME.findall(candidate.question))


def _whole(question: str, text: str) -> bool:
    """A condition in front of a comma, or at the end: in the middle the pattern cannot tell where it stops."""
    found = _EDGE.fullmatch(question)
    if found is None or len(found[2].split()) < 3 or _POINTS.match(found[2]):
        return False
    condition, sentence = f"{found[1]} {found[2]}".lower(), text.lower().rstrip(" .!")
    if sentence.startswith(condition):
        return sentence[len(condition) :].startswith(",")
    return sentence.endswith(condition)


def _ruled(question: str, text: str) -> bool:
    """A ban that is one for people, or a duty that is one."""
    found = _ACTION.search(question)
    if found is None or len(found[2]) > _LONGEST or found[2].count("`") % 2 or _POINTS.match(found[2]):
        return False
    if found[1] != "necessary":
        return bool(_WHO.search(text))
    before = text[: max(text.find(found[2]), 0)]
    duty = _DUTY.search(before)
    clause = re.split(r"[,;:.]", before[: duty.start()])[-1] if duty else ""
    return duty is not None and not _NO_DUTY.search(clause)
