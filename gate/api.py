"""The Python door: `gate.judge` labels one answer, `gate.run` is `gate run`. The same parts do the work as behind the
command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from gate.agents.extract_claims import extract_claims
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.agents.verify_claims import verify_claims
from gate.commands.options import limited
from gate.config import DEFAULT_PATH, Config, load
from gate.errors import UsageError
from gate.judges.base import unjudged
from gate.pipeline import begin, check_index, judged
from gate.pipeline import run as run_agents
from gate.records import Answer, Prompt, Verdict, writable
from gate.reports.document import VerdictDocument
from gate.reports.files import check, render, write
from gate.reports.files import load as load_verdict
from gate.reports.outcome import exit_code
from gate.state import State
from gate.toolbox import FOLDER, Toolbox, bare
from gate.verdicts import with_baseline
from ingest.chunk import chunk
from ingest.formats import read_blocks


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a run. `document` is the verdict as JSON has it: docs/reference/verdict.md describes its keys."""

    document: VerdictDocument

    @property
    def decision(self) -> str:
        """`deploy`, `warn`, `block` or `inconclusive`."""
        return self.document["decision"]

    @property
    def risk(self) -> float | None:
        """In 0..1; None where nothing was judged."""
        return self.document["score"]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why this decision was made, a sentence each."""
        return tuple(self.document["reasons"])

    def exit_code(self, fail_on: Literal["block", "warn"] = "block") -> int:
        """What `gate run` would exit with: 0 may ship, 1 may not, 3 inconclusive, 4 a limit was hit."""
        return exit_code(self.document, fail_on)

    def save(self, path: str | Path) -> None:
        """Write a report: .json .html .sarif .xml or .md by its ending. Errors: UsageError."""
        check(Path(path))
        write(Path(path), render(self.document, Path(path).suffix))


def run(  # noqa: PLR0913 - the options of the command
    config: str | Path = DEFAULT_PATH,
    *,
    baseline: str | Path | None = None,
    limit: int | None = None,
    reuse: bool = False,
    use_cache: bool = True,
    max_cost_usd: float | None = None,
    max_calls: int | None = None,
    max_seconds: float | None = None,
) -> Result:
    """Ask the application, judge its answers and decide, as `gate run` does. Paths and the folder `.gate` are found as
    the command finds them. Errors: the GateError tree; a hit limit is no error, and its result says so."""
    path = Path(config)
    limits = {"max_cost_usd": max_cost_usd, "max_calls": max_calls, "max_seconds": max_seconds}
    for name, value in {"limit": limit, **limits}.items():
        if value is not None and not value >= (name == "limit"):
            raise UsageError(f"{name}: {value!r} is too small", "give a number above it, or leave it out")
    base = load_verdict(Path(baseline)) if baseline else None
    opened = partial(Toolbox, limited(load(path), **limits), path.parent)
    with closing(opened(limit=limit, reuse=reuse, use_cache=use_cache)) as tools:
        return Result(with_baseline(judged(tools), base, tools.config.risk_tolerance))


def judge(
    question: str,
    answer: str,
    *,
    contexts: Sequence[str] | None = None,
    index: str | Path | None = None,
    config: str | Path | None = None,
) -> list[Verdict]:
    """A verdict for each claim of an answer, in order; none for an answer that states nothing.

    Evidence comes from `contexts` (texts, read as Markdown), or from the `index` that `gate ingest` wrote (a folder; by
    default `.gate`), never from both. `config` names the judge and, without `contexts`, an Elasticsearch; without it
    the local judge decides. Errors: UsageError, also where a document changed since it was indexed; SourceError
    for a context that is no text (a NUL in it); StoreError, ModelFileError, SetupError.
    """
    if contexts is not None and index is not None:
        raise UsageError("give `contexts` or `index`, not both", "`contexts` are all that the answer is held against")
    if isinstance(contexts, str):
        raise UsageError("`contexts` is one text", "give a list of texts: contexts=[text]")
    for text in (question, answer, *(contexts or ())):
        if not isinstance(text, str):
            raise UsageError(f"{type(text).__name__} is no text", "give question, answer and contexts as str")
    question, answer = writable(question), writable(answer)
    chosen, base = (load(Path(config)), Path(config).parent) if config else (bare(), Path())
    with _opened(chosen, base, Path(index or FOLDER), contexts) as tools:
        state = begin(tools)
        state["prompts"], state["responses"] = [Prompt("answer", question)], [Answer("answer", "answer", answer)]
        blank = contexts is not None and not any(text.strip() for text in contexts)
        run_agents(state, (extract_claims, _find_nothing if blank else retrieve_evidence, verify_claims))
    if why := [*state["void"], *(failure.message for failure in state["failures"])]:
        return [unjudged(claim, why[0]) for claim in state["claims"]]
    return state["verdicts"]


def _find_nothing(state: State) -> None:
    """The search in no text at all: a claim has no evidence."""
    state["evidence"] = {claim.id: () for claim in state["claims"]}


@contextmanager
def _opened(config: Config, base: Path, folder: Path, contexts: Sequence[str] | None) -> Iterator[Toolbox]:
    """Tools over the index of `folder`, or over one that holds the contexts alone and goes with them."""
    if contexts is None:
        with closing(Toolbox(config, base, folder)) as tools:
            check_index(tools)
            yield tools
        return
    plain = config.model_copy(update={"elasticsearch": None})
    with (
        TemporaryDirectory(prefix="gate-") as own,
        closing(Toolbox(plain, base, folder, index_file=Path(own) / "index.sqlite")) as tools,
    ):
        index = tools.index
        index.begin()
        for number, text in enumerate(map(writable, contexts), 1):
            name = f"context {number}"
            if text.strip():
                index.replace(name, name, chunk(read_blocks("context.md", text.encode("utf-8", "replace")), name))
        index.finish()
        yield tools
