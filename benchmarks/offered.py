"""How much of the documents the model judge is shown: the labelled quotes that are in, and what the sheets cost.

python benchmarks/offered.py --docs DOCS/httpx --cases CASES/httpx.jsonl

Each row has one setting of gate/judges/sheet.py changed. A quote is in if its first 60 characters stand on its sheet;
tokens are those of the prompt, four characters each.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from gate.judges import sheet as offered
from gate.judges.sheet import sheet_of
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Claim, Item
from gate.store.embedded import open_for_reading
from gate.store.passages import best_passages, cut

SETTINGS: list[dict[str, float]] = [
    {}, {"PASSAGES": 2}, {"PASSAGES": 8}, {"NEAR": 0.0}, {"NEAR": 0.8}, {"KINSHIP": 0.0}, {"KINSHIP": 0.8},
    {"PER_CLAIM": 400}, {"PER_CLAIM": 10_000},
]  # fmt: skip


def answers(docs: Path, cases: Path, folder: Path) -> list[list[tuple[Item, str]]]:
    """Each labelled answer as (item, quote) pairs, evidence found as a run finds it."""
    rows = [json.loads(line) for line in cases.read_text(encoding="utf-8").splitlines()]
    texts = list(dict.fromkeys(claim["claim"] for row in rows for claim in row["claims"]))
    command = [sys.executable, "-m", "gate", "ingest", str(docs.resolve())]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    store = open_for_reading(folder / ".gate" / "index.sqlite", LocalEmbedder())
    found = dict(zip(texts, store.search(texts, 8), strict=True))
    store.close()
    passages = {text: best_passages(text, [cut(chunk) for chunk in chunks], 8) for text, chunks in found.items()}

    def item(row: dict[str, Any], number: int, text: str) -> Item:
        return Item(Claim(f"{row['id']}:{number}", row["id"], row["id"], text, 0, 1), passages[text], row["question"])

    pairs = ([(item(row, n, c["claim"]), c["quote"]) for n, c in enumerate(row["claims"])] for row in rows)
    return [answer for answer in pairs if answer]


def measure(every: list[list[tuple[Item, str]]], setting: dict[str, float]) -> tuple[float, float]:
    """(share of the quotes that are shown, mean tokens of a prompt)."""
    before = {name: getattr(offered, name) for name in setting}
    for name, value in setting.items():
        setattr(offered, name, value)
    shown, wanted, size = 0, 0, 0
    for pairs in every:
        sheet = sheet_of([item for item, _ in pairs])
        size += sum(len(message.content) for message in sheet.request.messages)
        text = " ".join(" ".join(sentence.text.split()) for sentence in sheet.sentences.values())
        quotes = [re.sub(r"\s+", " ", quote)[:60] for _, quote in pairs if quote]
        shown, wanted = shown + sum(quote in text for quote in quotes), wanted + len(quotes)
    for name, value in before.items():
        setattr(offered, name, value)
    return shown / wanted, size / 4 / len(every)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        every = answers(arguments.docs, arguments.cases, Path(folder))
    print("| changed | quotes shown | tokens an answer |\n| --- | --- | --- |")
    for setting in SETTINGS:
        share, tokens = measure(every, setting)
        name = ", ".join(f"{key} {value:g}" for key, value in setting.items()) or "nothing (as shipped)"
        print(f"| {name} | {share:.3f} | {tokens:.0f} |")


if __name__ == "__main__":
    main()
