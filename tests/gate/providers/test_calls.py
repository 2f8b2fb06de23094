"""The file of recorded calls: what is written is there for ever, or until it is pruned."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import StoreError
from gate.providers.base import Message, Reply, Request
from gate.providers.calls import Calls
from gate.records import Usage

REQUEST = Request((Message("user", "q"),), prompt_id="p", schema={"type": "object"})


def test_a_reply_comes_back_whole_and_marked(tmp_path: Path) -> None:
    reply = Reply("été \U0001f600\x00", Usage(1, 2, True), 3.5, "stop", "m")
    first = Calls(tmp_path / "deep" / "calls.sqlite")
    first.put("k", "openai", REQUEST, reply)
    first.close()
    second = Calls(tmp_path / "deep" / "calls.sqlite")
    assert second.get("k") == Reply("été \U0001f600\x00", Usage(1, 2, True), 3.5, "stop", "m", cached=True)
    assert second.get("other") is None
    second.close()
    second.close()


@settings(max_examples=25)
@given(text=st.text(), tokens=st.integers(0, 2**40))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str, tokens: int) -> None:
    calls = Calls(tmp_path_factory.getbasetemp() / "any.sqlite")
    calls.put("k", "p", Request((Message("user", text),)), Reply(text, Usage(tokens, 0)))
    read = calls.get("k")
    calls.close()
    assert read is not None
    assert (read.text, read.usage.input_tokens) == (text, tokens)


def test_the_rows_are_readable_json(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "c.sqlite")
    calls.put("k", "openai", REQUEST, Reply("yes", model="m"))
    calls.close()
    with sqlite3.connect(tmp_path / "c.sqlite") as db:
        row = db.execute(
            "SELECT model, json_extract(request, '$.messages[0].content'), json_extract(reply, '$.text') FROM calls"
        ).fetchone()
        asked = json.loads(db.execute("SELECT request FROM calls").fetchone()[0])
    db.close()
    assert row == ("m", "q", "yes")
    assert asked["prompt_id"] == "p"
    assert asked["schema"] == {"type": "object"}


@pytest.mark.parametrize(
    "stored",
    [
        "{",
        "[]",
        "[" * 5000,
        b"\xff",
        5,
        '{"text": "x"}',
        '{"text": "x", "usage": {"more": 1}}',
        '{"text": 5, "usage": {}}',
        '{"text": "x", "model": null, "usage": {}}',
        '{"text": "x", "usage": {"input_tokens": "1"}}',
        '{"text": "x", "usage": {"input_tokens": -1}}',
        '{"text": "x", "usage": {}, "latency_ms": "1"}',
        '{"text": "x", "usage": {}, "latency_ms": NaN}',
        '{"text": "x", "usage": {}, "stop": null}',
    ],
)
def test_a_row_of_another_shape_is_asked_again(tmp_path: Path, stored: object) -> None:
    calls = Calls(tmp_path / "c.sqlite")
    calls.put("k", "p", REQUEST, Reply("x"))
    with sqlite3.connect(tmp_path / "c.sqlite") as db:
        db.execute("UPDATE calls SET reply = ?, used = 'never'", (stored,))
    db.close()
    assert calls.get("k") is None
    calls.close()


def test_a_file_that_is_no_record_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    path.write_bytes(b"not a database, but mine" * 100)
    with pytest.raises(StoreError, match=r"calls\.sqlite: the record of calls cannot be used"):
        Calls(path)
    assert path.read_bytes().startswith(b"not a database")
    with pytest.raises(StoreError):
        Calls(tmp_path)


def test_a_damaged_schema_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    Calls(path).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE calls", b"CREATE TABL\xff calls"))
    with pytest.raises(StoreError, match="its schema is damaged") as caught:
        Calls(path)
    assert "can be deleted" in caught.value.hint


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


def kept(calls: Calls, keys: str) -> str:
    return "".join(key for key in keys if calls.get(key) is not None)


def test_pruning_forgets_what_was_long_not_used(tmp_path: Path) -> None:
    calls = aged(tmp_path / "c.sqlite", {"a": 40, "b": 29, "c": 0})
    assert calls.prune(max_age_days=30) == 1
    assert kept(calls, "abc") == "bc"
    calls.close()


def test_pruning_to_a_size_keeps_the_newest(tmp_path: Path) -> None:
    calls = aged(tmp_path / "c.sqlite", {"a": 3, "b": 1, "c": 2, "d": 4})
    assert calls.prune(max_bytes=3000) == 2
    assert kept(calls, "abcd") == "bc"
    calls.close()


def test_pruning_beside_another_run(tmp_path: Path) -> None:
    calls = aged(tmp_path / "c.sqlite", {"a": 40, "b": 0})
    with sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM calls").fetchone()
        assert calls.prune() == 1
        other.execute("COMMIT")
    other.close()
    assert kept(calls, "ab") == "b"
    calls.close()


def test_reading_keeps_a_reply_young(tmp_path: Path) -> None:
    calls = aged(tmp_path / "c.sqlite", {"a": 29})
    assert calls.get("a") is not None
    assert calls.prune(max_age_days=1) == 0
    calls.close()


def test_many_threads_and_two_openers_at_once(tmp_path: Path) -> None:
    both = [Calls(tmp_path / "c.sqlite") for _ in range(2)]

    def write(number: int) -> None:
        for index in range(20):
            both[number % 2].put(f"{number}-{index}", "p", REQUEST, Reply(str(number)))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(both[0].get(f"{number}-{index}") for number in range(6) for index in range(20))
    for calls in both:
        calls.close()


WRITER = """
import sys
from pathlib import Path
from gate.providers.base import Message, Reply, Request
from gate.providers.calls import Calls
calls = Calls(Path(sys.argv[1]))
for number in range(10**6):
    calls.put(str(number), "p", Request((Message("user", "q"),)), Reply("x" * 500))
    print(number, flush=True)
"""


def test_what_was_written_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(50):
            writer.stdout.readline()
        os.kill(writer.pid, signal.SIGKILL)
        last = 49 + len(writer.stdout.read().splitlines()[:-1])
    calls = Calls(path)
    assert all(calls.get(str(number)) is not None for number in range(last))
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


def test_what_a_server_refuses_is_kept_for_a_day(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "c.sqlite")
    assert calls.learnt("openai\nm\nhttp://h") is None
    for told in ("old", "new"):
        calls.learn("openai\nm\nhttp://h", told)
    calls.learn("openai\nm\nhttp://other", "else")
    assert calls.learnt("openai\nm\nhttp://h") == "new"
    with sqlite3.connect(tmp_path / "c.sqlite") as other:
        other.execute("UPDATE refusals SET created = created - 90000")
    other.close()
    assert calls.learnt("openai\nm\nhttp://h") is None
    calls.close()
    with pytest.raises(StoreError):
        calls.learnt("x")
    with pytest.raises(StoreError):
        calls.learn("x", "y")
