"""The record of calls: no request is made twice, nothing bad is remembered, and processes take turns."""

import hashlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import LimitError, StoreError, TransientError
from gate.providers.base import Message, Reply, Request
from gate.providers.calls import Cache, Calls, Locks, Renewal, worth_keeping
from gate.records import Usage

REQUEST = Request((Message("user", "q"),), prompt_id="p", schema={"type": "object"})


@settings(max_examples=10)
@given(text=st.text(), tokens=st.integers(0, 2**40))
def test_a_reply_comes_back_whole_and_marked(tmp_path_factory: pytest.TempPathFactory, text: str, tokens: int) -> None:
    path, reply = tmp_path_factory.getbasetemp() / "deep" / "any.sqlite", Reply(text, Usage(tokens, 2, True), 3.5)
    for calls in (Calls(path), Calls(path)):
        calls.put("k", "p", Request((Message("user", text),)), reply)
        calls.close()
        calls.close()
    calls = Calls(path)
    found = calls.get("k")
    assert found is not None
    assert (replace(found, asked_at=0.0), calls.get("other")) == (replace(reply, cached=True), None)
    assert 0 <= time.time() - found.asked_at < 600
    calls.close()


@pytest.mark.parametrize(
    "stored",
    [
        "[" * 5000,
        5,
        '{"text": "x", "usage": {"more": 1}}',
        '{"text": "x", "usage": {"input_tokens": -1}}',
        '{"text": "x", "usage": {}, "latency_ms": NaN}',
        '{"text": "x", "usage": {}, "stop": null}',
    ],
)
def test_a_row_of_another_shape_is_asked_again(tmp_path: Path, calls: Calls, stored: object) -> None:
    calls.put("k", "p", REQUEST, Reply("x"))
    with sqlite3.connect(tmp_path / "calls.sqlite") as db:
        db.execute("UPDATE calls SET reply = ?, used = 'never'", (stored,))
    db.close()
    assert calls.get("k") is None


def test_a_file_that_is_no_record_or_a_damaged_one_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    Calls(path).close()
    damaged = path.read_bytes().replace(b"CREATE TABLE calls", b"CREATE TABL\xff calls")
    for data in (b"not a database, but mine" * 100, damaged):
        path.write_bytes(data)
        with pytest.raises(StoreError, match=r"calls\.sqlite: the record of calls cannot be used") as caught:
            Calls(path)
        assert "can be deleted" in caught.value.hint
        assert path.read_bytes()[:20] == data[:20]
    with pytest.raises(StoreError):
        Calls(tmp_path)


def aged(path: Path, days: dict[str, float]) -> Calls:
    calls = Calls(path)
    for key in days:
        calls.put(key, "p", REQUEST, Reply("x" * 1000))
    with sqlite3.connect(path) as db:
        db.executemany(
            "UPDATE calls SET used = ? WHERE key = ?", [(time.time() - d * 86400, k) for k, d in days.items()]
        )
    db.close()
    return calls


@pytest.mark.parametrize(
    ("days", "limits", "kept"),
    [
        ({"a": 40, "b": 29, "c": 0}, {"max_age_days": 30}, "bc"),
        ({"a": 3, "b": 1, "c": 2, "d": 4}, {"max_bytes": 3000}, "bc"),
    ],
)
def test_pruning_keeps_the_newest_also_beside_another_run(
    tmp_path: Path, days: dict[str, float], limits: dict[str, int], kept: str
) -> None:
    calls = aged(tmp_path / "c.sqlite", days)
    with sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM calls").fetchone()
        assert calls.prune(**limits) == len(days) - len(kept)
        other.execute("COMMIT")
    other.close()
    assert "".join(key for key in days if calls.get(key) is not None) == kept
    calls.close()


def test_a_file_that_another_program_keeps_to_itself_is_told_as_that(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "calls.sqlite", busy=0.01)
    other = sqlite3.connect(tmp_path / "calls.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="locked") as caught:
        calls.put("k", "p", REQUEST, Reply("x"))
    assert "let it finish" in caught.value.hint
    other.close()
    calls.put("k", "p", REQUEST, Reply("x"))
    calls.close()


def test_what_a_server_refuses_is_kept_for_a_day(tmp_path: Path, calls: Calls) -> None:
    for server, part, least in (("a", "system", 0), ("a", "length", 9), ("a", "length", 7), ("b", "schema", 0)):
        calls.keep_refusal(server, part, least)
    calls.keep_refusal("a", "length", 8)
    assert calls.refusals("a") == {"system": 0, "length": 7}
    with sqlite3.connect(tmp_path / "calls.sqlite") as other:
        other.execute("UPDATE refused SET created = created - 90000")
    other.close()
    assert calls.refusals("a") == {}


SCHEMA = {"type": "object", "required": ["verdicts"]}


def test_the_second_time_is_free_and_says_so(calls: Calls, scripted: Any, ask: Any) -> None:
    inner, hits = scripted(Reply("one"), Reply("two")), []
    cache = Cache(inner, calls, on_cached=lambda: hits.append(1))
    first, second = cache.complete(ask()), cache.complete(ask())
    assert (first.text, first.cached, second.text, second.cached) == ("one", False, "one", True)
    assert (len(inner.requests), len(hits)) == (1, 1)
    assert Cache(scripted(Reply("three")), calls).complete(ask()).text == "one"


@pytest.mark.parametrize("change", [{"text": "other"}, {"repeat": 1}, {"temperature": 0.5}, {"max_tokens": 5}])
def test_another_request_is_another_call(calls: Calls, scripted: Any, ask: Any, change: dict[str, Any]) -> None:
    inner = scripted(Reply("x"))
    cache = Cache(inner, calls)
    cache.complete(ask())
    cache.complete(ask(**change))
    assert len(inner.requests) == 2


def test_another_server_is_another_call_and_a_fault_is_not_remembered(calls: Calls, scripted: Any, ask: Any) -> None:
    Cache(scripted(Reply("old")), calls).complete(ask())
    changed = scripted(TransientError("down"), Reply("new"))
    changed.identity = "another address"
    with pytest.raises(TransientError):
        Cache(changed, calls).complete(ask())
    assert Cache(changed, calls).complete(ask()).text == "new"


def test_fresh_asks_for_everything_once(calls: Calls, scripted: Any, ask: Any) -> None:
    Cache(scripted(Reply("old")), calls).complete(ask())
    hits: list[int] = []
    inner = scripted(Reply("cut", stop="length"), Reply("new"))
    cache = Cache(inner, calls, fresh=True, on_cached=lambda: hits.append(1))
    assert [cache.complete(ask()).text for _ in range(4)] == ["cut", "new", "new", "new"]
    assert (len(inner.requests), len(hits)) == (2, 2)


@pytest.mark.parametrize(
    ("text", "stop", "schema", "kept"),
    [
        ("no", "filter", None, False),
        (" \n", "stop", None, False),
        ('<think>{claim: n}</think>\n{"verdicts": []}', "stop", SCHEMA, True),
        ('Like {"verdicts": []}? {"verdicts": [', "stop", SCHEMA, False),
        ('{"a":' * 50_000, "stop", SCHEMA, False),
    ],
)
def test_only_good_replies_are_kept(
    calls: Calls, scripted: Any, ask: Any, text: str, stop: str, schema: dict[str, Any] | None, kept: bool
) -> None:
    inner, request = scripted(Reply(text, stop=stop)), ask(schema=schema)
    assert worth_keeping(request, Reply(text, stop=stop)) is kept
    cache = Cache(inner, calls)
    assert [cache.complete(request).text for _ in range(2)] == [text, text]
    assert len(inner.requests) == (1 if kept else 2)


class Run:
    """A run over the shared record: what it asks, and whether it finishes."""

    def __init__(self, calls: Calls, inner: Any, scope: str = "documents", reuse: bool = False) -> None:
        self.cache = Cache(inner, calls)
        self.cache.renewal = Renewal(lambda: scope, reuse)
        self.finish = self.cache.finish

    def ask(self, request: Request) -> str:
        return self.cache.complete(request).text


def test_a_stopped_run_goes_on_and_a_finished_one_is_asked_anew(calls: Calls, scripted: Any, ask: Any) -> None:
    inner = scripted(Reply("one"), Reply("two"), Reply("three"))
    assert [Run(calls, inner).ask(ask()) for _ in range(2)] == ["one", "one"]
    whole = Run(calls, inner)
    assert whole.ask(ask()) == "one"
    whole.finish()
    assert whole.ask(ask()) == "one", "what a run was given stays its own"
    assert Run(calls, inner, reuse=True).ask(ask()) == "one"
    assert [Run(calls, inner).ask(ask()) for _ in range(2)] == ["two", "two"]
    assert Run(calls, inner, "other documents").ask(ask()) == "three"


def test_a_run_that_finishes_leaves_what_another_has_asked_since(calls: Calls, scripted: Any, ask: Any) -> None:
    first, second = Run(calls, scripted(Reply("old"))), Run(calls, scripted(Reply("new")), "other")
    assert (first.ask(ask()), second.ask(ask())) == ("old", "new")
    first.finish()
    assert Run(calls, scripted(Reply("newest")), "other").ask(ask()) == "new"


def test_what_no_run_claims_or_is_days_old_is_no_unfinished_work(
    tmp_path: Path, calls: Calls, scripted: Any, ask: Any
) -> None:
    """A record of an earlier version does not say which answers were used up."""
    Cache(scripted(Reply("of an earlier version")), calls).complete(ask())
    assert Run(calls, scripted(Reply("stopped"))).ask(ask()) == "stopped"
    with sqlite3.connect(tmp_path / "calls.sqlite") as other:
        other.execute("UPDATE calls SET created = created - 86400 * 4")
    other.close()
    assert Run(calls, scripted(Reply("new"))).ask(ask()) == "new"


def test_what_a_model_wrote_besides_answers_stays_recorded(calls: Calls, scripted: Any, ask: Any) -> None:
    for scope, told in (("a", "question"), ("b", "another")):
        run = Run(calls, scripted(Reply(told)), scope)
        assert run.ask(ask(role="writer")) == "question"
        run.finish()


def test_a_write_that_fails_keeps_nothing_locked(tmp_path: Path, calls: Calls) -> None:
    with sqlite3.connect(tmp_path / "calls.sqlite") as other:
        other.execute("DROP TABLE unfinished")
        with pytest.raises(StoreError):
            calls.put("k", "p", REQUEST, Reply("x"), "scope")
        other.execute("CREATE TABLE unfinished (key TEXT PRIMARY KEY, scope TEXT NOT NULL)")
        assert calls.get("k") is None
    other.close()
    calls.put("k", "p", REQUEST, Reply("x"), "scope")
    assert calls.get("k", "scope") is not None


KEY, OTHER = (hashlib.sha256(word).hexdigest() for word in (b"one", b"other"))


HOLD = """
import sys, time
from pathlib import Path
from gate.providers.calls import Locks
with Locks(Path(sys.argv[1]), time.sleep).hold(sys.argv[2]):
    print("in", flush=True)
    sys.stdin.read(1)
"""


def holder(path: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HOLD, str(path), KEY]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    return process


@pytest.mark.parametrize("killed", [False, True])
def test_another_process_is_waited_for_until_it_is_done_or_dead(tmp_path: Path, killed: bool) -> None:
    path, waits = tmp_path / "calls.lock", []
    with holder(path) as process:

        def sleep(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 3:
                process.kill() if killed else process.communicate("x")
            time.sleep(0.01)

        locks = Locks(path, sleep)
        with locks.hold(KEY):
            pass
        locks.close()
    assert len(waits) >= 3


def test_another_request_is_not_kept_waiting_nor_a_run_that_ends(tmp_path: Path) -> None:
    def over(seconds: float) -> None:
        raise LimitError("the limit of 2 s is reached", "raise it")

    path = tmp_path / "calls.lock"
    with holder(path) as process:
        locks = Locks(path, over)
        with locks.hold(OTHER), pytest.raises(LimitError), locks.hold(KEY):
            pass
        process.communicate("x")
        locks.close()
        locks.close()


@pytest.mark.parametrize("path", ["missing/calls.lock", "."])
def test_where_nothing_can_be_locked_nobody_waits(tmp_path: Path, path: str) -> None:
    with Locks(tmp_path / path, lambda seconds: pytest.fail("waited")).hold(KEY):
        assert os.listdir(tmp_path) == []


def test_equal_requests_in_flight_are_made_once(calls: Calls, scripted: Any, ask: Any) -> None:
    hits: list[int] = []
    come = threading.Semaphore(0)

    def slow(request: Request) -> Reply:
        for _ in range(8):  # until all others have come
            assert come.acquire(timeout=10)
        return Reply("shared")

    inner = scripted(slow)
    cache = Cache(inner, calls, fresh=True, on_cached=lambda: hits.append(1))

    def work(_: int) -> str:
        come.release()
        return cache.complete(ask()).text

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == ["shared"] * 8
    assert (len(inner.requests), len(hits)) == (1, 7)


def test_a_record_that_cannot_be_written_is_told_once_and_costs_no_answer(
    calls: Calls, scripted: Any, ask: Any
) -> None:
    told: list[str] = []
    cache = Cache(scripted(Reply("paid for")), calls, fresh=True, on_fault=told.append)
    calls.close()
    assert [cache.complete(ask(text)).text for text in "ab"] == ["paid for"] * 2
    assert len(told) == 1
    assert "calls.sqlite" in told[0]
