"""One run from configuration to verdict document: opens the tools, runs the agents, gathers what they left."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from gate.errors import LimitError
from gate.judge_quality import doubts, measured_error, quality
from gate.judges.base import calibration_name, criteria_judge
from gate.pipeline import conclude, run, start, void
from gate.records import Measure
from gate.reports.build import Run, build
from gate.reports.document import VerdictDocument
from gate.state import State
from gate.toolbox import Toolbox
from gate.waivers import Waiver, load_waivers


def begin(tools: Toolbox) -> State:
    """A fresh state over opened tools."""
    state = start(tools.config, tools)
    state["counting"] = tools.counting
    return state


def judged(
    tools: Toolbox,
    watch: Callable[[str], None] = lambda name: None,
    guard: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> VerdictDocument:
    """Run the agents, each within `guard`, and build the verdict. Errors: whatever ends a run at once (set-up, files,
    index); a limit or Ctrl-C while an agent works does not, and the verdict is partial."""
    begun, state = time.time(), begin(tools)
    inputs = _inputs(tools) if tools.shard else ""
    try:
        with guard():
            tools.check()
    except LimitError as error:  # an embedder is asked before anything else
        void(state, error.message)
    state["waivers"] = _waivers(tools)
    if tools.config.risk_tolerance.decide_on == "corrected":
        state["judge_error"], state["known_scores"] = measured_error(tools.folder, tools.judge.info())
    state["void"] += doubts(tools.config.judge.require, tools.folder, tools.judge.info())
    seconds = run(state, watch=watch, guard=guard)
    if "limit" in state:
        conclude(state)
    document = build(_outcome(state, seconds, inputs, begun))
    if "limit" not in state:
        tools.finish()
    return document


def _outcome(state: State, seconds: dict[str, float], inputs: str, begun: float) -> Run:
    """What the reports need of a finished state."""
    config, tools = state["config"], state["tools"]
    return Run(
        prompts=state["prompts"],
        answers=state["responses"],
        verdicts=state["verdicts"],
        score=state["score"],
        judge=tools.judge.info(),
        thresholds=config.risk_tolerance.model_dump(mode="json"),
        config_hash=config.hash(),
        begun=begun,
        failures=state["failures"],
        measures=state["measures"],
        usage=tools.usage(),
        timings=seconds,
        documents=_fingerprint(tools),
        use_case=config.use_case,
        model={"provider": config.model.provider, "model_id": config.model.model_id or ""},
        repeats=config.evaluation.repeats,
        partial="limit" in state,
        void=state["void"],
        shard="{}/{}".format(*tools.shard) if tools.shard else "",
        limit=tools.limit,
        calibration=quality(tools.folder, tools.judge.info()),
        waived=state.get("waived", {}),
        criteria=[_calibrated(criterion, tools) for criterion in state["criteria"]],
        checked=state.get("checked", {}),
        must_hold=config.evaluation.must_hold,
        notes=state.get("notes", ()),
        inputs=inputs,
    )


def _calibrated(criterion: Measure, tools: Toolbox) -> Measure:
    """The criterion with the balanced accuracy of its judge, where that was measured (gate calibrate)."""
    judge = criteria_judge(tools.judge_model) if tools.judge_model is not None else tools.judge.info()
    found = quality(tools.folder, judge, calibration_name(criterion.name))
    details = {"balanced_accuracy": found["balanced_accuracy"]["value"]} if found else {}
    return replace(criterion, details=details)


def _waivers(tools: Toolbox) -> tuple[Waiver, ...]:
    """The accepted claims; a file that the configuration names has to be there."""
    tolerance = tools.config.risk_tolerance
    return load_waivers(tools.path(tolerance.waivers), needed="waivers" in tolerance.model_fields_set)


def _fingerprint(tools: Toolbox) -> str:
    """The hash of the index; empty where the run ended before the index could be opened."""
    try:
        return tools.store.fingerprint()
    except LimitError:
        return ""


def _inputs(tools: Toolbox) -> str:
    """The hash of the files of questions and answers, whatever ends their lines: the shards of one run read the same.
    A file that cannot be read ends the run a little later, with a message of its own."""
    config, digest = tools.config, hashlib.sha256()
    for name in (config.evaluation.dataset, config.model.path):
        path = tools.path(name) if name else None
        lines = path.read_bytes().splitlines() if path is not None and path.is_file() else []
        digest.update(b"\n".join(lines) + b"\0")
    return digest.hexdigest()
