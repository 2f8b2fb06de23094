"""Windows of the training data show tables as the judge shows them."""

from training import windows

TEXT = """## Plans

| Plan | Price | Deposit |
|---|---|---|
| Flex | €149 | €100 |
| Haul | €119 | €150 |

Both can be paused.
"""


def test_rows_are_told_in_words_without_their_header():
    assert windows.units(TEXT) == [
        "## Plans Plan Flex: Price €149; Deposit €100",
        "Plan Haul: Price €119; Deposit €150",
        "Both can be paused.",
    ]


def test_the_quote_of_a_row_is_found_in_its_words():
    assert windows.locate("| Haul | €119 | €150 |", windows.units(TEXT)) == (1, 2)
    assert windows.locate("Both can be paused.", windows.units(TEXT)) == (2, 3)
    assert windows.locate("| Haul | €149 | €150 |", windows.units(TEXT)) is None
