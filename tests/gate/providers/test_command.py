"""The command provider against real programs, well-behaved and not."""

import json
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.command import MAX_OUTPUT_BYTES, Command
from gate.records import Usage

REQUEST = Request(
    (Message("system", "be brief"), Message("user", "How long\u2028is it?")),
    repeat=2,
    prompt_id="p1",
    question="How long is it?",
    contexts=("c1",),
)


def program(folder: Path, body: str, timeout: float = 20.0) -> Command:
    path = folder / "app.py"
    path.write_text(f"import json, os, subprocess, sys, time\n{body}\n")
    return Command([sys.executable, "-S", "-E", "app.py"], folder, timeout)


def shell(folder: Path, body: str, timeout: float = 20.0) -> Command:
    path = folder / "app.sh"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Command(["./app.sh"], folder, timeout)


def test_the_prompt_arrives_as_one_json_object(tmp_path: Path) -> None:
    reply = program(tmp_path, "print(json.dumps({'answer': sys.stdin.read()}))").complete(REQUEST)
    assert json.loads(reply.text) == {
        "id": "p1",
        "question": "How long is it?",
        "repeat": 2,
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "How long\u2028is it?"}],
        "contexts": ["c1"],
    }


def test_plain_text_is_the_answer(tmp_path: Path) -> None:
    reply = shell(tmp_path, "cat > /dev/null; echo '  Five seconds: {not json}.  '").complete(REQUEST)
    assert reply.text == "Five seconds: {not json}."
    assert reply.usage.estimated
    assert reply.model == "./app.sh"
    assert reply.latency_ms is not None


def test_json_may_tell_tokens_model_and_stop(tmp_path: Path) -> None:
    said = {"text": "yes", "input_tokens": 7, "output_tokens": 1, "model": "m2", "stop": "length", "more": []}
    reply = shell(tmp_path, f"echo '{json.dumps(said)}'").complete(REQUEST)
    assert (reply.text, reply.usage, reply.model, reply.stop) == ("yes", Usage(7, 1), "m2", "length")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('echo \'{"answer": "cut o\'', "malformed"),
        ("echo '{\"result\": 1}'", "malformed"),
        ("echo '{\"answer\": 5}'", "malformed"),
        ('echo \'{"answer": "a", "stop": "maybe"}\'', "malformed"),
        ('echo \'{"answer": "a", "input_tokens": -1}\'', "malformed"),
        (f'echo \'{{"answer": "a", "input_tokens": 1{"0" * 400}}}\'', "malformed"),
        ('echo \'{"answer": " "}\'', "empty"),
        ("true", "empty"),
        ("printf '\\377\\376'", "malformed"),
        ("echo partial; exit 3", "exit"),
        ("kill -9 $$", "exit"),
    ],
)
def test_what_cannot_be_used_is_a_fault_of_one_prompt(tmp_path: Path, body: str, kind: str) -> None:
    with pytest.raises(ProviderError) as caught:
        shell(tmp_path, body).complete(REQUEST)
    assert caught.value.kind == kind
    assert not isinstance(caught.value, SetupError | TransientError)


def test_a_byte_order_mark_before_the_output_does_no_harm(tmp_path: Path) -> None:
    written = '\ufeff{"answer": "5 s", "stop": "length"}\r\n'.encode()
    body = f"sys.stdout.buffer.write({written!r})"
    reply = program(tmp_path, body).complete(REQUEST)
    assert (reply.text, reply.stop) == ("5 s", "length")


def test_stderr_is_told_without_its_escapes(tmp_path: Path) -> None:
    with pytest.raises(BadReplyError) as caught:
        shell(tmp_path, "printf 'first\\n\\033[31mboom\\033[0m\\n::error::x\\n' >&2; exit 1").complete(REQUEST)
    assert "exit code 1: first [31mboom [0m ::error::x" in caught.value.message
    assert caught.value.message.isprintable()


def test_exit_code_75_asks_to_try_again(tmp_path: Path) -> None:
    with pytest.raises(TransientError, match="exit code 75"):
        shell(tmp_path, "exit 75").complete(REQUEST)


def test_a_program_that_is_not_there_or_cannot_run_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="not found"):
        Command(["./none"], tmp_path).complete(REQUEST)
    (tmp_path / "plain").write_text("x")
    with pytest.raises(SetupError, match="cannot be started: Permission denied") as caught:
        Command(["./plain"], tmp_path).complete(REQUEST)
    assert "chmod" in caught.value.hint
    with pytest.raises(SetupError, match="null byte"):
        Command(["a\0b"], tmp_path).complete(REQUEST)


def test_nothing_goes_through_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "show.sh"
    path.write_text('#!/bin/sh\necho "$1"\n')
    path.chmod(0o755)
    assert Command(["./show.sh", "$(touch x); `id`"], tmp_path).complete(REQUEST).text == "$(touch x); `id`"
    assert not (tmp_path / "x").exists()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")  # a dead child that nobody has reaped is not alive
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def gone(path: Path) -> bool:
    """Whether the process whose id is in `path` ends soon (its new parent may take a moment to reap it)."""
    pid = int(path.read_text())
    for _ in range(200):
        if not alive(pid):
            return True
        time.sleep(0.01)
    return False


def test_a_hang_ends_in_time_with_its_children(tmp_path: Path) -> None:
    command = shell(tmp_path, "sleep 300 & echo $! > child; wait", timeout=1.0)
    with pytest.raises(TransientError, match="within 1 s") as caught:
        command.complete(REQUEST)
    assert caught.value.kind == "timeout"
    assert gone(tmp_path / "child")


def test_an_answer_counts_though_a_child_keeps_the_pipe_open(tmp_path: Path) -> None:
    assert shell(tmp_path, "sleep 300 & echo $! > child; echo done").complete(REQUEST).text == "done"
    assert gone(tmp_path / "child")


def test_output_has_a_bound(tmp_path: Path) -> None:
    with pytest.raises(BadReplyError, match="more than 4 MiB"):
        program(tmp_path, "while True: sys.stdout.write('x' * 65536)").complete(REQUEST)
    noise = f"sys.stderr.write('e' * {MAX_OUTPUT_BYTES * 3}); print('fine')"
    assert program(tmp_path, noise).complete(REQUEST).text == "fine"


def test_a_large_prompt_to_a_program_that_reads_nothing(tmp_path: Path) -> None:
    huge = Request((Message("user", "x" * 2_000_000),))
    assert shell(tmp_path, "echo ok").complete(huge).text == "ok"


def test_another_program_is_another_model(tmp_path: Path) -> None:
    first = shell(tmp_path, "echo 1").identity
    assert shell(tmp_path, "echo 1").identity == first
    assert shell(tmp_path, "echo 2").identity != first
    assert Command(["./app.sh"], tmp_path, version="v2").identity not in (first, shell(tmp_path, "echo 2").identity)


def test_close_ends_what_runs(tmp_path: Path) -> None:
    import threading

    command = shell(tmp_path, "echo $$ > self; sleep 300")
    faults: list[Exception] = []

    def ask() -> None:
        try:
            command.complete(REQUEST)
        except ProviderError as error:
            faults.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not (tmp_path / "self").exists() or not (tmp_path / "self").read_text().strip():
        time.sleep(0.005)
    command.close()
    thread.join(10)
    assert faults
    assert gone(tmp_path / "self")
