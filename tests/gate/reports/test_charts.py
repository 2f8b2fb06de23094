"""The measures on the page: charts, the worst ratings with a way to the answer, what was left out."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lxml import html as parser

from gate.measures.base import Reading
from gate.measures.summary import measured
from gate.records import Answer, Prompt, Rating
from gate.reports.build import measure_entry
from gate.reports.charts import Axis, axis_of, bars, rows
from gate.reports.html import render
from gate.reports.measures import measures_of

FIGURES = st.floats(allow_nan=False, allow_infinity=False)


def percent(text):
    return float(text.rstrip("%"))


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-3, 1e6), values=st.lists(FIGURES, min_size=2, max_size=20))
def test_nothing_leaves_the_picture(low, span, values):
    axis = Axis(low, low + span)
    for value in values:
        assert 0 <= percent(axis.at(value)) <= 100
    assert 0 <= percent(axis.width(min(values), max(values))) <= 100
    found = bars(values, axis)
    assert sum(bar["n"] for bar in found) == len(values)
    assert all(0 <= percent(bar[key]) <= 100 for bar in found for key in ("x", "w", "y", "h"))


@given(st.lists(st.floats(0, 1e9), max_size=8))
def test_an_axis_without_an_end_reaches_over_all_that_is_shown(values):
    measure = measured("latency", Reading(tuple(Rating(f"q{n}", value) for n, value in enumerate(values))), 100.0)
    axis = axis_of(
        measures_of({"measures": {"latency": measure_entry(measure)}, "thresholds": {"max_unjudged": 0.0}})[0]
    )
    assert axis.low == 0
    assert axis.high >= max([100.0, *values]) * (1 - 1e-9)


def words(element):
    return " ".join(element.text_content().split())


def section(page, title):
    (found,) = [part for part in page.xpath("//div[@class='measure']") if words(part).startswith(title)]
    return found


def test_a_section_has_its_chart_its_stages_and_its_worst_ratings(compared):
    page = parser.document_fromstring(render(compared))
    latency = section(page, "latency")
    assert "at most 1.0 s" in words(latency)
    assert latency.xpath(".//svg[@class='scale']/@aria-label") == [
        "latency 2.4 s, interval 120 ms to 2.4 s, on a scale from 0 ms to 3.0 s, asked for at most 1.0 s"
    ]
    assert "1 from 0 ms to 300 ms" in latency.xpath(".//svg[@class='hist']/@aria-label")[0]
    assert [words(row) for row in latency.xpath(".//table[@class='stages']//tr")] == [
        "generate prompts10 ms", "run model1.2 s", "verify claims400 ms",
    ]  # fmt: skip
    assert latency.xpath(".//details[@open]//a/@href") == ["#a1", "#a2"]
    assert [words(part) for part in latency.xpath(".//dl/div")] == ["p952.4 s", "p50120 ms"]
    cost = section(page, "cost")
    assert "all answers of this run" in words(cost)
    assert "per 1,000 answers" in words(cost)
    assert cost.xpath(".//details/@open") == []


def test_what_was_left_out_is_counted_with_its_reason(compared):
    text = words(section(parser.document_fromstring(render(compared)), "consistency"))
    assert "partly measured" in text
    assert "Could not be rated1 no probe was answered" in text


def test_an_answer_has_its_ratings_and_its_probes(compared):
    page = parser.document_fromstring(render(compared))
    assert len(page.xpath("//article")) == 4
    first = page.xpath("//article")[0]
    said = [words(row) for row in first.xpath(".//ul[@class='ratings']/li")]
    assert said == [
        "consistency 0.500 1250 degrees became 1280 degrees", "cost $0.00040 30 tokens in", "latency ✗ 2.4 s 2400 ms",
    ]  # fmt: skip
    probe = words(first.xpath(".//details[@class='probes']")[0])
    assert probe.startswith("1 probe: the same prompt varied, no part of the risk")
    assert probe.endswith("consistency: paraphraseWhat heat can it take?It gets to 1250 degrees.")


def test_ratings_of_repeats_name_their_answer(make):
    answers = [Answer("q1", "q1", "one"), Answer("q1#1", "q1", "two", 1)]
    reading = Reading((Rating("q1", 100.0, "quick"), Rating("q1", 900.0, "slow", answer_id="q1#1")))
    document = make(answers=answers, verdicts=[], repeats=2, measures=[measured("latency", reading, None)])
    text = words(parser.document_fromstring(render(document)).xpath("//article")[0])
    assert "latency 100 ms answer 1 quick" in text
    assert "latency 900 ms answer 2 slow" in text
    assert rows(document)[0]["worst"][0]["repeat"] == "1"


def test_a_thousand_answers_with_ten_measures_and_probes_stay_below_five_megabytes(make):
    why = "says that it is cleaned after 40 hours, the context says “the filter is cleaned after 30 hours” " * 3
    prompts = [Prompt(f"q{n}", f"How long may part {n} run before the filter has to be cleaned?") for n in range(1000)]
    probes = [
        replace(prompt, id=f"{prompt.id}~{k}", question=f"When must the filter of {prompt.id} be cleaned?",
                probe=f"consistency:{k}", of=prompt.id)
        for prompt in prompts for k in range(3)
    ]  # fmt: skip
    answers = [Answer(p.id, p.id, "The filter is cleaned after 40 hours, by a technician. " * 5) for p in prompts]
    answers += [Answer(p.id, p.id, "After 40 hours, by a technician, as the manual says. " * 3) for p in probes]
    reading = Reading(tuple(Rating(prompt.id, 0.5, why) for prompt in prompts))
    measure = measured("latency", reading, None)
    text = render(
        make(prompts=prompts + probes, answers=answers, verdicts=[], failures=(),
             measures=[replace(measure, name=f"measure {n}") for n in range(10)])
    )  # fmt: skip
    assert len(text.encode()) < 5_000_000
    assert text.count('<ul class="ratings"') == 1000
