"""Records what a gate says of every labelled answer, and compares two such tapes.

python benchmarks/tape.py record OUT.jsonl.gz [--gate PROGRAM] [--shared FOLDER] [--every 4 context=2] [--only SET ...]
python benchmarks/tape.py compare A.jsonl.gz [B.jsonl.gz] [--by-kind] [--list]

`record` runs a real gate: documents are ingested once for all answers about them. `compare` prints, for each set, the
wrong answers that passed, the right ones that were doubted, and the answers without a statement that got a claim. Given
two tapes, it also prints what changed on the answers that both hold, with the p of an exact McNemar test.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from labelled_answers import Group, judged, load_groups, sampled
from running import Done

DEPLOY, WARN = 0.10, 0.25  # the gate's default thresholds
COUNTS = {"supported": 0.0, "weakly_supported": 0.5, "unsupported": 1.0}
TRUTHS = ("wrong", "right", "none")
Row = dict[str, Any]


def record(groups: Sequence[Group], out: Path, program: Path | None) -> None:
    """One line an answer; a group that the gate gives no verdict on has its error on each of its lines."""
    with gzip.open(out, "wt", encoding="utf-8") as tape:
        for number, group in enumerate(groups, 1):
            with tempfile.TemporaryDirectory() as folder:
                done, verdict = judged(group, Path(folder), program)
            rows = list(_rows(group, verdict, done))
            tape.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            seconds = sum(row["seconds"] for row in rows)
            print(f"{number}/{len(groups)} {group.set} {group.name}: {len(rows)} answers, {seconds:.1f} s", flush=True)


def _rows(group: Group, verdict: Row, done: Done) -> Iterator[Row]:
    by_answer = defaultdict(list)
    for claim in verdict.get("details", []):
        by_answer[claim["prompt_id"]].append(claim)
    seconds = sum(verdict["timings"].values()) if verdict else done.wall
    for one in group.answers:
        claims = by_answer[one.id]
        yield {
            "set": group.set,
            "group": group.name,
            "id": one.id,
            "kind": one.kind,
            "truth": one.truth,
            "question": one.question,
            "answer": one.answer,
            "claims": [_claim(claim) for claim in claims],
            "risk": _risk(claims),
            "decision": _decision(claims) if verdict else "inconclusive",
            "seconds": seconds / len(group.answers),
            "cpu": done.cpu / len(group.answers),
            "error": "" if verdict else done.told[-300:],
        }


def _claim(claim: Row) -> Row:
    kept = ("claim", "context", "label", "contradicted", "confidence", "justification")
    quotes = [evidence["quote"] for evidence in claim["evidence"]]
    return {key: claim[key] for key in kept if claim.get(key) is not None} | {"quotes": quotes}


def _risk(claims: Sequence[Row]) -> float | None:
    judged = [COUNTS[claim["label"]] for claim in claims if claim["label"] in COUNTS]
    return sum(judged) / len(judged) if judged else None


def _decision(claims: Sequence[Row]) -> str:
    """What the gate, as it comes, would decide on this answer alone; `none` where it has no claim."""
    risk = _risk(claims)
    if risk is None or any(claim["label"] not in COUNTS for claim in claims):
        return "inconclusive" if claims else "none"
    if risk > WARN:
        return "block"
    return "warn" if risk > DEPLOY or any(claim["contradicted"] for claim in claims) else "deploy"


def failed(row: Row) -> bool:
    """Whether a wrong answer passed, a right one was doubted, or a claim was made of what states nothing."""
    if row["truth"] == "wrong":
        return row["decision"] in ("deploy", "none")
    return bool(row["decision"] != ("deploy" if row["truth"] == "right" else "none"))


def load_tape(path: Path) -> dict[tuple[str, str], Row]:
    """The rows by set and id."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {(row["set"], row["id"]): row for row in rows}


def split(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    """The rows by key, and all of them."""
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return {**found, "all": [row for some in found.values() for row in some]}


def show_tape(rows: Iterable[Row], key: Callable[[Row], str]) -> None:
    print("| set | answers | wrong passed | right doubted | claim of nothing | s an answer | CPU s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, some in split(rows, key).items():
        cells = [_share([failed(row) for row in some if row["truth"] == truth]) for truth in TRUTHS]
        cells += [f"{sum(row[time] for row in some) / len(some):.2f}" for time in ("seconds", "cpu")]
        print(f"| {name} | {len(some)} | {' | '.join(cells)} |")


def _share(found: Sequence[bool]) -> str:
    return f"{sum(found)} of {len(found)} ({sum(found) / len(found):.3f})" if found else "-"


def show_changes(pairs: Sequence[tuple[Row, Row]], key: Callable[[Row], str]) -> None:
    heads = "set, both, newly caught, newly passed, p, newly cleared, newly doubted, p, newly silent, newly claimed"
    print(f"| {heads.replace(', ', ' | ')} |\n| --- |" + " ---: |" * 9)
    first = {(row["set"], row["id"]): row for row, _ in pairs}
    for name, some in split((row for _, row in pairs), key).items():
        changes = Counter[tuple[str, bool]]()
        for row in some:
            before, after = failed(first[row["set"], row["id"]]), failed(row)
            changes[row["truth"], after] += before != after
        wrong, right, none = (
            [changes[truth, worse] for worse in (False, True)] for truth in ("wrong", "right", "none")
        )
        cells = [len(some), *wrong, f"{mcnemar(*wrong):.3f}", *right, f"{mcnemar(*right):.3f}", *none]
        print(f"| {name} | {' | '.join(map(str, cells))} |")


def mcnemar(better: int, worse: int) -> float:
    """The two-sided p of so uneven changes where either is as likely."""
    total = better + worse
    tail = sum(math.comb(total, n) for n in range(min(better, worse) + 1)) / 2**total
    return float(min(1.0, 2 * tail))


def list_changes(pairs: Sequence[tuple[Row, Row]]) -> None:
    for before, after in pairs:
        if failed(before) != failed(after):
            print(f"\n{after['truth']} {before['decision']} -> {after['decision']}: {after['set']} {after['id']}")
            print(f"  Q {after['question']}\n  A {after['answer']}")
            for side, row in (("-", before), ("+", after)):
                for claim in row["claims"]:
                    print(f"  {side} {claim['label']}{' (denied)' * claim['contradicted']}: {claim['claim']}")


def compare(options: argparse.Namespace) -> None:
    def key(row: Row) -> str:
        return f"{row['set']}: {row['kind']}" if options.by_kind else str(row["set"])

    tapes = [load_tape(path) for path in options.tapes]
    for path, tape in zip(options.tapes, tapes, strict=True):
        print(f"\n{path.name}\n")
        show_tape(tape.values(), key)
    if len(tapes) > 1:
        pairs = [(tapes[0][at], row) for at, row in tapes[1].items() if at in tapes[0]]
        print(f"\nfrom {options.tapes[0].name} to {options.tapes[1].name}\n")
        show_changes(pairs, key)
        if options.list:
            list_changes(pairs)


def chosen(options: argparse.Namespace) -> list[Group]:
    """The groups to record, thinned as the options say."""
    thin = dict(word.split("=") if "=" in word else ("", word) for word in options.every)
    sets = defaultdict(list)
    for group in load_groups(options.shared):
        sets[group.set].append(group)
    if strange := ({*thin, *options.only} - {"", *sets}):
        sys.exit(f"no such set: {', '.join(sorted(strange))}; there are {', '.join(sets)}")
    names = options.only or list(sets)
    return [group for name in names for group in sampled(sets[name], int(thin.get(name) or thin.get("") or 1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("record", help="run a gate on the labelled answers")
    one.add_argument("out", type=Path)
    one.add_argument("--gate", type=Path, help="the program (default: this checkout's)")
    one.add_argument("--shared", type=Path, default=Path(os.environ.get("GATE_SHARED", "../shared")))
    one.add_argument(
        "--every", nargs="+", default=[], metavar="N|SET=N", help="every N-th answer, of all sets or of one"
    )
    one.add_argument("--only", nargs="+", default=[], metavar="SET")
    two = commands.add_parser("compare", help="figures of one tape, or of two and what changed")
    two.add_argument("tapes", nargs="+", type=Path)
    two.add_argument("--by-kind", action="store_true")
    two.add_argument("--list", action="store_true", help="print every answer that changed, with its claims")
    options = parser.parse_args()
    if options.command == "record":
        record(chosen(options), options.out, options.gate.absolute() if options.gate else None)
    else:
        compare(options)


if __name__ == "__main__":
    main()
