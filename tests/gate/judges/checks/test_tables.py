"""The value of another row, or of another column, is not that of the one which a claim names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.tables import check_tables
from gate.judges.local import HARD

Laid = Callable[..., Alignment]
ROWS = """| Plan | Price a month | Users | Support |
| --- | --- | --- | --- |
| Basic | 9 euros | 5 | e-mail |
| Plus | 19 euros | 50 | telephone |
| Plus Annual | 15 euros | 50 | telephone |
"""
CODES = """| Bell code | Meaning |
| --- | --- |
| 2 | lid open |
| 3 | sack torn |
| 4 | the wheel is under water |
"""
COLUMNS = """| Feature | Basic | Plus |
| --- | --- | --- |
| Price | 9 euros | 19 euros |
| Retention of logs | 7 days | 30 days |
| Exports | no | yes |
"""


@pytest.mark.parametrize(
    ("claim", "document", "told"),
    [
        ("The Basic plan costs 19 euros a month.", ROWS, "'9 euros' of 'Basic', not '19 euros'"),
        ("Bell code `3` means that the lid is open.", CODES, "'sack torn' of '3', not 'lid open'"),
        ("Support on Basic is by telephone.", ROWS, "'e-mail' of 'Basic', not 'telephone'"),
        ("The Plus Annual plan costs 19 euros a month.", ROWS, "'15 euros' of 'Plus Annual', not '19 euros'"),
        ("Basic costs 19 euros.", COLUMNS, "'9 euros' of 'Basic', not '19 euros'"),
        ("On Plus logs are kept for 7 days.", COLUMNS, "'30 days' of 'Plus', not '7 days'"),
    ],
)
def test_the_value_of_another_row_or_column_is_a_sure_finding(laid: Laid, claim: str, document: str, told: str) -> None:
    alignment = laid(claim, document)
    (finding,) = check_tables(alignment)
    assert (finding.kind, finding.against) == ("other value", True)
    assert finding.strength >= HARD
    assert told in finding.message
    assert alignment.sentences[finding.sentence].told


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The Basic plan costs 9 euros a month.", ROWS),
        ("With bell code 3 the sack is torn.", CODES),
        ("Bell code 3 says that a torn sack leaves the lid open.", CODES),
        ("The lid is open for 3 days.", CODES),
        ("Bell codes 2 and 3 tell that the lid is open or a sack torn.", CODES),
        ("The Plus plan costs 19 euros a month, with support by telephone.", ROWS),
        ("Plus has telephone support, unlike Basic.", ROWS),
        ("Plus costs 10 euros more than Basic.", ROWS),
        ("Basic has no telephone support.", ROWS),
        ("The Basic plan costs 12 euros a month.", ROWS),
        ("The plan for 50 users has telephone support.", ROWS),
        ("Two Basic plans and a bag come to 19 euros.", ROWS),
        ("Does Basic cost 19 euros?", ROWS),
        ("Basic is the first plan. The next one costs 19 euros a month.", ROWS),
        ("The Basic plan costs 19 euros a month.", ROWS + "\nSince May the Basic plan costs 19 euros a month.\n"),
        ("Basic keeps logs for 7 days.", COLUMNS),
        ("Basic has exports.", COLUMNS),
        # Columns of other things than each other: what one says is not said of the other.
        (
            "A book may be kept for 8 weeks before the first renewal.",
            "| For | Loan | Renewals |\n| --- | --- | --- |\n| books | 8 weeks | 6 |\n| films | 1 week | none |\n",
        ),
        (
            "In six days it is 228 euros.",
            "| Ticket | Price |\n| --- | --- |\n| Day | 45 euros |\n| Long | 228 euros |\n",
        ),
        ("The Basic plan costs 19 euros a month.", "| Plan | Price |\n| --- | --- |\n| Basic | 9 euros |\n"),
        ("The Basic plan costs 19 euros a month.", "Basic costs 9 euros a month. Plus costs 19 euros a month."),
    ],
)
def test_what_may_be_right_is_left_alone(laid: Laid, claim: str, document: str) -> None:
    assert check_tables(laid(claim, document)) == []


def test_a_table_that_begins_in_another_passage_is_read_by_its_rows(laid: Laid) -> None:
    rows = "\n".join(ROWS.splitlines()[2:])
    assert check_tables(laid("The Basic plan costs 19 euros a month.", rows)) == []


def test_two_tables_are_two(laid: Laid) -> None:
    other = "\nAnd abroad:\n\n| Plan | Price |\n| --- | --- |\n| Home | 19 euros |\n| Away | 29 euros |\n"
    (finding,) = check_tables(laid("The Basic plan costs 19 euros a month.", ROWS + other))
    assert "'Basic', not '19 euros'" in finding.message
    assert check_tables(laid("The Basic plan costs 29 euros a month.", ROWS + other)) == []
