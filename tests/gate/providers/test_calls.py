"""The file of recorded calls: what is written is there for ever, or until it is pruned."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import StoreError
from gate.providers.base import Message, Reply, Request
from gate.providers.calls import Calls
from gate.records import Usage

REQUEST = Request((Message("user", "q"),), prompt_id="p", schema={"type": "object"})


@settings(max_examples=25)
@given(text=st.text(), tokens=st.integers(0, 2**40))
def test_a_reply_comes_back_whole_and_marked(tmp_path_factory: pytest.TempPathFactory, text: str, tokens: int) -> None:
    path, reply = tmp_path_factory.getbasetemp() / "deep" / "any.sqlite", Reply(text, Usage(tokens, 2, True), 3.5)
    for calls in (Calls(path), Calls(path)):
        calls.put("k", "p", Request((Message("user", text),)), reply)
        calls.close()
        calls.close()
    calls = Calls(path)
    assert (calls.get("k"), calls.get("other")) == (replace(reply, cached=True), None)
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


def test_what_a_server_refuses_is_kept_for_a_day(tmp_path: Path, calls: Calls) -> None:
    for server, part, least in (("a", "system", 0), ("a", "length", 9), ("a", "length", 7), ("b", "schema", 0)):
        calls.keep_refusal(server, part, least)
    calls.keep_refusal("a", "length", 8)
    assert calls.refusals("a") == {"system": 0, "length": 7}
    with sqlite3.connect(tmp_path / "calls.sqlite") as other:
        other.execute("UPDATE refused SET created = created - 90000")
    other.close()
    assert calls.refusals("a") == {}
