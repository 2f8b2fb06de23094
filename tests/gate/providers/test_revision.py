"""What a repository holds, as part of what a program is known by."""

import subprocess
from pathlib import Path

import pytest

from gate.providers.command import Command
from gate.providers.revision import revision


def git(folder: Path, *words: str) -> None:
    told = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *told, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A script that loads a module beside it, both in the first commit."""
    (tmp_path / "answer.sh").write_text("exec python3 -m app\n")
    (tmp_path / "app.py").write_text("print('one')\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def known(folder: Path) -> str:
    return Command(["./answer.sh"], folder).identity


@pytest.mark.parametrize("committed", [False, True])
def test_a_module_that_the_script_loads_makes_another_program(repository: Path, committed: bool) -> None:
    """The command names only the script: answers of the old code would be taken for those of the new."""
    before = known(repository)
    assert known(repository) == before
    (repository / "app.py").write_text("print('two')\n")
    if committed:
        git(repository, "commit", "-qam", "second")
    assert known(repository) != before
    (repository / "app.py").write_text("print('one')\n")
    if committed:
        git(repository, "commit", "-qam", "back")
    assert known(repository) == before


def test_a_commit_that_changes_nothing_and_files_that_git_does_not_know_make_none(repository: Path) -> None:
    before = revision(repository)
    git(repository, "commit", "-qm", "again", "--allow-empty")
    (repository / "verdict.json").write_text("{}")
    assert revision(repository) == before


def test_a_folder_of_a_repository_speaks_for_all_of_it(repository: Path) -> None:
    (repository / "gate").mkdir()
    before = revision(repository / "gate")
    (repository / "app.py").write_text("print('two')\n")
    assert before not in ("", revision(repository / "gate"))


@pytest.mark.parametrize("where", ["", "missing"])
def test_without_a_repository_there_is_nothing_to_tell(tmp_path: Path, where: str) -> None:
    assert revision(tmp_path / where) == ""


def test_a_repository_without_a_commit_has_none(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert revision(tmp_path) == ""
