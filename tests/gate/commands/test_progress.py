"""What a run shows of its progress: every agent has words, and who does not watch is not written to."""

import contextlib
import io
import re

from gate.commands import progress
from gate.commands.progress import WORDS, watching
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
    assert capsys.readouterr() == ("", "")


def test_a_terminal_sees_something_on_stderr_and_gets_its_cursor_back(monkeypatch, capsys):
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    with contextlib.redirect_stderr(terminal), watching() as watch:
        watch("run_model")
    assert WORDS["run_model"] in terminal.getvalue()
    assert terminal.getvalue().rfind("\x1b[?25h") > terminal.getvalue().rfind("\x1b[?25l") >= 0
    assert capsys.readouterr().out == ""


def test_what_takes_long_is_told_in_lines_where_nobody_watches(monkeypatch, capsys):
    with watching() as watch, watch.counting(3, "answers") as done:
        done()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    with watching() as watch, watch.counting(3, "answers") as done:
        done()
        done()
        done()
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 2)
    assert err.startswith("1 of 3 answers, about ")


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
    assert "1/2" in shown
    assert shown.index("2/3") < shown.rindex("judging claims")
    assert not re.search("\x1b\\[[0-9;]*3[0-9]m", shown)
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l") >= 0
    assert capsys.readouterr().out == ""
