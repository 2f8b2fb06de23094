"""What kind of answer a question wants, an amount, a time, a reason, and whether a text gives one."""

from __future__ import annotations

import re

from gate.text import numbers, stem, words
from gate.text_numbers import KNOWN, MONEY

_OPENINGS = (
    ("time", r"how (?:long|soon|quickly|often)|when|(?:at )?what (?:time|date|day|year|month|duration)|"
             r"which (?:day|date|month|year)|how (?:early|late)|until when|since when"),
    ("amount", r"what (?:does|do|did|will|would) .{1,80}\bcosts?\b|"
               r"how (?:much|many|big|large|far|fast|high|tall|wide|heavy|deep|old)|"
               r"(?:what|which)(?:'s| is| are| was| were)? (?:the |your |its |their |an? )?"
               r"(?:\w+ ){0,3}?(?:price|cost|fee|rate|limit|maximum|minimum|percentage|number|amount|quota|deductible|"
               r"salary|weight|length|height|width)s?\b(?! (?:of|for) (?:a|the)? ?(?:plans|types|kinds|ways))"),
    ("person", r"who(?:m|se)?\b"),
    ("reason", r"why|what (?:is|was) the reason|how come"),
    ("method", r"how (?:do|does|can|could|should|would|to|is|are|did)|how"),
    ("choice", r"(?:is|are|was|were|do|does|did|can|could|will|would|should|must|may|has|have|am)\b"),
)  # fmt: skip
_KINDS = tuple((kind, re.compile(rf"(?:{opening})", re.IGNORECASE)) for kind, opening in _OPENINGS)
# What a number alone does not show: an amount or a time in words.
_GIVEN = {
    "amount": re.compile(
        r"\b(?:free|no (?:charge|fee|cost|limit|extra)|nothing|none|unlimited|no additional|included|without charge|"
        r"half|double|twice|once|several|a few|dozens?|hundreds|zero|full price|any number|as many as|as much as)\b",
        re.IGNORECASE,
    ),
    "time": re.compile(
        r"\b(?:immediate(?:ly)?|instant(?:ly)?|overnight|at once|right away|straight away|always|never|once|daily|"
        r"weekly|monthly|yearly|annual(?:ly)?|hourly|quarterly|every|each|until|indefinite(?:ly)?|forever|permanent(?:ly)?|today|"
        r"tomorrow|yesterday|tonight|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|"
        r"april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|seconds?|"
        r"minutes?|hours?|days?|weeks?|months?|quarters?|years?|before|after|during|whenever|when|if|as soon as|within|"
        r"end of|start of|beginning)\b",
        re.IGNORECASE,
    ),
    "reason": re.compile(
        r"\b(?:because|since|due to|so that|so|as|reasons?|caused?|causes|in order to|when|if|therefore|otherwise|"
        r"prevents?|avoids?|protects?|means|to \w+|owing|thanks to|after|until|for)\b",
        re.IGNORECASE,
    ),
}  # fmt: skip
WANTED = {"amount": "an amount", "time": "a time", "reason": "a reason"}
_LENGTHS = frozenset({"s", "month"})
# What an amount is counted in where the question names it; the first that fits counts.
_UNITS = (
    (r"how many (?:\w+ )?(?:second|minute|hour|day|week|month|year)s?\b", _LENGTHS),
    (r"how many\b", KNOWN - _LENGTHS),
    (r"\bpercent(?:age)?\b", frozenset({"%"})),
    (r"\b(?:weight|weighs?|heavy)\b", frozenset({"gram"})),
    (r"\b(?:how (?:far|tall|wide|deep)|length|height|width)\b", frozenset({"metre"})),
    (r"\b(?:costs?|prices?|fees?|charges?|charged|pay|paid|salary|deductible)\b", MONEY | {"%"}),
)
_NAMED = tuple((re.compile(pattern, re.IGNORECASE), units) for pattern, units in _UNITS)
_COUNTED = re.compile(r"how many ([\w-]+(?: [\w-]+)?)", re.IGNORECASE)
_TIMES = frozenset({"s", "month", "date", "yearday", "clock", "ordinal"})
_NUMERAL = (
    r"(?:\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|"
    r"sixty|ninety|half an?))"
)
_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
# Times in figures or in number words that `numbers` has no unit of time for: `one working day`, `in 1999`, `at nine`.
_TIMED = re.compile(
    rf"{_NUMERAL}[ -](?:(?:full|whole|working|business|calendar|more|further) )?"
    r"(?:second|minute|hour|(?:week)?day|week|fortnight|month|year)s?\b|"
    r"^(?:1[5-9]|20)\d\d\b(?! ?[a-z%])|"
    rf"\b(?:in|since|from|until|by|of|year|{_MONTHS}) (?:1[5-9]|20)\d\d\b|"
    rf"\bat (?:about )?{_NUMERAL}\b(?! [a-z])|{_NUMERAL} o['’]clock\b",
    re.IGNORECASE,
)


def kind_of(question: str) -> str:
    """amount, time, person, reason, method, choice (yes or no), else thing."""
    bare = question.strip()
    return next((kind for kind, opening in _KINDS if opening.match(bare)), "thing")


def gives(kind: str, text: str) -> bool:
    """Whether `text` gives what such a question wants; always so for the kinds that cannot be told by their form."""
    if kind not in _GIVEN:
        return True
    if _GIVEN[kind].search(text):
        return True
    return exact(kind, text)


def exact(kind: str, text: str) -> bool:
    """Whether `text` holds an amount or a time in figures, where the kind wants one."""
    found = numbers(text) if kind in ("amount", "time") else []
    if kind == "amount":
        return any(number.unit not in ("date", "yearday", "ordinal") for number in found)
    return kind == "time" and (any(number.unit in _TIMES for number in found) or _TIMED.search(text) is not None)


def fits(question: str, text: str) -> bool:
    """Whether an amount of `text` is of the kind that the question names: hours, a price, a percentage. A bare figure
    fits all; one of things that are no unit fits a price and a number of things, or where the text names the unit."""
    units = next((units for pattern, units in _NAMED if pattern.search(question)), KNOWN)
    asked = _stems(" ".join(_COUNTED.findall(question)))
    open_ = units >= MONEY or bool(asked & _stems(text))
    return any(not number.unit or number.unit in units or (not number.known and open_) for number in numbers(text))


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text)}


def answers_shortly(kind: str, text: str) -> bool:
    """Whether a few words are an answer by their form alone: `Rs 800`, `in March`, `Yes`, `Jane Smith`."""
    if kind == "choice":
        return (
            re.match(r"\W*(?:yes|no|nope|yep|not|only|never|always|true|false|it does|it is)\b", text, re.I) is not None
        )
    if kind == "person":
        return named(text) and not any(char.isdigit() for char in text)
    return kind in ("amount", "time") and gives(kind, text)


def named(text: str) -> bool:
    """Whether a few words are a name and no sentence: each begins with a capital or a figure (`PATCH`)."""
    found = re.findall(r"[\w.'’/-]+", text)
    return bool(found) and all(word[0].isupper() or word[0].isdigit() for word in found)
