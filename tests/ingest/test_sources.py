"""Folders and files: names, order, links, and everything that is not a readable document."""

import os
import socket
from pathlib import Path

import pytest

from gate.config import DocSource
from gate.errors import SourceError
from gate.store.embedded import open_for_writing
from ingest.base import MAX_BYTES, Other, Unread
from ingest.index import ingest
from ingest.sources import READ, LocalDocument, describe_stale, open_sources, walk
from tests.support.words_embedder import WordsEmbedder


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "deep" / "er").mkdir(parents=True)
    for name in ("b.md", "a.TXT", "deep/c.html", "deep/er/d.rst", "e.pdf"):
        (folder / name).write_text(f"text of {name}")
    return folder


def names(root: Path, *addresses: str) -> list[str]:
    found = [entry for source in open_sources(addresses, root) for entry in source.documents()]
    assert not any(isinstance(entry, Unread) for entry in found), found
    return [entry.source for entry in found if isinstance(entry, LocalDocument)]


def troubles(root: Path, address: str) -> dict[str, str]:
    (source,) = open_sources([address], root)
    return {entry.source: str(entry) for entry in source.documents() if isinstance(entry, Unread)}


def test_a_folder_is_read_with_its_subfolders_in_a_stable_order(docs: Path) -> None:
    assert names(docs.parent, "docs") == [
        "docs/a.TXT",
        "docs/b.md",
        "docs/deep/c.html",
        "docs/deep/er/d.rst",
        "docs/e.pdf",
    ]


def test_a_name_does_not_depend_on_how_the_path_is_written(docs: Path) -> None:
    ways = ["docs", "./docs/", "docs/../docs", str(docs), "docs/deep/.."]
    assert len({tuple(names(docs.parent, way)) for way in ways}) == 1
    assert names(docs.parent, "docs/b.md") == ["docs/b.md"]


def test_what_is_no_document_is_passed_over(docs: Path) -> None:
    for name in (
        "LICENSE",
        "x.py",
        ".hidden.md",
        ".git/x.md",
        "node_modules/p/README.md",
        "_sources/b.rst.txt",
        ".gate/x.md",
    ):
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    os.mkfifo(docs / "pipe")
    (docs / "broken").symlink_to("nowhere")
    assert len(names(docs.parent, "docs")) == 5


def test_links_inside_are_followed_and_nothing_is_there_twice(docs: Path) -> None:
    (docs / "aaa").symlink_to("deep")
    (docs / "aaa.md").symlink_to("b.md")
    (docs.parent / "shared").mkdir()
    (docs.parent / "shared" / "s.md").write_text("text")
    (docs / "more").symlink_to("../shared")
    (docs / "s2.md").symlink_to("../shared/s.md")
    assert len(names(docs.parent, "docs")) == 6


@pytest.mark.parametrize("name", [b"caf\xe9.md", b"a\x1b[31m.md", b"a\n::error::x.md", "a\u202ed.md".encode()])
def test_a_name_that_cannot_be_printed_is_named(docs: Path, name: bytes) -> None:
    (docs / os.fsdecode(name)).write_text("text")
    ((shown, text),) = troubles(docs.parent, "docs").items()
    assert shown.count("�") == 1
    assert text == f"{shown}: has a name that cannot be printed: not UTF-8, or control characters (rename it)"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nowhere", "nowhere: no such file or folder"),
        ("docs/LICENSE", "docs/LICENSE: not a document"),
        ("gopher://x", "unknown kind of source gopher://"),
        ("", "a path is empty"),
        (" ", "a path is empty"),
    ],
)
def test_an_address_that_cannot_be_opened(docs: Path, address: str, message: str) -> None:
    (docs / "LICENSE").write_text("text")
    with pytest.raises(SourceError, match=message) as caught:
        names(docs.parent, address)
    assert caught.value.hint


def document(path: Path) -> LocalDocument:
    return LocalDocument(path.name, path)


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(tmp_path / "end.md"))
        for name in ("pipe.md", "end.md"):
            with pytest.raises(SourceError, match="not a regular file"):
                document(tmp_path / name).read()


def put(root: Path, *paths: str) -> None:
    for name in paths:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")


def below(folder: Path, root: Path | None = None) -> list[tuple[str, str]]:
    found = [(path.relative_to(folder).as_posix(), why) for path, why in walk(folder, root or folder)]
    return [(name, why) for name, why in found if why is not None]


def test_files_of_other_kinds_are_found_apart(tmp_path: Path) -> None:
    put(tmp_path, "b.md", "c.odt", "sub/d.PNG", "Makefile", "e.json", ".hidden/f.odt", "node_modules/g.odt")
    (tmp_path / "api.json").write_text('{"info": {}, "openapi": "3.0.0"}')
    (tmp_path / "old.yml").write_text("# an API\nswagger: '2.0'\n")
    (source,) = open_sources(["."], tmp_path)
    kinds = {entry.source: entry.kind for entry in source.documents() if isinstance(entry, Other)}
    assert kinds == {"c.odt": ".odt", "sub/d.PNG": ".png", "Makefile": "no suffix", "e.json": ".json"}
    assert names(tmp_path, ".") == ["api.json", "b.md", "old.yml"]


@pytest.mark.parametrize(
    ("include", "exclude", "taken"),
    [
        ([], [], ["a.md", "api/b.md", "api/drafts/c.md", "api/d.rst", "drafts/e.md"]),
        (["**/*.md"], ["**/drafts/**"], ["a.md", "api/b.md"]),
        (["*.md"], ["drafts"], ["a.md", "api/b.md"]),
        (["api/*.md"], [], ["api/b.md"]),
        (["api"], ["api/drafts/"], ["api/b.md", "api/d.rst"]),
        (["a?i/**/[cd].*"], [], ["api/d.rst", "api/drafts/c.md"]),
        (["none"], [], []),
    ],
)
def test_globs_choose_and_tags_go_along(tmp_path: Path, include: list, exclude: list, taken: list) -> None:
    put(tmp_path, "docs/a.md", "docs/api/b.md", "docs/api/drafts/c.md", "docs/api/d.rst", "docs/drafts/e.md")
    given = DocSource(path="docs", include=include, exclude=exclude, tags=["api v2"])
    (source,) = open_sources([given], tmp_path)
    found = list(source.documents())
    assert sorted(entry.source.removeprefix("docs/") for entry in found) == sorted(taken)
    assert {entry.tags for entry in found} == ({("api v2",)} if taken else set())


def test_a_glob_has_no_backtracking() -> None:
    given = DocSource(path=".", exclude=["**/a/" * 60 + "*a" * 60 + "b"])
    assert given.takes("a/" * 2000 + "a" * 200)


@pytest.mark.parametrize(
    ("link", "target", "why"),
    [
        ("out.md", "../secret.md", "leads outside"),
        ("out", "../private", "leads outside"),
        ("near.md", "../docs-private/a.md", "leads outside"),  # its path begins with the folder's
        ("none.md", "missing.md", "is a link to nothing"),
        ("self.md", "self.md", "is a link to itself"),
        ("loop", "loop", "is a link to itself"),
        ("up", ".", "a folder that it lies in"),
        ("above", "..", "a folder that it lies in"),
    ],
)
def test_links_that_are_not_followed_are_told(tmp_path: Path, link: str, target: str, why: str) -> None:
    docs = tmp_path / "docs"
    put(tmp_path, "docs/a.md", "secret.md", "private/b.md", "docs-private/a.md")
    (docs / link).symlink_to(target)
    found = below(docs)
    assert found[0] == ("a.md", "")
    assert [(name, why in reason) for name, reason in found[1:]] == [(link, True)]


def test_a_link_that_cannot_be_followed_hides_no_other_file(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    for name in ("long.md", "long"):
        (tmp_path / name).symlink_to("x" * 300)
    (found, (name, why)) = below(tmp_path)
    assert (found, name) == (("a.md", ""), "long.md")
    assert "cannot be followed: File name too long" in why


def test_folders_linked_in_a_circle_end(tmp_path: Path) -> None:
    put(tmp_path, "a/x.md", "b/y.md")
    (tmp_path / "a/b").symlink_to(tmp_path / "b")
    (tmp_path / "b/a").symlink_to(tmp_path / "a")
    assert sorted(below(tmp_path)) == [("a/x.md", ""), ("b/y.md", "")]


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.md"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)
    for use in (document(path).read, document(path).digest):
        with pytest.raises(SourceError, match="too large: 200 MB, the limit is 50 MB"):
            use()
    os.truncate(path, MAX_BYTES)
    assert len(document(path).read()) == MAX_BYTES


class Silent:
    def begin(self, documents):
        pass

    def done(self, number=1):
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
    assert describe_stale(index, ["."], tmp_path) == ("", "")
    (tmp_path / "a.md").write_text("# a.md\n\nThe pump is red.\n")
    assert describe_stale(index, ["."], tmp_path) == ("a.md changed since it was indexed", "")
    (tmp_path / "c.md").unlink()
    assert describe_stale(index, ["."], tmp_path) == ("a.md, c.md changed since they were indexed", "")
    for name in ("a.md", "b.md"):
        (tmp_path / name).unlink()
    assert describe_stale(index, ["."], tmp_path) == ("", "")


def test_a_new_file_is_named_where_it_can_be_read(index, tmp_path):
    for number in range(5):
        (tmp_path / f"d{number}.md").write_text("The lid is blue.\n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 no more")
    (tmp_path / "notes.xyz").write_text("no document\n")
    assert describe_stale(index, ["."], tmp_path)[1] == "d0.md, d1.md, d2.md and 2 more are not in the index"
    given = ["a.md", "elsewhere", "s3://bucket/docs"]
    assert describe_stale(index, given, tmp_path)[1] == "b.md, c.md are indexed, and of no source"


def test_of_many_new_files_the_first_are_looked_into(index, tmp_path):
    for number in range(READ + 1):
        (tmp_path / f"n{number:03}.pdf").write_bytes(b"%PDF-1.4 no more")
    assert describe_stale(index, ["."], tmp_path)[1] == f"n{READ:03}.pdf is not in the index"
