"""Lists of JSON objects in what a model wrote: fenced, with prose around, cut off; whatever of it is whole."""

from __future__ import annotations

import json
import re
from typing import Any

MOST_READ = 1_000_000  # characters of a reply
_BETWEEN = re.compile(r"[\s,]*")


def entries(text: str, name: str) -> tuple[list[dict[str, Any]], bool]:
    """(the objects of the last list called `name`, whether it was closed); ([], False) where there is none.

    A model thinks aloud before it answers, and may repeat what it was told: the last list is the answer. What is no
    object is left out; a key that an object gives twice, differently, is null.
    """
    text = text[:MOST_READ]
    starts = [found.end() for found in re.finditer(rf'(?<!\\)"{re.escape(name)}"\s*:\s*\[', text)]
    found: list[dict[str, Any]] = []
    if not starts:
        return found, False
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    at = starts[-1]
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if text[at : at + 1] == "]":
            return found, True
        try:
            entry, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return found, False
        found += [entry] if isinstance(entry, dict) else []


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        made[key] = None if key in made and made[key] != value else value
    return made
