"""JSON Schemas of the documents that the gate writes, and where a value does not have their shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails


class _Untitled(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        """No: the names of the keys say it."""
        return False


def schema_of(shape: Any, title: str, name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a typed dictionary; `$defs` name its parts without their `Entry`."""
    made = _adapter(shape).json_schema(schema_generator=_Untitled)
    parts = made.pop("$defs")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": name, "title": title}
    text = json.dumps({**head, **{key: made[key] for key in made if key != "title"}, "$defs": parts})
    for part in parts:
        plain = re.sub(r"(?<!^)(?=[A-Z])", "_", part.removesuffix("Entry")).lower()
        text = text.replace(f'"#/$defs/{part}"', f'"#/$defs/{plain}"').replace(f'"{part}": {{', f'"{plain}": {{')
        text = text.replace(f', "title": "{part}"', "")
    return cast(dict[str, Any], json.loads(text.replace("\\n", " ")))


def faults(value: Any, shape: Any) -> Iterator[str]:
    """Each place where a value, read from JSON, is not of a typed dictionary's shape, as `details[3].label: ...`."""
    try:
        _adapter(shape).validate_python(_encodable(value), strict=True)
    except ValidationError as error:
        yield from map(_fault, error.errors(include_url=False))


_adapter = cache(TypeAdapter)


def _encodable(value: Any) -> Any:
    """The value with half surrogate pairs, which a report may have and pydantic does not read, as references."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-8", "xmlcharrefreplace"))
    return value


def _fault(error: ErrorDetails) -> str:
    where = ""
    for part in error["loc"]:
        where += f"[{part}]" if isinstance(part, int) else f"{'.' if where else ''}{_short(part)[1:-1]}"
    if error["type"] == "missing":
        return f"{where}: missing"
    due = error["msg"].replace("Input should be ", "is not ").replace("a valid dictionary", "an object")
    link = " " if due.startswith("is not ") else ": "
    return f"{where or 'the file'}: {_short(error['input'])}{link}{due}"


def _short(value: Any) -> str:
    text = repr(value[:41] if isinstance(value, str) else value)
    return text if len(text) <= 50 else text[:50] + "…"
