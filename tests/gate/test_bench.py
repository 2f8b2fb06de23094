"""The bench: what measures may ask of the toolbox."""

import pytest

from gate.bench import Bench
from gate.config import Config
from gate.errors import LimitError, SetupError
from gate.measures.base import Answered
from gate.providers.pool import Counting, uncounted
from gate.toolbox import Toolbox
from tests.support.counted import Counter
from tests.support.scripted_grader import REFERENCE, graded, honest
from tests.support.scripted_judge import Scripted

ASKED = "How strong is the pump?"
JUDGE = {"provider": "ollama", "model_id": "small"}


def bench(judge: dict[str, str] | None = None, counting: Counting = uncounted, **tools: object) -> Bench:
    values = {"use_case": "a test", "model": {"provider": "replay", "path": "a.jsonl"}, "limits": {"concurrency": 1}}
    toolbox = Toolbox(Config.model_validate(values | ({"judge": judge} if judge else {})))
    for name, value in tools.items():
        toolbox.__dict__[name] = value  # as if it had been opened
    return Bench(toolbox, Answered(()), counting)


def test_grades_come_from_the_model_of_the_judge_and_equal_ones_are_asked_once() -> None:
    counter = Counter()
    made = bench(JUDGE, counter, judge_model=Scripted(graded(honest)))
    texts = ("It runs at 40 watts.", "It runs at 9 watts.", "It runs at 9 watts.")
    assert [one.value for one in made.grade([(ASKED, REFERENCE, text) for text in texts])] == [5.0, 1.0, 1.0]
    assert counter.counted == [("answers graded", 2, 2)]
    assert made.stopped is None
    assert made.grade([]) == []


def test_a_limit_is_kept_for_the_end_of_the_run_with_what_was_graded() -> None:
    def script(request):
        return LimitError("the budget is used up") if "9 watts" in str(request) else graded(honest)(request)

    made = bench(JUDGE, judge_model=Scripted(script))
    found = made.grade([(ASKED, REFERENCE, "It runs at 40 watts."), (ASKED, REFERENCE, "It runs at 9 watts.")])
    assert [one.value for one in found] == [5.0, None]
    assert made.stopped is not None


def test_a_judge_without_a_model_grades_nothing() -> None:
    with pytest.raises(SetupError):
        bench().grade([(ASKED, REFERENCE, "x")])
