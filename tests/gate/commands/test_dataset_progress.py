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


def test_nothing_is_said_of_what_is_soon_done_or_given_up():
    now = [0.0]
    stream = io.StringIO()
    with counting(9, "answers", stream, lambda: now[0], seconds=30.0) as done:
        for now[0] in (5.0, 20.0, 29.9):
            done()
        assert stream.getvalue() == ""
        now[0] = 40.0
        done()
    assert stream.getvalue() == "4 of 9 answers, about 50 s left\n"
    now[0] = 400.0
    done()
    assert stream.getvalue().count("\n") == 1


def test_a_stream_that_has_gone_ends_nothing():
    stream = io.StringIO()
    with counting(9, "answers", stream, lambda: 0.0, seconds=-1.0) as done:
        stream.close()
        done()
