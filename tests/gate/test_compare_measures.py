"""The measures of two runs, paired by prompt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.compare import compare
from gate.compare_measures import by_prompt, measure_changes
from gate.measures.base import Reading
from gate.measures.summary import measured
from gate.records import Measure, Prompt, Rating
from gate.reports.build import measure_entry
from tests.support.verdicts import document

CLAIMS = {f"p{n}": ["s the pump is green"] for n in range(8)}


def run(values, name="latency", threshold=None, **changes):
    """A run whose measure rates each prompt with one value."""
    reading = Reading(tuple(Rating(f"p{n}", value) for n, value in enumerate(values)))
    return document(CLAIMS, measures=[measured(name, reading, threshold)], **changes)


SLOW, QUICK = ([base + 10.0 * n for n in range(8)] for base in (500.0, 100.0))


def test_slower_is_worse_and_quicker_is_better():
    there, back = measure_changes(run(QUICK), run(SLOW)), measure_changes(run(SLOW), run(QUICK))
    assert there["latency"] == {
        "base": 170.0, "head": 570.0, "difference": 400.0, "interval": [400.0, 400.0], "p_value": 0.003906,
        "smallest_detectable": None, "word": "worse", "prompts": 8,
    }  # fmt: skip
    assert (back["latency"]["word"], back["latency"]["difference"]) == ("better", -400.0)


def test_more_is_better_where_the_measure_says_so():
    values = [0.1 + 0.01 * n for n in range(8)], [0.8 + 0.02 * n for n in range(8)]
    there, back = (measure_changes(run(a, "consistency"), run(b, "consistency")) for a, b in (values, values[::-1]))
    assert (there["consistency"]["word"], back["consistency"]["word"]) == ("better", "worse")
    low, high = there["consistency"]["interval"]
    assert low < there["consistency"]["difference"] < high
    assert back["consistency"]["interval"] == [-high, -low]


def test_a_run_compared_with_itself_shows_no_difference():
    change = measure_changes(run(SLOW), run(SLOW))["latency"]
    assert (change["word"], change["difference"], change["interval"]) == ("no difference", 0.0, [0.0, 0.0])


@pytest.mark.parametrize("name", ["latency", "consistency"])
def test_no_zero_has_a_sign(name):
    change = measure_changes(run([0.5] * 8, name), run([0.5 + 1e-12 * (-1) ** n for n in range(8)], name))[name]
    assert str([change["difference"], *change["interval"]]) == "[0.0, 0.0, 0.0]"
    same = measure_changes(run([0.5] * 8, name), run([0.5] * 8, name))[name]
    assert str([same["difference"], *same["interval"]]) == "[0.0, 0.0, 0.0]"


def test_a_few_prompts_show_nothing():
    change = measure_changes(run(SLOW[:5]), run(QUICK))["latency"]
    assert (change["word"], change["prompts"], change["interval"]) == ("too few prompts", 5, None)


def test_a_measure_without_a_pair_is_noted_and_one_of_another_version_is_not_compared():
    odd = document(CLAIMS, measures=[Measure("novelty", 0.5, None, 3)])
    outcome = compare(odd, run(SLOW))
    assert "measures" not in outcome
    assert outcome["notes"] == ["measured in the baseline only: novelty", "measured in this run only: latency"]
    assert "measures" not in compare(odd, odd)


@pytest.mark.parametrize(
    ("then", "now", "note"),
    [
        (100.0, 200.0, "the threshold of latency is looser than in the baseline: 200 instead of 100"),
        (100.0, None, "latency has no threshold any more; in the baseline it was 100"),
        (200.0, 100.0, None),
        (None, 100.0, None),
        (100.0, 100.0, None),
    ],
)
def test_a_threshold_that_was_lowered_is_told(then, now, note):
    notes = compare(run(SLOW, threshold=then), run(SLOW, threshold=now))["notes"]
    assert notes == ([note] if note else [])


def test_repeats_count_once_and_by_weight():
    ratings = (
        Rating("p", 1.0, weight=3.0),
        Rating("p", 0.0, weight=1.0, answer_id="p#1"),
        Rating("q", 1.0, weight=0.0),
    )
    assert by_prompt(measure_entry(Measure("x", 0.5, None, 3, ratings=ratings))) == {"p": 0.75}


@given(st.lists(st.floats(0, 1e6), min_size=8, max_size=8), st.lists(st.floats(0, 1e6), min_size=8, max_size=8))
def test_the_way_back_is_the_opposite(a, b):
    there, back = (measure_changes(run(x), run(y))["latency"] for x, y in ((a, b), (b, a)))
    assert there["difference"] == pytest.approx(-back["difference"], abs=1e-5)
    assert {there["word"], back["word"]} in ({"better", "worse"}, {"no difference"})


def test_probes_are_no_prompts_of_the_risk():
    probes = [Prompt(f"p{n}~x", "?", probe="sensitivity:x", of=f"p{n}") for n in range(3)]
    prompts = [Prompt(name, f"What of {name}?") for name in CLAIMS]
    outcome = compare(document(CLAIMS), document(CLAIMS, prompts=prompts + probes))
    assert (outcome["prompts"], outcome["notes"], outcome["word"]) == (8, [], "no difference")


def test_two_models_are_named():
    runs = [run(SLOW, model={"provider": "ollama", "model": name}) for name in ("small", "large")]
    assert compare(*runs)["models"] == {"base": "ollama / small", "head": "ollama / large"}
    assert "models" not in compare(runs[0], runs[0])
