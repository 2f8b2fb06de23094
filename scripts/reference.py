"""Write what is made of the code: the JSON Schemas of the documents, docs/reference/verdict.md of the verdict's, and
docs/reference/commands.md of the commands' own help.

python scripts/reference.py            # --check: write nothing, end with 1 where a file is out of date
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import typer  # noqa: E402
from typer.core import TyperArgument, TyperGroup, TyperOption  # noqa: E402

from gate.cli import app  # noqa: E402 - the tree that this file stands in
from gate.commands.options import call, described  # noqa: E402
from gate.reports import calibration, document  # noqa: E402

MADE = "<!-- Made by scripts/reference.py; change the source, not this file. -->\n"


def commands() -> str:
    """The page of all commands."""
    parts = [f"# Commands\n\n{MADE}\nEvery command knows `--help`. [Exit codes](exit-codes.md) are the same for all.\n"]
    return "\n".join([*parts, *_pages("gate", typer.main.get_command(app))])


def _pages(path: str, command: Any) -> Iterator[str]:
    """A command, or the commands of a group, by name."""
    if isinstance(command, TyperGroup):
        for name in sorted(command.list_commands(None)):
            yield from _pages(f"{path} {name}", command.get_command(None, name))
        return
    text, _, example = command.help.partition("\n\nexample: ")
    rows = [f"| {_call(param)} | {_cell(described(param))} |" for param in command.params]
    table = "\n".join(["| argument | meaning |", "| --- | --- |", *rows])
    yield f"## {path}\n\n{text.strip()}\n\n    {example.strip()}\n\n{table}\n"


def _call(param: TyperArgument | TyperOption) -> str:
    """`call`, the names and the placeholder each as code."""
    if isinstance(param, TyperArgument):
        return f"`{call(param)}`"
    names = ", ".join(param.opts)
    shown = ", ".join(f"`{name}`" for name in param.opts)
    word = call(param).removeprefix(names).strip()
    return f"{shown} `{_cell(word)}`" if word else shown


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def verdict() -> str:
    """The page of the verdict's keys."""
    schema = document.schema()
    intro = (
        "What `gate run -o verdict.json` writes. The schema itself is `gate/reports/verdict.schema.json`. Keys may be\n"
        "added within a major `schema_version`; none is removed or changes its meaning. `?`: a key that may be missing."
    )
    parts = [f"# The verdict\n\n{MADE}\n{intro}\n\n" + "\n".join(_keys(schema, schema["$defs"])) + "\n"]
    for name, part in schema["$defs"].items():
        if "properties" in part:
            title = f"## {name}\n\n{part.get('description', '')}\n\n"
            parts.append(title + "\n".join(_keys(part, schema["$defs"])) + "\n")
    return "\n".join(parts)


def _keys(part: dict[str, Any], parts: dict[str, Any]) -> Iterator[str]:
    yield from ("| key | type | meaning |", "| --- | --- | --- |")
    for name, field in part["properties"].items():
        mark = "" if name in part.get("required", ()) else "?"
        other = parts[field["$ref"].rsplit("/", 1)[1]] if "$ref" in field else {}
        meaning = field.get("description") or other.get("description", "")
        yield f"| `{name}`{mark} | {_kind(field)} | {_cell(meaning)} |"


def _kind(field: dict[str, Any]) -> str:
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})"
    if "anyOf" in field:
        return " or ".join(map(_kind, field["anyOf"]))
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind, inner = field.get("type", "any"), field.get("additionalProperties")
    if kind == "array":
        return "[low, high]" if field.get("maxItems") == 2 else f"list of {_kind(field['items'])}"
    return f"name to {_kind(inner)}" if kind == "object" and isinstance(inner, dict) else str(kind)


def _schema(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


PAGES = {
    "docs/reference/commands.md": commands,
    "docs/reference/verdict.md": verdict,
    "gate/reports/verdict.schema.json": lambda: _schema(document.schema()),
    "gate/reports/calibration.schema.json": lambda: _schema(calibration.schema()),
}


def main() -> int:
    """Write what differs."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    stale = [name for name, page in PAGES.items() if not _same(ROOT / name, page())]
    for name in stale:
        print(f"{'out of date' if check else 'wrote'}: {name}")
        if not check:
            (ROOT / name).write_text(PAGES[name](), encoding="utf-8")
    return int(check and bool(stale))


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
