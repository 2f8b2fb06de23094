"""What the strict checks find caps the label, whatever the words, the embedding and the reader make of the claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.judges.local import LocalJudge
from gate.judges.look import look
from gate.judges.reader import Reader
from gate.judges.stack import load_stack
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Item, Label

MakeItem = Callable[..., Item]
KINDS = {"swapped", "listing", "bound", "default value", "reach", "other value"}
FALSE = (
    ("The landlord pays the tenant a deposit.", "The tenant pays the landlord a deposit."),
    ("Plan A costs more than plan B.", "Plan B costs more than plan A."),
    ("A is started after B.", "B is started after A."),
    ("You can pay by card, invoice and cheque.", "Payment is by card and invoice."),
    ("Exports are CSV, JSON and XML.", "Exports are CSV, JSON and YAML."),
    ("Up to 5 users can share a board.", "At least 5 users can share a board."),
    ("The default is gzip.", "The compression is gzip, zstd or none. The default is zstd."),
    ("The default port is 8080.", "The default is port 80 for plain traffic; 8080 is common for development."),
    ("Build logs stay for 14 days.", "We keep access logs for 14 days and build logs for 90 days."),
    ("Only administrators can read the logs.", "Administrators and editors can read the logs."),
    ("The key is always sent.", "The key is usually sent."),
    ("Every account has a quota.", "Many accounts have a quota."),
)
TRUE = (
    ("The tenant pays the landlord a deposit.", "The tenant pays the landlord a deposit."),
    ("A deposit is paid to the landlord by the tenant.", "The tenant pays a deposit to the landlord."),
    ("Plan B costs more than plan A.", "Plan B costs more than plan A."),
    ("You can pay by card and invoice.", "You can pay by card, invoice or cheque."),
    ("Exports are CSV, JSON and YAML.", "Exports are YAML, CSV and JSON."),
    ("At most 5 users can share a board.", "Up to 5 users can share a board."),
    ("The default compression is zstd.", "The compression is gzip, zstd or none. The default is zstd."),
    ("Only administrators can read the logs.", "Only administrators can read the logs."),
    ("The key is always sent.", "The key is always sent."),
)


@pytest.mark.parametrize(("claim", "document"), FALSE)
def test_a_strict_finding_leaves_a_claim_at_best_unsure(item: MakeItem, claim: str, document: str) -> None:
    stack = load_stack()
    sure = replace(stack.variants["plain"], supported=replace(stack.variants["plain"].supported, bias=30.0))
    (verdict,) = LocalJudge(stack=replace(stack, variants={"plain": sure})).judge([item(claim, document)])
    assert verdict.label is Label.WEAKLY_SUPPORTED, verdict.justification
    assert verdict.justification.startswith("Not sure: ")


def test_the_whole_judge_does_not_support_them_and_supports_what_is_true(item: MakeItem) -> None:
    whole = LocalJudge(LocalEmbedder(), reader=Reader())
    for verdict in whole.judge([item(*pair) for pair in FALSE]):
        assert verdict.label is not Label.SUPPORTED, verdict.claim.text
    for verdict in whole.judge([item(*pair) for pair in TRUE]):
        assert verdict.label is Label.SUPPORTED, (verdict.claim.text, verdict.justification)


_WORDS = (
    "A a B the and or , ; . ( ) not only before than more from to by is are up at most least 5 10 MB default gzip pays "
    "tenant landlord including `x` Über"
)
_TEXTS = st.lists(st.sampled_from((*_WORDS.split(), "\n", "\x00")), max_size=20).map(" ".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(claim=_TEXTS, document=_TEXTS)
def test_odd_texts_do_no_harm(item: MakeItem, claim: str, document: str) -> None:
    (seen,) = look([item(claim, document)])
    found = seen.findings if seen else ()
    assert all(finding.sentence >= 0 for finding in found if finding.kind in KINDS)


@pytest.mark.parametrize("said", sorted({text for pair in (*FALSE, *TRUE) for text in pair}))
def test_a_copy_is_never_capped(item: MakeItem, said: str) -> None:
    (seen,) = look([item(said, said)])
    assert seen is not None
    assert not KINDS & {finding.kind for finding in seen.findings}
