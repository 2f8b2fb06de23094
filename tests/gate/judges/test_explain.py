"""The sentence that says what decided."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from gate.judges.base import Finding
from gate.judges.explain import justify
from gate.records import Label


@pytest.mark.parametrize("said", ["2 pm", "2 pm.", "2 pm..", "2 pm. ", "2 pm;"])
@pytest.mark.parametrize("found", ["11 am.", ""])
def test_a_sentence_ends_once_whatever_is_named_in_it(said: str, found: str) -> None:
    finding = Finding("amount", said, (found,) if found else (), denied=True)
    claim = SimpleNamespace(text="It opens at 2 pm.")
    look: Any = SimpleNamespace(
        findings=(finding,), denied=True, chance=0.1, claim=claim.text, item=SimpleNamespace(claim=claim)
    )
    text = justify(Label.UNSUPPORTED, cast(Any, look), contradicted=True, quotes=())
    due = "the passage has 11 am where the claim has 2 pm." if found else "the documents found for it do not have 2 pm."
    assert text == f"Contradicted: {due}"
