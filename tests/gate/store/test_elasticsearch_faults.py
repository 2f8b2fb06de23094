"""What a server that fails does to the user: a StoreError that helps, in bounded time; what passes is ridden out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from gate.config import Elasticsearch
from gate.errors import IndexMissingError, StoreError
from gate.store.elasticsearch import ElasticsearchStore, open_for_reading
from gate.store.elasticsearch_bulk import Sender, entry, send
from gate.store.elasticsearch_mapping import made_by
from gate.store.elasticsearch_server import Patience, Server
from gate.store.elasticsearch_writing import ElasticsearchIndex
from tests.support.fake_elasticsearch import GARBAGE, FakeElasticsearch
from tests.support.words_embedder import WordsEmbedder, chunk


@dataclass
class Clock:
    """Time that passes only while someone sleeps."""

    now: float = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def read(self) -> float:
        return self.now


@pytest.fixture
def fake() -> Iterator[FakeElasticsearch]:
    fake = FakeElasticsearch()
    yield fake
    fake.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def server(fake: FakeElasticsearch, clock: Clock, environ: dict[str, str] | None = None, **more: Any) -> Server:
    settings = Elasticsearch.model_validate({"host": fake.url, "index": "docs", **more})
    return Server(settings, environ or {}, clock.sleep, clock.read)


def index_on(fake: FakeElasticsearch, clock: Clock, documents: int = 3) -> ElasticsearchIndex:
    embedder = WordsEmbedder()
    index = ElasticsearchIndex(server(fake, clock), "docs", made_by(embedder, False), embedder)
    for number in range(documents):
        index.replace(f"{number}.md", "1", [chunk(f"Text of document {number}.", f"{number}.md")])
    return index


def texts(fake: FakeElasticsearch) -> list[str]:
    return sorted(one["text"] for one in next(iter(fake.entries.values())).values() if "text" in one)


@pytest.mark.parametrize("fault", [429, 503, 502, 504, "reset", "items-429", "items-503"])
def test_a_passing_fault_of_a_write_is_ridden_out(fake: FakeElasticsearch, clock: Clock, fault: Any) -> None:
    index = index_on(fake, clock)
    fake.faults = [("_bulk", fault)] * 3
    index.finish()
    assert fake.faults == []
    assert texts(fake) == [f"Text of document {number}." for number in range(3)]
    assert len(index.digests()) == 3
    assert clock.now > 0
    index.close()


def test_only_what_was_refused_is_sent_again(fake: FakeElasticsearch, clock: Clock) -> None:
    index = index_on(fake, clock, 0)
    fake.faults = [("_bulk", "items-429")]
    name = next(iter(fake.indices))
    send(server(fake, clock), name, [entry(str(n), {"chunk": str(n)}, "x") for n in range(5)])
    bulks = [body for path, _, body in fake.sent if "_bulk" in path]
    assert [len(body) // 2 for body in bulks] == [5, 3]
    assert sorted(fake.entries[name]) == ["0", "1", "2", "3", "4"]
    index.close()


def test_a_server_that_stays_away_ends_the_ingest_in_time(fake: FakeElasticsearch, clock: Clock) -> None:
    index = index_on(fake, clock)
    fake.faults = [("_bulk", 503)] * 1000
    with pytest.raises(StoreError, match=r"cannot serve requests \(503\): planted 503 \(\d+ attempts\)"):
        index.finish()
    assert clock.now <= 61
    before = len(fake.sent)
    index.close()  # does not wait for it again
    assert len(fake.sent) == before


def test_an_item_that_no_repeat_helps_names_its_document(fake: FakeElasticsearch, clock: Clock) -> None:
    index = index_on(fake, clock)
    fake.faults = [("_bulk", "items-400")]
    with pytest.raises(StoreError, match=r"did not take 0.md \(400\): planted"):
        index.finish()
    assert fake.count("_bulk") == 1
    index.close()


def test_items_that_are_always_refused_end_in_time(fake: FakeElasticsearch, clock: Clock) -> None:
    index = index_on(fake, clock, 1)
    fake.faults = [("_bulk", "items-429")] * 1000
    with pytest.raises(StoreError, match="429"):
        index.finish()
    assert clock.now <= 61
    index.close()


def test_stopped_in_mid_bulk_and_run_again_nothing_is_lost_or_twice(fake: FakeElasticsearch, clock: Clock) -> None:
    index = index_on(fake, clock, 5)
    fake.faults = [("_bulk", "items-400")]
    with pytest.raises(StoreError):
        index.finish()
    index.close()
    again = index_on(fake, clock, 5)
    again.finish()
    assert texts(fake) == [f"Text of document {number}." for number in range(5)]
    assert len(list(again.chunks())) == 5
    again.close()


@pytest.mark.parametrize(
    ("fault", "message", "hint"),
    [
        (401, "does not accept the credentials", "ES_API_KEY"),
        (400, r"refused POST /docs-\w+/_msearch \(400\): planted 400", "log"),
        (403, r"refused POST .* \(403\)", "privileges"),
        (404, r"refused POST .* \(404\)", "log"),
        (500, r"cannot serve requests \(500\)", "log"),
        (GARBAGE, "gave an answer that is not JSON", "Elasticsearch"),
        ([], "not understood", "host"),
        ({}, "not understood", "Elasticsearch"),
        ({"responses": []}, "0 answers to 1 questions", ""),
        ({"responses": [{}]}, "not understood", ""),
        ({"responses": [{"hits": {"hits": [{"_id": "x", "_score": None}]}}]}, "not understood", ""),
        ({"responses": [{"error": {"reason": "shard"}, "status": 400}]}, "could not search", "log"),
    ],
)
def test_a_search_that_fails(fake: FakeElasticsearch, clock: Clock, fault: Any, message: str, hint: str) -> None:
    index = index_on(fake, clock)
    index.search(["text"], 1)
    fake.faults = [("_msearch", fault)]
    with pytest.raises(StoreError, match=message) as caught:
        index.search(["text"], 1)
    assert hint in caught.value.hint
    index.close()


@pytest.mark.parametrize("piece", ["_mget", "_mtermvectors", "_search", "_mapping"])
def test_no_answer_of_another_shape_is_a_traceback(fake: FakeElasticsearch, clock: Clock, piece: str) -> None:
    index = index_on(fake, clock)
    index.finish()
    for answer in ({}, {"docs": [{}], "hits": {"hits": [{}]}, "x": []}, {"docs": 3, "hits": None}, GARBAGE):
        fake.faults = [(piece, answer)]
        try:
            index.search(["text"], 1)
            index.finish()
        except StoreError as error:
            assert error.hint  # noqa: PT017
    index.close()


@pytest.mark.parametrize("turns", [None, 3, ["x"], [{"line": 1}], [{"line": 0, "heading": "A"}]])
def test_turns_that_nobody_wrote_are_one_error(fake: FakeElasticsearch, clock: Clock, turns: Any) -> None:
    index = index_on(fake, clock)
    index.finish()
    for one in next(iter(fake.entries.values())).values():
        for place in one.get("places", []):
            place["turns"] = turns
    with pytest.raises(StoreError, match="not understood"):
        index.search(["text"], 1)
    with pytest.raises(StoreError, match="not understood"):
        index.fingerprint()
    index.close()


@pytest.mark.parametrize("piece", ["_mget", "_mtermvectors"])
@pytest.mark.parametrize(
    ("error", "message"),
    [
        ({"type": "index_not_found_exception", "reason": "no such index [x]"}, r"no such index \[x\]"),
        ({"type": "something_else", "reason": "a shard broke"}, "could not search: a shard broke"),
    ],
)
def test_an_entry_that_cannot_be_read_is_not_taken_for_one_that_is_not_there(
    fake: FakeElasticsearch, clock: Clock, piece: str, error: Any, message: str
) -> None:
    index = index_on(fake, clock)
    index.search(["text"], 1)
    fake.faults = [(piece, {"docs": [{"error": error}]})]
    with pytest.raises(StoreError, match=message):
        index.search(["text"], 1)
    index.close()


@pytest.mark.parametrize("piece", ["_mget", "_mtermvectors"])
def test_an_entry_that_cannot_be_read_yet_is_awaited(fake: FakeElasticsearch, clock: Clock, piece: str) -> None:
    index = index_on(fake, clock)
    fake.faults = [(piece, {"docs": [{"error": {"type": "no_shard_available_action_exception"}}]})] * 3
    assert index.search(["document 1"], 1)[0]
    assert fake.faults == []
    assert clock.now > 0
    index.close()


@pytest.mark.parametrize("status", [429, 503])
def test_a_search_waits_for_a_busy_server(fake: FakeElasticsearch, clock: Clock, status: int) -> None:
    index = index_on(fake, clock)
    fake.faults = [
        ("_msearch", status),
        ("_msearch", {"responses": [{"error": {"reason": "busy"}, "status": status}]}),
    ]
    assert index.search(["document 1"], 1)[0]
    assert fake.faults == []
    index.close()


@pytest.mark.parametrize(
    ("status", "location", "place"),
    [
        (301, "https://u:p@es.example.com/?key=x", r"https://\*\*\*@es.example.com/\?\*\*\*"),
        (308, "", "another address"),
    ],
)
def test_a_redirect_names_where_it_leads(
    fake: FakeElasticsearch, clock: Clock, status: int, location: str, place: str
) -> None:
    fake.location, fake.product = location, ""
    fake.faults = [("GET /", status)]
    with pytest.raises(StoreError, match=rf"redirects to {place} \({status}\)$") as caught:
        server(fake, clock).check_version()
    assert "elasticsearch.host" in caught.value.hint


def test_a_refusal_without_words(fake: FakeElasticsearch, clock: Clock) -> None:
    fake.route = lambda *given: (400, "")  # type: ignore[method-assign]
    with pytest.raises(StoreError, match=r"refused GET / \(400\): no reason given"):
        server(fake, clock).check_version()


def test_nobody_there(fake: FakeElasticsearch, clock: Clock) -> None:
    asked = server(fake, clock)
    fake.close()
    with pytest.raises(StoreError, match=r"cannot be reached: Connection refused$") as caught:
        asked.check_version()
    assert "ES_HOST" in caught.value.hint
    assert clock.now == 0  # told at once


def test_a_server_that_hangs(fake: FakeElasticsearch, clock: Clock) -> None:
    fake.faults = [("GET /", "hang")]
    with pytest.raises(StoreError, match="did not answer in time"):
        server(fake, clock).ask("GET", "/", patience=Patience(0.2, 0))


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("8.14.3", "is Elasticsearch 8.14.3, 8.15 or newer is needed"),
        ("7.17.0", "8.15 or newer"),
        ("", "8.15 or newer"),
    ],
)
def test_an_old_server(fake: FakeElasticsearch, clock: Clock, version: str, message: str) -> None:
    fake.version = version
    with pytest.raises(StoreError, match=message):
        server(fake, clock).check_version()


@pytest.mark.parametrize("version", ["8.15.0", "9.3.1", "10.0.0-SNAPSHOT"])
def test_a_server_that_will_do(fake: FakeElasticsearch, clock: Clock, version: str) -> None:
    fake.version = version
    server(fake, clock).check_version()


def test_something_that_is_not_elasticsearch(fake: FakeElasticsearch, clock: Clock) -> None:
    fake.product = ""
    with pytest.raises(StoreError, match="is not an Elasticsearch"):
        server(fake, clock).check_version()


def test_a_key_that_may_not_ask_for_the_version_goes_on(fake: FakeElasticsearch, clock: Clock) -> None:
    fake.faults = [("GET /", 403)]
    server(fake, clock).check_version()
    fake.faults = [("GET /", 401)]
    with pytest.raises(StoreError, match="credentials"):
        server(fake, clock).check_version()


@pytest.mark.parametrize(
    ("more", "environ", "sent"),
    [
        ({"api_key": "abc"}, {"ES_API_KEY": "other"}, "ApiKey abc"),
        ({}, {"ES_API_KEY": "abc"}, "ApiKey abc"),
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
    assert fake.sent == []


def test_where_the_server_is_comes_from_the_environment_too(fake: FakeElasticsearch) -> None:
    Server(Elasticsearch(), {"ES_HOST": fake.url}).check_version()
    for environ, message in (({}, "no address"), ({"ES_HOST": "localhost:9200"}, "must be the address")):
        with pytest.raises(StoreError, match=message) as caught:
            Server(Elasticsearch(), environ)
        assert "ES_HOST" in caught.value.hint


def test_certificates_and_cloud_ids_that_are_none(fake: FakeElasticsearch, clock: Clock) -> None:
    with pytest.raises(StoreError, match="cannot connect to Elasticsearch"):
        Server(Elasticsearch(cloud_id="nonsense"), {})
    settings = Elasticsearch(host=fake.url.replace("http:", "https:"), ca_certs="missing.pem")
    with pytest.raises(StoreError, match="no secure connection: No such file"):
        Server(settings, {}, clock.sleep, clock.read).check_version()


def test_tls_where_there_is_none(fake: FakeElasticsearch, clock: Clock) -> None:
    settings = Elasticsearch(host=fake.url.replace("http:", "https:"))
    with pytest.raises(StoreError, match="no secure connection") as caught:
        Server(settings, {}, clock.sleep, clock.read).ask("GET", "/")
    assert "ca_certs" in caught.value.hint
    assert clock.now == 0  # no repeat helps


def test_words_of_the_server_are_printable(fake: FakeElasticsearch, clock: Clock) -> None:
    fake.faults = [("_bulk", {"items": [{"index": {"status": 400, "error": {"reason": "a\x1b[2Jb\n" + "x" * 900}}}]})]
    with pytest.raises(StoreError) as caught:
        send(server(fake, clock), "i", [entry("1", {}, "a.md")])
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 500


def test_groups_are_sent_in_parts_and_whoever_offers_too_much_waits(fake: FakeElasticsearch, clock: Clock) -> None:
    index = index_on(fake, clock, 0)
    name = next(iter(fake.indices))
    sender = Sender(server(fake, clock), name)
    for group in range(20):
        sender.put(
            [entry(f"{group}-{n}", {"chunk": f"{group}-{n}"}, "x") for n in range(60)],
            [entry(f"d{group}", {"source": f"{group:02}"}, "x")],
        )
    sender.put([entry(f"big{n}", {"chunk": f"big{n}", "text": "x" * 1_500_000}, "x") for n in range(4)], [])
    sender.drain()
    sender.close()
    assert len(fake.entries[name]) == 20 * 61 + 4
    last = [body for path, _, body in fake.sent if "_bulk" in path and "big" in str(body)[:60]]
    assert [len(body) // 2 for body in last] == [2, 2]
    index.close()


def test_a_reader_of_an_index_that_was_deleted(fake: FakeElasticsearch, clock: Clock) -> None:
    index = index_on(fake, clock)
    index.finish()
    embedder = WordsEmbedder()
    store = open_for_reading(Elasticsearch(host=fake.url, index="docs"), embedder, {})
    store.search(["text"], 1)
    fake.indices.clear()
    with pytest.raises(IndexMissingError, match="there is no index `docs`"):
        store.search(["text"], 1)
    assert isinstance(store, ElasticsearchStore)
    store.close()
    store.close()
    index.close()
