"""What stands at each answer beside its claims: ratings with their reasons, probes, cut to what fits."""

from hypothesis import given
from hypothesis import strategies as st

from gate.reports.page_ratings import fitting, probes, ratings


def test_a_rating_that_misses_its_threshold_is_marked(compared):
    rows = {(name, row["title"]): row["low"] for name, found in ratings(compared).items() for row in found}
    assert rows[("q1", "latency")] is True
    assert rows[("q2", "latency")] is False
    assert rows[("q1", "cost")] is False


def test_a_probe_tells_its_question_only_where_it_is_another_one(compared):
    (probe,) = probes(compared)["q1"]
    assert probe == {
        "kind": "consistency: paraphrase", "question": "What heat can it take?", "texts": ["It gets to 1250 degrees."],
    }  # fmt: skip
    compared["prompts"][-1]["question"] = compared["prompts"][0]["question"]
    compared["prompts"][-1]["answer"] = ""
    (probe,) = probes(compared)["q1"]
    assert (probe["question"], probe["texts"]) == ("", [])


@given(st.lists(st.text(max_size=40), max_size=10), st.integers(0, 200))
def test_what_fits_fits(texts, limit):
    step = fitting(texts, limit, (300, 20, 5, 0))
    assert sum(len(text[:step].encode("utf-8", "replace")) for text in texts) <= limit
    assert step == 300 or sum(len(text.encode("utf-8", "replace")) for text in texts) > limit
