"""Answers in JSON: every statement in them is a claim of its own, data stay as they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.enclosed import enclosed
from gate.extraction.extract import extract

SAID = "The mill is open in May. It sells flour to guests. Lost keys are free of charge."
CLAIMS = ["The mill is open in May.", "The mill sells flour to guests.", "Lost keys are free of charge."]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.just(SAID),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def told(answer: str) -> list[str]:
    return [claim.text for claim in extract(answer)]


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"answer": SAID}),
        json.dumps({"answer": SAID, "sources": ["mill.md"], "confidence": 0.9}, indent=2),
        f"```json\n{json.dumps({'data': {'text': SAID}}).replace('data', 'result')}\n```",
        json.dumps([SAID]),
    ],
)
def test_every_sentence_in_it_is_a_claim(answer: str) -> None:
    assert told(answer) == CLAIMS


def test_values_keep_their_names_and_statements_stay_wherever_they_stand() -> None:
    answer = {
        "text": "The mill is open in May.",
        "fee": 5,
        "days": ["Monday", "Friday"],
        "sources": "Guests pay twice.",
    }
    assert told(json.dumps(answer)) == [
        "The mill is open in May.",
        "fee: 5.",
        "days: Monday, Friday.",
        "Guests pay twice.",
    ]
    assert told('{"numbers":[1,2],"text":"The mill is open in May."}') == ["numbers: 1,2.", "The mill is open in May."]


def test_keys_that_tell_nothing_are_no_part_of_a_claim() -> None:
    answer = [{"step": "Open the gate slowly.", "detail": "The left wing opens first."}]
    assert told(json.dumps(answer)) == ["Open the gate slowly.", "The left wing opens first."]


@pytest.mark.parametrize("frame", [{"answer": None}, {"answer": ""}, {"answer": "I do not know."}, {"text": "N/A"}])
def test_an_answer_that_is_not_there_claims_nothing(frame: object) -> None:
    assert extract(json.dumps(frame), "Is the mill open in May?") == []


def test_a_short_answer_in_a_frame_is_read_without_it() -> None:
    (claim,) = extract('{"answer": "Yes", "confidence": 0.4}', "Is the mill open in May?")
    assert claim.text == "Is the mill open in May? Yes."


def test_escapes_are_read() -> None:
    answer = json.dumps(
        {"answer": 'Das Caf\u00e9 \u00f6ffnet um "neun" Uhr.\n\n- Hunde d\u00fcrfen immer hinein \U0001f436.'}
    )
    assert told(answer) == ['Das Café öffnet um "neun" Uhr.', "Hunde dürfen immer hinein 🐶."]


@pytest.mark.parametrize(
    "answer", ['{"fee": 5, "plan": "Pro"}', '{"answer": "The mill is open in May."} or so', "{mill}", "["]
)
def test_data_and_what_is_no_json_stay(answer: str) -> None:
    assert enclosed(answer) == answer


@given(VALUES, st.booleans())
def test_no_place_is_lost(value: object, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    assert len(enclosed(text)) == len(text)


@pytest.mark.parametrize("answer", ["[" * 100_000, "[" * 900 + "]" * 900, '{"a": "' + "a b c d " * 20_000 + '"}'])
def test_an_odd_answer_takes_no_time(answer: str) -> None:
    assert len(enclosed(answer)) == len(answer)
