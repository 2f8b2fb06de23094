"""Words as their readings have them: on and off, where they say a state, stand as `enabled` and `disabled`, and several
PDFs as PDF."""

from __future__ import annotations

import re

_STATES = {"on": "enabled", "off": "disabled"}
# What a state is said of, then the state, then nothing that would make it a place ("is on the list", "off the coast").
_IS = re.compile(
    r"\b(is|isn't|are|aren't|was|were|be|been|being|stays?|remains?|left|leaves? it|keeps? it|set to|defaults? to"
    r"|comes?|it's|that's)(\s+(?:\w+ly\s|not\s|always\s|never\s|still\s|already\s)?)(on|off)\b"
    r"(?=\s*(?:$|[.,;:)!?\u2014-]|(?:by default|unless|if|when|until|as soon|and|or|but|for|in|with|automatically)\b))",
    re.IGNORECASE,
)
_TURN = re.compile(r"\b(?:turn|switch)(s|es|ed|ing)?((?:\s+[\w`'-]{1,40}){0,4}?)\s+(on|off)\b", re.IGNORECASE)
_BARE = re.compile(r"^\W*(on|off)\W*(?:by default\W*)?$|(?<=[=:|])\s*(on|off)\b(?=\s*(?:$|[.,;|)]))", re.IGNORECASE)
_ACRONYMS = re.compile(r"\b([A-Z]{2,5})s\b")


def one_of(text: str) -> str:
    """`text` with one of each in place of several acronyms, whose form no stemmer knows: PDF, for `PDFs`."""
    return _ACRONYMS.sub(r"\1", text)


def switched(text: str) -> str:
    """`text` with its states spelled out: `turns x off` becomes `disabled x`, `is on by default` `is enabled ...`."""
    text = _TURN.sub(lambda found: f"{_STATES[found[3].lower()]}{found[2]}", text)
    text = _IS.sub(lambda found: f"{found[1]}{found[2]}{_STATES[found[3].lower()]}", text)
    return _BARE.sub(lambda found: f" {_STATES[(found[1] or found[2]).lower()]}", text)
