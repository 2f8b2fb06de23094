"""Which questions ask, and which tell: `Did you know that the limit is 5?` leaves the reader with a limit of 5."""

from __future__ import annotations

import re

from gate.extraction import abroad
from gate.extraction.grammar import after_condition
from gate.extraction.lexicon import ADVERBS, CONDITIONS, PREPOSITIONS
from gate.extraction.tokens import tokenise
from gate.extraction.verbs import finite

_ASKS = re.compile(
    r"(?:(?:and|but|so|or|then|also|well|ok|okay)[, ]+)?(?:what|which|who|whom|whose|when|where|why|how|is|are|was|"
    r"were|am|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had|isn't|aren't|don't|doesn't|"
    r"didn't|can't|couldn't|won't|wouldn't|shouldn't|want|need|any|anything|ready|still|more|looking|like|curious|"
    r"sound|got)\b(?!.*\b(?:right|correct|isn't it|doesn't it)\?)"
    r"|(?:(?:oh|so|not|any|more) )?(?:really|seriously|questions?|(?:(?:this|that) )?(?:makes sense|sounds? good)|"
    r"clear|ok(?:ay)?|right|correct|agreed|interested|convinced|unsure|confused|not sure|all good|so far so good|"
    r"anyone|since when\b.*|"
    r"(?:at|by|for|from|in|on|to|under|until|with) (?:what|which|whom|how (?:long|many|much))\b.*)\?",
    re.IGNORECASE,
)
GIVEN = frozenset({"given", "considering", "seeing", "now"})  # that ...
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
_TURN = re.compile(
    r"(?:[,;:]|\s[–—-]|—)[\s*_\"]+(?:(?:so|and|but|then|or|just),?\s+)?(?:(?:is|are|was|were|do|does|did|can|could|"
    r"will|would|shall|should|may|might|must|has|have|had)(?:n['’]t| not)? (?:i|you|we|they|he|she|it|that|this|these|"
    r"those|there|the|your|my|our|any|anyone|anything|everything)\b|(?:what|how|why)\b|(?:which|where|when|who)\b"
    r"(?: [\w-]+)? (?:do|does|did|should|would|can|could|will)\b|(?:right|correct|ok(?:ay)?|yes|no|true|agreed)\?)",
    re.IGNORECASE,
)
_LEADS = ADVERBS | {"and", "but", ","}


def asks(text: str) -> bool:
    """Whether a text that ends in a question mark asks and tells nothing; unsure is False."""
    english = bool(_ASKS.match(text)) and not _TOLD.match(text) and text.endswith("?")
    return english or abroad.asks(text)


def turn(text: str) -> int:
    """Where a sentence ends that goes on as a question: `The fee is 5 euros`, `so shall I book it?`; 0 where it does
    not."""
    if not text.rstrip("*_\"'”’) ").endswith("?") or asks(text):
        return 0
    found = _TURN.search(text)
    return found.start() if found else 0


def opens(text: str) -> bool:
    """Whether `text`, which a question follows, only opens it: `If you want to cancel`, `By the way`."""
    tokens = tokenise(text, 0, len(text))
    first = next((i for i, token in enumerate(tokens) if token.text not in _LEADS), len(tokens))
    if first == len(tokens):
        return True
    if tokens[first].text in CONDITIONS:  # `Since the fee is 5 euros`: what a question grants is told apart
        return not after_condition(tokens, first, len(tokens))
    if tokens[first].text in PREPOSITIONS and finite(tokens, first) < 0:
        return True
    return tokens[first].text in GIVEN and [token.text for token in tokens[first + 1 : first + 2]] == ["that"]
