from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.unless import check_unless
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Pinned messages are deleted after 90 days.", "Messages are deleted after 90 days unless they are pinned."),
        ("In night mode the dial beats the app.", "The dial beats the app, unless the app is in night mode."),
        ("A frozen account is billed every month.", "Unless it is frozen, an account is billed every month."),
    ],
)
def test_what_a_document_excepts_by_unless_is_no_case_of_it(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_unless(laid(claim, document))
    assert finding.kind == "reach"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("Messages are deleted after 90 days.", "Messages are deleted after 90 days unless they are pinned."),
        (
            "Pinned messages are not deleted after 90 days.",
            "Messages are deleted after 90 days unless they are pinned.",
        ),
        (
            "Messages are deleted after 90 days unless they are pinned.",
            "Messages are deleted after 90 days unless they are pinned.",
        ),
        ("Pinned messages are kept after 90 days.", "Messages are deleted after 90 days unless they are pinned."),
        ("The receiver pays where that was agreed.", "The sender pays, unless it was agreed that the receiver pays."),
        ("Pinned messages are shown on top.", "Messages are deleted after 90 days unless they are pinned."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_unless(laid(claim, document)) == []
