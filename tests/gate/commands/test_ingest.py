"""`gate ingest`: what is told, what is written, and the codes of faults."""

import io
from contextlib import ExitStack, closing

import pytest

from gate.cli import main
from gate.commands.ingest import Shown
from gate.providers.local_embedder import LocalEmbedder
from gate.store.embedded import open_for_reading
from ingest.base import Unread
from tests.support.project import configure, write


@pytest.fixture(autouse=True)
def _project(folder):
    write("docs/a.md", "# Tank\n\nThe tank holds nine litres.\n")


def test_documents_are_indexed_once_and_told(folder, capsys):
    assert main(["ingest", "docs"]) == 0
    first = capsys.readouterr()
    assert (folder / ".gate" / "index.sqlite").is_file()
    assert main(["ingest", "docs"]) == 0
    second = capsys.readouterr()
    assert first.out.strip()
    assert first.out != second.out  # nothing is new any more


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_indexed(folder, capsys):
    (folder / "docs" / "broken.pdf").write_bytes(b"%PDF-1.4 nonsense")
    assert main(["ingest", "docs"]) == 3
    told = capsys.readouterr()
    assert "broken.pdf" in told.out + told.err
    assert (folder / ".gate" / "index.sqlite").is_file()


@pytest.mark.parametrize("arguments", [[], ["-c", "missing.yaml"], ["missing"], ["s3://"]])
def test_nothing_to_read_is_wrong_use(capsys, arguments):
    assert main(["ingest", *arguments]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_files_of_other_kinds_are_one_line_of_the_summary_and_no_fault(folder, capsys):
    (folder / "docs" / "sub").mkdir()
    for name in ("b.odt", "sub/c.PNG", "d.png", "Makefile", "e.json"):
        (folder / "docs" / name).write_text("text")
    assert main(["ingest", "docs"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.split("\n")[1].startswith(
        "5 files of other kinds not read: .png 2, .json 1, .odt 1, no suffix 1 (documents are .txt"
    )
    assert main(["ingest", "docs/a.md"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_tags_and_globs_of_the_configuration_reach_the_index(folder):
    (folder / "docs" / "b.md").write_text("Left out.")
    for tag in ("tank", "other tank"):  # an unchanged file gets its new tag
        configure("gate.yaml", doc_sources=[{"path": "docs", "exclude": ["b.md"], "tags": [tag]}])
        assert main(["ingest", "-c", "gate.yaml"]) == 0
        with closing(open_for_reading(folder / ".gate" / "index.sqlite", LocalEmbedder())) as store:
            assert {(chunk.source, chunk.tags) for chunk in store.chunks()} == {("docs/a.md", (tag,))}
            assert store.search(["litres"], 1)[0][0].tags == (tag,)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_what_is_shown_names_faults_and_no_name_writes_a_line_or_an_escape_of_its_own(stream):
    with ExitStack() as shown:
        report = Shown(shown, stream)
        report.unread(Unread("loop", "is a link to itself", "remove it"))
        report.begin(3)
        for _ in range(3):
            report.done()
        report.unread(Unread("\x1b[2J\n::error::x\r\u202e [red]x[/red].md", "is empty"))
    told = stream.getvalue()
    assert "warning: loop: is a link to itself (remove it)\n" in told
    assert "::error::x�� [red]x[/red].md: is empty\n" in told
    assert not any(mark in told for mark in ("\x1b[2J", "\n::error", "\u202e"))
    assert ("3/3" in told) == stream.isatty()
