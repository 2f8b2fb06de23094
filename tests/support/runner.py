"""An imitation of GitHub's runner, as far as the gate's workflow and action use one: expressions, `if`, a matrix,
composite actions, the actions that they name, the cache with its scopes, artifacts, and an API for comments."""

import json
import os
import re
import shutil
import subprocess
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from tests.support.loopback import Handler, Loopback

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
_TOKEN = re.compile(r"'[^']*'|[A-Za-z_][\w.-]*|==|!=|&&|\|\||!")
_OPERATORS = {"&&": " and ", "||": " or ", "!": " not ", "true": "True", "false": "False"}
_KEPT = re.compile(r"PIP_|SSL_|REQUESTS_|LANG$|GIT_CONFIG_")  # of the environment: what reaches a package index


class StepFailed(Exception):
    """A step that failed; the message is the line of the log."""


@dataclass
class Event:
    """What started a run: `ref` is the branch that was pushed, or the base of the pull request."""

    name: str = "pull_request"
    ref: str = "main"
    fork: bool = False

    def scopes(self):
        """The scopes of the cache that a run may read, its own first: only there it may write."""
        own = ["pull/7"] if self.name == "pull_request" else []
        return [*own, self.ref, "main"]


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
            for matrix in job.get("strategy", {}).get("matrix", {}).get("include", [{}]):
                at_work = _AtWork(self, repository, event, {**document["permissions"], **job["permissions"]})
                contexts = {"github": at_work.github, "matrix": matrix, "steps": {}}
                at_work.steps(job["steps"], contexts)
                at_work.job.summary = (at_work.temp / "summary").read_text()
                found[fill(job["name"], contexts)] = at_work.job
        return found


class _AtWork:
    """One job; the methods with the name of an action imitate it."""

    def __init__(self, runner, repository, event, permissions):
        self.runner, self.repository, self.event, self.job = runner, repository, event, Job()
        self.may_write = {key for key, value in permissions.items() if value == "write" and not event.fork}
        self.workspace, self.temp = runner.home / "work", runner.home / "temp"
        shutil.rmtree(self.workspace, ignore_errors=True)
        self.workspace.mkdir(parents=True)
        self.temp.mkdir(exist_ok=True)
        pull = event.name == "pull_request"
        (self.temp / "event").write_text(json.dumps({"pull_request": {"number": 7}} if pull else {}))
        (self.temp / "summary").write_text("")
        self.github = {
            "actions": "true",
            "api_url": runner.api,
            "base_ref": event.ref if pull else "",
            "event_name": event.name,
            "event_path": str(self.temp / "event"),
            "output": str(self.temp / "output"),
            "ref_name": "7/merge" if pull else event.ref,
            "repository": "o/application",
            "run_attempt": "1",
            "run_id": str(runner.runs),
            "server_url": "https://github.com",
            "sha": "c" * 40,
            "step_summary": str(self.temp / "summary"),
            "token": f"may-{'write' if 'pull-requests' in self.may_write else 'read'}",
            "workspace": str(self.workspace),
        }

    def steps(self, steps, contexts):
        """Run steps; `success()` is of the whole job, so a failure in an action reaches the steps after it."""
        for step in steps:
            condition, functions = str(step.get("if", "true")), {"always": lambda: True}
            if "always()" not in condition and not self.job.ok:
                continue
            if not evaluate(condition, contexts, functions):
                continue
            try:
                outputs = (self.uses if "uses" in step else self.shell)(step, contexts)
            except StepFailed as error:
                self.job.log += f"FAILED {step.get('name', step.get('uses', step.get('run')))}: {error}\n"
                self.job.ok, outputs = bool(step.get("continue-on-error") and self.job.ok), {}
            contexts["steps"][step.get("id")] = {"outputs": outputs}

    def shell(self, step, contexts):
        assert "${{" not in step["run"], "an expression in a script is code of whoever filled it"
        output = self.temp / "output"
        output.write_text("")
        environ = {
            **{name: value for name, value in os.environ.items() if _KEPT.match(name)},
            **{f"GITHUB_{key.upper()}": value for key, value in contexts["github"].items() if key != "token"},
            "PATH": self.runner.path,
            "HOME": str(self.runner.home),
            "PYTHONPATH": str(self.repository / "of-the-application"),
            "RUNNER_TEMP": str(self.temp),
            **self.variables(step, contexts),
        }
        options = ["--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
        folder = self.workspace / fill(step.get("working-directory", "."), contexts)
        command = ["bash", *options, "-c", step["run"]]
        done = subprocess.run(command, cwd=folder, env=environ, stdout=-1, stderr=subprocess.STDOUT, text=True)
        self.job.log += done.stdout
        if done.returncode:
            raise StepFailed(f"exit code {done.returncode}")
        return dict(line.split("=", 1) for line in output.read_text().splitlines())

    def variables(self, step, contexts):
        """The `env` of a step, below that of the step that uses the action."""
        return {**contexts.get("env", {}), **{key: fill(value, contexts) for key, value in step.get("env", {}).items()}}

    def uses(self, step, contexts):
        name, _, ref = step["uses"].partition("@")
        values = {key: fill(value, contexts) for key, value in step.get("with", {}).items()}
        if imitated := getattr(self, re.sub(r"\W", "_", name), None):
            assert re.fullmatch("[0-9a-f]{40}", ref), f"{name} is not pinned to a commit"
            return imitated(values) or {}
        folder = self.workspace / name if name.startswith("./") else self.runner.actions.get(name)
        if folder is None:
            raise StepFailed(f"unable to resolve action {step['uses']}")
        action = yaml.safe_load((folder / "action.yml").read_text())
        assert values.keys() <= action["inputs"].keys(), values
        defaults = {key: fill(each["default"], contexts) for key, each in action["inputs"].items()}
        github = {**contexts["github"], "action_path": str(folder), "action_repository": name.lstrip("./")}
        inside = {"github": github, "inputs": {**defaults, **values}, "steps": {}}
        inside["env"], was = self.variables(step, contexts), self.job.ok
        self.steps(action["runs"]["steps"], inside)
        self.job.gates.append({key: fill(each["value"], inside) for key, each in action["outputs"].items()})
        if was and not self.job.ok:
            raise StepFailed("a step of the action failed")
        return self.job.gates[-1]

    def actions_checkout(self, values):
        assert values["persist-credentials"] == "false"
        shutil.copytree(self.repository, self.workspace, dirs_exist_ok=True)

    def actions_setup_python(self, values):
        assert values["update-environment"] == "false"
        return {"python-path": self.runner.python}

    def actions_cache_restore(self, values):
        wanted = (values["key"], *values["restore-keys"].split())
        for scope, prefix in ((scope, prefix) for scope in self.event.scopes() for prefix in wanted):
            for found, key, files in reversed(self.runner.cache):
                if found == (scope, values["path"]) and key.startswith(prefix):
                    for path, content in files.items():
                        (self.workspace / path).parent.mkdir(parents=True, exist_ok=True)
                        (self.workspace / path).write_bytes(content)
                    return

    def actions_cache_save(self, values):
        place, key = (self.event.scopes()[0], values["path"]), values["key"]
        assert all(each[:2] != (place, key) for each in self.runner.cache), key
        there = [path for path in values["path"].split() if (self.workspace / path).exists()]
        files = {path: (self.workspace / path).read_bytes() for path in there}
        self.runner.cache.append((place, key, files))

    def actions_upload_artifact(self, values):
        if values["name"] in self.runner.artifacts:
            raise StepFailed(f"an artifact with the name {values['name']} is there already")
        names = sorted(path.name for path in (self.workspace / values["path"]).iterdir())
        self.runner.artifacts[values["name"]] = names

    def github_codeql_action_upload_sarif(self, values):
        if "security-events" not in self.may_write:
            raise StepFailed("resource not accessible by integration")
        log = json.loads((self.workspace / values["sarif_file"]).read_text())
        self.runner.sarif.append(log["runs"][0]["automationDetails"]["id"])


def fill(value, contexts):
    """A value of a workflow with its expressions filled in, as text."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return _EXPRESSION.sub(lambda found: str(evaluate(found[1], contexts, {})), text)


def evaluate(text, contexts, functions):
    """The value of an expression: literals, contexts, comparisons, logic, and the functions that are given."""

    def look(name):
        value = contexts
        for part in name.split("."):
            value = value.get(part, "") if isinstance(value, dict) else ""
        return value

    def python(found):
        word = found[0]
        return _OPERATORS.get(word) or (word if word[0] in "'=!" or word in functions else f"look({word!r})")

    code = _TOKEN.sub(python, text.strip())
    return eval(code, {"__builtins__": {}}, {"look": look, **functions})  # noqa: S307 - the project's own files


@contextmanager
def comments_api(comments, status=200):
    """The address of an API that holds the comments of pull requests; a token that may only read is refused."""

    class Comments(Handler):
        def reply(self, value, code=status):
            self.send(code, json.dumps(value).encode(), {})

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

    with closing(Loopback(Comments)) as server:
        yield server.url
