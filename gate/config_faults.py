"""What the schema says of a configuration, in words: each fault with its line, an unknown key with the nearest one."""

from __future__ import annotations

import difflib
import re
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from gate.config_file import Path_, Unset, dotted
from gate.errors import Fault

_LISTS = ("tuple_type", "list_type", "set_type", "frozen_set_type", "iterable_type")
_MAPPINGS = ("dict_type", "mapping_type", "model_type", "model_attributes_type")
_EACH = re.compile(r"; (?=measures\.)")
_SHAPES = dict.fromkeys(_LISTS, "must be a list") | dict.fromkeys(_MAPPINGS, "must be a mapping of keys to values")


def faults_of(error: ValidationError, model: type[BaseModel], lines: Mapping[Path_, int]) -> list[Fault]:
    """The faults in words; one of a part is placed on the line where the part stands.

    Told already and left out: what is wrong with a value whose variable is not set, and that a list is too short when
    what is wrong are its items.
    """
    details = [(_path(dict(detail)), dict(detail)) for detail in error.errors(include_url=False)]
    around = {path[:i] for path, _ in details for i in range(len(path))}
    return [
        fault
        for path, detail in details
        if not isinstance(detail.get("input"), Unset) and not (detail["type"] == "too_short" and path in around)
        for fault in _faults(path, _message(detail, path, model), lines)
    ]


def _faults(path: Path_, message: str, lines: Mapping[Path_, int]) -> Iterator[Fault]:
    """The one fault of a key; those of a rule between keys, each on the line of the key that it names first."""
    if path:
        yield Fault(_line(path, lines), dotted(path), message)
        return
    for told in _EACH.split(message):
        named = told.split(" ", 1)[0].rstrip(":,")
        yield Fault(_line(tuple(named.split(".")), lines), "", told)


def _path(detail: dict[str, Any]) -> Path_:
    return tuple(part for part in detail["loc"] if isinstance(part, str | int))


def _line(path: Path_, lines: Mapping[Path_, int]) -> int:
    """The line of the path, or of the nearest part around it that is there."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0) if path else 0


def _message(detail: dict[str, Any], path: Path_, model: type[BaseModel]) -> str:
    kind = detail["type"]
    if kind == "extra_forbidden":
        known = sorted(_keys(model, path[:-1]))
        near = difflib.get_close_matches(str(path[-1]), known, n=1, cutoff=0.6)
        return "unknown key" + (f"; did you mean `{near[0]}`?" if near else f"; known here: {', '.join(known)}")
    if kind == "missing":
        return "is required"
    if kind in _SHAPES:
        return _SHAPES[kind]
    if kind == "too_short":
        least = detail.get("ctx", {}).get("min_length", 1)
        return f"must have at least {least} item{'' if least == 1 else 's'}"
    message = str(detail["msg"]).removeprefix("Value error, ")
    given = detail.get("input")
    if kind in {"literal_error", "enum"} and isinstance(given, str):
        options = str(detail.get("ctx", {}).get("expected", "")).replace("'", "").replace(" or ", ", ").split(", ")
        near = difflib.get_close_matches(given, options, n=1, cutoff=0.6)
        return f"{given!r} is not one of {', '.join(options)}" + (f"; did you mean `{near[0]}`?" if near else "")
    if isinstance(given, str | int | float) and kind != "value_error":
        message += f", not {str(given)[:60]!r}" if isinstance(given, str) else f", not {given}"
    return message[:1].lower() + message[1:]


def _keys(model: type[BaseModel], path: Path_) -> set[str]:
    """The keys that the schema knows at a path."""
    current: type[BaseModel] | None = model
    free = False  # the part is a name of the user's own, as each model has under `prices`
    for part in path:
        if current is None:
            return set()
        if isinstance(part, str) and not free:
            field = current.model_fields.get(part)
            current = _model_in(field.annotation) if field else None
            free = field is not None and typing.get_origin(field.annotation) is dict
        else:
            free = False
    return set(current.model_fields) if current else set()


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The first model inside an annotation, through Optional, tuples and dicts."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in typing.get_args(annotation):
        found = _model_in(inner)
        if found:
            return found
    return None
