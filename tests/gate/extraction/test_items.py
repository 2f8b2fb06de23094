"""Which items of a list stand alone: orders among orders do, names that look like orders do not."""

import pytest

from gate.extraction.extract import extract


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Not covered:\n- Floods\n- Wear and tear\n- Fire", ["Floods", "Wear and tear", "Fire"]),
        (
            "Ignored:\n- faults of yours\n- time under a ban for noise",
            ["faults of yours", "time under a ban for noise"],
        ),
        ("Basic:\n- 1 user\n- Email support\n- Backups", ["1 user", "Email support", "Backups"]),
    ],
)
def test_a_name_among_names_takes_the_lead_in(answer: str, expected: list[str]) -> None:
    lead = answer.split(":")[0]
    assert [claim.text for claim in extract(answer)] == [f"{lead}: {one}." for one in expected]


def test_an_order_among_orders_stands_alone() -> None:
    assert [claim.text for claim in extract("Do this:\n- Open Settings\n- Click Cancel\n- Restart Chrome")] == [
        "Open Settings.",
        "Click Cancel.",
        "Restart Chrome.",
    ]


def test_a_label_before_yes_leaves_a_yes() -> None:
    found = extract("Short answer: Yes, the pump runs on oil.", "Does the pump run on oil?")
    assert [claim.text for claim in found] == ["The pump runs on oil."]
