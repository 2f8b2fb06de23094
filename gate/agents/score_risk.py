"""Agent 6: the ledger that must balance, the risk, its interval, the measures, and the decision with its reasons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from gate.checks import Checked, failed_checks
from gate.conversation import calls_made
from gate.errors import LimitError
from gate.judges.base import chance_of
from gate.measures.base import Answered, Case, Reading
from gate.measures.risk import Course, Labelled, PromptCourse, clusters, score
from gate.measures.summary import CRITERION, decide, measured, unpassed
from gate.providers.budget import cost_of
from gate.providers.pool import uncounted
from gate.records import Answer, FailedCheck, Label, Verdict, fingerprint
from gate.state import State, attempt
from gate.statistics.intervals import Moments, sample_of, unlike
from gate.waivers import apply, notes_of

AGENT = "score_risk"


def score_risk(state: State) -> None:
    """Write `score`, `checked`, `measures` and `criteria`: from `verdicts`, `claims`, `prompts` and `responses`, by the
    configured risk tolerance and thresholds. Errors: LimitError where a measure asks a model, with all written."""
    config = state["config"]
    labelled, error = _labelled(state), state.get("judge_error")
    probes = {prompt.id for prompt in state["prompts"] if prompt.probe}
    own = [answer for answer in state["responses"] if answer.prompt_id not in probes]
    answered = {answer.id for answer in own}
    expected = (len(state["prompts"]) - len(probes)) * config.evaluation.repeats
    speaking = {claim.answer_id for claim in state["claims"]}
    state["checked"] = _checked(state)
    course = Course(
        prompts=expected,
        failed_prompts=max(0, expected - len(answered)),
        silent_answers=len(answered - speaking),
        void=tuple(state.get("void", ())),
        repeats=config.evaluation.repeats,
        must_hold=config.evaluation.must_hold,
        asked=tuple(_asked(state)),
        notes=tuple(state["notes"]),
        checked_alone=bool(own) and all(answer.only_calls and answer.id in state["checked"] for answer in own),
    )
    state["measures"], state["criteria"] = [], []
    state["score"] = score(labelled, len(state["claims"]), course, config.risk_tolerance, error)
    if wanted_measures(state) or config.judge.criteria:
        _measure(state)


def _checked(state: State) -> dict[str, tuple[FailedCheck, ...]]:
    """answer id -> the checks that it fails, for each answer to a prompt with checks."""
    config, asked = state["config"], {prompt.id: prompt for prompt in state["prompts"] if prompt.checks}
    return {
        answer.id: failed_checks(
            asked[answer.prompt_id].checks,
            Checked(
                answer.text,
                answer.latency_ms,
                cost_of(answer, config.model, config.prices),
                [
                    (call.name, call.arguments)
                    for call in (*calls_made(asked[answer.prompt_id].messages), *answer.tool_calls)
                ],
            ),
        )
        for answer in state["responses"]
        if answer.prompt_id in asked
    }


def _asked(state: State) -> Iterator[PromptCourse]:
    """Every prompt of the run's own with its answers, and what they are held to."""
    names = defaultdict(list)
    for answer in state["responses"]:
        names[answer.prompt_id].append(answer.id)
    for prompt in state["prompts"]:
        if not prompt.probe:
            found = {name: state["checked"].get(name, ()) for name in names[prompt.id]}
            failed = {name: faults[0].why for name, faults in found.items() if faults}
            yield PromptCourse(prompt.id, tuple(found), prompt.must_pass, failed if prompt.checks else None)


def _labelled(state: State) -> list[Labelled]:
    """Every verdict as the risk needs it. Writes `notes`, and `waived`: the waivers by the id of their claim."""
    questions = {prompt.id: prompt.question for prompt in state["prompts"]}
    marks = {
        verdict.claim.id: (
            fingerprint(questions.get(verdict.claim.prompt_id, ""), verdict.claim.text, verdict.claim.earlier),
            verdict.contradicted,
        )
        for verdict in state["verdicts"]
        if verdict.label in (Label.UNSUPPORTED, Label.WEAKLY_SUPPORTED)
    }
    waivers = state.get("waivers", ())
    found = apply(waivers, marks.values(), datetime.now(UTC).date())
    state["waived"] = {name: found.accepted[mark] for name, mark in marks.items() if mark in found.accepted}
    labelled = [
        Labelled(
            v.claim.prompt_id, v.label, v.contradicted, v.claim.id in state["waived"], v.claim.text, v.claim.answer_id
        )
        for v in state["verdicts"]
    ]
    left = bool(state.get("failures")) or "limit" in state or any(v.label is Label.UNJUDGED for v in state["verdicts"])
    part = bool(waivers) and bool(left or state["tools"].limit or state["tools"].shard)
    state["notes"] = [*notes_of(found, part), *_too_few(state)]
    if (known := state.get("known_scores")) and _unlike(state["verdicts"], labelled, known):
        state["notes"].append(
            "the judge's scores in this run do not look like those of its calibration: the correction may not hold"
        )
    return labelled


def _too_few(state: State) -> Iterator[str]:
    """That the documents gave fewer questions than were wanted, so that nobody takes a small run for a large one."""
    evaluation = state["config"].evaluation
    made = sum(not prompt.probe for prompt in state["prompts"])
    short = evaluation.source == "generated" and made < evaluation.num_prompts
    if short and not (state["tools"].limit or state["tools"].shard):
        yield f"the documents gave {made} of {evaluation.num_prompts} questions (num_prompts): add your own"


def _unlike(verdicts: Sequence[Verdict], labelled: Sequence[Labelled], known: Sequence[tuple[float, float]]) -> bool:
    chances = [chance for verdict in verdicts if (chance := chance_of(verdict)) is not None]
    counts = Counter(min(len(known) - 1, int(chance * len(known))) for chance in chances)
    prompts, squares = clusters(labelled)
    size = sample_of(Moments.of(prompts, squares)).size if prompts else 0.0
    return unlike([counts[place] for place in range(len(known))], known, size)


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

    def read(name: str, reading: Callable[[str], Reading]) -> Reading:
        nonlocal stopped
        try:
            return attempt(state, AGENT, "", lambda: reading(name)) or lost
        except LimitError as error:
            stopped = error
            return lost

    found = [measured(name, read(name, bench.reading), thresholds.get(name)) for name in wanted_measures(state)]
    state["criteria"] = [measured(c, read(c, bench.criterion), None, CRITERION) for c in config.judge.criteria]
    state["measures"] = found = unpassed(found, config.risk_tolerance.max_unjudged)
    state["score"] = decide(state["score"], found, config.risk_tolerance)
    if stopped := stopped or bench.stopped:
        raise stopped


def outcome(state: State) -> Answered:
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
            contexts = answer.contexts_by(prompt)
            case = Case(prompt, answer, contexts, tuple(claims[answer.id]), tuple(verdicts[answer.id]))
            (probes[prompt.probe.split(":")[0]] if prompt.probe else own).append(case)
    repeats = state["config"].evaluation.repeats
    missing = tuple(prompt for prompt in state["prompts"] if len(given[prompt.id]) < repeats)
    unmade = frozenset(
        failure.prompt_id for failure in state.get("failures", ()) if failure.agent == "generate_prompts"
    )
    planned: dict[str, tuple[Case, ...]] = {name: tuple(probes[name]) for name in state["config"].evaluation.probes}
    return Answered(tuple(own), planned, missing, unmade)
