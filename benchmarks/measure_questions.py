"""The questions by which the rules of abstention, context relevance and completeness were chosen, about four guides.

`python benchmarks/measure_questions.py [--only NAME ...]`: the table of benchmarks/measures.py on the questions of
measure_questions.tsv, written for the guides in training/stack. A line there is a guide, a question, and the lines of
the guide's claims.tsv that answer it; the contexts are the chunks that hold what these claims quote. For context
relevance also the AUC of a question's own chunks, one at a time, against those of another one about the same guide.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from guide_cases import ROOT, claims_of
from measures import rated, row
from measures_cases import TRUTHS, Question, Told, full, told

from ingest.chunk import chunk
from ingest.formats import read_blocks

NAMES = ("abstention", "context_relevance", "completeness")
FILE = Path(__file__).with_suffix(".tsv")


def questions() -> list[Question]:
    """The questions of all guides, each with its claims as its one answer."""
    rows = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()]
    guides = {
        name: (claims_of(ROOT / f"guide_{name}"), _chunks(name)) for name in dict.fromkeys(row[0] for row in rows)
    }
    return [
        _question(number, guide, text, [guides[guide][0][int(place) - 1] for place in places.split()], guides[guide][1])
        for number, (guide, text, places) in enumerate(rows)
    ]


def _question(number: int, guide: str, text: str, claims: Sequence[Sequence[str]], chunks: Sequence[str]) -> Question:
    """Errors: ValueError for a claim that the guide does not bear out, or whose quote no chunk holds."""
    held = [one for one in chunks if any(_plain(quote) in _plain(one) for _, _, quote in claims)]
    if not held or any(label != "S" for label, _, _ in claims):
        raise ValueError(f"the claims of {text!r} do not answer it")
    said = " ".join(claim for _, claim, _ in claims)
    return Question(f"{guide}-{number}", text, {"faithful": said}, {"faithful": 1.0}, said, tuple(held), guide)


def _chunks(guide: str) -> list[str]:
    pages = sorted((ROOT / f"guide_{guide}").glob("*.md"))
    return [one.text for page in pages for one in chunk(read_blocks(page.name, page.read_bytes()), page.name)]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).lower().strip()


def single(every: Sequence[Question]) -> list[Told]:
    """One context at a time: each of a question's own, and each of another question's."""
    return [
        told(kind, one, one.answers["faithful"], people, contexts=(text,))
        for one, other in full(every)
        for kind, people, texts in (("own", 1.0, one.contexts), ("another's", 0.0, other.contexts))
        for text in texts
    ]


def auc(every: Sequence[Question]) -> float:
    """How often a chunk of a question's own has more context relevance than one of another question's."""
    seen, _ = rated("context_relevance", single(every))
    own, others = (np.array([one.value for one in seen if one.good is side]) for side in (True, False))
    more = own[:, None] - others[None, :]
    return float(np.mean((more > 0) + (more == 0) / 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, help="these measures")
    arguments = parser.parse_args()
    every = questions()
    print(f"{len(every)} questions, {sum(len(one.contexts) for one in every) / len(every):.1f} contexts each")
    for name in arguments.only:
        for truth in TRUTHS[name]:
            print(*row(name, truth, every), sep="\n", flush=True)
    if "context_relevance" in arguments.only:
        print(f"AUC of context relevance, own chunks against another's: {auc(every):.3f}")


if __name__ == "__main__":
    main()
