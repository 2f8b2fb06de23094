"""Exact checks of one answer: what its words, its calls, its time and its cost have to be. Pure, and free of charge.

Patterns and schemas may come from strangers, so no check can run away. Patterns go to an engine that takes time in
proportion to the text (that of pydantic: no look-around, no back-references), and a schema has a number of steps.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema

from gate.records import FailedCheck

LONGEST_PATTERN = 500  # characters
LONGEST = 50_000  # characters that a pattern or a schema is tried on
STEPS = 100_000  # keywords of a schema, and entries of their lists, that are tried on one text
_SHOWN = 80
_NAMING = ("properties", "$defs", "definitions", "dependentSchemas", "dependentRequired")
_INSTALL = "JSON Schemas need the package jsonschema: pip install jsonschema"


@dataclass(frozen=True, slots=True)
class Checked:
    """What checks are held against. `latency_ms` and `cost_usd` are None where they are not known; `calls` are the
    (name, arguments as JSON text) of the tools that were called, in order."""

    text: str
    latency_ms: float | None = None
    cost_usd: float | None = None
    calls: Sequence[tuple[str, str]] = ()

    @property
    def called(self) -> list[str]:
        """The names of the calls, in order."""
        return [name for name, _ in self.calls]


def parse_checks(value: Any) -> dict[str, Any]:
    """The checks of a row, each value made ready to be decided. Errors: ValueError, which names the check."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError("must be an object of checks")
    ready = {}
    for name, wanted in value.items():
        if name not in _CHECKS:
            raise ValueError(f"{_quoted(name)} is no check; known are {', '.join(sorted(_CHECKS))}")
        try:
            ready[name] = _CHECKS[name][0](wanted)
        except ValueError as error:
            raise ValueError(f"{name} {error}") from None
    return ready


def failed_checks(checks: Mapping[str, Any], answer: Checked) -> tuple[FailedCheck, ...]:
    """Every way in which an answer fails its checks; what cannot be decided is failed."""
    return tuple(FailedCheck(name, why) for name, wanted in checks.items() for why in _CHECKS[name][1](wanted, answer))


def _contains(wanted: Sequence[str], answer: Checked) -> Iterator[str]:
    yield from (f"the answer does not contain {_quoted(text)}" for text in wanted if text not in answer.text)


def _not_contains(wanted: Sequence[str], answer: Checked) -> Iterator[str]:
    yield from (f"the answer contains {_quoted(text)}" for text in wanted if text in answer.text)


def _equals(wanted: str, answer: Checked) -> Iterator[str]:
    if answer.text.strip() != wanted.strip():
        yield f"the answer is {_quoted(answer.text.strip())}, not {_quoted(wanted.strip())}"


def _regex(wanted: Sequence[str], answer: Checked) -> Iterator[str]:
    if len(answer.text) > LONGEST:
        yield f"the answer has {len(answer.text):,} characters; a pattern is tried on up to {LONGEST:,}"
    else:
        yield from (f"nothing in the answer matches {_quoted(p)}" for p in wanted if not _matches(p, answer.text))


def _json_schema(wanted: Any, answer: Checked) -> Iterator[str]:
    if why := _unfit(wanted, answer.text):
        yield f"the answer {why}"


def _max_chars(wanted: int, answer: Checked) -> Iterator[str]:
    if len(answer.text) > wanted:
        yield f"the answer has {len(answer.text):,} characters, more than {wanted:,}"


def _min_chars(wanted: int, answer: Checked) -> Iterator[str]:
    if len(answer.text) < wanted:
        yield f"the answer has {len(answer.text):,} characters, fewer than {wanted:,}"


def _max_latency_ms(wanted: float, answer: Checked) -> Iterator[str]:
    if answer.latency_ms is None:
        yield "the latency of the answer is not known"
    elif answer.latency_ms > wanted:
        yield f"the answer took {answer.latency_ms:g} ms, more than {wanted:g}"


def _max_cost_usd(wanted: float, answer: Checked) -> Iterator[str]:
    if answer.cost_usd is None:
        yield "the cost of the answer is not known: give the price of its model under `prices`"
    elif answer.cost_usd > wanted:
        yield f"the answer cost {answer.cost_usd:g} USD, more than {wanted:g}"


def _called(wanted: Sequence[str], answer: Checked) -> Iterator[str]:
    yield from (f"{_quoted(name)} was not called" for name in wanted if name not in answer.called)


def _not_called(wanted: Sequence[str], answer: Checked) -> Iterator[str]:
    yield from (f"{_quoted(name)} was called" for name in wanted if name in answer.called)


def _called_in_order(wanted: Sequence[str], answer: Checked) -> Iterator[str]:
    calls = iter(answer.called)
    if missing := next((name for name in wanted if name not in calls), None):  # `in` uses up what stands before it
        yield f"{_quoted(missing)} was not called in its place of {' > '.join(map(_quoted, wanted))}"


def _arguments(wanted: Mapping[str, Any], answer: Checked) -> Iterator[str]:
    yield from _called(tuple(wanted), answer)
    for name, arguments in answer.calls:
        if name in wanted and (why := _unfit(wanted[name], arguments or "{}")):
            yield f"the argument object of {_quoted(name)} {why}"


def _texts(value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not values or not all(isinstance(text, str) and text for text in values):
        raise ValueError("must be a text, or a list of texts, none of them empty")
    return tuple(values)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a text")
    return value


def _patterns(value: Any) -> tuple[str, ...]:
    found = _texts(value)
    for pattern in found:
        _compiled(pattern)
    return found


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError("must be a number that is not negative")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("must be a whole number that is not negative")
    return value


def _schema(value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError("must be a JSON Schema, an object")
    return _checked_schema(value)


def _schemas(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise ValueError("must be an object: the name of a tool, and the JSON Schema of its arguments")
    return {name: _schema(schema) for name, schema in value.items()}


@cache
def _compiled(pattern: str) -> SchemaValidator:
    """Errors: ValueError for what is no pattern of this engine, or one that grows too large."""
    if len(pattern) > LONGEST_PATTERN:
        raise ValueError(f"has a pattern of {len(pattern):,} characters, more than {LONGEST_PATTERN}")
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError as error:
        why = str(error).strip().splitlines()[-1].strip().removeprefix("error: ").removeprefix("SchemaError: ")
        raise ValueError(f"has the pattern {_quoted(pattern)}, which cannot be used: {why}") from None


def _matches(pattern: str, text: str) -> bool:
    try:
        _compiled(pattern).validate_python(text)
    except ValidationError:
        return False
    return True


class _TooManySteps(Exception):
    """A schema that would take too long."""


def _checked_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, of which every reference leads somewhere inside it. Errors: ValueError."""
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import SchemaError as NoSchemaError
        from referencing.exceptions import Unresolvable
    except ImportError:
        raise ValueError(f"cannot be decided: {_INSTALL}") from None
    schema = {key: value for key, value in schema.items() if key != "$schema"}
    try:
        Draft202012Validator.check_schema(schema)
        _check_parts(schema)
    except NoSchemaError as error:
        raise ValueError(f"is no JSON Schema: {error.json_path}: {_clipped(error.message, 200)}") from None
    except Unresolvable as error:
        raise ValueError(f"has a $ref that leads to nothing in it: {_quoted(str(error.ref))}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    return schema


def _check_parts(schema: dict[str, Any]) -> None:
    """Errors: ValueError; Unresolvable for a reference out of it, as nothing is fetched."""
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    resolver = Registry().resolver_with_root(DRAFT202012.create_resource(schema))
    parts = list(_schemas_in(schema))
    known = {id(part) for part in parts}
    for part in parts:
        if foreign := {"$schema", "$id", "$dynamicRef", "patternProperties"} & part.keys():
            raise ValueError(f"uses {min(foreign)}, which this gate does not know")
        if isinstance(part.get("$ref"), str):  # it may lead to what no keyword holds, and what is no schema
            target = resolver.lookup(part["$ref"]).contents
            Draft202012Validator.check_schema(target)
            if isinstance(target, dict) and id(target) not in known:  # the names in it would be keywords
                raise ValueError(f"has a $ref that leads to no schema: {_quoted(part['$ref'])}")
        if isinstance(part.get("pattern"), str):
            _compiled(part["pattern"])


def _schemas_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a schema that may be one, so all but those that give schemas names of their own."""
    if isinstance(value, list):
        for part in value:
            yield from _schemas_in(part)
    if isinstance(value, dict):
        yield value
        for key, part in value.items():
            named = key in _NAMING and isinstance(part, dict)
            yield from _schemas_in(list(part.values()) if named else part)


def _unfit(schema: dict[str, Any], text: str) -> str:
    """Why a text is not the JSON that a schema asks for; empty where it is."""
    if len(text) > LONGEST:
        return f"has {len(text):,} characters; a schema is tried on up to {LONGEST:,}"
    try:
        value = json.loads(text, parse_constant=_no_number)
        fault = next(_bounded()(schema).iter_errors(value), None)
    except RecursionError:
        return "goes deeper than a schema is followed"
    except _TooManySteps:
        return f"takes more than {STEPS:,} steps of the schema"
    except OverflowError:
        return "has a number that is too large for the schema"
    except ValueError as error:
        return f"is not JSON: {_clipped(str(error), 100)}"
    return f"does not fit the schema: {fault.json_path}: {_clipped(fault.message, 200)}" if fault else ""


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _bounded() -> Any:
    """A class of validators that counts what it does, looks for patterns and for what is there twice in linear time,
    and fetches nothing."""
    from jsonschema import Draft202012Validator, validators
    from jsonschema.exceptions import ValidationError as Unfit
    from referencing import Registry

    steps = iter(range(STEPS))

    def counted(rule: Callable[..., Any]) -> Callable[..., Any]:
        def count_and_try(validator: Any, wanted: Any, value: Any, schema: Any) -> Any:
            if next(islice(steps, len(wanted) if isinstance(wanted, list) else 0, None), None) is None:
                raise _TooManySteps
            return rule(validator, wanted, value, schema)

        return count_and_try

    def pattern(validator: Any, wanted: str, value: Any, schema: Any) -> Iterator[Unfit]:
        if isinstance(value, str) and not _matches(wanted, value):
            yield Unfit(f"{value!r} does not match {wanted!r}")

    def unique(validator: Any, wanted: bool, value: Any, schema: Any) -> Iterator[Unfit]:
        if wanted and isinstance(value, list) and len(set(map(_key, value))) < len(value):
            yield Unfit("has an entry more than once")

    rules = {**Draft202012Validator.VALIDATORS, "pattern": pattern, "uniqueItems": unique}
    extend: Any = validators.extend
    made = extend(Draft202012Validator, {name: counted(rule) for name, rule in rules.items()})
    return lambda schema: made(schema, registry=Registry())


def _key(value: Any) -> Hashable:
    """Equal for values that are equal in JSON: 1 is 1.0 and is not true, and the keys of an object have no order."""
    if isinstance(value, dict):
        return frozenset((name, _key(each)) for name, each in value.items())
    return tuple(map(_key, value)) if isinstance(value, list) else (isinstance(value, bool), value)


def _clipped(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _quoted(text: str) -> str:
    return f'"{_clipped(text, _SHOWN)}"'


# name -> (what makes its value ready, or raises ValueError; what yields why an answer fails it)
_CHECKS: Mapping[str, tuple[Callable[[Any], Any], Callable[[Any, Checked], Iterator[str]]]] = {
    "contains": (_texts, _contains),
    "not_contains": (_texts, _not_contains),
    "regex": (_patterns, _regex),
    "equals": (_text, _equals),
    "json_schema": (_schema, _json_schema),
    "min_chars": (_count, _min_chars),
    "max_chars": (_count, _max_chars),
    "max_latency_ms": (_number, _max_latency_ms),
    "max_cost_usd": (_number, _max_cost_usd),
    "called": (_texts, _called),
    "not_called": (_texts, _not_called),
    "called_in_order": (_texts, _called_in_order),
    "arguments": (_schemas, _arguments),
}
