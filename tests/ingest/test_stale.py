"""Documents that changed since they were indexed are named; what cannot be known is not guessed."""

import pytest

from gate.store.embedded import open_for_writing
from ingest.index import ingest
from ingest.sources import open_sources
from ingest.stale import READ, describe_stale, missing, stale
from tests.support.words_embedder import WordsEmbedder


class Silent:
    def begin(self, documents):
        pass

    def done(self, source, change):
        pass

    def unread(self, unread):
        pass


@pytest.fixture
def index(tmp_path):
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text(f"# {name}\n\nThe pump is green.\n")
    store = open_for_writing(tmp_path / "index.sqlite", WordsEmbedder())
    ingest(open_sources(["."], tmp_path), store, Silent())
    yield store
    store.close()


def test_a_changed_file_and_one_that_is_gone_are_named(index, tmp_path):
    (tmp_path / "a.md").write_text("# a.md\n\nThe pump is red.\n")
    (tmp_path / "c.md").unlink()
    (tmp_path / "new.md").write_text("The lid is blue.\n")
    assert stale(index, tmp_path) == ["a.md", "c.md"]


def test_a_new_file_is_named_where_it_can_be_read(index, tmp_path):
    (tmp_path / "new.md").write_text("The lid is blue.\n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 no more")
    (tmp_path / "notes.xyz").write_text("no document\n")
    assert missing(index, ["."], tmp_path) == ["new.md"]
    assert missing(index, ["a.md", "elsewhere", "s3://bucket/docs"], tmp_path) == []


def test_of_many_new_files_the_first_are_looked_into(index, tmp_path):
    for number in range(READ + 2):
        (tmp_path / f"n{number:03}.pdf").write_bytes(b"%PDF-1.4 no more")
    assert missing(index, ["."], tmp_path) == [f"n{READ:03}.pdf", f"n{READ + 1:03}.pdf"]


def test_the_line_tells_both_and_names_three_of_each(index, tmp_path):
    assert describe_stale(index, ["."], tmp_path) == ""
    (tmp_path / "a.md").write_text("# a.md\n\nThe pump is red.\n")
    assert describe_stale(index, ["."], tmp_path) == "a.md changed since it was indexed"
    for number in range(5):
        (tmp_path / f"d{number}.md").write_text("The lid is blue.\n")
    (tmp_path / "b.md").unlink()
    changed = "a.md, b.md changed since they were indexed"
    assert describe_stale(index, ["."], tmp_path) == f"{changed}; d0.md, d1.md, d2.md and 2 more are not in the index"
