"""What a check has to say."""

from dataclasses import FrozenInstanceError, replace

import pytest

from gate.judges.checks.finding import Finding


def test_unless_told_it_is_something_missing_that_no_sentence_shows() -> None:
    finding = Finding("word missing", 0.4, "'kayak' is not in the documents found")
    assert (finding.against, finding.sentence) == (False, -1)


def test_findings_are_values() -> None:
    one = Finding("number", 1.0, "the document says 12 where the claim says 14", True, 3)
    assert one == replace(one)
    assert len({one, replace(one), replace(one, sentence=4)}) == 2


@pytest.mark.parametrize("name", ["kind", "strength", "message", "against", "sentence"])
def test_nobody_changes_one(name: str) -> None:
    finding = Finding("name", 0.9, "x", True, 0)
    with pytest.raises(FrozenInstanceError):
        setattr(finding, name, "other")
