"""Agent 6: the ledger that must balance, the risk, its interval, the measures, and the decision with its reasons."""

from __future__ import annotations

from collections import defaultdict

from gate.errors import LimitError
from gate.measures.base import Case, Outcome, Reading
from gate.measures.risk import Course, Labelled, score
from gate.measures.summary import decide, measured, unpassed
from gate.providers.pool import uncounted
from gate.records import Answer, Measure
from gate.state import State, attempt

AGENT = "score_risk"


def score_risk(state: State) -> None:
    """Write `score` and `measures`: from `verdicts`, `claims`, `prompts` and `responses`, by the configured risk
    tolerance and the thresholds of the measures. Errors: LimitError where a measure asks a model, with both written."""
    config = state["config"]
    probes = {prompt.id for prompt in state["prompts"] if prompt.probe}
    answered = {answer.id for answer in state["responses"] if answer.prompt_id not in probes}
    expected = (len(state["prompts"]) - len(probes)) * config.evaluation.repeats
    speaking = {claim.answer_id for claim in state["claims"]}
    course = Course(
        prompts=expected,
        failed_prompts=max(0, expected - len(answered)),
        silent_answers=len(answered - speaking),
        void=tuple(state.get("void", ())),
        repeats=config.evaluation.repeats,
    )
    labelled = [Labelled(verdict.claim.prompt_id, verdict.label) for verdict in state["verdicts"]]
    state["measures"] = []
    state["score"] = score(labelled, len(state["claims"]), course, config.risk_tolerance)
    if wanted_measures(state):
        _measure(state)


def wanted_measures(state: State) -> list[str]:
    """The measures of this run: those of the configuration, and those whose probes it plans."""
    evaluation = state["config"].evaluation
    return list(dict.fromkeys([*(name for name, _ in state["config"].measures.asked()), *evaluation.probes]))


def _measure(state: State) -> None:
    from gate.bench import Bench

    config = state["config"]
    bench = Bench(state["tools"], outcome(state), state.get("counting", uncounted))
    thresholds = config.measures.thresholds()
    lost = Reading(unjudged={prompt.id: "its measure failed" for prompt in state["prompts"] if not prompt.probe})
    stopped: LimitError | None = None
    found: list[Measure] = []
    for name in wanted_measures(state):
        try:
            reading = attempt(state, AGENT, "", lambda name=name: bench.reading(name))  # type: ignore[misc]
        except LimitError as error:
            stopped, reading = error, None
        found.append(measured(name, reading or lost, thresholds.get(name)))
    stopped = stopped or bench.stopped
    state["measures"] = found = unpassed(found, config.risk_tolerance.max_unjudged)
    state["score"] = decide(state["score"], found, config.risk_tolerance)
    if stopped is not None:
        raise stopped


def outcome(state: State) -> Outcome:
    """The answers of the run as the measures see them."""
    claims, verdicts = defaultdict(list), defaultdict(list)
    for verdict in state["verdicts"]:
        claims[verdict.claim.answer_id].append(verdict.claim)
        verdicts[verdict.claim.answer_id].append(verdict)
    given: dict[str, list[Answer]] = defaultdict(list)
    for answer in state["responses"]:
        given[answer.prompt_id].append(answer)
    own: list[Case] = []
    probes: dict[str, list[Case]] = defaultdict(list)
    for prompt in state["prompts"]:
        for answer in sorted(given[prompt.id], key=lambda one: one.repeat):
            contexts = answer.contexts or prompt.contexts
            case = Case(prompt, answer, contexts, tuple(claims[answer.id]), tuple(verdicts[answer.id]))
            (probes[prompt.probe.split(":")[0]] if prompt.probe else own).append(case)
    repeats = state["config"].evaluation.repeats
    missing = tuple(prompt for prompt in state["prompts"] if len(given[prompt.id]) < repeats)
    unmade = frozenset(
        failure.prompt_id for failure in state.get("failures", ()) if failure.agent == "generate_prompts"
    )
    planned: dict[str, tuple[Case, ...]] = {name: tuple(probes[name]) for name in state["config"].evaluation.probes}
    return Outcome(tuple(own), planned, missing, unmade)
