"""Dates, times of day, versions, ordinals and the periods of rates: numbers that are compared in a way of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

Span = tuple[int, int]
_COUNT_LIST = "one two three four five six seven eight nine ten eleven twelve"
COUNTS = {word: i for i, word in enumerate(_COUNT_LIST.split(), 1)}
_MONTH_LIST = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = _MONTH_LIST.split()
_MONTH = rf"(?P<{{0}}>{'|'.join(_MONTHS)})[a-z]{{{{0,6}}}}\.?"
_DATE = re.compile(
    r"\b(?P<y1>[12]\d{3})-(?P<m1>[01]\d)-(?P<d1>[0-3]\d)(?!\d)"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH.format('m2')},? (?P<y2>[12]\d{{3}})\b"
    rf"|\b{_MONTH.format('m3')} (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>[12]\d{{3}})\b"
    r"|(?<![\w./-])(?P<d4>[0-3]?\d)(?P<sep>[/.])(?P<m4>[0-3]?\d)(?P=sep)(?P<y4>(?:19|20)\d\d)(?![\w/-]|\.\d)",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
# A day without its year; the month with a capital, as `you may 5 times` is none.
_NAMED = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    "Nov(?:ember)?|Dec(?:ember)?"
)
_DAY = re.compile(
    rf"(?<![\w.,:/])(?P<d1>[0-3]?\d)(?:st|nd|rd|th)? (?:day )?(?:of )?(?P<m1>{_NAMED})\b(?!,? [12]\d{{3}}\b)"
    rf"|\b(?P<m2>{_NAMED})\.? (?:the )?(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?\b(?![.,:/-]\d|,? [12]\d{{3}}\b)"
)
_TH = r"(?:st|nd|rd|th)?"
_JOINT = ",? (?:and|or|to) (?:the )?"
_AHEAD = re.compile(rf"(?<![\w.,:/-])(?:[0-3]?\d{_TH}, ){{0,6}}[0-3]?\d{_TH}{_JOINT}$")
_BEHIND = re.compile(  # `March 3 and 12 guests` has one day
    rf"(?:, [0-3]?\d{_TH}){{0,6}}{_JOINT}[0-3]?\d{_TH}(?=\s*[.,;!?)]?(?:$|\s(?:and|or)\b))"
)
_ROW = 60  # characters of a row of days
_FIGURE = re.compile(r"\d+")
_NOON = {"noon": 720, "midday": 720, "midnight": 0}
_PARTS_OF_DAY = {"in the morning": 0, "in the afternoon": 12, "in the evening": 12, "at night": 12}
_AT_PART_OF_DAY = re.compile(  # `at nine in the morning`; of pills one takes one in the morning
    rf"\b(?:at|from|till?|until|to|by|before|after|around|since) (?P<said>(?P<hour>\d{{1,2}}|{'|'.join(COUNTS)})"
    rf"(?::(?P<minute>[0-5]\d))?(?: o'clock)? (?P<part>{'|'.join(_PARTS_OF_DAY)}))\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w.])(?:12[ \t])?(?P<named>noon|midday|midnight)(?![\w-])"
    rf"|(?<![\w:.])(?P<hour>\d{{1,2}}|(?:{'|'.join(COUNTS)})(?=[ \t]o'clock\b))"
    r"(?:(?::|\.(?=\d\d[ \t]?[ap]\.?m\b))(?P<minute>[0-5]\d)(?::[0-5]\d)?)?"
    r"(?:[ \t]?(?P<half>[ap])\.?m\b\.?)?(?![\w:])(?P<sharp>[ \t]?o'clock\b)?",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?<![\w.])(?:v(?:ersions?[ \t]?)?)?(\d{1,6}(?:\.\d{1,6}){2,11}"
    r"|(?:(?<=v)|(?<=version )|(?<=versions ))\d{1,6}(?:\.\d{1,6})?)"
    r"[-.]?(?:(?:a|b|rc|alpha|beta|dev|post)\.?\d{0,4})?(?!\w|\.\d)",
    re.IGNORECASE,
)
_FIRST = ("first", "second", "third")  # also said of what is in no row: `first, open it`, `a second`, `a third of it`
_LATER = (
    "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
    "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_PLACES = {word: i for i, word in enumerate([*_FIRST, *_LATER], 1)} | {"thirtieth": 30}
_COUNTED_SPAN = r"(?:day|week|month|year|night)"
_ORDINAL = re.compile(
    rf"(?<![\w-])(?:(?P<first>{'|'.join(_FIRST)})(?= (?:(?:working|business|calendar|full|whole) )?{_COUNTED_SPAN}\b"
    r"| (?:day )?of (?:each|every|the|any) (?:\w+ )?month\b)"
    rf"|(?<!\ba )(?<!\bone )(?P<later>{'|'.join(_LATER)}|thirtieth)(?![\w-])"
    # `day five`, but not `a day 5`, nor `this week two parcels`
    rf"|(?<!\ba )(?<!\bper )(?<!\beach )(?<!\bevery )(?<!\bone )(?<!\bthis )(?<!\bnext )(?<!\blast )(?<!-)"
    rf"{_COUNTED_SPAN} (?P<count>\d{{1,2}}|{'|'.join(COUNTS)})(?!\w|[.,:/-]\d|\s?[%€$£]| [a-z]+s\b))",
    re.IGNORECASE,
)
_PERIODS = {
    "second": "second sec s", "minute": "minute min", "hour": "hour hr h hourly", "day": "day d daily night nightly",
    "week": "week wk weekly", "month": "month mo mth monthly", "quarter": "quarter quarterly",
    "year": "year yr annum p.a. yearly annually",
}  # fmt: skip
_PERIOD_NAMES = {name: period for period, names in _PERIODS.items() for name in names.split()}
_LONG_PERIODS = "minute|hour|day|night|week|month|quarter|year"
_RATE = re.compile(
    r"(?:/-)?\s{0,2}(?:(?:/ ?|per\s{1,2})(?P<short>seconds?|sec|s|min|hr|h|d|wk|mo|mth|yr|annum|" + _LONG_PERIODS + r")"
    rf"|(?:an?|each|every)\s{{1,2}}(?:calendar\s)?(?P<long>{_LONG_PERIODS}|second(?! \w))"
    r"|(?P<alone>\w{4,7}ly|p\.a\.))(?![\w'-])",
    re.IGNORECASE,
)
# The seconds of each; a month is the twelfth part of a mean year.
PERIODS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2629746.0,
           "quarter": 7889238.0, "year": 31556952.0}  # fmt: skip
_PERIOD_WORDS = "|".join(
    name for name in _PERIOD_NAMES if len(name) >= len("day") and name not in ("sec", "min", "mth", "p.a.")
)
_PERIOD_WORD = re.compile(rf"\b(?:{_PERIOD_WORDS})\b", re.IGNORECASE)


def dates(text: str) -> list[tuple[int, int, int]]:
    """Calendar dates with a year (`2024-01-15`, `15 January 2024`, `Jan 15, 2024`, `15.01.2024`): (day number, start,
    end). Of `03/04/2024` it is the day first; see `other_date`."""
    found = []
    for match in _DATE.finditer(text):
        year, month, day = (next(match[f"{part}{i}"] for i in "1234" if match[f"{part}{i}"]) for part in "ymd")
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
        ways = [(number, int(day)), (int(day), number)] if match["sep"] == "/" else [(number, int(day))]
        value = next((value for way in ways if (value := _day_number(int(year), *way))), 0)
        if value:
            found.append((value, *match.span()))
    return found


def other_date(written: str) -> int | None:
    """The other day that a date with slashes may be: 4 March for `03/04/2024`."""
    found = _SLASHED.fullmatch(written)
    return _day_number(int(found[3]), int(found[1]), int(found[2])) or None if found else None


def days(text: str) -> list[tuple[int, int, int]]:
    """Days without their year (`31 March`, `March 31st`, both of `24 and 25 March`): (31 times the month and the day,
    start, end)."""
    found = []
    for match in _DAY.finditer(text):
        month = _MONTHS.index((match["m1"] or match["m2"])[:3].lower()) + 1
        named = [(int(match["d1"] or match["d2"]), *match.span()), *_days_sharing_month(text, match)]
        found += [(day_of(date(2000, month, day)), a, b) for day, a, b in named if _day_number(2000, month, day)]
    return sorted(found, key=lambda one: one[1])


def _days_sharing_month(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, int]]:
    """The other days of a month that a row of days shares: (day, start, end)."""
    low = max(0, match.start() - _ROW)
    found = _AHEAD.search(text, low, match.start()) if match["m1"] else _BEHIND.match(text, match.end())
    if found:
        yield from ((int(day[0]), *day.span()) for day in _FIGURE.finditer(text, *found.span()))


def day_of(day: date) -> int:
    """A date without its year, as in `days`."""
    return 31 * day.month + day.day


def _day_number(year: int, month: int, day: int) -> int:
    """The number of a day; 0 where there is none."""
    try:
        return date(year, month, day).toordinal()
    except ValueError:
        return 0


def clocks(text: str) -> list[tuple[int, int, int]]:
    """Times of day (`14:30`, `5 pm`, `7.30 pm`, `noon`, `7 o'clock`): (minutes after midnight, start, end)."""
    found = list(_times_with_part_of_day(text))
    matches = {match.span(): match for match in _CLOCK.finditer(text)}
    for span in not_overlapping(list(matches), [(start, end) for _, start, end in found]):
        match = matches[span]
        if match["named"]:
            found.append((_NOON[match["named"].lower()], *match.span()))
            continue
        hour, minute, half = _hour(match["hour"]), int(match["minute"] or 0), match["half"]
        marked = match["minute"] or half or match["sharp"]
        if not marked or 60 * hour + minute > (12 * 60 + 59 if half else 24 * 60):
            continue  # nobody means an hour by it, or there is no such hour: `24:45`, `13 pm`
        hour = hour % 12 + (12 if half in ("p", "P") else 0) if half else hour
        found.append((60 * hour + minute, *match.span()))
    return sorted(found, key=lambda one: one[1])


def _times_with_part_of_day(text: str) -> Iterator[tuple[int, int, int]]:
    """Times of day with their part of it: `ten at night`, `7:30 in the morning`; one at night is early."""
    for match in _AT_PART_OF_DAY.finditer(text):
        hour, part = _hour(match["hour"]), match["part"].lower()
        if hour <= 12:
            late = _PARTS_OF_DAY[part] and not (part == "at night" and hour % 12 < 5)
            yield 60 * (hour % 12 + 12 * bool(late)) + int(match["minute"] or 0), *match.span("said")


def _hour(said: str) -> int:
    return int(said) if said.isdigit() else COUNTS[said.lower()]


def other_time(minutes: int, written: str) -> int | None:
    """The other time of day that one may be: both midnights, and half a day later for `7 o'clock`."""
    if minutes in (0, 24 * 60):
        return 24 * 60 - minutes
    return minutes % 720 + 720 * (minutes <= 720) if "o'clock" in written.lower() else None


def versions(text: str) -> list[tuple[str, int, int]]:
    """Versions (`1.2.3`, `v2`, `version 3.11`): (digits and dots, start, end of the digits)."""
    spans = [(m.start(1), m.end(1)) for m in _VERSION.finditer(text)]
    return [(text[start:end], start, end) for start, end in not_overlapping(spans, ((d[1], d[2]) for d in dates(text)))]


def not_overlapping(spans: list[Span], taken: Iterable[Span]) -> list[Span]:
    """Those of `spans` that overlap none of `taken`; both in ascending order, merged in one pass."""
    free, rest = [], iter(taken)
    block = next(rest, None)
    for start, end in spans:
        while block and block[1] <= start:
            block = next(rest, None)
        if not block or end <= block[0]:
            free.append((start, end))
    return free


def ordinals(text: str) -> Iterator[tuple[int, int, int]]:
    """Ordinals in words (`the fifth day`, `day five`, `the third of each month`): (place, start, end), in order.

    Those in figures (`5th`) are found with the other figures.
    """
    for match in _ORDINAL.finditer(text):
        word = (match["first"] or match["later"] or match["count"]).lower()
        place = _PLACES.get(word) or COUNTS.get(word) or int(word)
        if place:
            yield place, *match.span()


def periods_named(text: str) -> set[float]:
    """The seconds of every period that a text names: those of a week for `a week` and `weekly`."""
    return {PERIODS[_PERIOD_NAMES[word.lower()]] for word in _PERIOD_WORD.findall(text)}


def period(text: str, at: int) -> str:
    """The period that an amount ending at `at` is for (`day`, `year`), a night being a day; empty where none stands
    right behind it."""
    found = _RATE.match(text, at)
    return _PERIOD_NAMES.get((found["short"] or found["long"] or found["alone"]).lower(), "") if found else ""
