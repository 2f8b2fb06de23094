"""What a server that fails does to the user: a StoreError that helps, in bounded time; what passes is ridden out."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import pytest

from gate.config import Elasticsearch
from gate.errors import StoreError
from gate.store.elasticsearch.client import Allowance, Cluster, entry
from gate.store.elasticsearch.reading import made_by
from gate.store.elasticsearch.writing import ElasticsearchIndex
from tests.support.fake_elasticsearch import GARBAGE, FakeElasticsearch
from tests.support.words_embedder import WordsEmbedder, chunk

AWAY = {"docs": [{"error": {"type": "no_shard_available_action_exception"}}]}


@dataclass
class Clock:
    """Time that passes only while someone sleeps."""

    now: float = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def read(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def server(fake: FakeElasticsearch, clock: Clock, environ: dict[str, str] | None = None, **more: Any) -> Cluster:
    settings = Elasticsearch.model_validate({"host": fake.url, "index": "docs", **more})
    return Cluster(settings, environ or {}, clock.sleep, clock.read)


Opener = Callable[[int], ElasticsearchIndex]


@pytest.fixture
def index_of(fake: FakeElasticsearch, clock: Clock) -> Iterator[Opener]:
    """Opens an index into which so many documents are written."""
    opened: list[ElasticsearchIndex] = []

    def make(documents: int) -> ElasticsearchIndex:
        embedder = WordsEmbedder()
        opened.append(ElasticsearchIndex(server(fake, clock), "docs", made_by(embedder, False), embedder))
        for number in range(documents):
            opened[-1].replace(f"{number}.md", "1", [chunk(f"Text of document {number}.", f"{number}.md")])
        return opened[-1]

    yield make
    for index in opened:
        index.close()


def texts(fake: FakeElasticsearch) -> list[str]:
    return sorted(one["text"] for one in next(iter(fake.entries.values())).values() if "text" in one)


@pytest.mark.parametrize("fault", [429, 503, "reset", "items-429"])
def test_a_passing_fault_of_a_write_is_ridden_out(
    fake: FakeElasticsearch, clock: Clock, index_of: Opener, fault: Any
) -> None:
    index = index_of(3)
    fake.faults = [("_bulk", fault)] * 3
    index.finish()
    assert fake.faults == []
    assert texts(fake) == [f"Text of document {number}." for number in range(3)]
    assert clock.now > 0


def test_only_what_was_refused_is_sent_again(fake: FakeElasticsearch, clock: Clock, index_of: Opener) -> None:
    index_of(0)
    fake.faults = [("_bulk", "items-429")]
    name = next(iter(fake.indices))
    server(fake, clock).send(name, [entry(str(n), {"chunk": str(n)}, "x") for n in range(5)])
    assert [len(body) // 2 for path, _, body in fake.sent if "_bulk" in path] == [5, 3]
    assert sorted(fake.entries[name]) == ["0", "1", "2", "3", "4"]


def test_much_is_sent_in_parts(fake: FakeElasticsearch, clock: Clock, index_of: Opener) -> None:
    index_of(0)
    name = next(iter(fake.indices))
    server(fake, clock).send(name, [entry(f"{n}", {"chunk": f"{n}", "text": "x" * 1_500_000}, "x") for n in range(5)])
    assert [len(body) // 2 for path, _, body in fake.sent if "_bulk" in path] == [2, 2, 1]
    assert len(fake.entries[name]) == 5


@pytest.mark.parametrize(("fault", "message"), [(503, r"\(503\): planted 503 \(\d+ attempts\)"), ("items-429", "429")])
def test_a_server_that_stays_away_ends_the_ingest_in_time(
    fake: FakeElasticsearch, clock: Clock, index_of: Opener, fault: Any, message: str
) -> None:
    index = index_of(3)
    fake.faults = [("_bulk", fault)] * 1000
    with pytest.raises(StoreError, match=message):
        index.finish()
    assert clock.now <= 61
    before = len(fake.sent)
    index.close()  # does not wait for it again
    assert len(fake.sent) == before


def test_stopped_in_mid_bulk_and_run_again_nothing_is_lost_or_twice(
    fake: FakeElasticsearch, clock: Clock, index_of: Opener
) -> None:
    index = index_of(5)
    fake.faults = [("_bulk", "items-400")]
    with pytest.raises(StoreError, match=r"did not take 0.md \(400\): planted"):
        index.finish()
    assert fake.count("_bulk") == 1  # no repeat helps
    index.close()
    again = index_of(5)
    again.finish()
    assert texts(fake) == [f"Text of document {number}." for number in range(5)]
    assert len(list(again.chunks())) == 5


@pytest.mark.parametrize(
    ("fault", "message", "hint"),
    [
        (401, "does not accept the credentials", "ES_API_KEY"),
        (403, r"refused POST .* \(403\)", "privileges"),
        (500, r"cannot serve requests \(500\)", "log"),
        (GARBAGE, "gave an answer that is not JSON", "Elasticsearch"),
        ([], "not understood", "host"),
        ({"responses": [{"hits": {"hits": [{"_id": "x", "_score": None}]}}]}, "not understood", ""),
        ({"responses": [{"error": {"reason": "shard"}, "status": 400}]}, "could not search", "log"),
    ],
)
def test_a_search_that_fails(fake: FakeElasticsearch, index_of: Opener, fault: Any, message: str, hint: str) -> None:
    index = index_of(1)
    index.search(["text"], 1)
    fake.faults = [("_msearch", fault)]
    with pytest.raises(StoreError, match=message) as caught:
        index.search(["text"], 1)
    assert hint in caught.value.hint


@pytest.mark.parametrize("piece", ["_mget", "_mtermvectors", "_search", "_mapping"])
def test_no_answer_of_another_shape_is_a_traceback(fake: FakeElasticsearch, index_of: Opener, piece: str) -> None:
    index = index_of(1)
    index.finish()
    for answer in ({}, {"docs": [{}], "hits": {"hits": [{}]}, "x": []}, {"docs": 3, "hits": None}, GARBAGE):
        fake.faults = [(piece, answer)]
        try:
            index.search(["text"], 1)
            index.finish()
        except StoreError as error:
            assert error.hint  # noqa: PT017


@pytest.mark.parametrize("turns", [None, ["x"], [{"line": 0, "heading": "A"}]])
def test_turns_that_nobody_wrote_are_one_error(fake: FakeElasticsearch, index_of: Opener, turns: Any) -> None:
    index = index_of(1)
    index.finish()
    for one in next(iter(fake.entries.values())).values():
        for place in one.get("places", []):
            place["turns"] = turns
    for use in (lambda: index.search(["text"], 1), index.fingerprint):
        with pytest.raises(StoreError, match="not understood"):
            use()


@pytest.mark.parametrize("piece", ["_mget", "_mtermvectors"])
def test_an_entry_that_cannot_be_read_is_awaited_and_never_taken_for_a_missing_one(
    fake: FakeElasticsearch, clock: Clock, index_of: Opener, piece: str
) -> None:
    index = index_of(1)
    busy = {"responses": [{"error": {"reason": "busy"}, "status": 503}]}
    fake.faults = [*[(piece, AWAY)] * 3, ("_msearch", 429), ("_msearch", busy)]
    assert index.search(["document 0"], 1)[0]
    assert (fake.faults, clock.now > 0) == ([], True)
    fake.faults = [(piece, {"docs": [{"error": {"type": "something_else", "reason": "a shard broke"}}]})]
    with pytest.raises(StoreError, match="could not search: a shard broke"):
        index.search(["text"], 1)


@pytest.mark.parametrize(
    ("location", "place"),
    [("https://u:p@es.example.com/?key=x", r"https://\*\*\*@es.example.com/\?\*\*\*"), ("", "another address")],
)
def test_a_redirect_names_where_it_leads(fake: FakeElasticsearch, clock: Clock, location: str, place: str) -> None:
    fake.location, fake.product = location, ""
    fake.faults = [("GET /", 301)]
    with pytest.raises(StoreError, match=rf"redirects to {place} \(301\)$") as caught:
        server(fake, clock).check_version()
    assert "elasticsearch.host" in caught.value.hint


def test_nobody_there_or_nobody_who_answers(fake: FakeElasticsearch, clock: Clock) -> None:
    asked = server(fake, clock)
    fake.faults = [("GET /", "hang")]
    with pytest.raises(StoreError, match="did not answer in time"):
        asked.ask("GET", "/", patience=Allowance(0.1, 0))
    fake.close()
    with pytest.raises(StoreError, match=r"cannot be reached: Connection refused$") as caught:
        asked.check_version()
    assert "ES_HOST" in caught.value.hint
    assert clock.now == 0  # told at once


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "8.14.3"}, "is Elasticsearch 8.14.3, 8.15 or newer is needed"),
        ({"product": ""}, "is not an Elasticsearch"),
        ({"route": lambda *given: (400, "")}, r"refused GET / \(400\): no reason given"),
        ({"faults": [("GET /", 403)]}, ""),  # a key for one index alone may not ask
    ],
)
def test_which_server_will_do(fake: FakeElasticsearch, clock: Clock, change: dict[str, Any], message: str) -> None:
    for name, value in change.items():
        setattr(fake, name, value)
    with pytest.raises(StoreError, match=message) if message else nullcontext():
        server(fake, clock).check_version()


@pytest.mark.parametrize(
    ("more", "environ", "sent"),
    [
        ({"api_key": "abc"}, {"ES_API_KEY": "other"}, "ApiKey abc"),
        ({}, {"ES_API_KEY": "abc\n"}, "ApiKey abc"),
        ({"username": "u", "password": "p"}, {"ES_API_KEY": "other"}, "Basic dTpw"),
        ({}, {}, ""),
    ],
)
def test_credentials(
    fake: FakeElasticsearch, clock: Clock, more: dict[str, Any], environ: dict[str, str], sent: str
) -> None:
    server(fake, clock, environ, **more).check_version()
    headers = fake.sent[-1][1]
    assert headers.get("authorization", "") == sent
    assert headers["accept"].endswith("compatible-with=8")
    assert "x-elastic-client-meta" not in headers


@pytest.mark.parametrize("key", ["maple\n7", "maple-ä"])
def test_a_key_that_cannot_be_sent_is_told_and_not_shown(fake: FakeElasticsearch, clock: Clock, key: str) -> None:
    with pytest.raises(StoreError, match="characters that no key has") as caught:
        server(fake, clock, {}, api_key=key)
    assert "maple" not in caught.value.message


def test_where_the_server_is_comes_from_the_environment_too(fake: FakeElasticsearch) -> None:
    Cluster(Elasticsearch(), {"ES_HOST": fake.url}).check_version()
    for environ, message in (({}, "no address"), ({"ES_HOST": "localhost:9200"}, "must be the address")):
        with pytest.raises(StoreError, match=message) as caught:
            Cluster(Elasticsearch(), environ)
        assert "ES_HOST" in caught.value.hint


def test_certificates_cloud_ids_and_tls_that_are_none(fake: FakeElasticsearch, clock: Clock) -> None:
    with pytest.raises(StoreError, match="cannot connect to Elasticsearch"):
        Cluster(Elasticsearch(cloud_id="nonsense"), {})
    host = fake.url.replace("http:", "https:")
    with pytest.raises(StoreError, match="no secure connection: No such file"):
        server(fake, clock, host=host, ca_certs="missing.pem").check_version()
    with pytest.raises(StoreError, match="no secure connection") as caught:
        server(fake, clock, host=host).ask("GET", "/")
    assert "ca_certs" in caught.value.hint
    assert clock.now == 0  # no repeat helps


def test_words_of_the_server_are_printable(fake: FakeElasticsearch, clock: Clock) -> None:
    fake.faults = [("_bulk", {"items": [{"index": {"status": 400, "error": {"reason": "a\x1b[2Jb\n" + "x" * 900}}}]})]
    with pytest.raises(StoreError) as caught:
        server(fake, clock).send("i", [entry("1", {}, "a.md")])
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 500
