"""The verdict as JSON: what was put in comes out, and every text can be written as UTF-8."""

import copy
import json
import math

import pytest

from gate.reports.document import VerdictDocument
from gate.reports.json_report import render
from gate.reports.telling import View


def test_it_is_the_document_and_the_same_bytes_each_time(document: VerdictDocument) -> None:
    text = render(document)
    assert json.loads(text) == document
    assert text == render(copy.deepcopy(document), View(blob_url="https://host.example/x"))
    assert text.startswith('{\n  "schema_version"')
    assert text.endswith("}\n")


def test_letters_are_written_as_they_are(document: VerdictDocument) -> None:
    document["use_case"] = "Töpferei 窯 🏺"
    assert "Töpferei 窯 🏺" in render(document)


def test_half_a_surrogate_pair_stays_as_its_escape(document: VerdictDocument) -> None:
    document["use_case"] = "a\ud83cb\udfffc"
    text = render(document)
    assert "a\\ud83cb\\udfffc" in text
    assert json.loads(text.encode())["use_case"] == "a\ud83cb\udfffc"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_json_has_no_number_for_is_refused(document: VerdictDocument, value: float) -> None:
    document["timings"]["run_model"] = value
    with pytest.raises(ValueError, match="JSON compliant"):
        render(document)


def test_strangers_text_survives(document: VerdictDocument, poison, hostile: str) -> None:
    poisoned = poison(document, hostile)
    assert json.loads(render(poisoned).encode()) == poisoned
