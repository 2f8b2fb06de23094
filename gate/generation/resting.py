"""Whether a question rests on the sentences that it cites: they speak of what it asks, and give what it wants."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from gate.text import numbers, stem, words
from gate.text_kinds import gives, kind_of
from gate.text_numbers import MONEY

_SHARE = 0.5  # of a question's content words that its sentences have, with their heading
_COST = re.compile(r"\b(?:costs?|prices?|priced|fees?|charged?|pay|paid|expensive)\b", re.IGNORECASE)
_SUM = re.compile(r"(?:what|how much) (?:does|do|did|is|are) .+ costs?\b", re.IGNORECASE)
_MEANING = re.compile(r"what (?:is|are) an? ", re.IGNORECASE)  # a deductible: what it is, not how much
_COUNT = re.compile(
    r"how (?:many|far|fast|high|tall|wide|heavy|deep|old|big|large)\b|.*\b(?:weighs?|weight|length|height|width)\b",
    re.IGNORECASE,
)
_FREE = re.compile(r"\b(?:free|no (?:charge|fee|cost|extra)|nothing|included|without charge)\b", re.IGNORECASE)
_PERSON_LIST = (
    "i you we us he she they anyone anybody everyone everybody nobody somebody someone person persons people "
    "staff team teams company agency department office owner owners user users customer customers client clients "
    "guest guests visitor visitors member members employee employees employer manager managers technician "
    "technicians engineer engineers driver drivers doctor doctors nurse nurses patient patients student students "
    "teacher teachers parent parents child children adult adults administrator administrators admin admins "
    "developer developers maintainer maintainers director officer host hosts tenant tenants landlord buyer seller "
    "operator operators provider supplier manufacturer insurer insured bank partner partners agent agents caller "
    "callers expert experts citizen citizens"
)
_PERSON = re.compile(
    rf"\b(?:{'|'.join(_PERSON_LIST.split())})\b"
    r"|(?-i:(?<=[a-z,] )[A-Z][a-z]+|\b(?!The|An?|If|When|Each|All)[A-Z][a-z]+ [A-Z])",
    re.IGNORECASE,
)
_COLOUR = re.compile(
    r"\b(?:red|green|blue|yellow|orange|amber|black|white|gr[ae]y|brown|purple|pink|violet|silver|gold)\b",
    re.IGNORECASE,
)
# The answer stands in the place of this noun: `which countries do you ship to`, `which cards are accepted`.
_PLACE = re.compile(
    r"(?:what|which) ([\w-]+) (?:(?:do|does|did|can|may|must|should)\b(?!.*\bha(?:ve|s)\W*$)"
    r"|(?:is|are|was|were) \w+ed\b)",
    re.IGNORECASE,
)
_NEUTRAL_LIST = (
    "allow allowed permit permitted possible necessary need needed require required available happen happens occur "
    "able exactly responsible describe explain tell know documentation"
)
_NEUTRAL = frozenset(stem(word) for word in _NEUTRAL_LIST.split())
# An amount or a time stands for these.
_MEASURED_LIST = (
    "much many long often soon quickly early late far big large fast high tall wide heavy deep old cost costs price "
    "charge pay number amount time date day hour year month week duration take takes last lasts"
)
_MEASURED = frozenset(stem(word) for word in _MEASURED_LIST.split())


def rests(question: str, cited: str, heading: str, source: str) -> bool:
    """Whether `cited`, sentences of `source` under `heading`, speak of what is asked and give what it wants.

    They have half of its content words where they give the amount or the time that it wants, else more than half."""
    kind = _kind(question.strip())
    if not _given(kind, question, cited):
        return False
    shown = kind in ("amount", "time")
    asked = _asked(question, cited) - (_MEASURED if shown else frozenset())
    said = _stems(cited)
    about = said | _stems(f"{heading} {re.sub('[_-]', ' ', PurePosixPath(source).stem)}")
    if shown:
        return len(asked & about) >= _SHARE * len(asked)
    return bool(asked & said) and len(asked & about) > _SHARE * len(asked)


def _kind(question: str) -> str:
    if _MEANING.match(question):
        return "thing"
    return "amount" if _SUM.match(question) else kind_of(question)


def _given(kind: str, question: str, cited: str) -> bool:
    """Whether an answer of this kind can be among the sentences."""
    if kind == "person":
        return _PERSON.search(cited) is not None
    if kind == "time" and any(not number.unit for number in numbers(cited)):
        return True  # from 7 to 10
    return gives(kind, cited) and (kind != "amount" or _fits(question, cited))


def _fits(question: str, cited: str) -> bool:
    """Whether an amount can be the one that is asked for: a sum is no number of people, and litres are no price."""
    units = {number.unit for number in numbers(cited)}
    if not units or _FREE.search(cited):
        return True
    if _COST.search(question):
        return bool(units & (MONEY | {"", "%"}))
    return not (_COUNT.match(question) and units <= MONEY)


def _asked(question: str, cited: str) -> frozenset[str]:
    """The stems of what is asked, without those whose place the answer takes."""
    place = _PLACE.match(question)
    dropped = _NEUTRAL | _stems(place[1] if place else "")
    if _COLOUR.search(cited):
        dropped |= _stems("colour color colours colors")
    return _stems(question) - dropped


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))
