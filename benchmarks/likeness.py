"""What the cosines of the shipped embedder mean: texts that belong together, of one matter, and unrelated.

`PYTHONPATH=. python benchmarks/likeness.py`: quantiles over the written pairs of likeness_pairs.jsonl (a question, a
statement that answers it, a passage that holds the answer, 8 matters with 5 of each), as they are and once more with
the name of their subject in every text, as documents about one product have it; and what the ramps of
`gate/measures/relevance.py` make of them.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from gate.measures import relevance
from gate.providers.local_embedder import LocalEmbedder
from gate.store.passages import key_terms
from gate.text import sentences

PAIRS = Path(__file__).with_name("likeness_pairs.jsonl")
SUBJECTS = {
    "shop": "Lumena", "bank": "Korvo Bank", "cli": "tallow", "api": "the Orders API", "health": "Medisafe",
    "travel": "Baltline", "hr": "Acme", "device": "the Emberly T2",
}  # fmt: skip
QUANTILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)


def named(row: dict[str, str]) -> dict[str, str]:
    """The same with the name of its subject; a pair of both halves is none of one matter."""
    subject = SUBJECTS[row["domain"]]
    return {
        "domain": f"{row['domain']}, named",
        "question": f"{row['question'][:-1]} with {subject}?",
        "answer": f"{subject[:1].upper()}{subject[1:]}: {row['answer']}",
        "passage": f"{subject[:1].upper()}{subject[1:]}: {row['passage']}",
    }


def main() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    rows += [named(row) for row in rows]
    embed = LocalEmbedder().embed
    questions, statements, passages = (embed([row[key] for row in rows]) for key in ("question", "answer", "passage"))
    lines = [[row["passage"][a:b] for a, b in sentences(row["passage"])] for row in rows]
    likest = np.array([[float((embed(found) @ mine).max()) for found in lines] for mine in questions])
    asked, there = ([frozenset(key_terms(row[key])) for row in rows] for key in ("question", "passage"))
    shares = np.array([[len(mine & found) / len(mine) for found in there] for mine in asked])
    contexts = np.maximum(questions @ passages.T, likest) + relevance.ASKED * shares
    nearest = np.array([[float((embed(found) @ mine).max()) for found in lines] for mine in statements])
    matters = np.array([row["domain"] for row in rows])
    same, own = matters[:, None] == matters[None, :], np.eye(len(rows), dtype=bool)
    bare = np.array([matter.split(",")[0] for matter in matters])
    apart = bare[:, None] != bare[None, :]
    kinds = {"belong together": own, "of one matter": same & ~own, "unrelated": apart}
    print("| texts | pairs | n | " + " | ".join(f"{q:.0%}" for q in QUANTILES) + " | on the scale: 10%, median, 90% |")
    print("| --- | --- | ---: |" + " ---: |" * (len(QUANTILES) + 1))
    for name, cosines, ramp in (
        ("question, statement", questions @ statements.T, relevance.STATEMENT),
        ("question, context", contexts, relevance.CONTEXT),
        ("statement, passage", statements @ passages.T, relevance.STATED),
        ("statement, nearest sentence", nearest, relevance.SENTENCE),
    ):
        for kind, chosen in kinds.items():
            found = cosines[chosen]
            scale = [ramp(float(value)) for value in np.quantile(found, (0.1, 0.5, 0.9))]
            cells = [f"{value:.3f}" for value in np.quantile(found, QUANTILES)]
            told = ", ".join(f"{value:.2f}" for value in scale)
            print(f"| {name} | {kind} | {len(found)} | " + " | ".join(cells) + f" | {told} |")


if __name__ == "__main__":
    main()
