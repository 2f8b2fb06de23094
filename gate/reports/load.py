"""Reads a stored verdict: bounded, checked against its shape, and only if its ledger balances.

The shape is that of `gate.reports.document`, checked by pydantic. What is returned is the file's own JSON: keys that
this version does not know stay where they are.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from gate.errors import InputFileError
from gate.reports.document import LABELS, SCHEMA_VERSION, VerdictDocument

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

MAX_BYTES = 256 * 1024 * 1024
SHOWN_FAULTS = 5
_MADE_BY = "give a file that `gate run -o verdict.json` wrote"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The JSON Schema of a verdict document."""
    return schema_of(VerdictDocument, "Verdict of llm-reliability-gate", "urn:llm-reliability-gate:verdict:1")


def schema_of(shape: Any, title: str, name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a typed dictionary; `$defs` name its parts without their `Entry`."""
    from pydantic.json_schema import GenerateJsonSchema

    class Untitled(GenerateJsonSchema):
        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

    made = _adapter(shape).json_schema(schema_generator=Untitled)
    parts = made.pop("$defs")
    head = {"$schema": _DIALECT, "$id": name, "title": title}
    text = json.dumps({**head, **{key: made[key] for key in made if key != "title"}, "$defs": parts})
    for part in parts:
        plain = re.sub(r"(?<!^)(?=[A-Z])", "_", part.removesuffix("Entry")).lower()
        text = text.replace(f'"#/$defs/{part}"', f'"#/$defs/{plain}"').replace(f'"{part}": {{', f'"{plain}": {{')
        text = text.replace(f', "title": "{part}"', "")
    return cast(dict[str, Any], json.loads(text.replace("\\n", " ")))


def faults(value: Any, shape: Any) -> Iterator[str]:
    """Each place where a value, read from JSON, is not of a typed dictionary's shape, as `details[3].label: ...`."""
    from pydantic import ValidationError

    try:
        _adapter(shape).validate_python(_encodable(value), strict=True)
    except ValidationError as error:
        yield from map(_fault, error.errors(include_url=False))


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(shape)


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


def load(path: Path, max_bytes: int = MAX_BYTES) -> VerdictDocument:
    """Read and check a verdict. Errors: InputFileError, which names the file and up to five faults."""
    value = parse_file(path, max_bytes, _MADE_BY)
    _check_version(path, value)
    found = list(islice(faults(value, VerdictDocument), SHOWN_FAULTS)) or list(
        islice(_contradictions(value), SHOWN_FAULTS)
    )
    if found:
        raise InputFileError("\n".join([f"{path}: not a whole verdict", *(f"  {fault}" for fault in found)]), _MADE_BY)
    return cast(VerdictDocument, value)


def parse_file(path: Path, max_bytes: int, made_by: str) -> Any:
    """The JSON of a file. NaN and infinities, which would satisfy or fail every threshold, are refused.

    Errors: InputFileError with the hint `made_by`.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(max_bytes + 1)
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read: {error.strerror}", made_by) from error
    if len(raw) > max_bytes:
        raise InputFileError(f"{path}: larger than {max_bytes:,} bytes", made_by)
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path}: not UTF-8 (byte {error.start})", made_by) from error
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}, line {error.lineno}: not JSON: {error.msg}", made_by) from error
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path}: not JSON that can be read: {str(error)[:200]}", made_by) from error


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def _check_version(path: Path, value: Any) -> None:
    version = value.get("schema_version") if isinstance(value, dict) else None
    if version is None:
        raise InputFileError(f"{path}: not a verdict: it has no schema_version", _MADE_BY)
    if str(version).split(".")[0] != SCHEMA_VERSION.split(".")[0]:
        raise InputFileError(
            f"{path}: schema version {str(version)[:20]!r} is not one that this gate reads ({SCHEMA_VERSION})",
            "write the verdict again with this version of the gate",
        )


def _contradictions(value: VerdictDocument) -> Iterator[str]:
    """What a schema cannot say: the ledger balances, ids name what is there, thresholds and intervals are in order."""
    yield from _ledger(value)
    yield from _ids(value)
    if value["thresholds"]["deploy_threshold"] > value["thresholds"]["warn_threshold"]:
        yield "thresholds: deploy_threshold is above warn_threshold"
    if value["interval"] and value["interval"][0] > value["interval"][1]:
        yield "interval: the low end is above the high one"


def _ledger(value: VerdictDocument) -> Iterator[str]:
    count = Counter(claim["label"] for claim in value["details"])
    for label in LABELS:
        stated = value[label]  # type: ignore[literal-required]
        if stated != count[label]:
            yield f"{label}: {stated} in the ledger, {count[label]} in details"
    if value["total_claims"] != sum(count.values()):
        yield f"total_claims: {value['total_claims']}, but the four labels add up to {sum(count.values())}"


def _ids(value: VerdictDocument) -> Iterator[str]:
    ids = Counter(prompt["id"] for prompt in value["prompts"])
    for name, times in ids.items():
        if times > 1:
            yield f"prompts: the id {name[:40]!r} is there {times} times"
    for place, claim in enumerate(value["details"]):
        if claim["prompt_id"] not in ids:
            yield f"details[{place}].prompt_id: no prompt has the id {claim['prompt_id'][:40]!r}"
