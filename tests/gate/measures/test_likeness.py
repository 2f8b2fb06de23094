import json
from pathlib import Path
from statistics import median

import pytest

from gate.config import AtLeast
from gate.measures.base import Outcome
from gate.measures.likeness import CONTEXT, SENTENCE, STATED, STATEMENT, cosines
from gate.measures.relevance import contexts_read
from tests.support.measured import case
from tests.support.real_bench import bench

PAIRS = Path(__file__).parents[3] / "benchmarks" / "likeness_pairs.jsonl"


@pytest.mark.parametrize("ramp", [STATEMENT, CONTEXT, STATED, SENTENCE])
def test_ramps(ramp):
    assert (ramp(-1), ramp(ramp.low), ramp(ramp.high), ramp(1)) == (0, 0, 1, 1)
    assert ramp((ramp.low + ramp.high) / 2) == pytest.approx(0.5)


def test_unrelated_texts_are_near_0_and_what_belongs_together_near_1():
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()][::5]
    found = cosines(bench(), [row["question"] for row in rows], [row["answer"] for row in rows])
    own = [STATEMENT(found[n][n]) for n in range(len(rows))]
    other = [STATEMENT(found[n][m]) for n in range(len(rows)) for m in range(len(rows)) if n != m]
    assert median(own) >= 0.75
    assert median(other) <= 0.1


def test_a_question_that_leans_on_an_earlier_one_is_read_alone():
    """The limit that docs/explanation/measures.md tells, with its two figures."""
    plan = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."
    asked = ("What is included in it?", "What is included in the Standard plan?")
    leans, whole = (
        contexts_read(Outcome((case(question, "", plan),)), AtLeast(), bench()).ratings[0].value for question in asked
    )
    assert (leans, whole) == (pytest.approx(0.49, abs=0.02), pytest.approx(0.87, abs=0.02))


def test_nothing_to_compare():
    assert cosines(bench(), [], ["a"]) == []
    assert cosines(bench(), ["a"], []) == [[]]
