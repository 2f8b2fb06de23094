"""Where an Elasticsearch is: what the configuration may say, and what it does not give away."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from gate.config import Config
from gate.config_parts import Elasticsearch, Judge, checked_address


def config(**elasticsearch: object) -> Config:
    return Config.model_validate(
        {"use_case": "x", "model": {"provider": "replay", "path": "a"}, "elasticsearch": elasticsearch}
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"host": "localhost:9200"}, "must be the address of a server"),
        ({"host": "ftp://h"}, "must be the address of a server"),
        ({"host": "http://"}, "must be the address of a server"),
        ({"host": "http://h:99999"}, "must be the address of a server"),
        ({"host": "http://[::1"}, "must be the address of a server"),
        ({"host": "https://u:pw@h"}, "must not hold a user or a password"),
        ({"host": "https://h/?key=pw"}, "must not hold a `\\?`"),
        ({"host": "http://h", "cloud_id": "x"}, "not both"),
        ({"username": "u"}, "belong together"),
        ({"api_key": "k", "username": "u", "password": "p"}, "not both"),
        ({"api_key": ""}, "is empty"),
        ({"index": "Docs"}, "must be 1 to 100"),
        ({"index": "-docs"}, "must be 1 to 100"),
        ({"index": "a/b"}, "must be 1 to 100"),
        ({"index": "a*"}, "must be 1 to 100"),
        ({"index": "a" * 101}, "must be 1 to 100"),
        ({"shards": 1}, "Extra inputs"),
    ],
)
def test_what_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Elasticsearch.model_validate(values)


def test_secrets_are_neither_shown_nor_part_of_the_hash() -> None:
    one, other = config(api_key="s3cret"), config(api_key="another")
    assert "s3cret" not in f"{one} {one!r} {one.model_dump_json()}"
    assert one.hash() == other.hash() != config(index="other").hash()


def test_addresses_and_files_are_found() -> None:
    assert checked_address("https://es.example.com:9243/") == "https://es.example.com:9243"
    settings = Elasticsearch(host="http://h", ca_certs="ca.pem")
    assert settings.located(lambda name: Path("/etc") / name).ca_certs == "/etc/ca.pem"
    assert Elasticsearch().located(Path) == Elasticsearch(index="llm-reliability")


@pytest.mark.parametrize("key", [{"second_look": True}, {"extract": "model"}, {"model_id": "m"}])
def test_what_needs_a_model_needs_a_judge_with_one(key) -> None:
    with pytest.raises(ValidationError, match=next(iter(key))):
        Judge.model_validate(key)
    assert Judge.model_validate({"provider": "ollama", "model_id": "m", **key}).served_by == "ollama"
