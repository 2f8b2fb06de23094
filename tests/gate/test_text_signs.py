"""Signs in words."""

import pytest

from gate.text_signs import worded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dry at 60 °C", "dry at 60 degrees Celsius"),
        ("dry at 140°F.", "dry at 140 degrees Fahrenheit."),
        ("open 24/7", "open around the clock"),
        ("on 24/7/2025", "on 24/7/2025"),
        ("ratio 124/7", "ratio 124/7"),
        ("`lid/24/7`", "`lid/24/7`"),
        ("°C", "°C"),
        ("", ""),
    ],
)
def test_signs_are_read_out(text: str, expected: str) -> None:
    assert worded(text) == expected
