"""The closed vocabularies are what reports, schemas and users' files spell."""

import json

import pytest

from gate import records
from gate.reports.load import schema
from gate.words import Category, Decision, Label


def test_the_words_are_those_that_were_promised():
    assert list(Category) == ["factual_recall", "edge_cases", "policy_boundaries", "ambiguous_queries"]
    assert list(Label) == ["supported", "weakly_supported", "unsupported", "unjudged"]
    assert list(Decision) == ["deploy", "warn", "block", "inconclusive"]


@pytest.mark.parametrize("kind", [Category, Label, Decision])
def test_a_word_is_its_own_text_in_json_and_in_a_sentence(kind):
    for word in kind:
        assert json.loads(json.dumps(word)) == f"{word}" == word.value
        assert kind(word.value) is word
    with pytest.raises(ValueError, match="nearly"):
        kind("nearly")


@pytest.mark.parametrize("kind", [Label, Decision])
def test_the_schema_of_the_verdict_knows_exactly_these_words(kind):
    def enums(value):
        if isinstance(value, dict):
            if "enum" in value:
                yield value["enum"]
            for inner in value.values():
                yield from enums(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from enums(inner)

    assert any(set(words) == {*kind} for words in enums(schema()))


def test_the_records_hand_the_words_on():
    assert (records.Category, records.Label, records.Decision) == (Category, Label, Decision)
