"""Two steps of the action: make the gate's own environment, then index the documents, gate and write the outputs.

python gate.py prepare     # outputs: name, python, folder
python gate.py decide      # outputs: code, decision, score, report, store; run with the Python of `prepare`

Both read GATE_* (the inputs, as action.yml passes them) and the runner's GITHUB_* and RUNNER_TEMP. The exit code of the
gate is an output of its own (`code`), so that the reports are uploaded before the job fails by it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ERROR = "::error title=LLM reliability gate::"
MARKER = "<!-- llm-reliability-gate -->"  # as the gate's own comments begin
CONFIG = ".llm-reliability.yaml"
LIMITS = ("max-cost", "max-calls", "max-seconds")
REPORTS = ("verdict.json", "report.html", "verdict.sarif", "junit.xml", "comment.md")
SWITCHES = ("FRESH", "COMMENT", "SARIF")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_ADDRESS = re.compile(r"git\+https://[\w.-]+(:\d+)?/[\w./~-]+@\w[\w./-]*")
_REVISION = re.compile(r"\w[\w./-]*")


class InputError(Exception):
    """An input of the action that cannot be used; the message names it."""


def name_of(name: str, folder: str, config: str) -> str:
    """What sets this gate apart from others in one repository: its name, else one made of its folder and configuration.

    It stands in cache keys, the name of the artifact and the comment, so it is plain. Errors: InputError.
    """
    if not name:
        parts = ("" if Path(folder) == Path() else folder, "" if config == CONFIG else config)
        return re.sub(r"[^A-Za-z0-9]+", "-", " ".join(parts)).strip("-")[-60:].strip("-") or "default"
    if not _NAME.fullmatch(name):
        raise InputError("name: at most 60 letters, digits, dots, dashes and underscores, a letter or digit first")
    return name


def source_of(environ: Mapping[str, str]) -> str:
    """What pip installs: the checked-out action, or a git address. Never the name of a package: on a package index it
    might be somebody else's. Errors: InputError."""
    version, repository = environ.get("GATE_VERSION", ""), environ.get("GATE_REPOSITORY", "")
    if not version:
        return environ["GITHUB_ACTION_PATH"]
    if _ADDRESS.fullmatch(version):
        return version
    if not _REVISION.fullmatch(version):
        raise InputError("version: a commit or tag of the action, or git+https://HOST/OWNER/REPOSITORY@COMMIT")
    if not repository:
        raise InputError("version: the action has no repository here; give git+https://HOST/OWNER/REPOSITORY@COMMIT")
    return f"git+{environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}@{version}"


def home_of(source: str, temp: str) -> Path:
    """The environment of what was installed from `source`: gates of one source share it."""
    return Path(temp, f"gate-{hashlib.sha256(source.encode()).hexdigest()[:12]}")


def prepare(environ: Mapping[str, str]) -> dict[str, str]:
    """Check the inputs and install the gate into an environment below RUNNER_TEMP, once a job for each source.

    Errors: InputError; subprocess.CalledProcessError where pip fails.
    """
    folder, config = environ.get("GATE_FOLDER") or ".", environ.get("GATE_CONFIG") or CONFIG
    if not Path(folder, config).is_file():
        raise InputError(f"config: there is no {config} in {folder}; `gate init` writes one")
    for switch in SWITCHES:
        if environ.get(f"GATE_{switch}", "true") not in {"true", "false"}:
            raise InputError(f"{switch.lower()}: true or false")
    name, source = name_of(environ.get("GATE_NAME", ""), folder, config), source_of(environ)
    _base(name, folder).unlink(missing_ok=True)  # a file that the change brings along is not the verdict of its base
    place = Path(folder, ".gate")
    place.mkdir(exist_ok=True)
    (place / ".gitignore").write_text("*\n", encoding="utf-8")  # a later step may add and commit all files
    home = home_of(source, environ["RUNNER_TEMP"])
    python, done = home / "bin" / "python", home / "installed"
    if not done.exists():
        subprocess.run([sys.executable, "-I", "-m", "venv", "--clear", str(home)], check=True)
        pip = [str(python), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", source]
        subprocess.run(pip, check=True)
        done.touch()
    return {"name": name, "python": str(python), "folder": place.as_posix()}


def decide(environ: Mapping[str, str]) -> dict[str, str]:
    """Index and gate in the current folder. Errors: InputError where arguments cannot be split."""
    name, config = environ["GATE_NAME"], f"--config={environ.get('GATE_CONFIG') or CONFIG}"
    docs, options = _words(environ, "docs"), [*_options(environ), *_words(environ, "extra-args")]
    reports = Path(".gate", "reports", name)
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    files = [f"--output={reports / file}" for file in REPORTS]
    # -I: variables such as PYTHONPATH are the application's. Programs that the gate starts still find them.
    gate = [sys.executable, "-I", "-m", "gate"]
    code = subprocess.run([*gate, "ingest", config, "--", *docs]).returncode
    code = code or subprocess.run([*gate, "run", config, *options, *files]).returncode
    verdict = reports / "verdict.json"
    if not verdict.is_file():
        text = f"there is no verdict (exit code {code}); the job's log says why"
        print(f"{ERROR}{text}")
        (reports / "comment.md").write_text(f"{MARKER}\n## ❔ {text.capitalize()}\n", encoding="utf-8")
        return {"code": str(code)}
    _name_sarif(reports / "verdict.sarif", name)
    found = json.loads(verdict.read_text(encoding="utf-8"))
    outputs = {"code": str(code), "decision": found["decision"]}
    outputs["score"] = "" if found["score"] is None else str(found["score"])
    outputs["report"] = Path(environ.get("GATE_FOLDER") or ".", reports, "report.html").as_posix()
    # Only a decided run on a branch (not a pull request) is a bar for others; a negative code is that of a killed one.
    if environ.get("GITHUB_EVENT_NAME") == "push" and code in (0, 1):
        base = _base(name)
        base.parent.mkdir(exist_ok=True)
        shutil.copyfile(verdict, base)
        outputs["store"] = "true"
    return outputs


def _name_sarif(path: Path, name: str) -> None:
    """Code scanning replaces results of the same id; what uploads them leaves an id that is there as it is."""
    log = json.loads(path.read_text(encoding="utf-8"))
    log["runs"][0]["automationDetails"]["id"] = f"llm-reliability-{name}/"
    path.write_text(json.dumps(log, indent=2) + "\n", encoding="utf-8")


def _options(environ: Mapping[str, str]) -> list[str]:
    """The inputs as options of `gate run`."""
    options = [f"--fail-on={environ.get('GATE_FAIL_ON') or 'block'}"]
    options += [f"--{limit}={value}" for limit in LIMITS if (value := environ.get(_variable(limit)))]
    options += ["--reuse"] if environ.get("GATE_FRESH") == "false" else []
    baseline, base = environ.get("GATE_BASELINE", ""), _base(environ["GATE_NAME"])
    if baseline == "auto":  # a push is compared with nothing: its verdict becomes the new base
        baseline = str(base) if environ.get("GITHUB_EVENT_NAME") == "pull_request" and base.is_file() else ""
    return [*options, f"--baseline={baseline}"] if baseline else options


def _base(name: str, folder: str = ".") -> Path:
    """Where the verdict of the base branch lies."""
    return Path(folder, ".gate", "baselines", f"{name}.json")


def _variable(name: str) -> str:
    return f"GATE_{name.upper().replace('-', '_')}"


def _words(environ: Mapping[str, str], name: str) -> list[str]:
    """An input as arguments: split as a shell splits, nothing expanded."""
    try:
        return shlex.split(environ.get(_variable(name), ""))
    except ValueError as error:
        raise InputError(f"{name}: {error}") from error


STEPS = {"prepare": prepare, "decide": decide}


def main(arguments: list[str], environ: Mapping[str, str]) -> int:
    """Run one step and append its outputs to GITHUB_OUTPUT. 2 where an input cannot be used, 1 where pip fails."""
    try:
        outputs = STEPS[arguments[0]](environ)
    except InputError as error:
        print(f"{ERROR}{error}")
        return 2
    except subprocess.CalledProcessError:
        print(f"{ERROR}the gate could not be installed; the lines above say why")
        return 1
    with Path(environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.writelines(f"{key}={value}\n" for key, value in outputs.items())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
