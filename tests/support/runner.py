"""An imitation of GitHub's runner, as far as the gate's workflow and action use one: expressions, `if`, a matrix,
composite actions, the actions that they name, the cache with its scopes, artifacts, and an API for comments."""

import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
_TOKEN = re.compile(r"\s*('[^']*'|[\w.-]+|==|!=|&&|\|\||[!()])\s*")
_OPERATORS = {"&&": " and ", "||": " or ", "!": " not ", "true": "True", "false": "False"}
_KEPT = re.compile(r"PIP_|SSL_|REQUESTS_|LANG$|GIT_CONFIG_")  # of the environment: what reaches a package index


class StepFailed(Exception):
    """A step that failed; the message is the line of the log."""


@dataclass
class Event:
    """What started a run: `ref` is the branch that was pushed, or the base of the pull request `number`."""

    name: str = "pull_request"
    ref: str = "main"
    number: int = 7
    fork: bool = False

    @property
    def pull(self):
        return self.name == "pull_request"

    def scopes(self):
        """The scopes of the cache that a run may read, its own first: only there it may write."""
        own = f"refs/pull/{self.number}/merge" if self.pull else f"refs/heads/{self.ref}"
        return list(dict.fromkeys((own, f"refs/heads/{self.ref}", "refs/heads/main")))


@dataclass
class Job:
    """How a job ended, with what it left behind; `gates` are the outputs of the composite actions, in their order."""

    ok: bool = True
    log: str = ""
    summary: str = ""
    gates: list = field(default_factory=list)


@dataclass
class Runner:
    """`home` outlives the jobs; `python` is what setup-python finds; `path` is the PATH, the application's Python
    first; `actions`: OWNER/REPOSITORY -> folder. Artifacts are of the last run: name -> names of files."""

    home: Path
    python: str
    path: str
    api: str
    actions: dict
    cache: list = field(default_factory=list)
    artifacts: dict = field(default_factory=dict)
    sarif: list = field(default_factory=list)
    runs: int = 0

    def run(self, workflow, repository, event):
        """All jobs of the workflow (its text) on the files of `repository`: name that is shown -> Job."""
        document = yaml.safe_load(workflow)
        assert event.name in document[True]  # YAML 1.1 reads `on` so
        self.runs, self.artifacts = self.runs + 1, {}
        found = {}
        for job in document["jobs"].values():
            for values in job.get("strategy", {}).get("matrix", {}).get("include", [{}]):
                allowed = {**document["permissions"], **job["permissions"]}
                running = _Running(self, repository, event, values, allowed)
                found[running.fill(job["name"])] = running.finish(job["steps"])
        return found


class _Running:
    """One job at work."""

    def __init__(self, runner, repository, event, matrix, permissions):
        self.runner, self.repository, self.event, self.job = runner, repository, event, Job()
        self.may_write = {key for key, value in permissions.items() if value == "write" and not event.fork}
        self.workspace = runner.home / "work"
        shutil.rmtree(self.workspace, ignore_errors=True)
        self.workspace.mkdir(parents=True)
        self.temp = runner.home / "temp"
        self.temp.mkdir(exist_ok=True)
        about = {"pull_request": {"number": event.number}} if event.pull else {}
        (self.temp / "event.json").write_text(json.dumps(about))
        (self.temp / "summary").write_text("")
        github = {
            "event_name": event.name,
            "ref_name": f"{event.number}/merge" if event.pull else event.ref,
            "base_ref": event.ref if event.pull else "",
            "run_id": str(runner.runs),
            "run_attempt": "1",
            "token": f"may-{'write' if 'pull-requests' in self.may_write else 'read'}",
            "action_repository": "",
            "workflow_ref": "",
        }
        self.contexts = {"github": github, "matrix": matrix, "inputs": {}, "steps": {}}

    def finish(self, steps):
        self.steps(steps, self.contexts, None)
        self.job.summary = (self.temp / "summary").read_text()
        return self.job

    def steps(self, steps, contexts, action):
        """Run steps; `success()` is of the whole job, so a failure in an action reaches the steps after it."""
        for step in steps:
            functions = {"always": lambda: True, "success": lambda: self.job.ok, "failure": lambda: not self.job.ok}
            condition = str(step.get("if", "success()"))
            if "always()" not in condition and "failure()" not in condition:
                condition = f"success() && ({condition})"
            if not evaluate(condition, contexts, functions):
                continue
            try:
                outputs = (self.uses if "uses" in step else self.shell)(step, contexts, action)
            except StepFailed as error:
                self.job.log += f"FAILED {step.get('name', step.get('uses', step.get('run')))}: {error}\n"
                self.job.ok, outputs = bool(step.get("continue-on-error") and self.job.ok), {}
            if "id" in step:
                contexts["steps"][step["id"]] = {"outputs": outputs}

    def fill(self, value, contexts=None):
        """A value with its expressions filled in, as text."""
        if isinstance(value, bool):
            return str(value).lower()
        return _EXPRESSION.sub(lambda found: _text(evaluate(found[1], contexts or self.contexts, {})), str(value))

    def shell(self, step, contexts, action):
        assert "${{" not in step["run"], "an expression in a script is code of whoever filled it"
        output = self.temp / "output"
        output.write_text("")
        given = {name: self.fill(value, contexts) for name, value in step.get("env", {}).items()}
        github = {f"GITHUB_{key.upper()}": value for key, value in contexts["github"].items() if key != "token"}
        environ = {
            **{name: value for name, value in os.environ.items() if _KEPT.match(name)},
            **github,
            "PATH": self.runner.path,
            "HOME": str(self.runner.home),
            "PYTHONPATH": str(self.repository / "of-the-application"),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(action or ""),
            "GITHUB_API_URL": self.runner.api,
            "GITHUB_REPOSITORY": "o/application",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_SHA": "c" * 40,
            "GITHUB_EVENT_PATH": str(self.temp / "event.json"),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
            **given,
        }
        options = ["--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
        folder = self.workspace / self.fill(step.get("working-directory", "."), contexts)
        command = ["bash", *options, "-c", step["run"]]
        done = subprocess.run(command, cwd=folder, env=environ, stdout=-1, stderr=subprocess.STDOUT, text=True)
        self.job.log += done.stdout
        if done.returncode:
            raise StepFailed(f"exit code {done.returncode}")
        return dict(line.split("=", 1) for line in output.read_text().splitlines())

    def uses(self, step, contexts, action):
        name, _, ref = step["uses"].partition("@")
        values = {key: self.fill(value, contexts) for key, value in step.get("with", {}).items()}
        if name in ACTIONS:
            assert re.fullmatch("[0-9a-f]{40}", ref), f"{name} is not pinned to a commit"
            return ACTIONS[name](self, values) or {}
        if name.startswith("./"):
            folder, repository = self.workspace / name, ""
        elif name in self.runner.actions:
            folder, repository = self.runner.actions[name], name
        else:
            raise StepFailed(f"unable to resolve action {step['uses']}")
        document = yaml.safe_load((folder / "action.yml").read_text())
        unknown = values.keys() - document["inputs"].keys()
        assert not unknown, unknown
        defaults = {key: self.fill(each["default"], contexts) for key, each in document["inputs"].items()}
        github = {**contexts["github"], "action_repository": repository}
        inside = {"github": github, "inputs": {**defaults, **values}, "steps": {}}
        was = self.job.ok
        self.steps(document["runs"]["steps"], inside, folder)
        self.job.gates.append({key: self.fill(each["value"], inside) for key, each in document["outputs"].items()})
        if was and not self.job.ok:
            raise StepFailed("a step of the action failed")
        return self.job.gates[-1]

    def checkout(self, values):
        assert values["persist-credentials"] == "false"
        shutil.copytree(self.repository, self.workspace, dirs_exist_ok=True)

    def setup_python(self, values):
        assert values["update-environment"] == "false"
        return {"python-path": self.runner.python}

    def restore(self, values):
        paths, wanted = values["path"].split(), (values["key"], *values["restore-keys"].split())
        for scope in self.event.scopes():
            for prefix in wanted:
                for entry in reversed(self.runner.cache):
                    if entry["scope"] == scope and entry["paths"] == paths and entry["key"].startswith(prefix):
                        for path, content in entry["files"].items():
                            (self.workspace / path).parent.mkdir(parents=True, exist_ok=True)
                            (self.workspace / path).write_bytes(content)
                        return {"cache-matched-key": entry["key"]}
        return {}

    def save(self, values):
        paths, scope = values["path"].split(), self.event.scopes()[0]
        assert all((each["scope"], each["key"]) != (scope, values["key"]) for each in self.runner.cache), values["key"]
        files = {path: (self.workspace / path).read_bytes() for path in paths if (self.workspace / path).exists()}
        self.runner.cache.append({"scope": scope, "key": values["key"], "paths": paths, "files": files})

    def upload(self, values):
        if values["name"] in self.runner.artifacts:
            raise StepFailed(f"an artifact with the name {values['name']} is there already")
        names = sorted(path.name for path in (self.workspace / values["path"]).iterdir())
        self.runner.artifacts[values["name"]] = names

    def upload_sarif(self, values):
        if "security-events" not in self.may_write:
            raise StepFailed("resource not accessible by integration")
        json.loads((self.workspace / values["sarif_file"]).read_text())
        self.runner.sarif.append(values["category"])


ACTIONS = {
    "actions/checkout": _Running.checkout,
    "actions/setup-python": _Running.setup_python,
    "actions/cache/restore": _Running.restore,
    "actions/cache/save": _Running.save,
    "actions/upload-artifact": _Running.upload,
    "github/codeql-action/upload-sarif": _Running.upload_sarif,
}


def evaluate(text, contexts, functions):
    """The value of an expression: literals, contexts, comparisons, logic, and the functions that are given."""
    python, at = "", 0
    text = text.strip().removeprefix("${{").removesuffix("}}").strip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        assert token, f"cannot read {text[at:]!r}"
        at, word = token.end(), token[1]
        plain = word[0] in "'=(!)" or word in functions
        python += _OPERATORS.get(word) or (word if plain else f"look({word!r})")

    def look(name):
        value = contexts
        for part in name.split("."):
            value = value.get(part, "") if isinstance(value, dict) else ""
        return value

    return eval(python, {"__builtins__": {}}, {"look": look, **functions})  # noqa: S307 - the project's own files


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def comments_api(comments, status=200):
    """The address of an API that holds the comments of pull requests; a token that may only read is refused."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def reply(self, value, code=status):
            body = json.dumps(value).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            page = int(self.path.rsplit("page=", 1)[1])
            self.reply(comments[(page - 1) * 100 : page * 100])

        def write(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
            if "may-read" in self.headers["Authorization"]:
                self.reply({}, 403)
            elif self.command == "PATCH":
                comments[int(self.path.rsplit("/", 1)[1])]["body"] = body
                self.reply({})
            else:
                comments.append({"id": len(comments), "body": body, "user": {"type": "Bot"}})
                self.reply({})

        do_POST = do_PATCH = write

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
