"""Files below a folder: each once, under its own name, and no link leads out of what was named."""

from pathlib import Path

import pytest

from ingest.walk import files_below, others_below


def put(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")


def names(folder: Path, root: Path | None = None) -> list[tuple[str, str]]:
    return [(path.relative_to(folder).as_posix(), why) for path, why in files_below(folder, root or folder)]


def test_documents_are_found_and_other_files_are_not(tmp_path: Path) -> None:
    put(tmp_path, "b.md", "a.HTML", "c.png", "makefile", "sub/d.rst", "sub/deep/e.pdf")
    assert sorted(names(tmp_path)) == [("a.HTML", ""), ("b.md", ""), ("sub/d.rst", ""), ("sub/deep/e.pdf", "")]


def test_prose_in_other_formats_is_found_apart(tmp_path: Path) -> None:
    put(tmp_path, "b.md", "c.docx", "sub/d.MDX", "e.json", ".hidden/f.docx", "node_modules/g.docx")
    found = [path.relative_to(tmp_path).as_posix() for path in others_below(tmp_path, tmp_path)]
    assert sorted(found) == ["c.docx", "sub/d.MDX"]


@pytest.mark.parametrize(
    "name", [".git", ".hidden.md", "node_modules", "__pycache__", "_sources", "_static", "_images"]
)
def test_hidden_and_generated_names_are_left_out(tmp_path: Path, name: str) -> None:
    put(tmp_path, "kept.md", name if name.endswith(".md") else f"{name}/x.md", f"docs/{name}/y.md")
    assert names(tmp_path) == [("kept.md", "")]


def test_an_empty_folder_has_no_files_and_a_missing_one_is_told(tmp_path: Path) -> None:
    assert files_below(tmp_path, tmp_path) == []
    assert files_below(tmp_path / "none", tmp_path) == [
        (tmp_path / "none", "cannot be opened: No such file or directory")
    ]


def test_a_file_is_found_under_its_own_name_not_under_that_of_a_link(tmp_path: Path) -> None:
    put(tmp_path, "z/real.md")
    (tmp_path / "a.md").symlink_to("z/real.md")
    assert names(tmp_path) == [("z/real.md", "")]


def test_a_link_inside_of_the_command_s_folder_is_followed(tmp_path: Path) -> None:
    put(tmp_path, "docs/a.md", "shared/b.md", "shared/more/c.md")
    (tmp_path / "docs/b.md").symlink_to(tmp_path / "shared/b.md")
    (tmp_path / "docs/more").symlink_to(tmp_path / "shared/more")
    assert sorted(names(tmp_path / "docs", tmp_path)) == [("a.md", ""), ("b.md", ""), ("more/c.md", "")]


def test_two_links_to_one_file_give_it_once(tmp_path: Path) -> None:
    put(tmp_path, "shared/b.md", "docs/a.md")
    for name in ("x.md", "y.md"):
        (tmp_path / "docs" / name).symlink_to(tmp_path / "shared/b.md")
    assert names(tmp_path / "docs", tmp_path) == [("a.md", ""), ("x.md", "")]


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
    found = names(docs)
    assert found[0] == ("a.md", "")
    assert [(name, why in reason) for name, reason in found[1:]] == [(link, True)]


def test_a_link_that_cannot_be_followed_hides_no_other_file(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    for name in ("long.md", "long"):
        (tmp_path / name).symlink_to("x" * 300)
    (found, (name, why)) = names(tmp_path)
    assert (found, name) == (("a.md", ""), "long.md")
    assert "cannot be followed: File name too long" in why


def test_a_link_to_what_is_no_document_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "docs/a.md", "tool.bin")
    (tmp_path / "docs/tool.bin").symlink_to("../tool.bin")
    (tmp_path / "docs/gone.bin").symlink_to("nowhere")
    assert names(tmp_path / "docs") == [("a.md", "")]


def test_folders_linked_in_a_circle_end(tmp_path: Path) -> None:
    put(tmp_path, "a/x.md", "b/y.md")
    (tmp_path / "a/b").symlink_to(tmp_path / "b")
    (tmp_path / "b/a").symlink_to(tmp_path / "a")
    assert sorted(names(tmp_path)) == [("a/x.md", ""), ("b/y.md", "")]
