"""Which questions ask, and which tell: `Did you know that the limit is 5?` leaves the reader with a limit of 5."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"(?:(?:and|but|so|or|then|also|well|ok|okay)[, ]+)?(?:what|which|who|whom|whose|when|where|why|how|is|are|was|"
    r"were|am|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had|isn't|aren't|don't|doesn't|"
    r"didn't|can't|couldn't|won't|wouldn't|shouldn't|want|need|any|anything|ready|still|more|looking|like|curious|"
    r"sound|got)\b(?!.*\b(?:right|correct|isn't it|doesn't it)\?)",
    re.IGNORECASE,
)
_ASKS_ELSE = re.compile(r"[吗嗎呢么何哪谁誰]|什么|什麼|怎|请问|か？|까？")
_THING = r"(?:the|a|an|your|our|its?|you|we|all|every|\w+ing)"
_TOLD = re.compile(
    r"¿sab[ií]as? que\b|(?:and |but |so )?(?:"
    r"(?:(?:did|do|didn't|don't) you (?:know|reali[sz]e|remember|see)|(?:were|are) you aware|"
    r"(?:can|would|could) you (?:believe|guess)|have(?:n't)? you (?:heard|noticed)|(?:what|how) if i told you|"
    r"would it surprise you|is(?:n't| it not) it (?:great|nice|true|clear|obvious))"
    rf"(?: to (?:know|hear|learn))?(?: that|,? {_THING})\b"
    r"|(?:may|might|can|could) i (?:also |just )?(?:add|say|note|mention|point out|remind you)\b"
    r"|(?:is|are|was|were|do|does|did|has|have|can|wo)n't (?:the|a|an|your|our|its|all|every)\b)",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether a text that ends in a question mark asks and tells nothing; unsure is False."""
    if text.endswith("？"):
        return bool(_ASKS_ELSE.search(text))
    return (text.startswith("¿") or bool(_ASKS.match(text))) and not _TOLD.match(text)
