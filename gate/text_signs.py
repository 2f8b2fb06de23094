"""Signs and short forms that people read out in words: `24/7`, `50 °C`."""

from __future__ import annotations

import re

_DEGREES = re.compile(r"(?<=\d)\s?°\s?(?P<scale>[CF])\b")
_SCALES = {"C": "Celsius", "F": "Fahrenheit"}
_ALWAYS = re.compile(r"(?<![\w/.-])24/7(?![\w/]|\.\d)")


def worded(text: str) -> str:
    """`text` with these in words: `50 °C` are 50 degrees Celsius, and what is open 24/7 is open around the clock."""
    text = _DEGREES.sub(lambda found: f" degrees {_SCALES[found['scale']]}", text)
    return _ALWAYS.sub("around the clock", text)
