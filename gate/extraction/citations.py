"""Documents that an answer quotes: `The handbook says: "Refunds take a week. Fees are kept."` tells what is quoted."""

from __future__ import annotations

import re

from gate.text import within

_PAPERS = (
    r"documentation|docs?|documents?|pages?|manuals?|handbooks?|guides?|sections?|articles?|chapters?|paragraphs?|clauses?|"
    r"polic(?:y|ies)|terms|contracts?|agreements?|rules?|faqs?|readmes?|websites?|sources?|texts?|leases?"
)
_WHICH = r"(?:[\w'’.`/-]+ ){0,6}?"
_SAYS = r"(?:says?|states?|reads?|notes?|explains?|puts it|tells? (?:us|you)|specif(?:y|ies)|provides?|has it)"
_LEAD = re.compile(
    rf"\W*(?:(?:according to|in|from|per|as) {_WHICH}(?:{_PAPERS})(?: [\w.§]+)?(?: {_SAYS})?"
    rf"|{_WHICH}(?:{_PAPERS})(?: [\w.§]+)? (?:also |further |clearly |explicitly )?{_SAYS})(?: that)?[ ,:]*",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"(?:\"[^\"]{3,2000}\"|“[^”]{3,2000}”)[.\s]*")


def cited(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentence text[start:end], or those that it quotes from a document, where it is a lead-in and a quotation of
    several."""
    lead = _LEAD.match(text, start, end)
    quote = _QUOTE.fullmatch(text, lead.end(), end) if lead else None
    if quote is None:
        return [(start, end)]
    low, high = quote.start() + 1, quote.start() + len(quote[0].rstrip(". \t\n")) - 1
    inside = within(text, low, high)
    return inside if len(inside) > 1 else [(start, end)]
