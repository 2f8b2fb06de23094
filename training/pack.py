"""Write labelled data into `training/data`: one passage a line, with all that was written about it, and the manifest.

Two forms go in. Text files of answers in context:

    # P ID | DOMAIN | TITLE        a passage
    1|A line of it.                its lines, numbered from 1
    # E user | An earlier turn    of the conversation before the next question, if there is one; roles: user, assistant
    # Q A question about it
    A                              one answer, then its units: label, deciding lines, text
    S@1 It is so.

and JSON Lines of claims (claim, evidence, label4, quote, meta.pid).
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.data import FOLDER, load_lines, load_manifest

_PASSAGE = re.compile(r"# P ([\w-]+) \| ([^|]+) \| (.+)$")
_LINE = re.compile(r"(\d+)\|(.*)$")
_EARLIER = re.compile(r"# E (user|assistant) \| (.+)$")
_UNIT = re.compile(r"([SCPNX])(?:@(\d+(?:,\d+)*))? (.+)$")


class FormatError(ValueError):
    """A line that the form does not know."""


@dataclass
class _Reader:
    """Passages of a text file, as they become complete."""

    pages: str
    passage: dict[str, Any] = field(default_factory=dict)
    done: list[dict[str, Any]] = field(default_factory=list)
    earlier: list[tuple[str, str]] = field(default_factory=list)

    def take(self, line: str) -> None:
        if found := _PASSAGE.match(line):
            self._begin(*(part.strip() for part in found.groups()))
        elif found := _LINE.match(line):
            self._line(int(found[1]), found[2].strip())
        elif found := _EARLIER.match(line):
            self.earlier.append((found[1], found[2].strip()))
        elif line.startswith("# Q "):
            asked: dict[str, Any] = {"question": line[4:].strip(), "answers": []}
            self.passage["questions"].append(asked | ({"earlier": self.earlier} if self.earlier else {}))
            self.earlier = []
        elif line == "A":
            self.passage["questions"][-1]["answers"].append([])
        elif found := _UNIT.match(line):
            lines = [int(n) for n in found[2].split(",")] if found[2] else []
            self.passage["questions"][-1]["answers"][-1].append([found[1], lines, found[3].strip()])
        elif line.strip() and not line.startswith("#"):
            raise FormatError(f"not understood: {line[:80]}")

    def _begin(self, name: str, domain: str, title: str) -> None:
        self.passage = {"id": name, "domain": domain, "title": title, "pages": self.pages, "lines": [], "questions": []}
        self.done.append(self.passage)

    def _line(self, number: int, text: str) -> None:
        lines = self.passage["lines"]
        lines += [""] * (number - len(lines))
        lines[number - 1] = text


def parse_units(text: str, pages: str = "invented") -> list[dict[str, Any]]:
    """The passages of one text file with their questions and answers. Errors: FormatError."""
    reader = _Reader(pages)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.take(line.rstrip())
        except (LookupError, FormatError) as error:
            raise FormatError(f"line {number}: {error}") from error
    return reader.done


def show_units(passages: Iterable[dict[str, Any]]) -> str:
    """Passages as a text file again, to read or to correct."""
    out = []
    for one in passages:
        out.append(f"# P {one['id']} | {one['domain']} | {one['title']}")
        out += [f"{n}|{line}" for n, line in enumerate(one["lines"], 1)]
        for asked in one["questions"]:
            out += [f"# E {role} | {said}" for role, said in asked.get("earlier", ())]
            out.append(f"# Q {asked['question']}")
            for answer in asked["answers"]:
                out.append("A")
                out += [f"{label}{_at(lines)} {text}" for label, lines, text in answer]
    return "\n".join(out) + "\n"


def _at(lines: Sequence[int]) -> str:
    return "@" + ",".join(map(str, lines)) if lines else ""


def group_claims(rows: Iterable[dict[str, Any]], subject: str) -> list[dict[str, Any]]:
    """Claims by their passage, in order; passages are numbered by subject."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        text = row["evidence"]
        passage = found.setdefault(text, {"id": f"{subject}-{len(found) + 1:04}", "text": text, "claims": []})
        claim = {"claim": row["claim"], "label": row["label4"]}
        passage["claims"].append(claim | {key: row[key] for key in ("kind", "quote") if row.get(key)})
    return list(found.values())


def count_rows(passage: dict[str, Any]) -> int:
    """The labelled claims or units of a passage."""
    units = (answer for asked in passage.get("questions", ()) for answer in asked["answers"])
    return len(passage.get("claims", ())) + sum(len(answer) for answer in units)


def write(folder: Path, name: str, passages: Sequence[dict[str, Any]], entry: dict[str, Any]) -> None:
    """Write `NAME.jsonl.gz` (the same bytes for the same passages) and its entry of the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in passages)
    (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    held = [one for one in load_manifest(folder) if one["file"] != f"{name}.jsonl.gz"]
    rows = sum(map(count_rows, passages))
    held.append({"file": f"{name}.jsonl.gz", "rows": rows, "passages": len(passages), **entry})
    lines = sorted(json.dumps(one, ensure_ascii=False) for one in held)  # `file` stands first
    text = '{"files": [\n  ' + ",\n  ".join(lines) + "\n]}\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")


def _passages(files: Sequence[Path], subject: str, pages: str) -> Iterator[dict[str, Any]]:
    for path in files:
        if path.suffix == ".txt":
            yield from parse_units(path.read_text(encoding="utf-8"), pages)
    yield from group_claims((row for path in files if path.suffix != ".txt" for row in load_lines(path)), subject)


def main(argv: Sequence[str] | None = None) -> int:
    """Pack files of one subject into the training data."""
    parser = argparse.ArgumentParser(prog="python -m training.pack", description=main.__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="units (.txt) or claims (.jsonl, .jsonl.gz) of one subject")
    parser.add_argument("--subject", required=True, help="names the file")
    parser.add_argument("--made", required=True, help="how the data was made, for the manifest")
    parser.add_argument("--pages", choices=("real", "invented"), default="invented")
    parser.add_argument("--out", type=Path, default=FOLDER)
    args = parser.parse_args(argv)
    holds = {"units" if path.suffix == ".txt" else "claims" for path in args.files}
    if len(holds) != 1:
        parser.error("units and claims go into files of their own")
    [kind] = holds
    try:
        passages = list(_passages(args.files, args.subject, args.pages))
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    name = f"units-{args.subject}" if kind == "units" else args.subject
    entry = {"holds": kind, "subject": args.subject, "pages": args.pages, "made": args.made}
    write(args.out, name, passages, entry)
    print(f"{name}: {len(passages)} passages, {sum(map(count_rows, passages))} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
