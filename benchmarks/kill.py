"""Kill `gate ingest` at random moments, and see that every document in the index is whole, old or new.

python benchmarks/kill.py [--rounds 30] [--seed 0]
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
from pathlib import Path

from running import check, finished, kill_often, killed

from ingest.chunk import chunk
from ingest.formats import read_blocks

DOCUMENTS = 8
_WORD_LIST = "index claim evidence answer model store value limit record default option page"
WORDS = _WORD_LIST.split()


def write_documents(folder: Path, edition: int) -> dict[str, list[str]]:
    """Every document in a new edition that shares one chunk with the old one; source -> ids of its chunks."""
    folder.mkdir(exist_ok=True)
    expected = {}
    for number in range(DOCUMENTS):
        path = folder / f"doc-{number:02}.md"
        kept = f"# Document {number}\n\n{_prose(random.Random(number), 320)}"  # noqa: S311
        fresh = f"## Edition {edition}\n\n{_prose(random.Random(f'{number}-{edition}'), 420)}"  # noqa: S311
        path.write_text(f"{kept}\n\n{fresh}\n", encoding="utf-8")
        source = f"{folder.name}/{path.name}"
        expected[source] = [found.id for found in chunk(read_blocks(path.name, path.read_bytes()), source)]
    return expected


def _prose(dice: random.Random, words: int) -> str:
    return " ".join(f"{dice.choice(WORDS)}{dice.randrange(1000)}" for _ in range(words)) + "."


def indexed(work: Path) -> dict[str, list[str]]:
    """source -> ids of its chunks in order, read straight from the file; a fault of the file ends the benchmark."""
    path = work / ".gate" / "index.sqlite"
    if not path.exists():
        return {}
    with sqlite3.connect(path) as connection:
        check(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the file is damaged")
        check(not connection.execute("PRAGMA foreign_key_check").fetchall(), "a reference to nothing")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if "documents" not in tables:
            return {}
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        orphans = "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT chunk FROM occurrences)"
        check(connection.execute(orphans).fetchone() == (0,), "chunks of no document")
        bare = "SELECT count(*) FROM chunks WHERE hash NOT IN (SELECT hash FROM vectors)"
        check(connection.execute(bare).fetchone() == (0,), "chunks without vectors")
        found: dict[str, list[str]] = {source: [] for (source,) in connection.execute("SELECT source FROM documents")}
        query = (
            "SELECT d.source, c.hash FROM occurrences o JOIN documents d ON d.id = o.document "
            "JOIN chunks c ON c.id = o.chunk ORDER BY d.source, o.position"
        )
        for source, name in connection.execute(query):
            found[source].append(name)
        return found


def finish(work: Path, expected: dict[str, list[str]]) -> float:
    """Ingest to the end; the index must then hold exactly what is expected. Seconds."""
    code, errors, seconds = finished(work, "ingest", "docs")
    check(code == 0, errors)
    check(indexed(work) == expected, "an ingest that ran to its end left another index")
    return seconds


def kill_once(work: Path, old: dict[str, list[str]], new: dict[str, list[str]], wait: float) -> str:
    """Kill an ingest after `wait` seconds; what stood in the index then, in words (empty: it was over before)."""
    if not killed(work, ("ingest", "docs"), wait):
        return ""
    found = indexed(work)
    states = {source: "new" if found.get(source) == ids else "old" for source, ids in new.items()}
    torn = [source for source, state in states.items() if state == "old" and found.get(source) != old[source]]
    check(not torn, f"neither old nor new: {torn}")
    return "some documents new, some old" if len(set(states.values())) > 1 else f"all {states.popitem()[1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        editions = [write_documents(work / "docs", 0)]
        whole = finish(work, editions[0])
        print(f"one ingest of {DOCUMENTS} documents to its end: {whole:.1f} s")

        def once(wait: float) -> str:
            editions.append(write_documents(work / "docs", len(editions)))
            outcome = kill_once(work, *editions[-2:], wait)
            finish(work, editions[-1])
            return outcome

        outcomes = kill_often(options.rounds, options.seed, whole, once)
    print(f"{options.rounds} kills: {dict(outcomes.most_common())}; index whole each time, the next ingest finished it")


if __name__ == "__main__":
    main()
