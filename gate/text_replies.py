"""Lists of JSON objects in what a model wrote: fenced, with prose around, cut off; whatever of it is whole."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

MOST_READ = 1_000_000  # characters of a reply
MOST_LISTS = 8  # of one name
_BETWEEN = re.compile(r"[\s,]*")
_BARE = re.compile(r"\s*(?:```\w*\s*)?\[(?=\s*\{)")
_AFTER_BARE = re.compile(r"[\s`]*\Z")


@dataclass(frozen=True, slots=True)
class Twice:
    """What stands where an object gives one key several values that differ: none of them counts."""

    values: tuple[Any, ...]


def entries(text: str, name: str) -> tuple[list[dict[str, Any]], bool]:
    """(the objects of the last list called `name`, whether it was closed); ([], False) where there is none.

    A model thinks aloud before it answers, and may repeat what it was told: the last list is the answer. What is no
    object is left out; a key that an object gives twice, differently, is null. A reply that is nothing but a list of
    objects, without its name, is that list.
    """
    return (lists(text, name) or [([], False)])[-1]


def lists(text: str, name: str) -> list[tuple[list[dict[str, Any]], bool]]:
    """Every list called `name`, in order, read as `entries` reads the last one; the last MOST_LISTS of them."""
    text = text[:MOST_READ]
    starts = [found.end() for found in re.finditer(rf'(?<!\\)"{re.escape(name)}"\s*:\s*\[', text)]
    return [_list_at(text, start)[:2] for start in starts[-MOST_LISTS:]] or _bare(text)


def _bare(text: str) -> list[tuple[list[dict[str, Any]], bool]]:
    """The list that is all of a reply; a list with words or another list after it is not taken for the answer."""
    begun = _BARE.match(text)
    if begun is None:
        return []
    found, whole, end = _list_at(text, begun.end())
    return [(found, whole)] if not whole or _AFTER_BARE.match(text, end) else []


def _list_at(text: str, at: int) -> tuple[list[dict[str, Any]], bool, int]:
    """(the objects of a list from behind its bracket on, whether it was closed, where it ends)."""
    found: list[dict[str, Any]] = []
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if text[at : at + 1] == "]":
            return found, True, at + 1
        try:
            entry, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return found, False, at
        found += [entry] if isinstance(entry, dict) else []


def twice_given(entry: dict[str, Any]) -> str:
    """The first key that an object gives several values; "" where there is none."""
    return next((key for key, value in entry.items() if isinstance(value, Twice)), "")


def each_of(value: Any) -> tuple[Any, ...]:
    """The values of a key: one, or all that differ."""
    return value.values if isinstance(value, Twice) else (value,)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        before = each_of(made[key]) if key in made else ()
        made[key] = Twice((*before, value)) if before and value not in before else made.get(key, value)
    return made
