"""`gate doctor`: every configured part, checked at once: is it there, does it answer, and what to do if not."""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gate.anchors import configured_anchors
from gate.commands.options import ConfigFile, Debug, printable, seconds
from gate.config import DEFAULT_PATH, load
from gate.errors import GateError, SourceError
from gate.files import make_folder
from gate.judge_quality import doubts, measured_error
from gate.pipeline import index_faults
from gate.providers.base import Provider
from gate.providers.chain import tiny_request
from gate.providers.replay import Replay
from gate.reports.words import count
from gate.toolbox import Toolbox, documents_of
from gate.waivers import load_waivers
from ingest.base import Other, Unread
from ingest.formats import NAMES, read_blocks
from ingest.sources import open_sources


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of one part; `remedy` says what to do where it is not well."""

    part: str
    well: bool
    found: str
    remedy: str = ""


Probe = Callable[[], str]


def doctor(
    config: ConfigFile = None,
    timeout: Annotated[
        float, typer.Option("--timeout", parser=seconds, metavar="S", help="seconds for each part")
    ] = 20.0,
    debug: Debug = False,
) -> int:
    """Check what the configuration names: documents, index, embedder, model under test, judge, waivers,
    folder. All at once, each with a time-out; a line for each part, and what to do where it is not well. A model that
    is reached over a network is asked for one output token. Exit code 0: all well, 2: not.

    example: gate doctor
    """
    path = Path(config or DEFAULT_PATH)
    loaded = load(path)
    checks = examine(lambda: Toolbox(loaded, path.parent, use_cache=False), timeout)
    sys.stdout.write(printable(render(checks)))
    return 0 if all(check.well for check in checks) else 2


def examine(make: Callable[[], Toolbox], seconds: float) -> list[Check]:
    """Check every part that the configuration names, side by side; a part that hangs is given up after `seconds`.

    `make` gives each part a toolbox of its own, so that none waits for, or breaks, what another one opens.
    """
    tools = make()
    config = tools.config
    parts: dict[str, Callable[[Toolbox], str]] = {
        "folder": _folder,
        "embedding": _embedding,
        "index": _index,
        "model": _model,
        "judge": _judge,
    }
    if config.evaluation.source == "dataset":
        parts["dataset"] = _dataset
    tolerance = config.risk_tolerance
    if tools.path(tolerance.waivers).exists() or "waivers" in tolerance.model_fields_set:
        parts["waivers"] = _waivers
    for number, source in enumerate(config.doc_sources):
        parts[f"documents {source.path}"] = partial(_documents, number)
    return together({part: partial(_using, make, probe) for part, probe in parts.items()}, seconds)


def _using(make: Callable[[], Toolbox], probe: Callable[[Toolbox], str]) -> str:
    """Each call is made once, so that its own fault shows in time, and whatever the limits of a run are."""
    tools = make()
    free = tools.config.limits.model_copy(update=dict.fromkeys(("max_cost_usd", "max_calls", "max_seconds")))
    with closing(replace(tools, config=tools.config.model_copy(update={"limits": free}), trial=True)) as unlimited:
        return probe(unlimited)


def together(work: dict[str, Probe], seconds: float) -> list[Check]:
    """Run all probes on threads of their own, which have `seconds` together; one entry for each, in their order."""
    results: dict[str, Check] = {}
    ends = time.monotonic() + seconds
    threads = [
        threading.Thread(target=lambda p=part, w=probe: results.__setitem__(p, _check(p, w)), daemon=True)
        for part, probe in work.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    late = "is it running, and is the address right?"
    return [results.get(part) or Check(part, False, f"no answer within {seconds:g} s", late) for part in work]


def _check(part: str, probe: Probe) -> Check:
    try:
        return Check(part, True, probe())
    except GateError as error:
        return Check(part, False, error.message, error.hint)
    except Exception as error:  # a part must not hide the others
        return Check(part, False, f"internal fault: {error!r}", "run again with --debug and report what it prints")


def _folder(tools: Toolbox) -> str:
    """The folder of index and record can be written."""
    folder = tools.folder
    try:
        make_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise GateError(f"{folder}/ cannot be written: {reason}", "change its owner or its permissions") from None
    return f"{folder}/ can be written, {shutil.disk_usage(folder).free / 2**30:.0f} GiB free"


def _embedding(tools: Toolbox) -> str:
    embedder = tools.embedder
    embedder.embed(["one short text"])
    return f"{embedder.name} gives vectors of {embedder.dimension}"


def _index(tools: Toolbox) -> str:
    tools.store.search(["one short text"], 1)  # it reads what the list of chunks does not: words and vectors
    wrong = index_faults(tools)
    if any(wrong):
        told = "; ".join(filter(None, wrong))
        raise GateError(told, "run `gate ingest`, so that claims are checked against what they say now")
    chunks = list(tools.store.chunks())
    sources = {chunk.source for chunk in chunks}
    return f"{count(len(chunks), 'chunk')} of {count(len(sources), 'document')}, made with this embedder"


def _documents(number: int, tools: Toolbox) -> str:
    """There is something to index at a source of documents; what ingestion would leave out does not count."""
    given = tools.config.doc_sources[number]
    (source,) = open_sources([documents_of(tools.config, tools.base)[number]])
    first: Unread | None = None
    for entry in source.documents():
        if isinstance(entry, Other):
            continue
        if isinstance(entry, Unread):
            first = first or entry
            continue
        try:
            if read_blocks(entry.source, entry.read()):
                return f"readable, {entry.source} for instance"
            first = first or Unread(entry.source, "has no text")
        except SourceError as error:
            first = first or Unread(entry.source, error.message, error.hint)
    if first is not None:
        what = f"{given.path}: no document that can be read: {first.source} {first.message}"
        raise GateError(what, first.hint or "put it right, or name another source")
    raise GateError(f"{given.path}: there is no document in it", f"documents are {NAMES}")


def _model(tools: Toolbox) -> str:
    model = tools.config.model
    if model.provider == "replay":
        return f"{count(len(Replay(tools.path(model.path or '')).answers), 'recorded answer')} in {model.path}"
    return _answers(tools.provider)


def _dataset(tools: Toolbox) -> str:
    return f"{count(len(tools.load_prompts()), 'question')} in {tools.config.evaluation.dataset}"


def _waivers(tools: Toolbox) -> str:
    name = tools.config.risk_tolerance.waivers
    return f"{count(len(load_waivers(tools.path(name), needed=True)), 'waiver')} in {name}"


def _judge(tools: Toolbox) -> str:
    """The judge can be opened, is calibrated where a run needs it, and the model behind it answers."""
    info = tools.judge.info()
    if tools.config.risk_tolerance.decide_on == "corrected":
        measured_error(tools.folder, info)
    if why := next(doubts(tools.config.judge.require, tools.folder, info), ""):
        raise GateError(why, "docs/how-to/calibrate.md says how")
    configured_anchors(tools)
    if tools.judge_model is not None:
        _answers(tools.judge_model)
    return " / ".join(filter(None, (info.provider, info.model, info.prompt_version)))


def _answers(provider: Provider) -> str:
    """The model answers one tiny question (one output token)."""
    reply = provider.complete(tiny_request())
    took = f" in {reply.latency_ms:.0f} ms" if reply.latency_ms is not None else ""
    return f"{provider.name} {provider.model} answers{took}"


def render(checks: Sequence[Check]) -> str:
    """A line for each part, with the remedy below it where one is needed."""
    width = max(len(check.part) for check in checks)
    lines = []
    for check in checks:
        lines.append(f"{'ok  ' if check.well else 'FAIL'}  {check.part:<{width}}  {check.found}\n")
        if check.remedy:
            lines.append(f"{'':<{width + 8}}hint: {check.remedy}\n")
    return "".join(lines)
