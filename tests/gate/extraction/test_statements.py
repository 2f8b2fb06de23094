"""What each unit of an answer states."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.segments import units
from gate.extraction.statements import Reader, of_unit
from gate.extraction.wording import Extracted, names_of

TEXTS = st.text(max_size=150) | st.lists(
    st.sampled_from(
        [
            "\n",
            "- ",
            "```\n",
            "| a | b |\n",
            "|---|\n",
            "Yes. ",
            "The pump stops ",
            "and ",
            "it leaks. ",
            "We sell:\n",
            "(no) ",
            "水",
        ]
    ),
    max_size=20,
).map("".join)


def claims(answer: str, question: str = "") -> list[Extracted]:
    reader = Reader(answer, question, units(answer), names_of(answer))
    return [claim for i in range(len(reader.units)) for claim in of_unit(reader, i)]


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("The pump stops and the valve opens.", "", ["The pump stops.", "The valve opens."]),
        ("However, the pump stops.", "", ["The pump stops."]),
        ("(The pump stops.)", "", ["The pump stops."]),
        ("Yes.", "Does the pump stop?", ["The pump stops."]),
        ("No, the valve opens.", "Does the pump stop?", ["The valve opens."]),
        ("Yes, if the valve is open.", "Does the pump stop?", ["Does the pump stop? Yes, if the valve is open."]),
        ("Yes, if it rains, the pump stops.", "Does the pump stop?", ["If it rains, the pump stops."]),
        (
            "As a plumber you may open the valve, and if you pay, you may close the lid.",
            "May I open the valve?",
            ["As a plumber you may open the valve.", "If you pay, you may close the lid."],
        ),
        ("The pump is stopped using:\n\n```\npump stop\n```", "", ["The pump is stopped using: pump stop."]),
        (
            "From ten at night till seven in the morning (22:00-07:00).",
            "When does the pump rest?",
            ["When does the pump rest? From ten at night till seven in the morning (22:00-07:00)."],
        ),
        ("Run:\n\n    pump stop NOW\n\nThe valve opens.", "", ["Run: pump stop NOW.", "The valve opens."]),
        ("Prices:\n\n    Small: 5 euros", "", ["Prices.", "Small: 5 euros."]),
        ("Closed:\n❌ the valve\n❌ the pump", "", ["Closed: ❌ the valve.", "Closed: ❌ the pump."]),
        ("The pump stops [3][4].", "", ["The pump stops."]),
        ("Short answer: no.", "Does the pump stop?", ["The pump does not stop."]),
        (
            "You must book, either by phone or by mail, and you have to pay.",
            "",
            ["You must book, either by phone or by mail.", "You have to pay."],
        ),
        ("Only if the valve is open.", "Does the pump stop?", ["Does the pump stop? Only if the valve is open."]),
        ("When the valve is open.", "Does the pump stop?", ["Does the pump stop? When the valve is open."]),
        ("If it rains, the pump stops.", "Does the pump stop?", ["If it rains, the pump stops."]),
        ("I'm afraid not.", "Will the pump stop?", ["The pump will not stop."]),
        ("Twelve litres", "How much does it hold?", ["How much does it hold? Twelve litres."]),
        ("Could you tell me more?", "", []),
        ("# Pumps", "", []),
        ("# The pump stops", "", ["The pump stops."]),
        ("The shop sells:\n- rye\n- oats", "", ["The shop sells rye.", "The shop sells oats."]),
        (
            "The shop includes:\n- cash desk controls\n- a till with day reports.",
            "",
            ["The shop includes cash desk controls.", "The shop includes a till with day reports."],
        ),
        ("1. Boil the water.\n2. Add salt.", "", ["Boil the water.", "Add salt."]),
        ("| Tree | Age |\n|---|---|\n| Oak | 300 |", "", ["Oak: Age 300."]),
        ("| Oak | 300 | tall |\n| Elm | 90 | - |", "", ["Oak: 300; tall.", "Elm: 90."]),
        ("Install it with:\n```\nget pump\n```", "", ["Install it with: get pump."]),
        ("The pump stops.\n```\nget pump\n```", "", ["The pump stops."]),
        ("", "Does the pump stop?", []),
    ],
)
def test_what_is_stated(answer: str, question: str, expected: list[str]) -> None:
    assert [claim.text for claim in claims(answer, question)] == expected


def test_a_claim_points_to_where_it_was_said() -> None:
    answer = "Well, the shop sells:\n- **rye**\n- oats\n"
    assert [answer[claim.start : claim.end] for claim in claims(answer)] == ["**rye**", "oats"]


def test_long_code_completes_no_lead_in() -> None:
    assert not [c for c in claims("Install it with:\n```\n" + "get pump\n" * 40 + "```") if "get pump" in c.text]


@given(TEXTS, TEXTS)
def test_any_answer_gives_claims_in_one_line_and_in_bounds(answer: str, question: str) -> None:
    for claim in claims(answer, question):
        assert 0 <= claim.start < claim.end <= len(answer)
        assert "\n" not in claim.text
        assert claim.text


@pytest.mark.parametrize("unit", ["- a\n", "a: ", "yes. ", "| a |\n", "it is, and ", "(", "x:\n- y\n", "- x\n  - y\n"])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (2_000 // len(unit))
    assert all(0 <= claim.start < claim.end <= len(text) for claim in claims(text))
