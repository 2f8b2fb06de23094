"""Ingest: what is added, replaced, removed; faults that stop nothing; a repeat that costs nothing."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gate.errors import SourceError, StoreError
from gate.records import Chunk, Evidence
from gate.store.base import Change
from ingest.base import Document, Unread
from ingest.index import TOGETHER, Summary, ingest, load_chunks
from ingest.sources import open_sources


@dataclass
class MemoryIndex:
    """An index that keeps chunks by document; `broken` names one whose transaction fails."""

    content: dict[str, tuple[str, list[Chunk]]] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)
    embedded: list[int] = field(default_factory=list)
    broken: str = ""
    begun: int = 0
    finished: int = 0

    def digests(self) -> dict[str, str]:
        return {source: digest for source, (digest, _) in self.content.items()}

    def chunks(self) -> Iterator[Chunk]:
        for _, chunks in self.content.values():
            yield from chunks

    def embed(self, chunks: Sequence[Chunk]) -> None:
        self.embedded.append(len(chunks))

    def replace(self, source: str, digest: str, chunks: Sequence[Chunk]) -> Change:
        if source == self.broken:
            raise StoreError("disk full")
        old = {chunk.id for chunk in self.content.get(source, ("", []))[1]}
        new = {chunk.id for chunk in chunks}
        self.content[source] = (digest, list(chunks))
        self.replaced.append(source)
        return Change(len(new - old), len(new & old), len(old - new))

    def remove(self, source: str) -> Change:
        return Change(removed=len(self.content.pop(source)[1]))

    def search(self, queries: Sequence[str], k: int) -> list[list[Evidence]]:
        raise NotImplementedError

    def fingerprint(self) -> str:
        return ""

    def begin(self) -> None:
        self.begun += 1

    def finish(self) -> None:
        self.finished += 1

    def close(self) -> None:
        pass


@dataclass
class Heard:
    """A report that remembers."""

    total: int = -1
    finished: int = 0
    troubles: list[str] = field(default_factory=list)

    def begin(self, documents: int) -> None:
        self.total = documents

    def done(self, number: int = 1) -> None:
        self.finished += number

    def unread(self, unread: Unread) -> None:
        self.troubles.append(str(unread))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nFirst text.")
    (folder / "b.html").write_text("<h1>B</h1><p>Second text.")
    return folder


def run(root: Path, index: MemoryIndex, *addresses: str) -> tuple[Summary, Heard]:
    heard = Heard()
    return ingest(open_sources(addresses or ("docs",), root), index, heard), heard


def test_documents_become_chunks_with_their_source(docs: Path) -> None:
    index = MemoryIndex()
    summary, heard = run(docs.parent, index)
    assert [(chunk.source, chunk.text, chunk.heading) for chunk in index.chunks()] == [
        ("docs/a.md", "# A\n\nFirst text.", "A"),
        ("docs/b.html", "B\n\nSecond text.", "B"),
    ]
    assert (summary.documents, summary.change, summary.faults) == (2, Change(added=2), ())
    assert (heard.total, heard.finished, heard.troubles) == (2, 2, [])
    assert index.embedded == [2]  # chunks of both documents at once


def test_what_is_gone_is_removed_and_a_new_name_is_a_new_document(docs: Path) -> None:
    index = MemoryIndex()
    run(docs.parent, index)
    (docs / "a.md").rename(docs / "c.md")
    summary, _ = run(docs.parent, index)
    assert summary.change == Change(added=1, unchanged=1, removed=1)
    assert sorted(index.content) == ["docs/b.html", "docs/c.md"]


def test_every_fault_is_named_and_the_rest_is_indexed(docs: Path) -> None:
    (docs / "empty.md").write_text("")
    (docs / "blank.txt").write_text(" \n\t\n")
    (docs / "latin.md").write_bytes("café".encode("latin-1"))
    (docs / "binary.md").write_bytes(b"\x7fELF\0\0")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 torn")
    (docs / "menu.html").write_text("<nav>menu</nav>")
    (docs / "dead.md").symlink_to("nowhere")
    (docs / "loop").symlink_to(".")
    with (docs / "huge.txt").open("wb") as file:
        file.truncate(60 * 2**20)
    summary, heard = run(docs.parent, MemoryIndex())
    assert (summary.documents, heard.finished) == (2, heard.total)
    names = ["binary.md", "blank.txt", "broken.pdf", "dead.md", "empty.md", "huge.txt", "latin.md", "loop", "menu.html"]
    assert sorted(text.split(": ")[0] for text in heard.troubles) == [f"docs/{name}" for name in names]
    assert [str(unread) for unread in summary.faults] == heard.troubles


def test_no_document_at_all_is_wrong_use_and_changes_nothing(docs: Path) -> None:
    index = MemoryIndex()
    run(docs.parent, index)
    before = dict(index.content)
    (docs.parent / "empty").mkdir()
    for addresses in (["empty"], ["nowhere"], ["docs", "nowhere"]):
        with pytest.raises(SourceError):
            run(docs.parent, index, *addresses)
    assert index.content == before


def test_a_run_that_was_stopped_is_finished_by_the_next(docs: Path) -> None:
    index = MemoryIndex(broken="docs/b.html")
    with pytest.raises(StoreError):
        run(docs.parent, index)
    assert list(index.content) == ["docs/a.md"]
    index.broken = ""
    summary, _ = run(docs.parent, index)
    assert summary.change == Change(added=1, unchanged=1)
    assert index.replaced == ["docs/a.md", "docs/b.html"]


def test_documents_wait_for_others_only_until_the_embedder_has_enough_to_do(docs: Path) -> None:
    for number in range(TOGETHER):
        (docs / f"{number}.md").write_text(f"Text {number}.")
    index = MemoryIndex()
    run(docs.parent, index)
    assert index.embedded == [TOGETHER, 2]
    assert len(index.content) == TOGETHER + 2
    run(docs.parent, index)
    assert sum(index.embedded) == TOGETHER + 2  # nothing is new


@dataclass
class Dying:
    """A source whose listing breaks off, like a bucket behind a bad network."""

    document: Document
    address: str = "s3://bucket"

    def documents(self) -> Iterator[Document | Unread]:
        yield self.document
        raise SourceError("s3://bucket: connection lost")


def test_a_listing_that_breaks_off_removes_nothing(docs: Path) -> None:
    index = MemoryIndex()
    run(docs.parent, index)
    (source,) = open_sources(["docs/a.md"], docs.parent)
    (document,) = (entry for entry in source.documents() if not isinstance(entry, Unread))
    with pytest.raises(SourceError, match="connection lost"):
        ingest([Dying(document)], index, Heard())
    assert len(index.content) == 2


def test_the_summary_in_words() -> None:
    summary = Summary(1, Change(1200, 3, 0), (), 2.04)
    assert summary.describe() == "1 document: 1,200 chunks added, 3 unchanged, 0 removed (2.0 s)"
    faulty = Summary(2, Change(), (Unread("a.md", "is empty"),), 0.1)
    assert faulty.describe().endswith("; 1 file could not be read")


def test_each_document_once_and_what_cannot_be_read_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nThe pump runs.\n")
    (tmp_path / "docs" / "b.md").write_text("")
    unread = []
    found = load_chunks(open_sources(["docs", "docs/a.md"]), unread.append)
    assert [(chunk.source, chunk.text) for chunk in found] == [("docs/a.md", "# A\n\nThe pump runs.")]
    assert [str(fault) for fault in unread] == ["docs/b.md: is empty (delete it or write it)"]


def test_no_library_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, ingest.index, ingest.sources\n"
        "from ingest.formats import read_blocks\n"
        "print(sorted(name for name in sys.modules if name.startswith('ingest.formats.')))\n"
        "read_blocks('a.md', b'text')\n"
        "print(sorted({'lxml', 'pypdfium2', 'rich', 'boto3', 'numpy', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n[]\n"


def test_only_a_changed_document_is_replaced(docs: Path) -> None:
    index = MemoryIndex()
    run(docs.parent, index)
    index.replaced.clear()
    (docs / "a.md").write_text("# A\n\nOther text.")
    summary, _ = run(docs.parent, index)
    assert summary.change == Change(added=1, unchanged=1, removed=1)
    assert index.replaced == ["docs/a.md"]
