"""Figures and number words by value: `1,000`, `1.234,56`, `1,5 kg`, `10 000`, `twenty-five`, `two hundred and five`."""

from __future__ import annotations

import re

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
VALUES = {word: float(i) for i, word in enumerate(_SMALL.split())} | {
    word: 10.0 * i for i, word in enumerate(_TENS.split(), 2)
}
SPELT = frozenset(VALUES)
COUNTS = {word: i for i, word in enumerate(_SMALL.split()[:13]) if i}  # one to twelve
POWERS = {"dozen": 12.0,
          "hundred": 1e2, "thousand": 1e3, "k": 1e3, "lakh": 1e5, "lakhs": 1e5, "million": 1e6, "mn": 1e6, "m": 1e6,
          "crore": 1e7, "crores": 1e7, "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12}  # fmt: skip
# Units that tell a decimal comma (`1,5 kg`) and blanks between thousands (`1 200 euros`) from a list of figures.
_MEASURED = (
    r"(?:[ -]?(?:[€$£%]|(?:euros?|eur|dollars?|usd|pounds?|gbp|chf|francs?|[kcm]?m|m?g|kg|kilos?|kilograms?|[cm]?l"
    r"|(?:kilo|centi|milli)?met(?:re|er)s?|lit(?:re|er)s?|h|hours?|days?|weeks?|months?|years?|minutes?|seconds?|min|sec"
    r"|m?s|[kmgt]i?b|per ?cent|million|billion)(?!\w)))"
)
_COMMA = (
    rf"\d{{1,6}},\d{{1,2}}(?![\d,])(?=(?:[ ]?(?:-|to)[ ]?\d{{1,6}}(?:,\d{{1,2}})?)?{_MEASURED})"
    r"|(?:(?<=[€$£])|(?<=[€$£][ ]))\d{1,6},\d{1,2}(?![\d,])"
)
DIGITS = (
    rf"(?<!\d)(?:\d{{1,3}}(?:\.\d{{3}}){{1,5}},\d{{1,2}}(?!\d)|(?P<comma>{_COMMA})"
    rf"|\d{{1,3}}(?:[ ]000){{1,5}}(?!\d)|\d{{1,3}}(?:[ ]\d{{3}}){{1,5}}(?!\d)(?={_MEASURED})"
    r"|\d{1,3}(?:'\d{3}){1,5}(?!\d)|\d{1,3}(?:,\d{2,3}){1,8}(?!\d)(?:\.\d{1,15})?|\d{1,20}(?!\d)(?:\.\d{1,15})?)"
)
_NAMES = "|".join([*VALUES, "dozen", "hundred", "thousand", "million"])
_ONES = "|".join(_SMALL.split()[1:10])
_UNDER = (  # under a hundred; number words that make none together are several: `one seven days after`
    rf"(?:(?:{_TENS.replace(' ', '|')})\b(?:[ -](?:{_ONES})\b)?|(?:{'|'.join(_SMALL.split()[10:])}|{_ONES})\b)"
)
_LAST = rf"(?:[ -](?:and )?{_UNDER}(?![ -]hundred\b))?"  # `two hundred and three hundred` are two
_GROUP = rf"(?:(?:{_UNDER}[ -])?hundred\b{_LAST}|(?:{_UNDER}[ -])?dozen\b|{_UNDER})"
_THOUSANDS = rf"(?:{_GROUP}[ -])?thousand\b"
_REST = rf"(?:[ -](?:and )?{_GROUP}(?![ -](?:thousand|million)\b))?"
_AFTER = "|".join(rf"(?<=\b{word}-)" for word in _ONES.split("|"))  # `two-three days`, but not `utf-eight`
SPELLED = (
    rf"(?<![\w.])(?=(?:{_NAMES})\b)(?:(?<!-)|{_AFTER})"
    rf"(?P<word>(?:{_GROUP}[ -])?million\b(?:[ -](?:and )?{_THOUSANDS})?{_REST}|{_THOUSANDS}{_REST}|{_GROUP}|zero\b)"
)
_BLANKS = re.compile(r"[ ,']")
_DOTTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")


def value_of(match: re.Match[str]) -> float:
    """The value as written, without its unit; the match has the groups of DIGITS and SPELLED, `num` and `sign`."""
    if match["num"]:
        return _figure(match["num"], bool(match["comma"])) * (-1 if match["sign"] == "-" else 1)
    total = current = 0.0
    for word in re.findall(r"[a-z]+", match["word"].lower()):
        if word in POWERS:
            current = (current or 1.0) * POWERS[word]
            if POWERS[word] > 100:
                total, current = total + current, 0.0
        elif word != "and":
            current += VALUES[word]
    return total + current


def _figure(written: str, comma: bool) -> float:
    if comma or (written.count(",") == 1 and "." in written and written.index(".") < written.index(",")):
        return float(written.replace(".", "").replace(",", "."))
    return float(_BLANKS.sub("", written))


def thousands(written: str) -> bool:
    """Whether a point may stand between thousands: `2.500 euros` are more often 2,500 than two and a half."""
    return _DOTTED.fullmatch(written) is not None
