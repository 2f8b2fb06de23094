"""What stands under a heading is told with it where it says too little alone; a heading alone states nothing."""

import pytest

from gate.extraction.extract import extract
from gate.extraction.headings import only_names, plain_from, section

ASKED = "What plans are there?"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "### 🟢 Basic – $9/month\n- Up to 2 people\n- The trial lasts 14 days\n\n"
            "### Pro\n\nLonger trial.\n\nNo card needed.",
            [
                "Basic - $9/month.",
                "Basic: Up to 2 people.",
                "The trial lasts 14 days.",
                "Pro: Longer trial.",
                "Pro: No card needed.",
            ],
        ),
        (
            "**Opening hours**\nMonday: 9:00–18:00\nSunday: closed\n\n**Address**\n12 Main Street, Oslo",
            ["Opening hours: Monday: 9:00-18:00.", "Opening hours: Sunday: closed.", "Address: 12 Main Street, Oslo."],
        ),
        ("All are new.\n\n**How it works**\n\nThe pump fills the tank.", ["All are new.", "The pump fills the tank."]),
        ("**Breaking changes**\n- Dropped support for ice.", ["Breaking changes: Dropped support for ice."]),
        ("## Summary\n\n- Cheap tickets", [f"{ASKED} Cheap tickets."]),
        ("# Pro\n\n- Cheap tickets\n\nNo card needed.", ["Pro: Cheap tickets.", f"{ASKED} No card needed."]),
    ],
)
def test_fragments_take_their_heading(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer, ASKED)] == expected


@pytest.mark.parametrize("under", ["{}\n\nLift the lid. Wash the wheel.", "{}\n- Lift the lid\n- Wash the wheel"])
@pytest.mark.parametrize("mark", ["## {}", "**{}**"])
@pytest.mark.parametrize(
    "head",
    ["Never", "Don't", "Do not", "Avoid", "Don'ts", "What not to do", "Not allowed", "Exclusions", "What to avoid"],
)
def test_an_order_under_a_heading_that_denies_is_none(head: str, mark: str, under: str) -> None:
    answer = f"All mills run.\n\n{under.format(mark.format(head))}"
    told = [claim.text.replace("Don't L", "Don't: L").replace("Don't W", "Don't: W") for claim in extract(answer)]
    assert told == ["All mills run.", f"{head}: Lift the lid.", f"{head}: Wash the wheel."]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("**Never:** Lift the lid. Wash the wheel.", ["Never: Lift the lid.", "Never: Wash the wheel."]),
        ("**First:** Lift the lid. Wash the wheel.", ["First: Lift the lid.", "Wash the wheel."]),
        ("**Not included:** Lunch. The wheel is free.", ["Not included: Lunch.", "The wheel is free."]),
        ("## Never\n\nDon't lift the lid. The lid is heavy.", ["Don't lift the lid.", "The lid is heavy."]),
        ("## Avoid\n- Never lift the lid\n- Wash it", ["Never lift the lid.", "Avoid: Wash it."]),
        ("## What is not included\n- Lunch\n- Boots", ["What is not included: Lunch.", "What is not included: Boots."]),
        ("## What happens if it doesn't run\n\nLift the lid.", ["Lift the lid."]),
    ],
)
def test_what_a_label_or_heading_denies(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer)] == expected


@pytest.mark.parametrize("answer", ["**Basic**", "**Basic**\n\nIt costs $9.", "**30 days**\n\n- It is free."])
def test_a_line_in_bold_may_be_the_answer(answer: str) -> None:
    first = extract(answer, ASKED)[0].text
    assert first in (f"{ASKED} Basic.", f"{ASKED} 30 days.")


def test_a_heading_that_states_something_is_a_claim() -> None:
    assert [claim.text for claim in extract("# The pump stops\n\nIt is dry.")][0] == "The pump stops."
    assert only_names("Why it matters")
    assert not only_names("What you pay: 5 euros")
    assert not only_names("Refunds last forever")


def test_what_a_heading_says_in_front() -> None:
    assert section("**2. Pro plan:**") == "Pro plan:"
    assert [section(text) for text in ("Key points", "Is it free?", "How it works", "")] == [""] * 4


def test_pictures_in_front_are_no_words_but_ticks_are() -> None:
    assert "🎒 Bags"[plain_from("🎒 Bags") :] == "Bags"
    assert plain_from("❌ Bags") == plain_from("✅ Bags") == plain_from("🎒") == 0
    assert [c.text for c in extract("⚠️ Please note that bags cost $5.\n\n❌ Dogs are not allowed.")] == [
        "Bags cost $5.",
        "❌ Dogs are not allowed.",
    ]
