"""What each exact check catches of the wrong units of written answers, and how often it doubts right ones.

python benchmarks/checks.py FOLDER [--split train] [--show amount] [--every N]

FOLDER has passages with answers whose units are labelled S (borne out), C (denied), P (part of it absent), N (absent).
A passage is dev where the SHA-1 of its id is divisible by 12. The windows of a unit are the lines around those that
decide it, and the passages are its whole passage. `caught` counts C, P and N; `doubted` counts S.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from running import ROOT

sys.path.insert(0, str(ROOT))

from gate.judges.checks.base import Finding
from gate.judges.checks.identifiers import check_identifiers
from gate.judges.checks.quantities import check_quantities
from gate.text import normalise, plain

CHECKS = {"amount": check_quantities, "identifier": check_identifiers}
AROUND = 2  # lines on each side of a deciding one
_LABELLED = re.compile(r"([SCPNX])(?:@(\d+(?:,\d+)*))? (.+)$")
_RULER = re.compile(r"[|: -]*-[|: -]*")
_MARK = re.compile(r"^(?:[-*+]|\d{1,3}[.)]) ")


class Unit(NamedTuple):
    """A unit of an answer with the passage that it was written for."""

    label: str
    deciding: tuple[int, ...]
    text: str
    context: str
    passage: str
    lines: dict[int, str]


def load_units(path: Path) -> Iterator[Unit]:
    """All units of a file, the labels of X left out."""
    passage, lines, question, before = "", dict[int, str](), "", list[str]()
    for raw in path.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"# P ([\w-]+) \|", raw):
            passage, lines, question, before = found[1], {}, "", []
        elif found := re.match(r"(\d+)\|(.*)$", raw):
            lines[int(found[1])] = found[2].strip()
        elif raw.startswith("# Q "):
            question, before = raw[4:].strip(), []
        elif raw == "A":
            before = []
        elif found := _LABELLED.match(raw):
            deciding = tuple(int(n) for n in (found[2] or "").split(",") if n)
            text = _row(found[3], next((b for b in before if b.startswith("|")), ""))
            if found[1] != "X":
                yield Unit(found[1], deciding, text, "\n".join([question, *map(_bare, before[-2:])]), passage, lines)
            before.append(found[3].strip())


def _bare(text: str) -> str:
    return " ".join(normalise(plain(_MARK.sub("", text))).split())


def _row(row: str, header: str) -> str:
    """A row of a table in words, each cell behind its header; any other text without its markup."""
    if not row.startswith("|"):
        return _bare(row)
    cells, names = ([_bare(cell) for cell in line.strip("| ").split("|")] for line in (row, header))
    names += [""] * (len(cells) - len(names))
    first, *rest = [f"{name} {cell}".strip() for name, cell in zip(names, cells, strict=False)]
    return f"{first}: {'; '.join(rest)}" if rest else first


def _page(lines: dict[int, str]) -> dict[int, str]:
    """The lines of a passage as plain text, rows in words."""
    page, header = {}, ""
    for number, line in lines.items():
        if not line.startswith("|"):
            header = ""
        elif _RULER.fullmatch(line):
            continue
        page[number] = _row(line, header)
        header = header or (line if line.startswith("|") else "")
    return page


def _windows(unit: Unit, page: dict[int, str]) -> list[str]:
    """The lines around the deciding ones; where nothing decides, those that share most words with the unit."""
    places = list(unit.deciding)
    if not places:
        said = set(unit.text.lower().split())
        places = sorted(page, key=lambda n: -len(said & set(page[n].lower().split())))[:2]
    return ["\n".join(page[n] for n in range(at - AROUND, at + AROUND + 1) if page.get(n)) for at in places]


def findings(unit: Unit) -> dict[str, tuple[Finding, ...]]:
    page = _page(unit.lines)
    passages = ["\n".join(page.values())]
    windows = _windows(unit, page)
    return {name: check(unit.text, unit.context, windows, passages) for name, check in CHECKS.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", choices=("dev", "train", "all"), default="dev")
    parser.add_argument("--every", type=int, default=1, help="of the units, every n-th")
    parser.add_argument("--show", choices=(*CHECKS, "none"), default="none", help="list the units that a check doubts")
    parser.add_argument("--labels", default="S", help="of which labels to list the units")
    options = parser.parse_args()
    counts, totals, begun = Counter[tuple[str, str]](), Counter[str](), time.monotonic()
    units = (unit for path in sorted(options.folder.glob("?-part*.txt")) for unit in load_units(path))
    for n, unit in enumerate(units):
        dev = int(hashlib.sha1(unit.passage.encode(), usedforsecurity=False).hexdigest(), 16) % 12 == 0
        if n % options.every or (options.split != "all" and dev != (options.split == "dev")):
            continue
        totals[unit.label] += 1
        for name, found in findings(unit).items():
            counts.update(
                {(name, unit.label): bool(found), (name + " denied", unit.label): any(f.denied for f in found)}
            )
            if found and name == options.show and unit.label in options.labels:
                told = "; ".join(f"{f.said!r} {'<> ' + repr(f.found) if f.found else 'missing'}" for f in found)
                print(f"{unit.label} {unit.passage} [{unit.context.splitlines()[0]}] {unit.text}\n    {told}")
    print(f"{'check':20}{'caught':>8}{'C':>8}{'P':>8}{'N':>8}{'doubted':>9}")
    wrong = sum(totals[label] for label in "CPN")
    for name in (shown for check in CHECKS for shown in (check, f"{check} denied")):
        rates = [counts[name, label] / max(1, totals[label]) for label in "CPN"]
        caught = sum(counts[name, label] for label in "CPN") / max(1, wrong)
        print(f"{name:20}" + "".join(f"{100 * rate:7.2f}%" for rate in (caught, *rates)), end="")
        print(f"{100 * counts[name, 'S'] / max(1, totals['S']):8.2f}%")
    print(f"units: {dict(totals)}; {1e3 * (time.monotonic() - begun) / max(1, sum(totals.values())):.2f} ms each")


if __name__ == "__main__":
    main()
