"""`gate init`: a first configuration and a workflow, from what the folder shows."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from itertools import islice
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import typer
from jinja2 import Environment, StrictUndefined

from gate.commands.options import Debug
from gate.config.schema import schema
from gate.errors import UsageError
from gate.providers.command import git
from gate.reports.files import write

CONFIG = ".llm-reliability.yaml"
WORKFLOW = ".github/workflows/llm-reliability.yml"
SCHEMA = ".llm-reliability.schema.json"  # by which an editor completes and checks the configuration
DOCUMENTS = frozenset({".md", ".mdx", ".html", ".htm", ".rst", ".txt", ".pdf"})
SKIPPED = frozenset({"node_modules", "venv", "dist", "build", "site-packages", "__pycache__", "tests", "test"})
TEMPLATES = Path(__file__).parent.parent / "templates"
FETCHED = ".gate/source"  # where a workflow puts an action that does not come from GitHub
LOOKED_AT = 20_000  # files; a larger folder is judged by these


@dataclass(frozen=True, slots=True)
class Found:
    """What a folder shows: folders of documents, a file of recorded answers, a file of questions, GitHub or not."""

    sources: tuple[str, ...]
    answers: str | None
    dataset: str | None
    github: bool


def init(
    force: Annotated[bool, typer.Option("--force", help="write over existing files")] = False,
    debug: Debug = False,
) -> int:
    """Look at this folder (documents, recorded answers, questions, a CI system) and write a commented
    .llm-reliability.yaml and, for GitHub, a workflow. An existing file is left alone unless --force is given.

    example: gate init
    """
    folder = Path()
    found, where = look(folder), origin(installed_from(), folder)
    texts = {CONFIG: configuration(folder.resolve().name, found)}
    if found.github:
        texts[WORKFLOW] = workflow(where)
    kept = [name for name in texts if Path(name).exists() and not force]
    if len(kept) == len(texts):
        raise UsageError(f"{' and '.join(kept)}: already there", "use --force to write over")
    texts[SCHEMA] = json.dumps(schema(), indent=1) + "\n"  # nobody writes into it: it is that of this gate
    for name, text in texts.items():
        if name in kept:
            sys.stdout.write(f"kept   {name}\n")
            continue
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        write(Path(name), text)
        sys.stdout.write(f"wrote  {name}\n")
    sys.stdout.write(_next(found, where))
    return 0


def workflow(where: str) -> str:
    """The workflow, with the steps that bring the action from `where`, as `origin` says it; the line that says what to
    fill in stays where that is not known. No name that somebody else might own is put in its place."""
    template = (TEMPLATES / "workflow.yml").read_text(encoding="utf-8")
    if not where:
        return template
    local = " # zizmor: ignore[self-repository] these are the files of this checkout"
    steps = f"      - uses: {where}{local if where.startswith('./') else ''}\n"
    if where.startswith("https://"):
        address, _, commit = where.rpartition("@")
        fetch = f"git -C {FETCHED} fetch -q --depth 1 {address} {commit}"
        steps = f"      - run: git init -q {FETCHED} && {fetch} && git -C {FETCHED} checkout -q FETCH_HEAD\n"
        steps += f"      - uses: ./{FETCHED}{local}\n"
    return re.sub(r" +- uses: <OWNER>.*\n", lambda _: steps, template)


def installed_from() -> dict[str, Any]:
    """What pip noted about the place that this gate was installed from (PEP 610); empty if nothing."""
    try:
        noted = json.loads(distribution("llm-reliability-gate").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def origin(noted: Mapping[str, Any], folder: Path) -> str:
    """Where a workflow in `folder` finds the action: `OWNER/REPOSITORY@COMMIT` on GitHub, `https://ADDRESS@COMMIT` of
    another git host, or `./PATH` of files in the folder itself; empty where `noted` does not tell. A clone elsewhere
    stands for the repository that it was cloned from."""
    url, version = str(noted.get("url")), noted.get("vcs_info")
    if isinstance(version, dict):
        return _pinned(url, str(version.get("commit_id")))
    if "dir_info" not in noted or not url.startswith("file://"):
        return ""
    path, here = Path(url2pathname(urlsplit(url).path)).resolve(), folder.resolve()
    if path == here or (path.is_relative_to(here) and not (path / ".git").exists()):  # what has one is not committed
        inside = "" if path == here else path.relative_to(here).as_posix()
        return f"./{inside}" if (path / "action.yml").is_file() and re.fullmatch(r"[\w./-]*", inside) else ""
    asked = (("rev-parse", "--show-toplevel"), ("remote", "get-url", "origin"), ("rev-parse", "HEAD"))
    top, remote, commit = ((git(path, *words) or b"").decode("utf-8", "replace").strip() for words in asked)
    pushed = git(path, "branch", "-r", "--contains", "HEAD")  # a commit that only this machine has is no address
    return _pinned(remote, commit) if pushed and Path(top) == path else ""


def _pinned(url: str, commit: str) -> str:
    """The repository and the commit, if both are words that mean nothing to YAML or a shell."""
    if not re.fullmatch("[0-9a-f]{40,64}", commit):
        return ""
    if found := re.fullmatch(r"(?:https://|(?:ssh://)?git@)github\.com[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?", url):
        return f"{found[1]}@{commit}"
    return f"{url}@{commit}" if re.fullmatch(r"https://[\w.-]+(:\d+)?/[\w./~-]+", url) else ""


def look(folder: Path) -> Found:
    """What is in `folder`, without following links or entering hidden folders."""
    places: Counter[str] = Counter()
    answers = dataset = None
    for path in islice(_files(folder), LOOKED_AT):
        relative = path.relative_to(folder)
        if path.suffix.lower() in DOCUMENTS and (len(relative.parts) > 1 or relative.stem.lower() == "readme"):
            places[f"{relative.parts[0]}/" if len(relative.parts) > 1 else relative.as_posix()] += 1
        elif path.suffix == ".jsonl":
            keys = _first_keys(path)
            asks = not keys.isdisjoint(("question", "messages"))
            if asks and "answer" in keys:
                answers = answers or relative.as_posix()
            elif asks:
                dataset = dataset or relative.as_posix()
    folders = [name for name, _ in places.most_common() if name.rstrip("/").lower() in {"docs", "doc", "documentation"}]
    best = folders or [name for name, _ in places.most_common(1)] or ["docs/"]
    return Found(tuple(best), answers, dataset, (folder / ".github").is_dir() or (folder / ".git").exists())


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder, sorted."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(n for n in folders if not n.startswith(".") and n.lower() not in SKIPPED)
        yield from (Path(root) / name for name in sorted(names))


def _first_keys(path: Path) -> set[str]:
    """The keys of the first line of a JSONL file; none if it is something else."""
    try:
        with path.open(encoding="utf-8") as file:
            value = json.loads(file.readline(1_000_000))
    except (OSError, ValueError, RecursionError):
        return set()
    return set(value) if isinstance(value, dict) else set()


def configuration(name: str, found: Found) -> str:
    """The text of a configuration that fits what was found."""
    template = (TEMPLATES / "llm-reliability.yaml.j2").read_text(encoding="utf-8")
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)  # noqa: S701 - YAML
    return environment.from_string(template).render(
        use_case=json.dumps(f"Assistant of {name}", ensure_ascii=False)[1:-1],
        sources=[json.dumps(source, ensure_ascii=False) for source in found.sources],
        answers=json.dumps(found.answers, ensure_ascii=False) if found.answers else "",
        dataset=json.dumps(found.dataset, ensure_ascii=False) if found.dataset else "",
    )


def _next(found: Found, where: str) -> str:
    """The next command, and what is still missing for it."""
    lines = []
    if found.github and not where:
        lines.append(f"fill in where the gate comes from, in the line of {WORKFLOW} with <OWNER>")
    if not Path(found.sources[0]).exists():
        lines.append(f"put your documents into {found.sources[0]} (or change doc_sources)")
    if not found.answers:
        lines.append("make ./answer.sh print your application's answer (or record answers, or name another model)")
    return "".join(f"first: {line}\n" for line in lines) + "next: gate ingest && gate run\n"
