"""The recorder: no request is made twice, and nothing bad is remembered."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.errors import BadReplyError, TransientError
from gate.providers.base import Reply, Request
from gate.providers.calls import Calls
from gate.providers.recorder import Recorder, worth_keeping

SCHEMA = {"type": "object", "required": ["verdicts"]}


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[Calls]:
    opened = Calls(tmp_path / "calls.sqlite")
    yield opened
    opened.close()


def test_the_second_time_is_free_and_says_so(calls: Calls, scripted: Any, ask: Any) -> None:
    inner, hits = scripted(Reply("one"), Reply("two")), []
    recorder = Recorder(inner, calls, on_cached=lambda: hits.append(1))
    first, second = recorder.complete(ask()), recorder.complete(ask())
    assert (first.text, first.cached, second.text, second.cached) == ("one", False, "one", True)
    assert (len(inner.requests), len(hits)) == (1, 1)
    assert Recorder(scripted(Reply("three")), calls).complete(ask()).text == "one"


@pytest.mark.parametrize("change", [{"text": "other"}, {"repeat": 1}, {"temperature": 0.5}, {"max_tokens": 5}])
def test_another_request_is_another_call(calls: Calls, scripted: Any, ask: Any, change: dict[str, Any]) -> None:
    inner = scripted(Reply("x"))
    recorder = Recorder(inner, calls)
    recorder.complete(ask())
    recorder.complete(ask(**change))
    assert len(inner.requests) == 2


def test_another_server_or_program_is_another_call(calls: Calls, scripted: Any, ask: Any) -> None:
    Recorder(scripted(Reply("old")), calls).complete(ask())
    changed = scripted(Reply("new"))
    changed.identity = "another hash"
    assert Recorder(changed, calls).complete(ask()).text == "new"


def test_fresh_asks_again_and_remembers_the_newer(calls: Calls, scripted: Any, ask: Any) -> None:
    Recorder(scripted(Reply("old")), calls).complete(ask())
    assert Recorder(scripted(Reply("new")), calls, fresh=True).complete(ask()).text == "new"
    assert Recorder(scripted(Reply("x")), calls).complete(ask()).text == "new"


def test_fresh_asks_for_everything_once(calls: Calls, scripted: Any, ask: Any) -> None:
    Recorder(scripted(Reply("old")), calls).complete(ask())
    hits: list[int] = []
    inner = scripted(Reply("cut", stop="length"), Reply("new"))
    recorder = Recorder(inner, calls, fresh=True, on_cached=lambda: hits.append(1))
    assert [recorder.complete(ask()).text for _ in range(4)] == ["cut", "new", "new", "new"]
    assert (len(inner.requests), len(hits)) == (2, 2)


@pytest.mark.parametrize(
    ("text", "stop", "schema", "kept"),
    [
        ("fine", "stop", None, True),
        ("cut", "length", None, False),
        ("no", "filter", None, False),
        (" \n", "stop", None, False),
        ('{"verdicts": []}', "stop", SCHEMA, True),
        ('Sure!\n```json\n{"verdicts": []}\n```', "stop", SCHEMA, True),
        ('<think>{claim: n}</think>\n{"verdicts": []}', "stop", SCHEMA, True),
        ('<think>{"a": 1}</think> {"why": "", "verdicts": []}', "stop", SCHEMA, True),
        ('Like {"verdicts": []}? {"verdicts": [', "stop", SCHEMA, False),
        ('{"verdicts": [', "stop", SCHEMA, False),
        ('{"other": 1}', "stop", SCHEMA, False),
        ("I cannot", "stop", SCHEMA, False),
        ('{"a":' * 50_000, "stop", SCHEMA, False),
    ],
)
def test_only_good_replies_are_kept(
    calls: Calls, scripted: Any, ask: Any, text: str, stop: str, schema: dict[str, Any] | None, kept: bool
) -> None:
    inner, request = scripted(Reply(text, stop=stop)), ask(schema=schema)
    assert worth_keeping(request, Reply(text, stop=stop)) is kept
    recorder = Recorder(inner, calls)
    assert [recorder.complete(request).text for _ in range(2)] == [text, text]
    assert len(inner.requests) == (1 if kept else 2)


def test_a_fault_is_not_remembered(calls: Calls, scripted: Any, ask: Any) -> None:
    recorder = Recorder(scripted(TransientError("down"), Reply("up")), calls)
    with pytest.raises(TransientError):
        recorder.complete(ask())
    assert recorder.complete(ask()).text == "up"


def together(count: int, work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)


def test_equal_requests_in_flight_are_made_once(calls: Calls, scripted: Any, ask: Any) -> None:
    hits: list[int] = []

    def slow(request: Request) -> Reply:
        while len(waiting) < 7:  # until all others have come
            pass
        return Reply("shared")

    waiting: list[int] = []
    inner, got = scripted(slow), []
    recorder = Recorder(inner, calls, fresh=True, on_cached=lambda: hits.append(1))

    def work() -> None:
        waiting.append(1)
        got.append(recorder.complete(ask()).text)

    together(8, work)
    assert got == ["shared"] * 8
    assert len(inner.requests) + len(hits) == 8
    assert hits


def test_equal_requests_in_flight_share_a_fault(calls: Calls, scripted: Any, ask: Any) -> None:
    faults: list[str] = []
    recorder = Recorder(scripted(BadReplyError("bad")), calls)

    def work() -> None:
        try:
            recorder.complete(ask())
        except BadReplyError as error:
            faults.append(error.message)

    together(6, work)
    assert faults == ["bad"] * 6


def test_a_record_that_cannot_be_written_is_told_once_and_costs_no_answer(
    tmp_path: Path, scripted: Any, ask: Any
) -> None:
    told: list[str] = []
    broken = Calls(tmp_path / "calls.sqlite")
    recorder = Recorder(scripted(Reply("paid for")), broken, fresh=True, on_fault=told.append)
    broken.close()
    assert recorder.complete(ask("a")).text == "paid for"
    assert recorder.complete(ask("b")).text == "paid for"
    assert len(told) == 1
    assert "calls.sqlite" in told[0]
