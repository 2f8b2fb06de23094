"""The gate's folder: made once, invisible to Git; the user's own folders and files are left as they are."""

import pytest

from gate.folder import make_folder


def test_git_leaves_the_folder_out(tmp_path):
    make_folder(tmp_path / "deep" / ".gate")
    assert (tmp_path / "deep" / ".gate" / ".gitignore").read_text() == "*\n"


def test_what_is_there_is_left(tmp_path):
    (tmp_path / ".gate").mkdir()
    make_folder(tmp_path / ".gate")
    make_folder(tmp_path / "own")
    assert list((tmp_path / ".gate").iterdir()) == list((tmp_path / "own").iterdir()) == []


def test_a_file_in_its_place_is_a_fault(tmp_path):
    (tmp_path / ".gate").write_text("")
    with pytest.raises(OSError, match=r"\.gate"):
        make_folder(tmp_path / ".gate")
