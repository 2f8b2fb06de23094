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


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "The fee is waived if:\n- you are under 18, or\n- it rains.",
            ["The fee is waived if you are under 18.", "The fee is waived if it rains."],
        ),
        (
            "The mill would be shut unless\n\n- the key is red\n- the wheel runs",
            ["The mill would be shut unless the key is red.", "The mill would be shut unless the wheel runs."],
        ),
        ("The clerk checks that:\n- the key is red", ["The clerk checks that the key is red."]),
        ("The fee is waived in two cases:\n- the key is red", ["The fee is waived in two cases: the key is red."]),
        ("Yes, if:\n- the key is red", ["Is the fee waived? Yes, if the key is red."]),
        ("The following rules apply:\n- the key is red", ["The following rules apply.", "The key is red."]),
        ("In your case:\n- the key is red", ["The key is red."]),
    ],
)
def test_what_is_supposed_in_a_list_is_not_stated(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer, "Is the fee waived?")] == expected


@pytest.mark.parametrize(
    "lead", ["Never", "You must not", "Avoid these mistakes", "Don'ts", "The following is forbidden"]
)
def test_what_a_lead_in_denies_is_no_order(lead: str) -> None:
    found = [claim.text for claim in extract(f"{lead}:\n\n- Share the red key with others.\n- Leave the gate open.")]
    assert found == [f"{lead}: Share the red key with others.", f"{lead}: Leave the gate open."]


def test_what_denies_needs_no_colon() -> None:
    found = [claim.text for claim in extract("Things to avoid\n- Share the red key with others.\n- The gate is red.")]
    assert found == ["Things to avoid: Share the red key with others.", "The gate is red."]
    found = [claim.text for claim in extract("- Do not share the red key\n- Call the office at noon")]
    assert found == ["Do not share the red key.", "Call the office at noon."]


def test_a_lead_in_that_could_be_an_answer_holds_its_items() -> None:
    found = [claim.text for claim in extract("No, you cannot:\n\n- share the red key with others", "Can I lend it?")]
    assert found == ["You cannot share the red key with others."]


def test_steps_are_orders() -> None:
    found = [claim.text for claim in extract("The steps are:\n\n1. Open the red gate.\n2. Shut the lid at noon.")]
    assert found == ["Open the red gate.", "Shut the lid at noon."]


@pytest.mark.parametrize("lead", ["These statements are wrong", "Common myths", "Not true", "The following isn't so"])
def test_what_a_lead_in_calls_false_is_not_stated(lead: str) -> None:
    found = [claim.text for claim in extract(f"{lead}:\n\n- The fee is 5 euros.\n- The key opens the gate.")]
    assert found == [f"{lead}: The fee is 5 euros.", f"{lead}: The key opens the gate."]
