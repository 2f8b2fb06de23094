"""The closed vocabularies are what reports, schemas and users' files spell."""

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import pytest

from gate.records import Category, Decision, Label
from gate.reports.document import schema


def test_the_words_are_those_that_were_promised() -> None:
    assert list(Category) == ["factual_recall", "edge_cases", "policy_boundaries", "ambiguous_queries"]
    assert list(Label) == ["supported", "weakly_supported", "unsupported", "unjudged"]
    assert list(Decision) == ["deploy", "warn", "block", "inconclusive"]
    assert json.dumps([Label.SUPPORTED]) == '["supported"]'


@pytest.mark.parametrize("kind", [Label, Decision])
def test_the_schema_of_the_verdict_knows_exactly_these_words(kind: type[StrEnum]) -> None:
    def enums(value: Any) -> Iterator[list[str]]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if isinstance(value, dict) and "enum" in value:
            yield value["enum"]
        for one in inner:
            yield from enums(one)

    assert any(set(words) == {*kind} for words in enums(schema()))
