"""Text in JSON and YAML: notebooks as Markdown, descriptions of APIs (OpenAPI, Swagger) as text per operation."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from json.decoder import scanstring  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any

import yaml

from gate.config.file import NotYamlError, parse_tree
from gate.errors import SourceError
from ingest.base import Kind, SourceBlock
from ingest.formats.lines import Builder, SourceLine, decode, fence_around
from ingest.formats.markdown import read_markdown

MOST_VALUES, DEEPEST = 200_000, 100  # of YAML, which is read slowly
GROWS, ALWAYS = 4, 100_000  # characters that may be made of a text: what many operations share is said in each
_ESCAPES = re.compile(r"\x1b\[[\d;?]{0,20}[A-Za-z]|[\x00-\x08\x0b-\x1f]")
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_LIMITS = {
    **{"format": "", "default": "default ", "minimum": "at least ", "maximum": "at most ", "pattern": "pattern "},
    **{"exclusiveMinimum": "above ", "exclusiveMaximum": "below ", "minLength": "at least {} characters"},
    **{"maxLength": "at most {} characters", "minItems": "at least {} items", "maxItems": "at most {} items"},
}


class Placed(str):
    """A text and the 1-based line that it begins on; `step` is 1 where its lines are lines of the file."""

    line = 0
    step = 0


def read_notebook(data: bytes) -> list[SourceBlock]:
    """The blocks of a Jupyter notebook: Markdown, code, and outputs that are text. Raises SourceError."""
    book = load_json(decode(data))
    cells = book.get("cells") if isinstance(book, dict) else None
    if not isinstance(cells, list):
        raise SourceError("is not a notebook: it has no cells", "save it in the current format of Jupyter")
    lines: list[tuple[str, int]] = []
    for cell in cells:
        if isinstance(cell, dict):
            code = cell.get("cell_type") == "code"
            lines += _fenced(_lines(cell.get("source"))) if code else [*_lines(cell.get("source")), ("", 0)]
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else ():
                lines += _output(output) if isinstance(output, dict) else []
    blocks = read_markdown("\n".join(text for text, _ in lines).encode("utf-8", "replace") or b" ")
    return [replace(block, lines=tuple(lines[number - 1][1] for number in block.lines)) for block in blocks]


def _output(output: Mapping[str, Any]) -> list[tuple[str, int]]:
    found = output.get("data")
    known = found if isinstance(found, dict) else {}
    if "text/markdown" in known:
        return [*_lines(known["text/markdown"]), ("", 0)]
    return _fenced(_lines(known.get("text/plain", output.get("text"))))


def _lines(value: Any) -> list[tuple[str, int]]:
    """The lines of a text, or of a list of texts that follow each other, each with its line of the file."""
    found: list[tuple[str, int]] = []
    open_ = False
    for piece in value if isinstance(value, list) else [value]:
        if not isinstance(piece, Placed):
            continue
        for at, text in enumerate(_ESCAPES.sub("", piece).split("\n")):
            if at or not open_:
                found.append((text, piece.line))
            else:  # a line begins on the line of the file that has its first character
                begun, line = found[-1]
                found[-1] = (begun + text, line if begun else piece.line)
            open_ = True
    return found


def _fenced(lines: list[tuple[str, int]]) -> list[tuple[str, int]]:
    mark = fence_around(text for text, _ in lines)
    words = any(text.strip() for text, _ in lines)
    return [(mark, lines[0][1]), *lines, (mark, lines[-1][1]), ("", 0)] if words else []


def load_json(text: str) -> Any:
    """A JSON value whose texts are Placed. Raises SourceError."""
    breaks = [found.start() for found in re.finditer("\n", text)]

    def string(source: str, end: int, strict: bool = True) -> tuple[Placed, int]:
        value, stop = scanstring(source, end, strict)
        made = Placed(value)
        made.line = bisect_right(breaks, end) + 1
        return made, stop

    decoder: Any = json.JSONDecoder()
    decoder.parse_string = string
    decoder.scan_once = py_make_scanner(decoder)
    try:
        return decoder.decode(text)
    except (ValueError, RecursionError) as error:
        why = "a number has too many digits" if type(error) is ValueError else f"{error!s:.200}"
        raise SourceError(f"is not valid JSON: {why}", "open it in an editor and mend it") from None


def read_api(data: bytes) -> list[SourceBlock]:
    """The description of an API as text: each operation and each schema under a heading. Raises SourceError."""
    text = decode(data)
    try:
        root = (
            load_json(text)
            if text.lstrip()[:1] in {"{", "["}
            else parse_tree(text, _scalar, MOST_VALUES, DEEPEST).value
        )
    except NotYamlError as error:
        raise SourceError(str(error), "mend it, or give it as JSON") from None
    if not isinstance(root, dict) or not {"openapi", "swagger"} & root.keys():
        raise SourceError("does not describe an API: it has no key `openapi` or `swagger`", "leave it out by `exclude`")
    return _Api(root, GROWS * len(text) + ALWAYS).read()


def _scalar(node: yaml.Node, _path: object) -> Placed:
    """As it is written: a version stays one."""
    made = Placed(node.value)
    made.step = int(node.style == "|") if isinstance(node, yaml.ScalarNode) else 0
    made.line = node.start_mark.line + 1 + made.step
    return made


def _entries(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """The objects in an object, by key."""
    return [(str(key), one) for key, one in _object(value).items() if isinstance(one, dict)]


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _word(value: Any) -> str:
    """A value in one line, "" for what is none."""
    if isinstance(value, dict | list) or value is None:
        return ""
    return " ".join(str(value).split()) if isinstance(value, str) else json.dumps(value)


@dataclass(slots=True)
class _Api:
    """Makes blocks of what an API's description says."""

    root: dict[str, Any]
    left: int  # characters that may still be made
    builder: Builder = field(default_factory=lambda: Builder(indented=Kind.PROSE))
    line: int = 1  # of what was said last: keys have no place of their own

    def read(self) -> list[SourceBlock]:
        """All blocks."""
        info = _object(self.root.get("info"))
        self._head(1, _word(info.get("title")) or "API", info)
        self._say(info, "description")
        self._list([("Version: " + _word(info["version"]), info["version"])] if _word(info.get("version")) else [])
        self._list([("Server: " + _word(one.get("url")), one) for one in _objects(self.root.get("servers"))])
        for path, item in _entries(self.root.get("paths")):
            for method in _METHODS:
                if isinstance(operation := item.get(method), dict):
                    self._operation(f"{method.upper()} {path}", operation, item)
        schemas = _object(self.root.get("components")).get("schemas") or self.root.get("definitions")
        for name, schema in _entries(schemas):
            self._head(2, name, schema)
            self._say(schema, "description")
            self._list([(kind, schema)] if (kind := self._kind({**schema, "properties": None})) else [])
            self._list(self._fields(schema))
        return self.builder.blocks

    def _operation(self, name: str, operation: dict[str, Any], item: dict[str, Any]) -> None:
        self._head(2, name, operation)
        for key in ("summary", "description"):
            self._say(operation, key)
        self._list([("Deprecated.", operation["deprecated"])] if _word(operation.get("deprecated")) == "true" else [])
        given = [self._known(one) for one in _objects(item.get("parameters")) + _objects(operation.get("parameters"))]
        named = ((_word(one.get("name")), one, _word(one.get("required")) == "true") for one in given)
        self._list([(self._field(*one), one[1]) for one in named])
        body = self._known(_object(operation.get("requestBody")))
        self._list([(f"Request body: {text}", body) for text in self._contents(body)])
        answers = [(code, self._known(one)) for code, one in _entries(operation.get("responses"))]
        for code, answer in answers:
            said = _word(answer.get("description"))
            self._list([(f"Response {code}: {'; '.join([said, *self._contents(answer)]).strip('; ')}", answer)])

    def _contents(self, holder: dict[str, Any]) -> Iterator[str]:
        """What a body holds: its schema in each form, and what is said of it."""
        if "schema" in holder:  # Swagger 2
            yield self._kind(_object(holder["schema"]))
        for form, content in _entries(holder.get("content")):
            schema = _object(content.get("schema"))
            fields = [] if "$ref" in schema else self._fields(schema)
            yield f"{form}: {self._kind(schema)} {'; '.join(text.strip() for text, _ in fields)}".strip()

    def _fields(self, schema: dict[str, Any], deep: int = 0) -> list[tuple[str, Any]]:
        """A line, and what it is about, for each property, those of parts and of objects inside too."""
        required = [_word(one) for one in schema["required"]] if isinstance(schema.get("required"), list) else []
        found: list[tuple[str, Any]] = []
        for name, one in _entries(schema.get("properties")):
            found.append(("  " * deep + self._field(name, one, name in required), one))
            found += self._fields(one, deep + 1) if deep < 2 else []
        for part in _objects(schema.get("allOf")):
            found += self._fields(part, deep + 1) if deep < 2 else []
        return found

    def _field(self, name: str, one: dict[str, Any], required: bool) -> str:
        schema = {**one, **_object(one.get("schema"))}
        marks = [_word(one.get("in")), self._kind(schema), "required" if required else ""]
        said = _word(one.get("description")) or _word(schema.get("description"))
        return f"`{name}` ({', '.join(mark for mark in marks if mark)})" + (f": {said}" if said else "")

    def _kind(self, schema: dict[str, Any], deep: int = 0) -> str:
        """The type of a schema with its limits, in words."""
        if "$ref" in schema:
            return _word(schema["$ref"]).rpartition("/")[2]
        parts = [_word(schema.get("type")) or " or ".join(map(_word, schema.get("type") or ()))]
        if deep < 3 and isinstance(schema.get("items"), dict):
            parts = [f"array of {self._kind(schema['items'], deep + 1)}"]
        for key, joint in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
            parts += [joint.join(self._kind(one, deep + 1) for one in _objects(schema.get(key)))] if deep < 3 else []
        if isinstance(schema.get("enum"), list):
            parts.append(f"one of {', '.join(map(_word, schema['enum']))}")
        for key, words in _LIMITS.items():
            if value := _word(schema.get(key)):
                parts.append(words.format(value) if "{}" in words else words + value)
        return ", ".join(part for part in parts if part)

    def _known(self, node: dict[str, Any]) -> dict[str, Any]:
        """What a reference within the file leads to."""
        for _ in range(10):
            place = node.get("$ref")
            if not isinstance(place, str) or not place.startswith("#/"):
                break
            found: Any = self.root
            for key in place[2:].split("/"):
                found = _object(found).get(key.replace("~1", "/").replace("~0", "~"))
            node = _object(found)
        return node

    def _head(self, level: int, title: str, node: dict[str, Any]) -> None:
        self.line = next(_places(node), self.line)
        self._spend(title)
        self.builder.heading(level, title, [SourceLine(self.line, title)])

    def _say(self, node: dict[str, Any], key: str) -> None:
        """The paragraphs of a text."""
        text = node.get(key)
        if isinstance(text, Placed):
            self._spend(text)
            self.line = text.line
            for at, line in enumerate(text.split("\n")):
                self.builder.add(SourceLine(text.line + at * text.step, line.strip()))
            self.builder.close()

    def _list(self, lines: Sequence[tuple[str, Any]]) -> None:
        """One item for each line, at the place of what it is about."""
        items = [(re.sub(r"^( *)", r"\1- ", text), next(_places(node), self.line)) for text, node in lines]
        self._spend("".join(text for text, _ in items))
        self.builder.block(Kind.LIST, [SourceLine(number, text) for text, number in items])

    def _spend(self, text: str) -> None:
        self.left -= len(text)
        if self.left < 0:
            raise SourceError("says the same too often: its references make it grow", "split it")


def _places(node: Any) -> Iterator[int]:
    """The lines of the texts in a value, in order; no recursion."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Placed):
            yield one.line
        elif isinstance(one, dict | list):
            waiting += reversed(list(one.values() if isinstance(one, dict) else one))
