"""Whom to ask instead: `Please contact our support team` states nothing where the answer itself is not known."""

from __future__ import annotations

import re

_POLITE = (
    r"(?:(?:but |so )?(?:please|kindly|you (?:may|might|could|can|should)(?: (?:also|want to|wish to|like to))*|"
    r"i(?:'d| would)? (?:recommend|suggest|advise)(?: that you| you)?|(?:it(?:'s| is)|(?:it )?would be) best to),? )"
)
_ASK = (
    r"(?:contact(?:ing)?|ask(?:ing)?|reach(?:ing)? out to|check(?:ing)? with|get(?:ting)? in touch with|"
    r"speak(?:ing)? (?:to|with)|talk(?:ing)? (?:to|with)|call(?:ing)?|e-?mail(?:ing)?|writ(?:e|ing) to)"
)
_WORD = r"(?!to\b)[a-z-]+"  # `ask the miller to grind rye` is an order
_WHOM = rf" (?:our|the|your|an?|someone (?:in|at|from) (?:our|the|your)) (?:{_WORD} ){{0,4}}?{_WORD}"
_WHY = rf"(?: (?:for|about|on|with|regarding) (?:{_WORD} ){{0,5}}{_WORD})?(?: (?:directly|instead|first|again))?"
_REFERRAL = re.compile(rf"{_POLITE}{_ASK}{_WHOM}{_WHY}", re.IGNORECASE)
_TELLS = re.compile(
    r"\b(?:if|when|within|before|after|until|unless|because|since|who|which|that|and|or)\b", re.IGNORECASE
)


def referral(text: str) -> bool:
    """Whether a sentence only names somebody to ask, politely: an order without a please may be what the rules say."""
    bare = text.replace("’", "'").strip(" .!*_")
    polite = _REFERRAL.fullmatch(bare)
    return polite is not None and not _TELLS.search(bare.replace("that you", ""))
