"""Variables of promptfoo that are arrays: a test for each combination of their values, as promptfoo makes them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from gate.datasets.columns import ALIASES, normal

MAX_TESTS = 100_000  # that the arrays of one file may give


def number(test: Mapping[str, Any]) -> int:
    """How many combinations a test has, counted until there are too many; nothing is made yet."""
    found = 1
    for values in _values(test).values():
        found *= len(values)
        if found > MAX_TESTS + 1:
            break
    return found


def combinations(test: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The variables of a test, each with one value, in the order of the arrays (the last one changes fastest)."""
    values = _values(test)
    for chosen in itertools.product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


def _values(test: Mapping[str, Any]) -> dict[str, list[Any]]:
    """name -> the values that it takes in turn. A list of contexts is one value, as is what does not begin with a text;
    and every list, if the test says so."""
    variables, options = test.get("vars"), test.get("options")
    if not isinstance(variables, dict):
        return {}
    whole = isinstance(options, dict) and options.get("disableVarExpansion") is True
    return {name: value if not whole and _takes_turns(name, value) else [value] for name, value in variables.items()}


def _takes_turns(name: str, value: Any) -> bool:
    array = isinstance(value, list) and bool(value) and isinstance(value[0], str)
    return array and normal(name) not in ALIASES["contexts"]
