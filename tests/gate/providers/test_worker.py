"""Workers and Python targets: lines both ways, processes that die, hang, talk or lie, and nothing left behind."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gate.config import Limits
from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.budget import Budget
from gate.providers.calls import Calls
from gate.providers.chain import Chain, Patience
from gate.providers.command import program_of
from gate.providers.worker import Worker, python_program
from gate.records import ToolCall, Usage
from tests.support.pulse import Pulse

LONG = 60.0  # seconds: nothing here may need it
LOOP = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    question = asked["question"]
    def say(**fields):
        print(json.dumps({"call": asked["call"], **fields}), flush=True)
"""
MODULE = """
import asyncio, os, sys, time
seen = []

def answer(question):
    print("talk on stdout")
    seen.append(question)
    if question == "crash":
        os._exit(9)
    if question == "leave":
        sys.exit(3)
    if question == "hang":
        time.sleep(300)
    if question == "raise":
        raise ValueError("no such thing")
    if question == "later":
        raise ConnectionError("busy")
    told = {"contexts": ["Five seconds."], "input_tokens": 3, "output_tokens": 2}
    return {"answer": f"{len(seen)} {os.getpid()}", **told}

loops = set()

async def slowly(messages, *, contexts, repeat=0):
    await asyncio.sleep(0)
    loops.add(id(asyncio.get_running_loop()))
    return f"{len(messages)} {messages[-1]['role']} {contexts} {repeat} {len(loops)}"

def odd(question):
    return {"answer": object()}

class App:
    def reply(self, question, unused=1):
        return question.upper()

app = App()
"""


def ask(question: str, repeat: int = 0, contexts: tuple[str, ...] = ()) -> Request:
    return Request((Message("user", question),), prompt_id="p", question=question, repeat=repeat, contexts=contexts)


@pytest.fixture
def made() -> Iterator[list[Worker]]:
    """What a test has opened: closed in the end."""
    workers: list[Worker] = []
    yield workers
    for one in workers:
        one.close()


@pytest.fixture
def worker(tmp_path: Path, made: list[Worker]) -> Callable[..., Worker]:
    """A worker whose program does `body` for each question."""

    def make(body: str, timeout: float = LONG, parallel: int = 1) -> Worker:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        (tmp_path / "app.py").write_text(LOOP + lines)
        program = program_of([sys.executable, "-S", "-E", "app.py"], tmp_path)
        made.append(Worker("command", program, timeout, parallel))
        return made[-1]

    return make


@pytest.fixture
def python(tmp_path: Path, made: list[Worker]) -> Callable[..., Worker]:
    def make(function: str = "mine:answer", timeout: float = LONG) -> Worker:
        (tmp_path / "mine.py").write_text(MODULE)
        made.append(Worker("python", python_program(function, (), tmp_path), timeout))
        return made[-1]

    return make


def test_one_process_answers_a_line_with_a_line(worker: Callable[..., Worker]) -> None:
    told = '"contexts": ["a"], "tool_calls": [{"name": "f", "arguments": {"x": 1}, "id": "1"}], "model": "m2"'
    one = worker(f'print("a banner"); print("[1]"); say(answer=f"{{os.getpid()}} {{question}}", **{{{told}}})')
    replies = [one.complete(ask(question)) for question in ("first", "x" * 200_000, "third\u2028")]
    pids = {reply.text.split()[0] for reply in replies}
    assert [reply.text.split(" ", 1)[1] for reply in replies] == ["first", "x" * 200_000, "third\u2028"]
    assert len(pids) == 1
    assert (replies[0].contexts, replies[0].model) == (("a",), "m2")
    assert replies[0].tool_calls == (ToolCall("f", '{"x": 1}', "1"),)


@pytest.mark.parametrize(
    ("body", "kind", "error", "words"),
    [
        ("say(text=1)", "malformed", BadReplyError, "lacks `answer`"),
        ("say(answer=' ')", "empty", BadReplyError, "empty answer"),
        ("say(answer='a', contexts=[1])", "malformed", BadReplyError, "`contexts` that are no texts"),
        ("say(answer='a', tool_calls=[{}])", "malformed", BadReplyError, "`tool_calls` that are no list"),
        ("say(error='no\\x1b[31m luck')", "failed", BadReplyError, r"failed: no \[31m luck"),
        ("say(error={'code': 1}, retry=True)", "server", TransientError, "failed: .*code"),
        ("print(json.dumps({'answer': 'a'}), flush=True)", "malformed", BadReplyError, "without `call`"),
        ("sys.exit(print('why', file=sys.stderr) or 4)", "died", BadReplyError, "exit code 4: why"),
        ("sys.exit(75)", "server", TransientError, "exit code 75"),
        ("sys.exit(78)", "setup", SetupError, "exit code 78"),
        ("os.close(1); time.sleep(300)", "died", BadReplyError, "exit code None"),
        ("print('x' * 5_000_000, end='', flush=True); time.sleep(300)", "too_long", BadReplyError, "over 4 MiB"),
    ],
)
def test_what_cannot_be_used_is_a_fault_of_one_question(
    worker: Callable[..., Worker], body: str, kind: str, error: type[ProviderError], words: str
) -> None:
    one = worker(f"if question == 'bad':\n    {body}\nelse:\n    say(answer='fine')")
    with pytest.raises(error, match=words) as caught:
        one.complete(ask("bad"))
    assert caught.value.kind == kind
    assert caught.value.message.isprintable()
    assert one.complete(ask("good")).text == "fine"


def test_an_answer_to_another_question_is_not_taken(worker: Callable[..., Worker]) -> None:
    one = worker("say(answer='first'); say(answer='second to ' + question)")
    assert [one.complete(ask(question)).text for question in "abc"] == ["first"] * 3


def test_a_last_line_needs_no_end_and_who_ends_after_each_answer_is_started_again(
    worker: Callable[..., Worker],
) -> None:
    one = worker("sys.stdout.write(json.dumps({'call': asked['call'], 'answer': str(os.getpid())})); sys.exit()")
    pids = {one.complete(ask(question)).text for question in "ab"}
    assert len(pids) == 2


def test_one_that_dies_is_asked_once_more_in_a_new_process(
    worker: Callable[..., Worker], calls: Calls, tmp_path: Path
) -> None:
    one = worker(
        "with open('asked', 'a') as file: file.write(question + ' ')\n"
        "if question == 'bad' or (question == 'once' and open('asked').read().count('once') == 1):\n    os._exit(1)\n"
        "say(answer=question)"
    )
    chained = Chain(Budget(Limits()), calls, patience=Patience(first=0.0)).around(one)
    assert chained.complete(ask("once")).text == "once"
    with pytest.raises(BadReplyError, match="exit code 1"):
        chained.complete(ask("bad"))
    assert chained.complete(ask("good")).text == "good"
    assert (tmp_path / "asked").read_text().split() == ["once", "once", "bad", "bad", "good"]


def test_no_more_processes_than_were_asked_for(worker: Callable[..., Worker], calls: Calls) -> None:
    one = worker("say(answer=str(os.getpid()))", parallel=2)
    chained = Chain(Budget(Limits()), calls).around(one)
    with ThreadPoolExecutor(8) as threads:
        pids = {reply.text for reply in threads.map(chained.complete, [ask(f"q{n}") for n in range(24)])}
    assert 1 <= len(pids) <= 2


def test_close_ends_what_runs_and_nothing_runs_after_it(worker: Callable[..., Worker], pulse: Pulse) -> None:
    one = worker("held = open('pulse', 'w'); held.write('on'); held.flush(); time.sleep(300)")
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(one.complete, ask("q"))
        pulse.wait()
        one.close()
        assert str(asked.exception(20)) == "the worker ended with exit code -9"
    assert pulse.rest() == b""
    with pytest.raises(BadReplyError, match="exit code -9"):
        one.complete(ask("q"))


def test_a_function_is_imported_once_and_its_prints_are_no_answers(python: Callable[..., Worker]) -> None:
    one = python()
    first, second = one.complete(ask("a")), one.complete(ask("b"))
    assert [first.text.split()[0], second.text.split()[0]] == ["1", "2"]
    assert first.text.split()[1] == second.text.split()[1] != str(os.getpid())
    assert (first.contexts, first.usage, first.model) == (("Five seconds.",), Usage(3, 2), "mine:answer")


def test_parameters_have_the_parts_of_a_question_by_their_names(python: Callable[..., Worker]) -> None:
    one = python("mine:slowly")
    assert one.complete(ask("q", repeat=2, contexts=("c",))).text == "1 user ['c'] 2 1"
    assert one.complete(ask("q")).text == "1 user [] 0 1"
    assert python("mine:app.reply").complete(ask("loud")).text == "LOUD"


@pytest.mark.parametrize(
    ("question", "kind", "words"),
    [
        ("crash", "died", "exit code 9"),
        ("leave", "died", "exit code 3"),
        ("raise", "failed", "ValueError: no such thing"),
        ("later", "server", "ConnectionError: busy"),
    ],
)
def test_a_function_that_fails_costs_one_question(
    python: Callable[..., Worker], question: str, kind: str, words: str
) -> None:
    one = python()
    with pytest.raises(ProviderError, match=words) as caught:
        one.complete(ask(question))
    assert caught.value.kind == kind
    assert one.complete(ask("fine")).contexts == ("Five seconds.",)


def test_a_hang_is_told_as_one(python: Callable[..., Worker], worker: Callable[..., Worker]) -> None:
    for one, words in ((python(timeout=0.5), "function"), (worker("print('busy', flush=True)", 0.5), "worker")):
        with pytest.raises(TransientError, match=rf"the {words} gave no answer within 0\.5 s") as caught:
            one.complete(ask("hang"))
        assert caught.value.kind == "timeout"


def test_a_process_that_hangs_is_killed(worker: Callable[..., Worker], pulse: Pulse) -> None:
    one = worker("held = open('pulse', 'w'); held.write('on'); held.flush(); time.sleep(300)", timeout=2.0)
    with pytest.raises(TransientError):
        one.complete(ask("hang"))
    assert pulse.rest() == b"on"  # nobody holds it open any more


def test_what_cannot_be_written_as_json_is_told(python: Callable[..., Worker]) -> None:
    with pytest.raises(BadReplyError, match="not JSON serializable"):
        python("mine:odd").complete(ask("q"))


@pytest.mark.parametrize(
    ("function", "words"), [("none:answer", "No module"), ("mine:none", "no attribute"), ("mine:seen", "no function")]
)
def test_a_function_that_is_not_there_ends_the_run(python: Callable[..., Worker], function: str, words: str) -> None:
    with pytest.raises(SetupError, match=f"exit code 78: model.function: {function} cannot be used: .*{words}"):
        python(function).complete(ask("q"))


def test_a_program_that_is_not_there_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="not found"):
        Worker("command", program_of(["./none"], tmp_path), LONG).complete(ask("q"))


def test_another_function_or_another_file_is_another_model(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("one")
    known = {python_program(name, (), tmp_path).identity for name in ("mine:a", "mine:b", "mine:a")}
    (tmp_path / "mine.py").write_text("two")
    assert len(known | {python_program("mine:a", (), tmp_path).identity}) == 3


def test_the_runner_needs_no_gate(tmp_path: Path) -> None:
    """It may be run by the Python of the application, in which the gate is not installed."""
    (tmp_path / "openai.py").write_text("def answer(question): return 'my own openai'")
    program = python_program("openai:answer", (sys.executable, "-I", "-S"), tmp_path)
    one = Worker("python", program, LONG)
    assert one.complete(ask("q")).text == "my own openai"
    one.close()
    assert "gate" not in json.dumps(program.argv[-1])
