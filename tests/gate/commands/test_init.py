"""`gate init`: what it finds, what it writes, what it leaves alone."""

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

from gate.cli import main
from gate.commands.init import CONFIG, SCHEMA, WORKFLOW, Found, configuration, look, origin, workflow
from gate.config import load
from tests.support.project import write

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.usefixtures("folder")


def test_an_empty_folder_gets_a_configuration_that_loads(folder, capsys):
    assert main(["init"]) == 0
    assert load(folder / CONFIG).model.provider == "command"
    told = capsys.readouterr().out
    assert told.startswith(f"wrote  {CONFIG}\n")
    assert told.endswith("next: gate ingest && gate run\n")
    assert "first: put your documents into docs/" in told
    assert not (folder / WORKFLOW).exists()


def test_editors_are_given_a_schema_that_takes_what_the_gate_takes(folder):
    assert main(["init"]) == 0
    first = (folder / CONFIG).read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={SCHEMA}"
    schema = json.loads((folder / SCHEMA).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    samples = [folder / CONFIG, ROOT / CONFIG, *(ROOT / "examples").rglob("*.yaml")]
    for path in samples:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert not list(validator.iter_errors(values)), path
        assert list(validator.iter_errors({**values, "model": {"provider": "guess"}, "unknown": 1}))


def test_documents_answers_and_github_are_found(folder, capsys):
    write("docs/a.md", "# A")
    write("data/b.jsonl", '{"question": "q", "answer": "a"}\n')
    subprocess.run(["git", "init", "-q"], check=True)
    assert main(["init"]) == 0
    config = load(folder / CONFIG)
    assert [source.path for source in config.doc_sources] == ["docs/"]
    assert (config.model.provider, config.model.path, config.evaluation.source) == (
        "replay",
        "data/b.jsonl",
        "recorded",
    )
    assert "permissions: {}" in (folder / WORKFLOW).read_text()
    assert "first: put" not in capsys.readouterr().out


def test_what_is_written_leads_to_a_decision(folder):
    write("docs/a.md", "# Shop\n\nThe warranty lasts two years from the date of purchase.\n")
    write("b.jsonl", '{"question": "How long?", "answer": "The warranty lasts two years."}\n')
    assert [main([command]) for command in ("init", "ingest", "run")] == [0, 0, 0]


def test_an_existing_file_is_kept_unless_forced(folder, capsys):
    (folder / CONFIG).write_text("mine")
    assert main(["init"]) == 2
    assert (folder / CONFIG).read_text() == "mine"
    assert "already there" in capsys.readouterr().err
    (folder / ".git").mkdir()
    assert main(["init"]) == 0
    assert (folder / CONFIG).read_text() == "mine"
    assert main(["init", "--force"]) == 0
    assert load(folder / CONFIG)


@pytest.mark.parametrize("name", ['a "b" {{ c }}', "x: y # z", "\u202e'", "zwölf"])
def test_no_name_breaks_the_configuration(folder, name):
    (folder / CONFIG).write_text(configuration(name, Found((f"{name}/",), f"{name}.jsonl", None, False)))
    config = load(folder / CONFIG, {})
    assert (config.use_case, config.doc_sources[0].path) == (f"Assistant of {name}", f"{name}/")


@pytest.mark.parametrize("text", ["[1]", "{broken", "[" * 5000])
def test_a_strange_jsonl_is_nothing(folder, text):
    write("s.jsonl", text)
    assert look(folder) == Found(("docs/",), None, None, False)


COMMIT = "a" * 40
GIT = {"vcs_info": {"vcs": "git", "commit_id": COMMIT}}


@pytest.mark.parametrize(
    ("noted", "where"),
    [
        ({"url": "https://github.com/o/r.git", **GIT}, f"o/r@{COMMIT}"),
        ({"url": "ssh://git@github.com/o/r", **GIT}, f"o/r@{COMMIT}"),
        ({"url": "https://host.example/o/r", **GIT}, f"https://host.example/o/r@{COMMIT}"),
        ({"url": "https://user:secret@host.example/o/r", **GIT}, ""),
        ({"url": "https://host.example/o/r;rm", **GIT}, ""),
        ({"url": "https://host.example/o/r", "vcs_info": {"commit_id": "main"}}, ""),
        ({"url": "https://host.example/gate.whl", "archive_info": {}}, ""),
        ({"url": "file:///nowhere/gate", "dir_info": {}}, ""),
        ({}, ""),
    ],
)
def test_the_action_comes_from_where_the_gate_was_installed(folder, noted, where):
    assert origin(noted, folder) == where


def test_a_clone_stands_for_its_remote_once_the_commit_is_there(folder):
    def git(*words, at="gate"):
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@y", *words]
        return subprocess.run(command, cwd=folder / at, check=True, capture_output=True, text=True).stdout.strip()

    write("gate/action.yml", "name: x")
    noted = {"url": (folder / "gate").as_uri(), "dir_info": {"editable": True}}
    assert origin(noted, folder) == "./gate"  # a part of the repository
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    assert origin(noted, folder) == ""  # a clone in it is not committed with it
    assert origin(noted, folder / "gate") == "./"
    git("clone", "-q", "--bare", "gate", "remote", at=".")
    git("remote", "add", "origin", str(folder / "remote"))
    git("fetch", "-q", "origin")
    git("remote", "set-url", "origin", "git@github.com:o/r.git")
    assert origin(noted, folder) == f"o/r@{git('rev-parse', 'HEAD')}"
    git("commit", "-qm", "only here", "--allow-empty")
    assert origin(noted, folder) == ""


@pytest.mark.parametrize("where", ["", "./", f"o/r@{COMMIT}", f"https://host.example/o/r@{COMMIT}"])
def test_the_workflow_is_one_but_for_the_steps_that_bring_the_action(where):
    steps = yaml.safe_load(workflow(where))["jobs"]["gate"]["steps"]
    fetched = where.startswith("https://")
    assert steps[-1]["uses"] == ("./.gate/source" if fetched else where or "<OWNER>/<REPOSITORY>@<COMMIT>")
    assert steps[-1]["with"] == {"config": CONFIG, "fail-on": "block"}
    assert len(steps) == 2 + fetched
