"""What the measures make of written answers, with the real local tools: rows of tests/corpus/measures.jsonl.

A row is met where the rating lies between its `low` and `high`; one that could not be rated is not met. `again` is a
second answer to the same question. The judge is no reader of every turn of phrase: each measure has a floor."""

import json
from collections import defaultdict
from pathlib import Path

from gate.measures.base import Case, Outcome
from gate.measures.missing import read
from gate.measures.table import MEASURES
from gate.records import Answer, Prompt
from tests.support.real_bench import bench

ROWS = Path(__file__).parents[2] / "corpus" / "measures.jsonl"
FLOORS = {
    "abstention": 0.8,
    "completeness": 0.5,
    "consistency": 0.8,
    "context_relevance": 0.85,
    "correctness": 0.75,
    "faithfulness": 0.8,
    "relevance": 0.75,
}


def outcome(row: dict) -> Outcome:
    contexts = tuple(row.get("contexts", ()))
    prompt = Prompt("p", row["question"], reference=row.get("reference"), contexts=contexts)
    texts = [row["answer"], *([row["again"]] if "again" in row else [])]
    answers = [Answer(f"p#{n}", "p", text, n, contexts=contexts) for n, text in enumerate(texts)]
    return Outcome(tuple(Case(prompt, answer, contexts) for answer in answers))


class Tools:
    """The real ones, with no documents."""

    def __getattr__(self, name: str) -> object:
        return getattr(bench(), name)

    def documents(self, question: str) -> tuple[str, ...]:
        return ()


def met(row: dict) -> bool:
    name = row["measure"]
    found = read(name, outcome(row), MEASURES[name].options(), Tools())
    return any(row.get("low", 0) <= rating.value <= row.get("high", 5) for rating in found.ratings)


def test_each_measure_is_above_its_floor() -> None:
    shares: dict[str, list[bool]] = defaultdict(list)
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        shares[row["measure"]].append(met(row))
    found = {name: sum(values) / len(values) for name, values in shares.items()}
    assert found.keys() == FLOORS.keys()
    assert all(found[name] >= floor for name, floor in FLOORS.items()), found
