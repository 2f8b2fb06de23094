"""The action's steps in an imitated runner: decisions, outputs, the stored baseline, the one comment."""

import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
GOOD = "The warranty lasts two years from the date of purchase."
BAD = "The warranty lasts nine years. The pump is sold with a free bicycle and a pony."
CONFIG = "use_case: x\ndoc_sources: [docs]\nevaluation: {source: recorded}\nmodel: {provider: replay, path: a.jsonl}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One project for all: the index is made once and found again, as by the action's cache."""
    path = tmp_path_factory.mktemp("project")
    (path / "docs").mkdir()
    (path / "docs" / "a.md").write_text(f"# Pump\n\n{GOOD} The pump is painted green.\n")
    return path


@pytest.fixture
def runner(folder):
    """Run the gate step on answers: (outputs, summary, stdout)."""

    def go(answers, event="pull_request", config=CONFIG, **variables):
        rows = [json.dumps({"id": f"q{n}", "question": "What?", "answer": a}) for n, a in enumerate(answers)]
        (folder / "a.jsonl").write_text("\n".join(rows) + "\n")
        (folder / ".llm-reliability.yaml").write_text(config)
        files = {name: folder / f"{name}.txt" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        environ = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": event,
            **{name: str(file) for name, file in files.items()},
            **variables,
        }
        done = subprocess.run(
            ["bash", str(ROOT / "action" / "gate.sh")], cwd=folder, env=environ, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return outputs, files["GITHUB_STEP_SUMMARY"].read_text(), done.stdout

    return go


@pytest.mark.parametrize(
    ("answers", "variables", "code", "decision"),
    [
        ([GOOD], {}, "0", "deploy"),
        ([BAD], {}, "1", "block"),
        (["I don't have that information."], {}, "3", "inconclusive"),
        ([GOOD] * 4 + [BAD], {"config": CONFIG + "risk_tolerance: {warn_threshold: 1.0}\n"}, "0", "warn"),
        (
            [GOOD] * 4 + [BAD],
            {"config": CONFIG + "risk_tolerance: {warn_threshold: 1.0}\n", "GATE_FAIL_ON": "warn"},
            "1",
            "warn",
        ),
    ],
)
def test_each_decision_has_its_outputs_and_reports(runner, folder, answers, variables, code, decision):
    outputs, summary, stdout = runner(answers, **variables)
    assert (outputs["code"], outputs["decision"]) == (code, decision)
    assert decision in summary.lower()
    assert {path.name for path in (folder / ".gate" / "report").iterdir()} == {
        "verdict.json", "report.html", "verdict.sarif", "junit.xml", "comment.md",
    }  # fmt: skip
    assert ("::error" in stdout) is (decision in {"block", "inconclusive"})
    assert "store" not in outputs


def test_the_base_branch_stores_its_verdict_and_a_pull_request_is_compared_with_it(runner, folder):
    (folder / ".gate" / "baseline.json").unlink(missing_ok=True)
    first, _, _ = runner([GOOD] * 8, GATE_BASELINE="auto")
    assert first["decision"] == "deploy"  # the first run has nothing to compare with
    stored, _, _ = runner([GOOD] * 8, event="push", GATE_BASELINE="auto")
    assert stored["store"] == "true"
    config = CONFIG + "risk_tolerance: {fail_on_regression: true, warn_threshold: 1.0}\n"
    worse, summary, _ = runner([BAD] * 8, config=config, GATE_BASELINE="auto")
    assert (worse["code"], worse["decision"]) == ("1", "block")
    assert "regression" in summary


def test_documents_that_cannot_be_indexed_stop_everything(runner, folder):
    (folder / "docs" / "bad.md").write_bytes(b"\x00\x01")
    try:
        outputs, _, stdout = runner([GOOD])
    finally:
        (folder / "docs" / "bad.md").unlink()
    assert outputs == {"code": "3"}
    assert "nothing was judged" in stdout


def test_a_wrong_configuration_has_no_report(runner):
    outputs, _, _ = runner([GOOD], config="use_case: x\n")
    assert outputs == {"code": "2"}


class Api(http.server.BaseHTTPRequestHandler):
    """Comments of one pull request, as far as the script needs them."""

    comments: list
    status = 200

    def reply(self, value):
        body = json.dumps(value).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        page = int(self.path.rsplit("page=", 1)[1])
        self.reply(self.comments[(page - 1) * 100 : page * 100])

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if self.status == 200:
            self.comments.append({"id": len(self.comments), "body": body, "user": {"type": "Bot"}})
        self.reply({})

    def do_PATCH(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        self.comments[int(self.path.rsplit("/", 1)[1])]["body"] = body
        self.reply({})

    def log_message(self, *arguments):
        pass


@pytest.fixture
def comment(tmp_path):
    """Run the comment script against a loopback API that holds `comments`."""
    text = tmp_path / "comment.md"

    def go(comments, status=200, body="<!-- llm-reliability-gate -->\nnew", number=7):
        handler = type("Handler", (Api,), {"comments": comments, "status": status})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        text.write_text(body)
        event = tmp_path / "event.json"
        event.write_text(json.dumps({"pull_request": {"number": number}} if number else {}))
        environ = {
            "GITHUB_API_URL": f"http://127.0.0.1:{server.server_port}",
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_TOKEN": "t",
        }
        done = subprocess.run(
            [sys.executable, str(ROOT / "action" / "comment.py"), str(text)],
            env=environ,
            capture_output=True,
            text=True,
        )
        server.shutdown()
        server.server_close()
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return go


OURS = {"body": "<!-- llm-reliability-gate -->\nold", "user": {"type": "Bot"}}


def test_the_first_comment_is_written_and_then_changed_in_place(comment):
    comments = []
    assert "written" in comment(comments)
    assert "updated" in comment(comments, body="<!-- llm-reliability-gate -->\nnewer")
    assert [c["body"] for c in comments] == ["<!-- llm-reliability-gate -->\nnewer"]


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
    "path",
    [
        ROOT / "action.yml",
        *sorted((ROOT / ".github" / "workflows").glob("*.yml")),
        ROOT / "gate" / "templates" / "workflow.yml",
    ],
    ids=str,
)
def test_workflows_name_actions_by_version_and_never_expand_input_in_a_script(path):
    text = path.read_text()
    document = yaml.safe_load(text)
    jobs = document.get("jobs", {"": document.get("runs", {})}).values()
    for step in (step for job in jobs for step in job["steps"]):
        if "uses" in step:
            assert step["uses"] == "./" or "@v" in step["uses"] or len(step["uses"].rsplit("@", 1)[1]) == 40
        assert "${{" not in step.get("run", "")
    if "jobs" in document:
        assert document["permissions"] == {}


@pytest.mark.parametrize("base", [False, True])
def test_the_workflow_that_init_writes_compares_where_there_is_a_base(tmp_path, base):
    steps = yaml.safe_load((ROOT / "gate" / "templates" / "workflow.yml").read_text())["jobs"]["gate"]["steps"]
    (script,) = (step["run"] for step in steps if "-o verdict.json" in step.get("run", ""))
    program = tmp_path / "gate" / "bin" / "gate"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    if base:
        (tmp_path / "llm-reliability-base.json").touch()
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=tmp_path, env={"PATH": os.environ["PATH"], "RUNNER_TEMP": str(tmp_path)}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert ("--baseline llm-reliability-base.json" in done.stdout) is base
    assert done.stdout.startswith("run -o verdict.json -o report.html")
