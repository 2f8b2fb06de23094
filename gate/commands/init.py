"""`gate init`: a first configuration and a workflow, from what the folder shows."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from jinja2 import Environment, StrictUndefined

from gate.commands.options import Debug
from gate.errors import UsageError
from gate.reports.files import write

CONFIG = ".llm-reliability.yaml"
WORKFLOW = ".github/workflows/llm-reliability.yml"
DOCUMENTS = frozenset({".md", ".mdx", ".html", ".htm", ".rst", ".txt", ".pdf"})
SKIPPED = frozenset({"node_modules", "venv", "dist", "build", "site-packages", "__pycache__", "tests", "test"})
TEMPLATES = Path(__file__).parent.parent / "templates"
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
    found = look(folder)
    texts = {CONFIG: configuration(folder.resolve().name, found)}
    if found.github:
        template = (TEMPLATES / "workflow.yml").read_text(encoding="utf-8")
        texts[WORKFLOW] = template.replace("- run: INSTALL\n", f"- run: {install_step(origin())}\n")
    kept = [name for name in texts if Path(name).exists() and not force]
    if len(kept) == len(texts):
        raise UsageError(f"{' and '.join(kept)}: already there", "use --force to write over")
    for name, text in texts.items():
        if name in kept:
            sys.stdout.write(f"kept   {name}\n")
            continue
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        write(Path(name), text)
        sys.stdout.write(f"wrote  {name}\n")
    sys.stdout.write(_next(found))
    return 0


def origin() -> str:
    """`git+URL@COMMIT` of this installation, as pip noted it (PEP 610); empty where it came from somewhere else."""
    try:
        noted = json.loads(distribution("llm-reliability-gate").read_text("direct_url.json") or "{}")
        url, commit = str(noted["url"]), str(noted["vcs_info"]["commit_id"])
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return ""
    plain = re.fullmatch(r"https://[\w.-]+(:\d+)?/[\w./~-]+", url) and re.fullmatch("[0-9a-f]{40,64}", commit)
    return f"git+{url}@{commit}" if plain else ""


def install_step(source: str) -> str:
    """The command that installs the gate on a runner; where its source is not known, one that says what to fill in. No
    name on a package index is taken for it: it might be somebody else's."""
    if source:
        return f"""'"$RUNNER_TEMP/gate/bin/pip" install --quiet "{source}"'"""
    return (
        """'echo "::error::say where the gate comes from: put  $RUNNER_TEMP/gate/bin/pip install git+https://HOST/OWNER/"""
        """REPOSITORY@COMMIT  in place of this line"; exit 1'"""
    )


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
            if {"question", "answer"} <= keys:
                answers = answers or relative.as_posix()
            elif "question" in keys:
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


def _next(found: Found) -> str:
    """The next command, and what is still missing for it."""
    lines = []
    if found.github and not origin():
        lines.append(f"say in {WORKFLOW} where the gate comes from")
    if not Path(found.sources[0]).exists():
        lines.append(f"put your documents into {found.sources[0]} (or change doc_sources)")
    if not found.answers:
        lines.append("make ./answer.sh print your application's answer (or record answers, or name another model)")
    return "".join(f"first: {line}\n" for line in lines) + "next: gate ingest && gate run\n"
