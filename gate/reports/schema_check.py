"""Checks a value against the part of JSON Schema 2020-12 that the verdict's own schema uses, and names every fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str = "") -> Iterator[str]:
    """Every fault as `details[3].label: ...`. Known keywords: $ref (to $defs), type, enum, pattern, minLength, minimum,
    maximum, items, minItems, maxItems, required, properties, additionalProperties; a test holds the schema to these."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {_short(value)} is none of {', '.join(schema['enum'])}"
        return
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{where or 'the file'}: {_short(value)} is not of type {' or '.join(kinds)}"
    elif isinstance(value, dict):
        yield from _object(value, schema, root, where)
    elif isinstance(value, list):
        yield from _array(value, schema, root, where)
    elif isinstance(value, str):
        yield from _string(value, schema, where)
    elif isinstance(value, (int, float)):
        yield from _number(value, schema, where)


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[kind])


def _object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], where: str) -> Iterator[str]:
    known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{_join(where, key)}: missing"
    for key, part in value.items():
        rule = known.get(key, other)
        if isinstance(rule, dict):
            yield from faults(part, rule, root, _join(where, key))


def _array(value: list[Any], schema: dict[str, Any], root: dict[str, Any], where: str) -> Iterator[str]:
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not low <= len(value) <= high:
        yield f"{where}: {len(value)} items where {low} are expected"
    rule = schema.get("items", {})
    for place, part in enumerate(value):
        yield from faults(part, rule, root, f"{where}[{place}]")


def _string(value: str, schema: dict[str, Any], where: str) -> Iterator[str]:
    if len(value) < schema.get("minLength", 0):
        yield f"{where}: must not be empty"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {_short(value)} does not match {schema['pattern']}"


def _number(value: float, schema: dict[str, Any], where: str) -> Iterator[str]:
    if value < schema.get("minimum", value):
        yield f"{where}: {value} is below {schema['minimum']}"
    if value > schema.get("maximum", value):
        yield f"{where}: {value} is above {schema['maximum']}"


def _join(where: str, key: str) -> str:
    return f"{where}.{_short(key)[1:-1]}" if where else _short(key)[1:-1]


def _short(value: Any) -> str:
    text = repr(value[:41] if isinstance(value, str) else value)
    return text if len(text) <= 50 else text[:50] + "…"
