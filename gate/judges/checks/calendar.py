"""Days of the week, how often a thing is done, and kinds of days: one in the place of another of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.judges.alignment import Alignment, cover
from gate.judges.checks.finding import Finding
from gate.judges.lexicon import listed
from gate.judges.reading import CUES, Reading
from gate.text_days import WEEK, ranges, week_of
from gate.text_periods import often

KIND = "opposite"
_CLOSED = CUES | listed("closed except excluding excluded but other apart unlike holidays instead")
_ASKED = re.compile(r"[^.?!]*\?")  # what a claim is told with is asked, and not said
_RATE = re.compile(r"(?:an?|per)\b", re.IGNORECASE)  # `a month` says what an amount is for
_KINDS = (listed("working business"), listed("calendar consecutive"))
_OF_DAYS = re.compile(r"\b(working|business|calendar|consecutive) days?\b", re.IGNORECASE)
_SPEAKS = 0.5  # coverage from which a sentence speaks of what the claim does


def check_calendar(alignment: Alignment) -> list[Finding]:
    """At most one finding of each kind: the window names such days, or such a period, and not the claim's."""
    said = _ASKED.sub("", alignment.claim.plain)
    return [*_days(alignment, said), *_periods(alignment, said), *_kinds(alignment, said)]


def _days(alignment: Alignment, said: str) -> Iterator[Finding]:
    """A day that is not among those of the window, or a range that is only a part of one of its ranges."""
    mine = week_of(said)
    near = [(i, week_of(alignment.sentences[i].reading.plain)) for i in range(alignment.first, alignment.last)]
    there = frozenset[int]().union(*(days for _, days in near))
    if not mine or not there or _barred(alignment.claim) != any(_barred(s.reading) for s in alignment.window):
        return
    denied = alignment.claim.words & CUES and not any(s.reading.words & CUES for s in alignment.window)
    if denied and mine.isdisjoint(there):
        return  # `not on Saturdays`, of what is valid only from Monday to Friday
    spans = ranges(said)
    theirs = [span for s in alignment.window for span in ranges(s.reading.plain)]
    part = any(
        span < other and (min(span) == min(other) or max(span) == max(other)) for span in spans for other in theirs
    )
    if not (mine <= there and not part) and not any(_told(alignment, i, mine, spans) for i in _speaking(alignment)):
        place = next(i for i, days in near if days)
        names = ", ".join(WEEK[day] for day in sorted(mine - there or there - mine))
        told = f"names {names} too" if mine <= there else f"does not name {names}"
        yield Finding(KIND, 0.9, f"the document {told}", True, place)


def _told(alignment: Alignment, place: int, mine: frozenset[int], spans: list[frozenset[int]]) -> bool:
    """Whether a sentence names the claim's days, and its ranges where it has ranges."""
    plain = alignment.sentences[place].reading.plain
    return mine <= week_of(plain) and (not spans or not ranges(plain) or bool(set(spans) & set(ranges(plain))))


def _barred(reading: Reading) -> bool:
    return bool(reading.words & _CLOSED)


def _periods(alignment: Alignment, said: str) -> Iterator[Finding]:
    """Another period than the sentence that speaks of the same: weekly, where it says daily."""
    focus = alignment.sentences[alignment.focus].reading
    mine, there = (_done(text) for text in (said, focus.plain))
    if len(mine) != 1 or len(there) != 1 or bool(alignment.claim.denied) != bool(focus.denied):
        return
    known = {period for i in _speaking(alignment) for period in often(alignment.sentences[i].reading.plain)}
    if not set(mine) & known:
        message = f"the document says '{next(iter(there.values()))}' where the claim says '{next(iter(mine.values()))}'"
        yield Finding(KIND, 0.9, message, True, alignment.focus)


def _done(text: str) -> dict[str, str]:
    """How often a thing is done, without what is counted by a period."""
    return {period: said for period, said in often(text).items() if not _RATE.match(said)}


def _kinds(alignment: Alignment, said: str) -> Iterator[Finding]:
    """Working days for calendar days, or the other way round."""
    mine = {match.lower() for match in _OF_DAYS.findall(said)}
    there = {m.lower() for i in _speaking(alignment) for m in _OF_DAYS.findall(alignment.sentences[i].reading.plain)}
    for ours, others in (_KINDS, _KINDS[::-1]):
        if mine & ours and not mine & others and there & others and not there & ours:
            message = f"the document counts {min(there & others)} days, the claim {min(mine & ours)} days"
            yield Finding(KIND, 0.9, message, True, alignment.focus)


def _speaking(alignment: Alignment) -> list[int]:
    """The window, and the other sentences that speak of what the claim does."""
    inside = range(alignment.first, alignment.last)
    return [i for i, row in enumerate(alignment.rows) if i in inside or cover(alignment.terms, row) >= _SPEAKS]
