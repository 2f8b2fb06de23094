"""Builds gate/models/words.json: how rare a word is in general and technical English, counted in the judge data."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict

from gate.judges.lexicon import MODELS
from gate.judges.reading import keys_of
from training.stack.corpus import DATA, rows

OUT = MODELS / "words.json"
CAPTIONS = (
    "breaking_nli",
    "conjnli",
    "help",
    "med",
)  # sentences about photographs: their words are common nowhere else
MOST = 3000  # passages a file: no kind of text outweighs the others
KEPT = 12000  # words; what is rarer weighs 1


def main() -> None:
    """Count in how many passages each stem stands, and write weights in twentieths: 0 everywhere, 1 nowhere."""
    counts: Counter[str] = Counter()
    total = 0
    for path in sorted((DATA / "judge").glob("*.train*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        if name.startswith(CAPTIONS):
            continue
        for text in sorted({row["evidence"] for row in rows(name)})[:MOST]:
            counts.update(keys_of(text))
            total += 1
    levels: dict[int, list[str]] = defaultdict(list)
    for word, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:KEPT]:
        if count > 2 and len(word) < 25:
            levels[round(20 * math.log((total + 1) / (count + 1)) / math.log(total + 1))].append(word)
    table = {str(level): " ".join(sorted(found)) for level, found in sorted(levels.items())}
    OUT.write_text(
        json.dumps({"passages": total, "levels": table}, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )
    print(f"{sum(map(len, levels.values()))} words of {total} passages -> {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
