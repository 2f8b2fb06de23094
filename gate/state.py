"""The state that the agents share: one writer for each key, and `attempt`, where one item's fault becomes a Failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, TypeVar

from gate.errors import GateError, LimitError, ProviderError, SetupError
from gate.providers.pool import Counting, Outcome, run_all, uncounted
from gate.records import Answer, Claim, Evidence, FailedCheck, Failure, Measure, Prompt, Score, Verdict

if TYPE_CHECKING:
    from gate.agents.retrieve_evidence import Ahead
    from gate.config import Config
    from gate.statistics.intervals import JudgeError
    from gate.toolbox import Toolbox
    from gate.waivers import Waiver

T = TypeVar("T")
R = TypeVar("R")


class State(TypedDict, total=False):
    """What travels along the for loop. Each key has one writer, named behind it; what a limit or Ctrl-C kept from
    being written, `conclude` writes."""

    config: Config  # given
    tools: Toolbox  # given
    failures: list[Failure]  # given; append-only, by attempt()
    counting: Counting  # given: hears how far the loops of an agent are
    void: list[str]  # given; append-only: reasons that make any decision impossible
    limit: str  # pipeline: the limit that was hit, if any
    prompts: list[Prompt]  # generate_prompts
    responses: list[Answer]  # run_model
    claims: list[Claim]  # extract_claims
    evidence: dict[str, tuple[Evidence, ...]]  # retrieve_evidence: claim id -> passages, best first
    ahead: Ahead  # retrieve_evidence: fills `evidence` for the later answers; ended by verify_claims
    verdicts: list[Verdict]  # verify_claims: one per claim, in the order of the claims
    waivers: tuple[Waiver, ...]  # given: claims that a person has accepted
    judge_error: JudgeError  # given with `decide_on: corrected`: of the calibration
    known_scores: tuple[tuple[float, float], ...]  # given with it: (supported, other) claims by bin
    waived: Mapping[str, Waiver]  # score_risk: claim id -> the waiver that accepts it
    checked: dict[str, tuple[FailedCheck, ...]]  # score_risk: answer id -> the checks that it fails
    notes: list[str]  # score_risk: what a reader should know beside the decision
    measures: list[Measure]  # score_risk
    criteria: list[Measure]  # score_risk: how many answers meet each criterion, by its words; no part of the score
    score: Score  # score_risk


def attempt(state: State, agent: str, prompt_id: str, work: Callable[[], T]) -> T | None:
    """Run `work`; a fault of this item becomes a Failure and None. A fault of the set-up or a limit ends the run."""
    try:
        return work()
    except (SetupError, LimitError):
        raise
    except ProviderError as error:
        state["failures"].append(Failure(agent, prompt_id, error.kind, error.message))
    except GateError as error:
        state["failures"].append(Failure(agent, prompt_id, type(error).__name__, error.message))
    return None


def each(state: State, work: Callable[[T], R], items: Sequence[T], what: str) -> Outcome[R]:
    """`work` for all items, as many at once as the configuration allows, counted as `what`: see run_all."""
    with state.get("counting", uncounted)(len(items), what) as done:
        return run_all(work, items, state["config"].limits.concurrency, state["tools"].budget, done=done)
