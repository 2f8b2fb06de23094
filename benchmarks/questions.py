"""Prints 20 of the questions that are made of a documentation without a model, each with the passage that it is about,
for a person to judge: fit is what a user might ask in these words, and the reference answers.

`python benchmarks/questions.py DOCS`: files or folders. Equal documents and an equal `--seed` give the same questions.
"""

from __future__ import annotations

import argparse
import random

from gate.generation.questions import Wanted, by_patterns
from gate.judges.reader import shipped_reader
from ingest.index import load_chunks
from ingest.sources import open_sources


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", nargs="+")
    parser.add_argument("--made", type=int, default=60, help="questions of which some are drawn")
    parser.add_argument("--shown", type=int, default=20)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    chunks = load_chunks(open_sources(options.docs), print)
    made = by_patterns(chunks, Wanted(options.made, seed=options.seed), shipped_reader().score)
    shown = random.Random(options.seed).sample(made, min(options.shown, len(made)))  # noqa: S311 - a sample
    for number, prompt in enumerate(shown, 1):
        print(f"{number:2} {prompt.question}\n   {prompt.source}:{prompt.line} ({prompt.category.value})")
        print(f"   {prompt.reference}\n")
    print(f"{len(made)} questions were made of {len(chunks)} pieces; {len(shown)} are shown")


if __name__ == "__main__":
    main()
