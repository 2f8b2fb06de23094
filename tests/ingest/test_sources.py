"""Folders and files: names, order, links, and everything that is not a readable document."""

import os
import socket
from pathlib import Path

import pytest

from gate.errors import SourceError
from ingest.sources import MAX_BYTES, LocalDocument, Unread, open_sources, source_name


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "deep" / "er").mkdir(parents=True)
    for name in ("b.md", "a.TXT", "deep/c.html", "deep/er/d.rst", "e.pdf"):
        (folder / name).write_text(f"text of {name}")
    return folder


def names(root: Path, *addresses: str) -> list[str]:
    found = [entry for source in open_sources(addresses, root) for entry in source.documents()]
    assert all(isinstance(entry, LocalDocument) for entry in found), found
    return [entry.source for entry in found]


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


def test_names_outside_of_the_folder_of_the_command() -> None:
    assert source_name(Path("/srv/docs/a.md"), Path("/srv/app")) == "../docs/a.md"
    assert source_name(Path("/usr/share/doc/a.md"), Path("/srv/app")) == "/usr/share/doc/a.md"
    assert source_name(Path("/srv/app/a.md"), Path("/srv/app")) == "a.md"


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


def test_a_hidden_folder_is_read_when_it_is_named(docs: Path) -> None:
    (docs / ".notes").mkdir()
    (docs / ".notes" / "x.md").write_text("text")
    assert names(docs.parent, "docs/.notes") == ["docs/.notes/x.md"]


def test_a_folder_may_be_called_like_a_document(docs: Path) -> None:
    (docs / "v1.md").mkdir()
    (docs / "v1.md" / "x.md").write_text("text")
    assert "docs/v1.md/x.md" in names(docs.parent, "docs")


def test_links_inside_are_followed_and_nothing_is_there_twice(docs: Path) -> None:
    (docs / "aaa").symlink_to("deep")
    (docs / "aaa.md").symlink_to("b.md")
    (docs.parent / "shared").mkdir()
    (docs.parent / "shared" / "s.md").write_text("text")
    (docs / "more").symlink_to("../shared")
    (docs / "s2.md").symlink_to("../shared/s.md")
    assert len(names(docs.parent, "docs")) == 6


def test_links_to_hidden_files_are_followed(docs: Path) -> None:
    (docs / "..data").mkdir()
    (docs / "..data" / "m.md").write_text("mounted")
    (docs / "m.md").symlink_to("..data/m.md")
    assert "docs/m.md" in names(docs.parent, "docs")


def test_loops_dead_links_and_links_to_the_outside_are_named(
    docs: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("key")
    (docs / "deep" / "loop").symlink_to("..")
    (docs / "self.md").symlink_to("self.md")
    (docs / "self").symlink_to("self")
    (docs / "dead.md").symlink_to("nowhere.md")
    (docs / "secret.md").symlink_to(outside / "secret.txt")
    (docs / "out").symlink_to(outside)
    found = troubles(docs.parent, "docs")
    assert {name: text.split(": ", 1)[1].split(":")[0] for name, text in found.items()} == {
        "docs/deep/loop": "is a link to a folder that it lies in",
        "docs/self.md": "is a link to itself",
        "docs/self": "is a link to itself",
        "docs/dead.md": "is a link to nothing",
        "docs/secret.md": "is a link that leads outside",
        "docs/out": "is a link that leads outside",
    }


def test_a_link_that_the_user_names_is_followed(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.md").write_text("text")
    (docs / "out").symlink_to(outside)
    assert names(docs.parent, "docs/out", "docs/out/x.md") == ["docs/out/x.md"] * 2


@pytest.mark.parametrize("name", [b"caf\xe9.md", b"a\x1b[31m.md", b"a\n::error::x.md", "a\u202ed.md".encode()])
def test_a_name_that_cannot_be_printed_is_named(docs: Path, name: bytes) -> None:
    (docs / os.fsdecode(name)).write_text("text")
    ((shown, text),) = troubles(docs.parent, "docs").items()
    assert shown.count("�") == 1
    assert text == f"{shown}: has a name that cannot be printed: not UTF-8, or control characters (rename it)"


def test_a_name_in_another_script_is_a_name(docs: Path) -> None:
    (docs / "größe\u00a0日\u3000本 😀.md").write_text("text")
    assert "docs/größe\u00a0日\u3000本 😀.md" in names(docs.parent, "docs")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open every folder")
def test_a_folder_that_may_not_be_opened_is_named(docs: Path) -> None:
    (docs / "deep").chmod(0)
    assert "cannot be opened" in troubles(docs.parent, "docs")["docs/deep"]
    (docs / "deep").chmod(0o755)


def test_a_tree_too_deep_for_a_path_is_named(docs: Path) -> None:
    here = os.open(docs, os.O_RDONLY)
    try:
        for _ in range(25):
            os.mkdir("d" * 200, dir_fd=here)
            inner = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
    finally:
        os.close(here)
    (text,) = troubles(docs.parent, "docs").values()
    assert "cannot be opened: File name too long" in text


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


def test_a_digest_follows_the_content_and_not_the_time(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("one")
    before = document(path).digest()
    os.utime(path, (1, 1))
    assert document(path).digest() == before
    path.write_text("two")
    assert document(path).digest() != before


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.md"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)
    for use in (document(path).read, document(path).digest):
        with pytest.raises(SourceError, match="too large: 200 MB, the limit is 50 MB"):
            use()
    os.truncate(path, MAX_BYTES)
    assert len(document(path).read()) == MAX_BYTES


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(tmp_path / "end.md"))
        for name in ("pipe.md", "end.md"):
            with pytest.raises(SourceError, match="not a regular file"):
                document(tmp_path / name).read()


def test_a_file_that_is_gone_or_may_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        document(tmp_path / "gone.md").read()
