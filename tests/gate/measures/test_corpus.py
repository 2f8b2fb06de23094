"""What the measures make of written answers, with the real local tools: rows of tests/corpus/measures.jsonl.

A row is met where the rating lies between its `low` and `high`; one that could not be rated is not met. `again` is a
second answer to the same question. The judge is no reader of every turn of phrase: each measure has a floor. Nearly all
the time is the reader's, so of the measures with many rows every STRIDE-th is taken, and all of a measure are rated in
one run: the reader's threads are kept busy."""

import json
from collections import defaultdict
from pathlib import Path

from gate.measures.base import Answered, Case
from gate.measures.summary import MEASURES, rate_run
from gate.records import Answer, Prompt
from tests.support.real_bench import bench

ROWS = Path(__file__).parents[2] / "corpus" / "measures.jsonl"
STRIDE = {"abstention": 2, "consistency": 2, "correctness": 6, "faithfulness": 2}
FLOORS = {
    "abstention": 0.8,
    "completeness": 0.5,
    "consistency": 0.74,
    "context_relevance": 0.85,
    "correctness": 0.78,
    "faithfulness": 0.77,
    "relevance": 0.75,
}


class Tools:
    """The real ones, with no documents."""

    def __getattr__(self, name: str) -> object:
        return getattr(bench(), name)

    def documents(self, question: str) -> tuple[str, ...]:
        return ()


def cases(name: str, row: dict) -> tuple[Case, ...]:
    contexts = tuple(row.get("contexts", ()))
    prompt = Prompt(name, row["question"], reference=row.get("reference"), contexts=contexts)
    texts = [row["answer"], *([row["again"]] if "again" in row else [])]
    answers = [Answer(f"{name}#{n}", name, text, n, contexts=contexts) for n, text in enumerate(texts)]
    return tuple(Case(prompt, answer, contexts) for answer in answers)


def score(measure: str, rows: list[dict]) -> float:
    """The share of the rows that are met."""
    run = Answered(tuple(case for n, row in enumerate(rows) for case in cases(str(n), row)))
    ratings = rate_run(measure, run, MEASURES[measure].options(), Tools()).ratings
    bounds = {str(n): (row.get("low", 0), row.get("high", 5)) for n, row in enumerate(rows)}
    met = {one.prompt_id for one in ratings if bounds[one.prompt_id][0] <= one.value <= bounds[one.prompt_id][1]}
    return len(met) / len(rows)


def test_each_measure_is_above_its_floor() -> None:
    rows: dict[str, list[dict]] = defaultdict(list)
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows[row["measure"]].append(row)
    found = {name: score(name, some[:: STRIDE.get(name, 1)]) for name, some in rows.items()}
    assert found.keys() == FLOORS.keys()
    assert all(found[name] >= floor for name, floor in FLOORS.items()), found
