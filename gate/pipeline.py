"""One run, from opened tools to its verdict document: six agents in a plain for loop over one state."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from gate.agents.extract_claims import extract_claims
from gate.agents.generate_prompts import generate_prompts
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.agents.run_model import run_model
from gate.agents.score_risk import score_risk
from gate.agents.verify_claims import ENDED, verify_claims
from gate.config import Measures
from gate.errors import LimitError, UsageError
from gate.judge_quality import doubts, measured_error, quality
from gate.judges.base import calibration_name, criteria_judge, unjudged
from gate.measures.summary import decide
from gate.providers.pool import INTERRUPTED
from gate.records import Measure
from gate.reports.build import Run, build
from gate.reports.document import VerdictDocument
from gate.state import State
from gate.toolbox import Toolbox, documents_of, warn
from gate.waivers import load_waivers
from ingest.sources import describe_stale

Agent = Callable[[State], None]
Guard = Callable[[], AbstractContextManager[None]]
AGENTS: tuple[Agent, ...] = (
    generate_prompts,
    run_model,
    extract_claims,
    retrieve_evidence,
    verify_claims,
    score_risk,
)


def begin(tools: Toolbox) -> State:
    """A state with everything that is given, and with nothing yet in each key that an agent fills: whatever ends an
    agent before it has written, the next one finds something to read. `score` is there once it is made."""
    return State(
        config=tools.config,
        tools=tools,
        counting=tools.counting,
        failures=[],
        void=[],
        prompts=[],
        responses=[],
        claims=[],
        evidence={},
        verdicts=[],
        measures=[],
        criteria=[],
    )


def run(
    state: State,
    agents: tuple[Agent, ...] = AGENTS,
    watch: Callable[[str], None] = lambda name: None,
    guard: Guard = nullcontext,
) -> dict[str, float]:
    """Run the agents in order, each within `guard`, and return their seconds.

    A limit that is hit ends the asking, not the run: the agents that follow judge what is there, and the run is void.
    Ctrl-C while a model is asked is such a limit; Ctrl-C in other work ends the run with what is there.
    """
    seconds: dict[str, float] = {}
    for agent in agents:
        begun = time.perf_counter()
        try:
            with guard():
                watch(agent.__name__)
                agent(state)
        except LimitError as error:
            void(state, error.message)
        except KeyboardInterrupt:
            void(state, INTERRUPTED)
            break
        finally:
            seconds[agent.__name__] = time.perf_counter() - begun
    return seconds


def void(state: State, limit: str) -> None:
    """Note what ended the run, or a part of it: no decision can be made."""
    state["limit"] = limit
    if limit not in state["void"]:
        state["void"].append(limit)


def conclude(state: State) -> None:
    """Close what a limit or Ctrl-C has left open: a claim without a verdict is unjudged, and the score is that of a
    void run, also where it was the scoring that was ended."""
    found = {verdict.claim.id: verdict for verdict in state["verdicts"]}
    state["verdicts"] = [found.get(claim.id) or unjudged(claim, ENDED) for claim in state["claims"]]
    config = state["config"]
    plain = State(**state)
    plain["config"] = config.model_copy(
        update={
            "measures": Measures(),
            "judge": config.judge.model_copy(update={"criteria": ()}),
            "evaluation": config.evaluation.model_copy(update={"probes": ()}),
        }
    )
    score_risk(plain)
    state["checked"] = plain["checked"]
    state["score"] = decide(plain["score"], state["measures"], config.risk_tolerance)


def judged(
    tools: Toolbox,
    watch: Callable[[str], None] = lambda name: None,
    guard: Guard = nullcontext,
) -> VerdictDocument:
    """Run the agents, each within `guard`, and build the verdict. Errors: whatever ends a run at once (set-up, files,
    index); a limit or Ctrl-C while an agent works does not, and the verdict is partial."""
    begun, state = time.time(), begin(tools)
    inputs = _inputs(tools) if tools.shard else ""
    try:
        with guard():
            tools.check()
            check_index(tools)
    except LimitError as error:  # an embedder is asked before anything else
        void(state, error.message)
    tolerance = tools.config.risk_tolerance
    named = "waivers" in tolerance.model_fields_set  # a file that the configuration names has to be there
    state["waivers"] = load_waivers(tools.path(tolerance.waivers), needed=named)
    if tolerance.decide_on == "corrected":
        state["judge_error"], state["known_scores"] = measured_error(tools.folder, tools.judge.info())
    state["void"] += doubts(tools.config.judge.require, tools.folder, tools.judge.info())
    if tools.config.judge.anchors:
        _judge_anchors(state, guard)
    seconds = run(state, watch=watch, guard=guard)
    if "limit" in state:
        conclude(state)
    document = build(_outcome(state, seconds, inputs, begun))
    if "limit" not in state:
        tools.finish()
    return document


def index_faults(tools: Toolbox) -> tuple[str, str]:
    """What `describe_stale` says of the index and the configured documents. Errors: StoreError."""
    root = tools.folder.absolute().parent  # documents were indexed as seen from there
    return describe_stale(tools.store, documents_of(tools.config, tools.base), root)


def check_index(tools: Toolbox) -> None:
    """Warn where index and sources of documents differ. Errors: UsageError where a document changed since it was
    indexed: claims would be checked against what it no longer says."""
    changed, beside = index_faults(tools)
    if changed:
        raise UsageError(changed, "run `gate ingest`, then again")
    if beside:
        warn(f"{beside}: the claims are checked against what is indexed (run `gate ingest`, then again)")


def _judge_anchors(state: State, guard: Guard) -> None:
    """Ask the judge about its anchors before the application is asked; a judge that has changed makes the run void."""
    from gate.anchors import configured_anchors, drifted

    tools = state["tools"]
    anchors = configured_anchors(tools)
    try:
        with guard():
            if anchors and (why := drifted(tools, anchors)):
                state["void"].append(why)
    except LimitError as error:
        void(state, error.message)


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
