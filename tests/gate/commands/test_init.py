"""`gate init`: what it finds, what it writes, what it leaves alone."""

import subprocess

import pytest
import yaml

from gate.cli import main
from gate.commands.init import CONFIG, TEMPLATES, WORKFLOW, Found, configuration, install_step, look
from gate.config import load


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_an_empty_folder_gets_a_configuration_that_loads(folder, capsys):
    assert main(["init"]) == 0
    assert load(folder / CONFIG).model.provider == "command"
    told = capsys.readouterr().out
    assert told.startswith(f"wrote  {CONFIG}\n")
    assert told.endswith("next: gate ingest && gate run\n")
    assert "first: put your documents into docs/" in told
    assert not (folder / WORKFLOW).exists()


def test_documents_answers_and_github_are_found(folder, capsys):
    put(folder, docs__a_DOT_md="# A", data__b_DOT_jsonl='{"question": "q", "answer": "a"}\n')
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
    put(
        folder,
        docs__a_DOT_md="# Shop\n\nThe warranty lasts two years from the date of purchase.\n",
        b_DOT_jsonl='{"question": "How long?", "answer": "The warranty lasts two years."}\n',
    )
    assert [main([command]) for command in ("init", "ingest", "run")] == [0, 0, 0]


def test_an_existing_file_is_kept_unless_forced(folder, capsys):
    put(folder, _DOT_llm_DOT_x="")
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
    put(folder, s_DOT_jsonl=text)
    assert look(folder) == Found(("docs/",), None, None, False)


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("", "say where the gate comes from"),
        ("git+https://host.example/o/r@" + "a" * 40, "git+https://host.example/o/r@aaaa"),
    ],
)
def test_the_workflow_installs_the_gate_from_where_it_came_or_says_what_to_fill_in(source, part):
    step = yaml.safe_load(f"- run: {install_step(source)}")[0]["run"]
    assert part in step
    assert ("exit 1" in step) is not bool(source)
    template = (TEMPLATES / "workflow.yml").read_text(encoding="utf-8")
    assert template.count("- run: INSTALL\n") == 1
    assert "pip install llm" not in template
