"""Announcements: what only says that something follows, as `Two footnotes:` or `Be aware of its limits:` do."""

from __future__ import annotations

import re

from gate.extraction.complete import complete

_QUALITY = (
    r"(?:additional|brief|final|further|general|important|key|last|little|main|minor|more|other|practical|quick|short|"
    r"side|small|special|technical|useful) "
)
_NOUN = (
    r"(?:footnotes?|notes?|remarks?|caveats?|details?|points?|comments?|reminders?|tips?|hints?|warnings?|cautions?|"
    r"catch(?:es)?|snags?|things?)"
)
COUNT = (
    r"(?:an?|one|another|two|three|four|five|six|some|several|a few|a couple of|"
    r"(?:a )?(?:first|second|third|last|final))"
)
_USE = (
    r"(?: (?:to (?:note|know|remember|consider|check|keep in mind|bear in mind|watch(?: out for)?|be aware of)|"
    r"worth (?:a look|checking|knowing|noting|mentioning)|matters?|appl(?:y|ies)|counts?))?"
    r"(?: (?:here|in your case|for you|first|as well|too|before you start))?(?:,? though)?"
)
_TOPIC = (
    r"(?: (?:of|about|for) (?:its|their|the|one|a few|some) (?:limit\w*|catch\w*|drawbacks?|details?|things?|points?))?"
)
ANNOUNCES = "|".join((
    rf"{COUNT} (?:{_QUALITY}){{0,2}}{_NOUN}{_USE}",
    rf"(?:(?:but )?there(?:'s| is| are) {COUNT} |the )(?:{_QUALITY})?(?:catch(?:es)?|snags?|caveats?){_USE}",
    r"here(?:'s| is) (?:the|one|another) (?:thing|point|catch|key point)",
    r"(?:the )?(?:good|bad|other) news(?: here| for you)?",
    r"what (?:this|that) means(?: for you| in practice| in your case)?|as a (?:quick |short )?(?:reminder|side note)",
    r"(?:also )?(?:(?:important|good|useful|handy) to (?:know|note|remember)|worth (?:knowing|noting|mentioning))",
    r"(?:you (?:need|have|should|want) to |please )?(?:know|remember|note|keep in mind|bear in mind|consider) "
    rf"{COUNT} (?:{_QUALITY})?(?:things?|points?|limits?|details?|rules?)",
    r"(?:these|here) are the differences|the differences are these",
    r"(?:please )?(?:do not|don't|never) forget(?: (?:this|that|either|one thing))?",
    rf"(?:please )?(?:be (?:aware|careful)|beware|watch out|take care){_TOPIC}",
    r"(?:(?:for you|in your case|in practice),? )?(?:that|this|which) means(?: for you| in practice)?|"
    r"in your case,? (?:i'd|i would) (?:do this|proceed like this)",
))  # fmt: skip
_IN_FRONT = re.compile(rf"(?:{ANNOUNCES})\s?:[*_]{{0,3}}\s+", re.IGNORECASE)
_STRAIGHT = str.maketrans("’", "'")


def announced(text: str, at: int) -> int:
    """Where the statement begins behind an announcement and a colon at text[at:]; `at` where there is none, or where
    what follows is no whole statement."""
    found = _IN_FRONT.match(text.translate(_STRAIGHT), at)
    return found.end() if found and complete(text[found.end() :]) else at


__all__ = ["ANNOUNCES", "COUNT", "announced"]
