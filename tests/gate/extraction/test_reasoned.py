"""Orders with their reason."""

from __future__ import annotations

import pytest

from gate.extraction.extract import extract


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Don't move the lid: the wheel needs it shut.",
            ["Don't move the lid.", "The wheel needs it shut."],
        ),
        (
            "Set `lid` and list the keys one by one: the `*` sign isn't taken for keys.",
            ["Set `lid` and list the keys one by one.", "The `*` sign isn't taken for keys."],
        ),
        ("Wrap the client in a block - the hooks are not run by a plain call.", 2),
        ("Move the lid: it is shut.", 1),
        ("Move the lid - otherwise the wheel is not run.", 1),
        ("Remember the rule: the fee is 5 euros.", 1),
        ("Access to the roof: you need a red key.", 1),
        ("Choose one of these: red keys are cheap.", 1),
        ("Open the lid: 5 keys.", 1),
        ("Don't believe the myth: the red key opens the gate.", 1),
        ("Ignore the sign: the gate is shut.", 1),
        ("Avoid this mistake: guests leave the gate open.", 1),
        ("Test the condition: the lid is shut.", 1),
    ],
)
def test_an_order_and_its_reason_are_two_claims_where_both_stand_alone(said: str, expected: list[str] | int) -> None:
    found = [claim.text for claim in extract(said)]
    assert (len(found) if isinstance(expected, int) else found) == expected
