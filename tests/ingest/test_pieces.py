"""Chunks without an index."""

import pytest

from gate.errors import SourceError
from ingest.pieces import pieces
from ingest.sources import open_sources


def test_each_document_once_and_what_cannot_be_read_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nThe pump runs.\n")
    (tmp_path / "docs" / "b.md").write_text("")
    unread = []
    found = pieces(open_sources(["docs", "docs/a.md"]), unread.append)
    assert [(chunk.source, chunk.text) for chunk in found] == [("docs/a.md", "# A\n\nThe pump runs.")]
    assert [str(fault) for fault in unread] == ["docs/b.md: is empty (delete it or write it)"]


@pytest.mark.parametrize("name", ["docs", "none"])
def test_without_documents_there_is_nothing(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    with pytest.raises(SourceError):
        pieces(open_sources([name]), lambda fault: None)
