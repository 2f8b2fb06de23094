"""The action and the copied workflow in an imitated runner; its inputs; the one comment."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gate.commands.init import workflow
from tests.support.runner import comments_api, evaluate
from tests.support.workflow_cases import CASES, new_world

ROOT = Path(__file__).parent.parent
ACTION = runpy.run_path(str(ROOT / "action" / "gate.py"))


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A world whose runner finds the gate installed: with the Python of these tests."""
    python = tmp_path / "installed"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    host = tmp_path / "host"
    shutil.copytree(ROOT / "action", host / "action")
    shutil.copy(ROOT / "action.yml", host)
    for words in (["init"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-m", "x"]):
        subprocess.run(["git", *words], cwd=host, check=True, capture_output=True)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{host.as_uri()}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://git.example/o/gate")
    for source in (ROOT, tmp_path / "work" / ".gate" / "source"):
        home = ACTION["home_of"](str(source), tmp_path / "temp")
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "python").symlink_to(python)
        (home / "installed").touch()
    with new_world(tmp_path, sys.executable, os.defpath) as made:
        made.host = host
        yield made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_copied_workflow(world, case):
    case(world)


def test_the_workflow_of_the_pages_is_the_one_that_init_writes():
    (shown,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown == workflow("")
    assert (ROOT / ".github/workflows/llm-reliability.yml").read_text(encoding="utf-8") == workflow("./")


def test_the_page_of_the_action_lists_its_inputs_and_outputs():
    page, action = (
        (ROOT / "action/README.md").read_text(encoding="utf-8"),
        yaml.safe_load((ROOT / "action.yml").read_text()),
    )
    inputs, outputs = (page.split(f"## {title}\n")[1].split("\n## ")[0] for title in ("Inputs", "Outputs"))
    assert re.findall(r"^\| `([\w-]+)`", inputs, re.MULTILINE) == list(action["inputs"])
    assert re.findall(r"^\| `([\w-]+)`", outputs, re.MULTILINE) == list(action["outputs"])


def test_nothing_installs_the_gate_by_a_name_that_may_be_somebody_elses():
    places = (
        "README.md",
        "docs/**/*.md",
        "action*",
        "action/*",
        ".github/**/*.yml",
        "gate/**/*.py",
        "gate/templates/*",
    )
    text = "".join(path.read_text() for place in places for path in ROOT.glob(place) if path.is_file())
    assert re.findall(r"\binstall\s+(?:-\S+\s+)*[\"']?(?:llm-reliability-gate|gate)(?![\w/.-]).*", text) == []


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (("", ".", ".llm-reliability.yaml"), "default"),
        (("", "apps/shop/", ".llm-reliability.yaml"), "apps-shop"),
        (("", "./apps/shop", "strict.yaml"), "apps-shop-strict-yaml"),
        (("shop", "apps/help", "x.yaml"), "shop"),
        (("a" * 60, ".", "x.yaml"), "a" * 60),
    ],
)
def test_a_gate_has_a_name_without_being_given_one(given, name):
    assert ACTION["name_of"](*given) == name


PLACE = {"GITHUB_ACTION_PATH": "/action", "GATE_REPOSITORY": "o/r", "GITHUB_SERVER_URL": "https://host.example"}


@pytest.mark.parametrize(
    ("version", "source"),
    [
        ("", "/action"),
        ("v1.2.0", "git+https://host.example/o/r@v1.2.0"),
        ("git+https://git.example/a/b@" + "c" * 40, "git+https://git.example/a/b@" + "c" * 40),
    ],
)
def test_the_gate_is_installed_from_the_action_or_a_git_address(version, source):
    assert ACTION["source_of"]({**PLACE, "GATE_VERSION": version}) == source


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"GATE_VERSION": "a-package==1.0"}, "version"),
        ({"GATE_VERSION": "--index-url=x"}, "version"),
        ({"GATE_VERSION": "v1", "GATE_REPOSITORY": ""}, "version"),
        ({"GATE_NAME": "a --> b"}, "name"),
        ({"GATE_NAME": "x/../y"}, "name"),
        ({"GATE_CONFIG": "none.yaml"}, "config"),
        ({"GATE_FRESH": "no"}, "fresh"),
    ],
)
def test_an_input_that_cannot_be_used_is_named_before_anything_is_installed(tmp_path, monkeypatch, capsys, given, word):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".llm-reliability.yaml").touch()
    assert ACTION["main"](["prepare"], {**PLACE, **given}) == 2
    assert capsys.readouterr().out.startswith(f"::error title=LLM reliability gate::{word}: ")


def test_the_inputs_become_options_of_a_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limits = {"GATE_MAX_COST": "1.5", "GATE_MAX_CALLS": "0", "GATE_MAX_SECONDS": ""}
    given = {"GATE_NAME": "shop", "GATE_FAIL_ON": "warn", "GATE_FRESH": "false", **limits}
    assert ACTION["_options"](given) == ["--fail-on=warn", "--max-cost=1.5", "--max-calls=0", "--reuse"]
    base = tmp_path / ".gate" / "baselines" / "shop.json"
    base.parent.mkdir(parents=True)
    base.touch()
    asked = {"GATE_NAME": "shop", "GATE_BASELINE": "auto", "GITHUB_EVENT_NAME": "pull_request"}
    assert ACTION["_options"](asked) == ["--fail-on=block", "--baseline=.gate/baselines/shop.json"]
    assert ACTION["_options"]({**asked, "GITHUB_EVENT_NAME": "push"}) == ["--fail-on=block"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("inputs.a == 'x' && success()", True),
        ("!(inputs.a != 'x') || false", True),
        ("inputs.none || inputs.a-b", "y"),
    ],
)
def test_the_imitated_runner_knows_expressions(text, value):
    assert evaluate(text, {"inputs": {"a": "x", "a-b": "y"}}, {"success": lambda: True}) == value


@pytest.fixture
def comment(tmp_path):
    """Run the comment script against a loopback API that holds `comments`."""

    def go(comments, status=200, text="new", number=7, name="shop"):
        (tmp_path / "comment.md").write_text(f"<!-- llm-reliability-gate -->\n{text}")
        (tmp_path / "event.json").write_text(json.dumps({"pull_request": {"number": number}} if number else {}))
        script = [sys.executable, str(ROOT / "action" / "comment.py"), str(tmp_path / "comment.md"), name]
        with comments_api(comments, status) as address:
            environ = {
                "GITHUB_API_URL": address,
                "GITHUB_REPOSITORY": "o/r",
                "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
                "GITHUB_TOKEN": "t",
            }
            done = subprocess.run(script, env=environ, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return go


OURS = {"body": "<!-- llm-reliability-gate: shop -->\nold", "user": {"type": "Bot"}}


def test_each_gate_changes_its_own_comment_in_place(comment):
    comments = []
    assert "written" in comment(comments)
    assert "written" in comment(comments, name="shop-2")
    assert "updated" in comment(comments, text="newer")
    assert [each["body"].split("\n")[-1] for each in comments] == ["newer", "new"]


def test_it_is_found_behind_many_others(comment):
    comments = [{"id": n, "body": "hi", "user": {"type": "User"}} for n in range(130)] + [{**OURS, "id": 130}]
    assert "updated" in comment(comments)
    assert len(comments) == 131


def test_a_persons_comment_that_imitates_ours_is_left_alone(comment):
    comments = [{"id": 0, "body": OURS["body"], "user": {"type": "User"}}]
    assert "written" in comment(comments)
    assert comments[0]["body"] == OURS["body"]


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_a_token_that_may_not_write_costs_nothing(comment, status):
    assert "::notice" in comment([], status=status)


def test_without_a_pull_request_there_is_no_comment(comment):
    comments = []
    assert "no pull request" in comment(comments, number=None)
    assert comments == []


@pytest.mark.parametrize(
    "path", [ROOT / "action.yml", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))], ids=lambda path: path.name
)
def test_workflows_pin_actions_to_commits_and_never_expand_input_in_a_script(path):
    document = yaml.safe_load(path.read_text())
    jobs = document.get("jobs", {"": document.get("runs", {})}).values()
    for step in (step for job in jobs for step in job["steps"]):
        assert re.fullmatch(r"\./|[\w./-]+@[0-9a-f]{40}", step.get("uses", "./"))
        assert "${{" not in step.get("run", "")
    if "jobs" in document:
        assert document["permissions"] == {}
