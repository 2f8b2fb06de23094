"""What has to hold of the workflow that people copy, as cases in an imitated runner: CASES, each takes a World."""

import json
import re
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gate.commands.init import workflow
from tests.support.runner import Event, Runner, comments_api

ROOT = Path(__file__).parents[2]
GOOD = "The warranty lasts two years from the date of purchase."
BAD = "The warranty lasts nine years. The pump is sold with a free bicycle and a pony."
EMPTY = "I don't have that information."
CONFIG = "use_case: x\ndoc_sources: [docs]\nevaluation: {source: recorded}\nmodel: {provider: replay, path: a.jsonl}\n"
WARNING = CONFIG + "risk_tolerance: {warn_threshold: 1.0}\n"
STRICT = CONFIG + "risk_tolerance: {fail_on_regression: true, warn_threshold: 1.0}\n"
REPORTS = ["comment.md", "junit.xml", "report.html", "verdict.json", "verdict.sarif"]


@dataclass
class World:
    """A repository with the copied workflow, the runner, and the comments of its pull request."""

    runner: Runner
    repository: Path
    comments: list
    host: Path = ROOT  # the git repository that https://git.example/o/gate stands for
    text: str = workflow(f"example/gate@{'a' * 40}")

    def application(self, *answers, config=CONFIG, folder="."):
        """Write an application: a document, recorded answers, a configuration."""
        place = self.repository / folder
        (place / "docs").mkdir(parents=True, exist_ok=True)
        (place / "docs" / "a.md").write_text(f"# Pump\n\n{GOOD} The pump is painted green.\n")
        shadow = self.repository / "of-the-application" / "gate.py"  # on the PYTHONPATH of every step
        shadow.parent.mkdir(exist_ok=True)
        shadow.write_text("raise SystemExit('the gate is not the application')")
        rows = [
            json.dumps({"id": f"q{n}", "question": "What?", "answer": text}) + "\n" for n, text in enumerate(answers)
        ]
        (place / "a.jsonl").write_text("".join(rows))
        (place / ".llm-reliability.yaml").write_text(config)

    def run(self, event=None, **inputs):
        """The one job of the workflow, with these inputs of the action beside those that it has."""
        more = "".join(f"          {name.replace('_', '-')}: {json.dumps(value)}\n" for name, value in inputs.items())
        (job,) = self.runner.run(self.text + more, self.repository, event or Event()).values()
        return job

    def stored(self):
        """The keys of the cache without the numbers of the runs."""
        return {key.rpartition("/")[0] for _, key, _ in self.runner.cache}


@contextmanager
def new_world(home, python, path):
    """A world below `home`; `python` is the runner's for the gate, `path` the PATH of the application."""
    comments = []
    with comments_api(comments) as api:
        (home / "repository").mkdir(parents=True)
        runner = Runner(home, python, path, api, {"example/gate": ROOT})
        yield World(runner, home / "repository", comments)


def base(world):
    """A pull request without a base beside it, then the push that stores one."""
    world.application(*[GOOD] * 8)
    first = world.run()
    assert (first.ok, first.gates[0]["decision"], first.gates[0]["exit-code"]) == (True, "deploy", "0"), first.log
    assert "Against the base" not in world.comments[0]["body"]  # nothing is stored yet
    assert world.runner.artifacts == {"llm-reliability-default-1": REPORTS}
    pushed = world.run(Event("push"))
    assert pushed.ok, pushed.log
    assert "no pull request" in pushed.log
    assert world.stored() == {"gate/index/default", "gate/base/default/main"}


def inconclusive(world):
    """Nothing was judged, or there is no verdict at all: the job is red, and the comment does not show an older one."""
    world.application(EMPTY)
    job = world.run(Event("push"))
    assert (job.ok, job.gates[0]["decision"], job.gates[0]["score"]) == (False, "inconclusive", "")
    assert world.stored() == {"gate/index/default"}  # no bar for others
    world.application(GOOD)
    limited = world.run(extra_args="--limit 1 --baseline 'no such file'")
    assert (limited.ok, limited.gates[0]["exit-code"], limited.gates[0]["decision"]) == (False, "2", "")
    (world.repository / "docs" / "bad.md").write_bytes(b"\x00\x01")
    unread = world.run()
    assert (unread.ok, unread.gates[0]["exit-code"]) == (False, "3"), unread.log
    assert "There is no verdict (exit code 3)" in world.comments[0]["body"]


def fork(world):
    """A token that may only read: no comment, no SARIF, and the decision and the summary as ever."""
    world.application(GOOD)
    job = world.run(Event(fork=True), sarif=True)
    assert (job.ok, job.gates[0]["decision"], world.comments, world.runner.sarif) == (True, "deploy", [], [])
    assert "::notice title=LLM reliability gate::no comment: the token may not write comments" in job.log
    assert "DEPLOY" in job.summary


def two_gates(world):
    """The monorepo of action/README.md: each has its own job, comment, artifact, cache and base. One warns beside its
    base, and its job is green; one blocks."""
    (block,) = re.findall(r"```yaml\n(jobs:\n.*?)```", (ROOT / "action/README.md").read_text(), re.DOTALL)
    head = world.text[: world.text.index("jobs:\n")]
    text = head + block.replace("<OWNER>/<REPOSITORY>@<COMMIT>", f"example/gate@{'a' * 40}")
    text = text.replace("write\n", "write\n      security-events: write\n") + "          sarif: true\n"
    world.application(*[GOOD] * 8, folder="apps/shop")
    world.application(*[GOOD] * 8, folder="apps/help")
    world.runner.run(text, world.repository, Event("push"))
    assert world.stored() == {
        f"gate/{kind}" for kind in ("index/shop", "index/help", "base/shop/main", "base/help/main")
    }
    world.application(*[GOOD] * 7, BAD, config=WARNING, folder="apps/shop")
    world.application(*[BAD] * 8, config=STRICT, folder="apps/help")
    jobs = world.runner.run(text, world.repository, Event())
    shop, help_ = jobs["llm-reliability (shop)"], jobs["llm-reliability (help)"]
    assert (shop.ok, shop.gates[0]["decision"], shop.gates[0]["exit-code"]) == (True, "warn", "0"), shop.log
    assert (help_.ok, help_.gates[0]["decision"], help_.gates[0]["exit-code"]) == (False, "block", "1")
    assert "regression" in help_.summary
    assert "::error" in help_.log
    assert world.runner.artifacts == {f"llm-reliability-{name}-1": REPORTS for name in ("shop", "help")}
    told = {re.match(r"<!-- [\w-]+: (\w+) -->\n## \S+ (\w+)", each["body"]).groups() for each in world.comments}
    assert told == {("shop", "WARN"), ("help", "BLOCK")}
    assert all("Against the base" in each["body"] for each in world.comments)
    assert world.runner.sarif == ["llm-reliability-shop/", "llm-reliability-help/"] * 2
    assert "file=apps/help/docs/a.md" in help_.log


def other_host(world):
    """An action that is fetched from another git host; and the line that is not filled in, which runs nothing."""
    world.application(GOOD, config=CONFIG.replace("use_case: x", 'use_case: "${USE_CASE}"'))
    commit = subprocess.check_output(["git", "-C", str(world.host), "rev-parse", "HEAD"], text=True).strip()
    world.text = workflow(f"https://git.example/o/gate@{commit}") + "        env: {USE_CASE: Help with pumps}\n"
    job = world.run(Event())
    assert (job.ok, job.gates and job.gates[0]["decision"]) == (True, "deploy"), job.log
    assert "Help with pumps" in world.comments[0]["body"]
    world.text = workflow("")
    job = world.run(Event())
    assert not job.ok
    assert "unable to resolve action <OWNER>/<REPOSITORY>@<COMMIT>" in job.log


CASES = (base, inconclusive, fork, two_gates, other_host)
