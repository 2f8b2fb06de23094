"""The index on a server: names that tell one index from another, and a mapping for chunks and documents."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.store.elasticsearch_entries import document_body
from gate.store.elasticsearch_mapping import definition, document_id, made_by, target_name
from tests.support.words_embedder import WordsEmbedder, chunk


def test_another_embedder_another_index() -> None:
    made = [made_by(WordsEmbedder(*how), int8) for how in (("a", 8), ("b", 8), ("a", 9)) for int8 in (True, False)]
    names = [target_name("docs", one) for one in made]
    assert len(set(names)) == 6
    assert all(name.startswith("docs-") and len(name) == len("docs-") + 12 for name in names)
    assert target_name("docs", dict(reversed(made[0].items()))) == names[0]


@pytest.mark.parametrize(("int8", "kind"), [(True, "int8_hnsw"), (False, "hnsw")])
def test_the_mapping_says_by_what_it_was_made(int8: bool, kind: str) -> None:
    made = made_by(WordsEmbedder("a", 8), int8)
    mapping = definition(made)["mappings"]
    vector = mapping["properties"]["windows"]["properties"]["vector"]
    assert mapping["_meta"] == {"gate": made}
    assert (vector["dims"], vector["index_options"]["type"]) == (8, kind)
    assert mapping["dynamic"] == "strict"


def test_every_field_that_is_written_is_in_the_mapping() -> None:
    def fields(value: object) -> object:
        if isinstance(value, list):
            return fields(value[0]) if value else None
        return {name: fields(one) for name, one in value.items()} if isinstance(value, dict) else None

    def declared(properties: dict[str, Any]) -> dict[str, Any]:
        return {name: declared(one["properties"]) if "properties" in one else None for name, one in properties.items()}

    body = document_body("a.md", "1", [chunk("One.\n\nTwo.", turns=((2, "Two"),))])
    known = declared(definition(made_by(WordsEmbedder("a", 8), True))["mappings"]["properties"])
    assert fields(json.loads(json.dumps(body))) == {name: known[name] for name in body}


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_ids_of_documents_are_short_and_their_own(one: str, two: str) -> None:
    assert len(document_id(one)) == len("document-") + 64
    assert (document_id(one) == document_id(two)) is (one == two)
