"""What is shown while documents are indexed."""

import io
from itertools import count

from gate.store.base import Change
from ingest.base import Unread, printable
from ingest.progress import SECONDS, Lines, reporter


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_lines_come_now_and_then_and_for_every_fault() -> None:
    stream = io.StringIO()
    ticks = count(0, SECONDS / 4)
    lines = Lines(stream, clock=lambda: next(ticks))
    lines.begin(10)
    for at in range(10):
        lines.done(f"{at}.md", Change(added=100))
    lines.unread(Unread("x.md", "is empty", "write it"))
    shown = stream.getvalue().splitlines()
    assert shown[-1] == "warning: x.md: is empty (write it)"
    assert shown[0] == "ingest: 4 of 10 documents, 400 chunks"
    assert len(shown) < 6


def test_a_terminal_gets_a_bar_and_the_faults_above_it() -> None:
    stream = Terminal()
    with reporter(stream) as report:
        report.unread(Unread("loop", "is a link to itself"))
        report.begin(3)
        report.done("a.md", Change(added=1200))
        report.unread(Unread("b [red]x[/red].md", "is empty"))
    shown = stream.getvalue()
    assert "warning: loop: is a link to itself" in shown
    assert "b [red]x[/red].md: is empty" in shown
    assert "2/3" in shown
    assert "1,200 chunks" in shown


def test_a_hostile_name_writes_no_line_and_no_escape_of_its_own() -> None:
    for stream in (io.StringIO(), Terminal()):
        with reporter(stream) as report:
            report.unread(Unread("\x1b[2J\n::error::x\r\u202e.md", "is empty"))
        assert "\x1b[2J" not in stream.getvalue()
        assert "\n::error" not in stream.getvalue()
        assert "\u202e" not in stream.getvalue()
    assert printable("größe 日本.md") == "größe 日本.md"
