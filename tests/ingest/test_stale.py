"""Documents that changed since they were indexed are named; what cannot be known is not guessed."""

from pathlib import Path

import pytest

from gate.store.embedded import open_for_writing
from ingest.index import ingest
from ingest.sources import open_sources
from ingest.stale import stale, told
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


def test_nothing_is_stale_after_an_ingest(index, tmp_path):
    assert stale(index, tmp_path) == []


def test_a_changed_file_and_one_that_is_gone_are_named(index, tmp_path):
    (tmp_path / "a.md").write_text("# a.md\n\nThe pump is red.\n")
    (tmp_path / "c.md").unlink()
    (tmp_path / "new.md").write_text("The lid is blue.\n")
    assert stale(index, tmp_path) == ["a.md", "c.md"]


def test_what_a_bucket_holds_now_is_not_known(index, tmp_path):
    index.replace("s3://bucket/a.md", "1-x", [])
    assert stale(index, tmp_path) == []


def test_an_index_on_a_server_may_hold_the_documents_of_others():
    assert stale(object(), Path()) == []


def test_the_line_names_three():
    assert told(["a.md"]) == "a.md changed since it was indexed"
    assert told([f"{n}.md" for n in range(5)]) == "0.md, 1.md, 2.md and 2 more changed since they were indexed"
