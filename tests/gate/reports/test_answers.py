"""Answers on the page: cut at their claims, nothing lost but what is said to be cut; their ratings and probes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate.reports.answers import (
    ANSWER_LIMIT,
    SEVERITY,
    Span,
    answers,
    fitting,
    pieces,
    probes,
    ratings,
    runs,
)
from gate.reports.document import VerdictDocument
from gate.reports.words import View

spans = st.lists(
    st.builds(Span, st.integers(1, 99), st.sampled_from(SEVERITY), st.integers(-5, 40), st.integers(-5, 40)),
    max_size=12,
)


@given(st.text(max_size=30), spans)
def test_the_pieces_are_the_text(text, given_spans):
    assert "".join(piece.text for piece in pieces(text, given_spans)) == text


@given(st.text(min_size=1, max_size=30), spans)
def test_every_place_has_the_worst_label_that_covers_it(text, given_spans):
    offset = 0
    for piece in pieces(text, given_spans):
        for place in range(offset, offset + len(piece.text)):
            covering = [span.kind for span in given_spans if span.start <= place < span.end]
            assert piece.kind == (min(covering, key=SEVERITY.index) if covering else "")
        offset += len(piece.text)


def test_many_claims_on_one_place_are_not_slow():
    many = [Span(n, "supported", n % 50, 5000 - n % 50) for n in range(5000)]
    assert len(pieces("x" * 5000, many)) == 99


def rows(document: VerdictDocument) -> list[dict]:
    return answers(document, {id(claim): n for n, claim in enumerate(document["details"], 1)}, View())


@given(st.text(st.sampled_from("a`\n "), max_size=40))
def test_runs_keep_everything_but_ticks(text: str) -> None:
    assert "".join(part for part, _ in runs(text)).replace("`", "") == text.replace("`", "")


def test_an_answer_is_cut_at_its_claims(document: VerdictDocument) -> None:
    first = rows(document)[0]
    kinds = [(part["kind"], part["ends"]) for part in first["texts"][0]["parts"] if part["kind"]]
    assert kinds == [("supported", (1,)), ("contradicted", (2,)), ("unsupported", (3,))]
    assert [claim["n"] for claim in first["claims"]] == [1, 2, 3]
    assert first["kinds"] == "contradicted supported unsupported"


def test_a_long_answer_says_how_much_is_cut(document: VerdictDocument) -> None:
    document["prompts"][2]["answer"] = "x" * (ANSWER_LIMIT + 7)
    assert rows(document)[2]["texts"][0]["cut"] == 7
    assert rows(document)[0]["texts"][0]["cut"] == 0


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
