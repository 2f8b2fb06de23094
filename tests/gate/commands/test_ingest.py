"""`gate ingest`: what is told, what is written, and the codes of faults."""

import pytest

from gate.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Tank\n\nThe tank holds nine litres.\n")
    return tmp_path


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


def test_prose_in_a_format_that_is_not_read_is_named_and_is_no_fault(folder, capsys):
    (folder / "docs" / "sub").mkdir()
    for name in ("b.DOCX", "sub/c.adoc", "d.png", "e.csv", "f.odt", "g.rtf"):
        (folder / "docs" / name).write_text("text")
    assert main(["ingest", "docs"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("warning: docs/b.DOCX, docs/f.odt, docs/g.rtf and 1 more are not in the index (")
    assert told.count("\n") == 1
    assert main(["ingest", "docs/a.md"]) == 0
    assert capsys.readouterr().err == ""
