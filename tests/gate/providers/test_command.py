"""The command provider against real programs, well-behaved and not; what it is known by; how one run of one ends."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gate.config import DEFAULT_PATH
from gate.errors import BadReplyError, ProviderError, SetupError, TransientError
from gate.providers.base import Message, Request
from gate.providers.command import MAX_OUTPUT_BYTES, Command, Ended, Processes, revision
from gate.records import Usage
from tests.support.pulse import Pulse

LONG = 60.0  # seconds: no run here may need it
REQUEST = Request(
    (Message("system", "be brief"), Message("user", "How long\u2028is it?")),
    repeat=2,
    prompt_id="p1",
    question="How long is it?",
    contexts=("c1",),
)


def program(folder: Path, body: str) -> Command:
    (folder / "app.py").write_text(f"import json, os, subprocess, sys, time\n{body}\n")
    return Command([sys.executable, "-S", "-E", "app.py"], folder, LONG)


def script(folder: Path, body: str, timeout: float = LONG) -> Command:
    (folder / "app.sh").write_text(f"#!/bin/sh\n{body}\n")
    (folder / "app.sh").chmod(0o755)
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


def test_text_is_the_answer_and_json_may_tell_more_behind_a_byte_order_mark(tmp_path: Path) -> None:
    reply = script(tmp_path, "cat > /dev/null; echo '  Five seconds: {not json}.  '").complete(REQUEST)
    assert (reply.text, reply.usage.estimated, reply.model) == ("Five seconds: {not json}.", True, "./app.sh")
    said = {"text": "yes", "input_tokens": 7, "output_tokens": 1, "model": "m2", "stop": "length", "more": []}
    reply = script(tmp_path, f"printf '\\357\\273\\277'; echo '{json.dumps(said)}'").complete(REQUEST)
    assert (reply.text, reply.usage, reply.model, reply.stop) == ("yes", Usage(7, 1), "m2", "length")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('echo \'{"answer": "cut o\'', "malformed"),
        ("echo '{\"result\": 1}'", "malformed"),
        ('echo \'{"answer": "Sorry.", "error": "no luck"}\'', "failed"),
        ('echo \'{"answer": "a", "stop": "maybe"}\'', "malformed"),
        (f'echo \'{{"answer": "a", "input_tokens": 1{"0" * 400}}}\'', "malformed"),
        ('echo \'{"answer": " "}\'', "empty"),
        ("printf '\\377\\376'", "malformed"),
        ("kill -9 $$", "exit"),
    ],
)
def test_what_cannot_be_used_is_a_fault_of_one_prompt(tmp_path: Path, body: str, kind: str) -> None:
    with pytest.raises(ProviderError) as caught:
        script(tmp_path, body).complete(REQUEST)
    assert caught.value.kind == kind
    assert not isinstance(caught.value, SetupError | TransientError)


def test_stderr_is_told_without_its_escapes_and_exit_code_75_asks_to_try_again(tmp_path: Path) -> None:
    with pytest.raises(BadReplyError) as caught:
        script(tmp_path, "printf 'first\\n\\033[31mboom\\033[0m\\n::error::x\\n' >&2; exit 1").complete(REQUEST)
    assert "exit code 1: first [31mboom [0m ::error::x" in caught.value.message
    assert caught.value.message.isprintable()
    with pytest.raises(TransientError, match="exit code 75"):
        script(tmp_path, "exit 75").complete(REQUEST)


def test_a_program_that_is_not_there_or_cannot_run_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    for argv, told in ((["./none"], "not found"), (["./plain"], "Permission denied"), (["a\0b"], "null byte")):
        with pytest.raises(SetupError, match=told):
            Command(argv, tmp_path).complete(REQUEST)


def test_a_hang_is_told_as_one(tmp_path: Path) -> None:
    with pytest.raises(TransientError, match=r"within 0\.2 s") as caught:
        script(tmp_path, "sleep 300", timeout=0.2).complete(REQUEST)
    assert caught.value.kind == "timeout"


def test_output_has_a_bound(tmp_path: Path) -> None:
    with pytest.raises(BadReplyError, match="more than 4 MiB"):
        program(tmp_path, "while True: sys.stdout.write('x' * 65536)").complete(REQUEST)
    noise = f"sys.stderr.write('e' * {MAX_OUTPUT_BYTES * 3}); print('fine')"
    assert program(tmp_path, noise).complete(REQUEST).text == "fine"


def test_another_program_is_another_model(tmp_path: Path) -> None:
    first = script(tmp_path, "echo 1").identity
    assert script(tmp_path, "echo 1").identity == first
    assert script(tmp_path, "echo 2").identity != first
    assert Command(["./app.sh", "a word too long for a name" * 1000], tmp_path).identity != first
    assert Command(["./app.sh"], tmp_path, version="v2").identity not in (first, script(tmp_path, "echo 2").identity)


def git(folder: Path, *words: str) -> None:
    told = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *told, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("committed", [False, True])
def test_a_module_that_the_script_loads_makes_another_program(tmp_path: Path, committed: bool) -> None:
    """The command names only the script: answers of the old code would be taken for those of the new."""
    git(tmp_path, "init", "-q")
    assert revision(tmp_path) == ""
    known = []
    for words in ("one", "two", "one"):
        (tmp_path / "app.py").write_text(f"print({words!r})\n")
        identity = script(tmp_path, "exec python3 -m app").identity
        if committed or not known:
            git(tmp_path, "add", ".")
            git(tmp_path, "commit", "-qm", words)
            identity = script(tmp_path, "exec python3 -m app").identity
        known.append(identity)
    assert known[0] == known[2] != known[1]


def test_what_git_does_not_know_and_a_raised_limit_are_no_part_of_a_revision(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("print('one')\n")
    (tmp_path / DEFAULT_PATH).write_text("limits: {max_calls: 10}")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    before = revision(tmp_path)
    git(tmp_path, "commit", "-qm", "again", "--allow-empty")
    (tmp_path / "verdict.json").write_text("{}")
    (tmp_path / DEFAULT_PATH).write_text("limits: {max_calls: 20}")
    assert revision(tmp_path) == before != ""
    assert revision(tmp_path / "missing") == ""


def run(body: str, where: Path, given: bytes = b"", seconds: float = LONG, limit: int = 100_000) -> Ended:
    return Processes().run(["sh", "-c", body], given, where, seconds, limit)


@pytest.mark.parametrize(
    ("body", "given", "expected"),
    [
        ("cat", b"\x00\xff\r\n\x80", Ended(0, b"\x00\xff\r\n\x80", b"")),
        ("echo moist; echo dry >&2; exit 7", b"", Ended(7, b"moist\n", b"dry\n")),
        ("kill -TERM $$", b"", Ended(-15, b"", b"")),
        ("echo deaf", b"x" * 3_000_000, Ended(0, b"deaf\n", b"")),
        ("printf '%s' '`id`$HOME'", b"", Ended(0, b"`id`$HOME", b"")),
    ],
)
def test_how_a_program_ends(body: str, given: bytes, expected: Ended, tmp_path: Path) -> None:
    assert run(body, tmp_path, given) == expected


def test_time_over_kills_the_children_too(tmp_path: Path, pulse: Pulse) -> None:
    body = "trap '' TERM INT HUP; (exec 3>pulse; echo on >&3; exec sleep 50 >&- 2>&-) & exec >&- 2>&-; sleep 50"
    ended = run(body, tmp_path, seconds=1.0)
    assert (ended.code, ended.reason) == (None, "timeout")
    assert pulse.rest() == b"on\n"


def test_a_child_left_behind_holds_nobody_up(tmp_path: Path, pulse: Pulse) -> None:
    assert run("exec 3>pulse; echo on >&3; sleep 50 & echo done", tmp_path) == Ended(0, b"done\n", b"")
    assert pulse.rest() == b"on\n"


def test_close_ends_what_runs_and_nothing_runs_after_it(tmp_path: Path, pulse: Pulse) -> None:
    programs, results = Processes(), []
    command = ["sh", "-c", "exec 3>pulse; echo on >&3; sleep 50"]
    runner = threading.Thread(target=lambda: results.append(programs.run(command, b"", tmp_path, LONG, 100)))
    runner.start()
    pulse.wait()
    programs.close()
    runner.join(20)
    assert results == [Ended(-9, b"", b"")]
    assert pulse.rest() == b""
    assert programs.run(["sleep", "50"], b"", tmp_path, LONG, 100).code == -9
