"""What a run shows of its progress: every agent has words, and who does not watch is not written to."""

import contextlib
import io

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
