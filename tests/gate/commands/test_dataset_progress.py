"""Progress of calls."""

import io

from gate.commands.dataset_progress import SECONDS, counting


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_line_now_and_then():
    now = [0.0]
    stream = io.StringIO()
    with counting(4, "calls", stream, lambda: now[0]) as done:
        for _ in range(4):
            now[0] += 0.6 * SECONDS
            done()
    assert stream.getvalue() == "2 of 4 calls, about 12 s left\n"


def test_a_bar_on_a_terminal():
    stream = Terminal()
    with counting(2, "calls", stream) as done:
        done()
        done()
    assert "calls" in stream.getvalue()
