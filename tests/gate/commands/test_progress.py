"""What a command shows of its progress: every agent has words, and who does not watch is not written to."""

import contextlib
import io
import re

import pytest

from gate.commands import progress
from gate.commands.progress import SECONDS, WORDS, counting, left, watching
from gate.pipeline import AGENTS


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_every_agent_has_words_of_its_own():
    assert list(WORDS) == [agent.__name__ for agent in AGENTS]
    assert len(set(WORDS.values())) == len(WORDS)


def test_nothing_is_written_where_nobody_watches(capsys):
    with watching() as watch:
        for name in (*WORDS, "\x1b[31m"):
            watch(name)
        with watch.counting(3, "answers") as done:
            done()
    assert capsys.readouterr() == ("", "")


def test_what_takes_long_is_told_in_lines_where_nobody_watches(monkeypatch, capsys):
    monkeypatch.setattr(progress, "QUIET", 0.0)
    with watching() as watch, watch.counting(3, "answers") as done:
        for _ in range(3):
            done()
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 2)
    assert err.startswith("1 of 3 answers, about ")


def test_what_is_done_together_counts_together():
    stream, ticks = io.StringIO(), iter([0.0, 20.0])
    with counting(100, "documents", stream, lambda: next(ticks)) as done:
        done(40)
    assert stream.getvalue() == "40 of 100 documents, about 30 s left\n"


def test_a_terminal_sees_how_many_are_done_and_then_the_next_stage(monkeypatch, capsys):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal()
    with contextlib.redirect_stderr(terminal), watching() as watch:
        watch("run_model")
        with watch.counting(3, "answers") as done:
            done()
            done()
        watch("verify_claims")
        with watch.counting(2, "answers judged") as done:
            done()
    shown = terminal.getvalue()
    assert "2/3" in shown
    assert "left" in shown
    assert shown.index("2/3") < shown.rindex("judging claims")
    assert not re.search("\x1b\\[[0-9;]*3[0-9]m", shown)
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l") >= 0, "the cursor comes back"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("done", "told"),
    [(0, ""), (256, "about 0:02:54 left"), (1, "about 16:39:00 left")],
)
def test_the_remaining_time_goes_by_the_mean_pace(done, told):
    assert left(60.0, done, 1000) == told


def test_lines_come_now_and_then_and_none_once_it_was_given_up():
    now = [0.0]
    stream = io.StringIO()
    with counting(9, "calls", stream, lambda: now[0]) as done:
        for now[0] in (0.1 * SECONDS, 0.9 * SECONDS, 1.2 * SECONDS, 1.3 * SECONDS):
            done()
    assert stream.getvalue() == "3 of 9 calls, about 24 s left\n"
    now[0] = 9 * SECONDS
    done()
    assert stream.getvalue().count("\n") == 1


def test_a_stream_that_has_gone_ends_nothing():
    stream = io.StringIO()
    with counting(9, "answers", stream, lambda: 0.0, seconds=-1.0) as done:
        stream.close()
        done()
