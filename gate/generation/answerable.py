"""Whether a reference answers its question on its own: what points elsewhere, asks or only announces does not."""

from __future__ import annotations

import re

from gate.text import words

_POINTS = re.compile(
    r"(?:it|its|they|them|their|this|these|that|those|such|he|she|his|her|here|there(?! (?:is|are|was|were)\b)|see"
    r"|also|otherwise|instead|then|however|thus|therefore|to do (?:so|this|that)"
    r"|the (?:above|below|following|former|latter|same|other))\b",
    re.IGNORECASE,
)
# "How do I ...?" is answered by what tells somebody to do something.
_TELLS = re.compile(
    r"\b(?:must|should|shall|can|may|need|needs|have to|use|set|run|call|pass|add|choose|give|make|put|write|open|send"
    r"|ask|press|keep|install|create|provide|specify|enable|disable)\b",
    re.IGNORECASE,
)
# What sends the reader elsewhere.
_ELSEWHERE = re.compile(r"\b(?:see|refer to|head over to|consult|check out) (?:also |the |our |[A-Z`\[\"])")
_LEAST = 3  # content words of a reference


def stands_alone(reference: str) -> bool:
    """Whether a reader understands it without the text around: a whole sentence, no pronoun in front, no word that
    sends elsewhere, no question, no announcement."""
    text = reference.strip().lstrip("*_\"'>")
    part = text[:1] == "(" or text[:1].islower()
    points = _POINTS.match(text) or _ELSEWHERE.search(text)
    return not (part or points or text.endswith(("?", ":")) or len(words(text)) < _LEAST)


def tells_how(reference: str) -> bool:
    """Whether it says what somebody is to do, or may."""
    return bool(_TELLS.search(reference))
