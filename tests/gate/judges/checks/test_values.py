from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.values import check_values
from gate.judges.local import HARD

Laid = Callable[..., Alignment]
TABLE = """| key | default | meaning |
| --- | --- | --- |
| `write` | 10 s | Sending a request |
| `pool` | 6 s | Waiting for a free connection |
| `idle_lifetime` | 60 s | An idle connection older than this is closed |
| `memory` | `256MB` | limit per instance; an instance that exceeds it is killed |
| `upload` | 8 MB | size of an upload, up to 32 |
"""


@pytest.mark.parametrize(
    ("claim", "document", "there"),
    [
        ("By default, a caller waits up to 10 seconds for a free connection from the pool.", TABLE, "6 s"),
        ("By default, idle connections are closed after 120 seconds.", TABLE, "60 s"),
        ("An instance gets 2 GB of memory by default.", TABLE, "256MB"),
        ("Build logs are available for 14 days.", "It keeps access logs for 14 days and build logs for 90 days.", "90"),
    ],
)
def test_another_amount_of_the_same_subject_is_a_sure_finding(
    laid: Laid, claim: str, document: str, there: str
) -> None:
    alignment = laid(claim, document)
    (finding,) = check_values(alignment)
    assert (finding.kind, finding.against) == ("other value", True)
    assert finding.strength >= HARD
    assert f"the document says '{there}" in finding.message
    assert there in alignment.sentences[finding.sentence].reading.plain


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("By default, a caller waits up to 6 seconds for a free connection from the pool.", TABLE),
        ("By default, idle connections are closed after one minute.", TABLE),
        ("An instance may be given 2 GB of memory.", TABLE),  # of what is set the row says nothing
        ("The default size of an upload is 8 MB, and it can be raised to 32 MB.", TABLE),
        ("By default, sending and waiting for a free connection take 16 seconds in all.", TABLE),
        ("Build logs are available for 90 days.", "It keeps access logs for 14 days and build logs for 90 days."),
        ("Access logs are kept for 14 days.", "It keeps access logs for 14 days and build logs for 90 days."),
        ("A host off for six weeks is enrolled again.", "A host off for more than 30 days must be enrolled again."),
        ("With 12 euros of fees you cannot borrow.", "Borrowing stops once the fees exceed 10 euros."),
        ("The parcel is kept at the shop for a week.", "The parcel is kept at the shop for seven days."),
        ("Apart from wool, all programs take 8 kg.", "Wool programs take at most 2 kg, all others 8 kg."),
        ("The parcel is kept for ten days.", "The parcel is kept for seven days, abroad for ten days."),
        ("The oven is repaired within ten days.", "The parcel is kept at the shop for seven days."),
        ("Snow adds 4 hours to the long tour.", "Snow adds 4 hours to the long tour and 2 hours to the short tour."),
        (
            "By default the pause of the pump begins with 5 seconds.",
            "| pause of the pump | steps | 10, 20, 40 seconds |",
        ),
        ("The parcel weighs ten kilograms.", "The parcel is kept at the shop for seven days."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_values(laid(claim, document)) == []


def test_a_sentence_that_has_the_amount_and_speaks_of_the_claim_as_well_leaves_it_open(laid: Laid) -> None:
    claim = "By default, idle connections are closed after 120 seconds."
    other = "By default, idle connections of the pool are closed after 120 seconds."
    assert check_values(laid(claim, TABLE))
    assert check_values(laid(claim, TABLE, other)) == []
