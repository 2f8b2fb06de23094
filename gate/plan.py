"""What a run would do: `--dry-run`."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from gate.agents.generate_prompts import generate_prompts
from gate.agents.run_model import RETRIEVED_CHUNKS, context_message
from gate.agents.verify_claims import LOOKS
from gate.anchors import MOST as ANCHORS
from gate.config import Config
from gate.generation.questions import orders
from gate.measures.base import ProbePassages
from gate.measures.summary import plans
from gate.providers.base import count_tokens
from gate.providers.budget import price_of
from gate.providers.connect import model_of
from gate.providers.embedding import EMBEDDING_BATCHES
from gate.records import Category, Prompt
from gate.state import State
from gate.toolbox import Toolbox

ON_TOP = "on top: one more call for each reply of the judge's model that cannot be read"
_UNNAMED = "the application names no model with a price (name one as `model.model_id` and"
FIRST = "before them: one tiny call to the judge's model"
CLAIMS = 5  # of an answer
QUESTION = 60  # tokens of a question


@dataclass(frozen=True, slots=True)
class PlannedCalls:
    """So many calls to a model; `given` and `made` are the tokens assumed of each, `measure` is what asks for them."""

    what: str
    provider: str
    model: str
    number: int
    given: int
    made: int
    measure: str = ""

    @property
    def purpose(self) -> str:
        """What is asked of the model, and for which measure."""
        return f"{self.what} for {self.measure}" if self.measure else self.what


def plan(state: State) -> str:
    """The plan as text: prompts, probes, calls, and what they may cost. Asks no model and writes nothing."""
    config = state["config"]
    written = _to_be_written(state)
    known = [] if written else _known(state)
    asked = written or [prompt.category for prompt in known if prompt.probe is None]
    counts = Counter(category.value for category in asked)
    probes = _probes(config, len(asked), known)
    repeats = config.evaluation.repeats
    said, before = _conversations(known)
    given = {name: tokens + before for name, tokens in tokens_given(config, state["tools"]).items()}
    calls = _calls(config, len(asked), said, probes, given)
    lines = [
        f"prompts: {len(asked)} (" + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())) + ")",
        *(f"probes for {name}: at most {number}" for name, number in probes.items()),
        f"answers: {(len(asked) - said + sum(probes.values())) * repeats} from {config.model.provider}"
        + (f", and {said} that stand in the conversations" if said else ""),
        f"judge: {_judge(config)}",
        *(f"calls {call.purpose}: at most {call.number}" for call in calls),
        *([ON_TOP] if config.judge.served_by else []),
        *([FIRST] if config.judge.served_by and config.model.provider != "replay" else []),
        *_embedded(config, len(asked), sum(probes.values())),
        _cost(config, calls),
    ]
    return "\n".join(lines) + "\n"


def _to_be_written(state: State) -> list[Category]:
    """The category of every question that a model will be asked to write; none where no model writes."""
    evaluation, tools = state["config"].evaluation, state["tools"]
    if (evaluation.source, evaluation.generator) != ("generated", "model") or tools.shard:
        return []
    wanted = orders(tools.store.chunks(), evaluation.num_prompts, evaluation.prompt_categories, evaluation.seed)
    return [category for order in wanted for category in order.categories][: tools.limit]


def _known(state: State) -> list[Prompt]:
    """Every prompt that takes no model, with its probes where they rest on nothing that is still to be retrieved.
    Errors: those of the prompts."""
    config = state["config"]
    probes = () if config.model.context == "retrieved" else config.evaluation.probes
    local = config.evaluation.model_copy(update={"generator": "local", "probes": probes})
    state["config"] = config.model_copy(update={"evaluation": local})
    generate_prompts(state)
    return state["prompts"]


def _conversations(known: Sequence[Prompt]) -> tuple[int, int]:
    """How many answers stand in the conversations already, and the tokens that the turns before a question have on
    average over those that are asked."""
    sent = [sum(count_tokens(turn.content) for turn in one.messages) for one in known if one.recorded is None]
    return len(known) - len(sent), round(fmean(sent)) if sent else 0


def _probes(config: Config, asked: int, known: Sequence[Prompt]) -> dict[str, int]:
    """measure -> how many further prompts it needs: those that were made, or the most that there can be."""
    made = Counter((prompt.probe or "").partition(":")[0] for prompt in known)
    counted = bool(known) and config.model.context != "retrieved"
    by_model = config.evaluation.generator == "model"
    return {
        name: made[name] if counted and not (by_model and plans()[name].rephrases) else len(plans()[name].kinds) * asked
        for name in config.evaluation.probes
    }


def _embedded(config: Config, prompts: int, probes: int) -> list[str]:
    """The line for a model that turns texts into vectors: CLAIMS an answer, and each prompt for which the run itself
    looks for context. Titan takes one text a call."""
    chosen, repeats = config.embedding, config.evaluation.repeats
    if chosen.provider == "local":
        return []
    searched = (prompts + probes) * repeats if config.model.context == "retrieved" else 0
    size = EMBEDDING_BATCHES[chosen.provider]
    return [f"calls to embed: about {-(-prompts * repeats * CLAIMS // size) + searched}, not part of the cost"]


def _calls(
    config: Config, prompts: int, said: int, probes: Mapping[str, int], given: Mapping[str, int]
) -> list[PlannedCalls]:
    """`said` of the prompts have their answer already. `given`: the tokens of a question with its context, by measure.
    The others are those of an answer, and of an answer with five claims to be judged. Answers to probes are not
    judged."""
    model, judge, evaluation = config.model, config.judge, config.evaluation
    answers = prompts * evaluation.repeats
    target = "to the model under test", model.provider, model.model_id or ""
    calls = [PlannedCalls(*target, 0 if model.provider == "replay" else answers - said, given[""], 250)]
    calls += [PlannedCalls(*target, n * evaluation.repeats, given[name], 250, name) for name, n in probes.items()]
    if judge.served_by is None:
        return calls
    served = judge.served_by, model_of(judge, os.environ)
    written = evaluation.generator == "model"
    if written and evaluation.source == "generated":
        calls.append(PlannedCalls("to write the questions", *served, evaluation.num_prompts, 900, 60))
    rephrased = [name for name in probes if plans()[name].rephrases]
    if written and rephrased:  # once for all of them
        calls.append(PlannedCalls("to write paraphrases", *served, prompts, 150, 60, rephrased[0]))
    if judge.extract == "model":
        calls.append(PlannedCalls("to take answers apart", *served, answers, 450, 400))
    calls += [PlannedCalls("to grade answers", *served, answers, 700, 150, name) for name in config.measures.graded()]
    calls.append(PlannedCalls("to judge", *served, answers, 1100, 200))
    if judge.anchors:
        calls.append(PlannedCalls("to judge the anchors again", *served, ANCHORS, 700, 100))
    if judge.criteria:
        calls.append(PlannedCalls("to judge by criteria", *served, len(judge.criteria) * answers, 700, 100))
    if judge.second_look:
        calls.append(PlannedCalls("to judge again what is near the line", *served, len(LOOKS) * answers, 1100, 200))
    return calls


def _judge(config: Config) -> str:
    judge = config.judge
    served = f"{judge.served_by} {model_of(judge, os.environ)}".rstrip()
    if judge.served_by is None:
        return judge.provider
    return f"local, then {served}" if judge.provider == "tiered" else served


def _cost(config: Config, calls: list[PlannedCalls]) -> str:
    """The whole cost, and how much of it each measure asks for."""
    costs: defaultdict[str, float] = defaultdict(float)
    for call in calls:
        price = price_of(call.provider, call.model, config.prices)
        if call.number and price is None:
            of = f"there is no price for the model {call.model!r} (add it" if call.model else _UNNAMED
            return f"cost: unknown, {of} under `prices`)"
        if call.number and price is not None:
            costs[call.measure] += call.number * (call.given * price.input + call.made * price.output) / 1e6
    if not any(call.number for call in calls):
        return "cost: 0 USD"
    shares = [f"{name} {cost:.4f}" for name, cost in costs.items() if name]
    of_which = f", of which {', '.join(shares)}" if shares else ""
    return f"cost: about {sum(costs.values()):.4f} USD{of_which} (estimated at {'; '.join(_assumed(calls))})"


def _assumed(calls: Sequence[PlannedCalls]) -> Iterator[str]:
    """The tokens of a call of each kind; those for a measure apart where they differ."""
    first: dict[str, PlannedCalls] = {}
    for call in calls:
        usual = first.setdefault(call.what, call)
        if call is usual or (call.given, call.made) != (usual.given, usual.made):
            purpose = call.what if call is usual else call.purpose
            yield f"{call.given:,} tokens in and {call.made:,} out a call {purpose}"


def tokens_given(config: Config, tools: Toolbox) -> dict[str, int]:
    """measure (empty: the prompts themselves) -> tokens of a call, on average over the probes of that measure.

    A retrieved passage is taken to have as many bytes, by which tokens are counted, as the pieces of the index have on
    average. Asks no model. Errors: those of the index.
    """
    names = ("", *config.evaluation.probes)
    if config.model.context != "retrieved" or config.model.provider == "replay":
        return dict.fromkeys(names, QUESTION)
    sizes = [len(text.encode("utf-8", "surrogatepass")) for text in {chunk.text for chunk in tools.store.chunks()}]
    passage = "x" * round(fmean(sizes)) if sizes else ""

    def tokens(number: int) -> int:
        return QUESTION + count_tokens(context_message("", (passage,) * number))

    return {name: round(fmean(map(tokens, _numbers(name, len(sizes))))) for name in names}


def _numbers(measure: str, pieces: int) -> list[int]:
    """How many passages each probe of a measure has, of an index with so many pieces."""
    own = min(RETRIEVED_CHUNKS, pieces)
    shown = {ProbePassages.OWN: own, ProbePassages.MORE: min(own + 1, pieces), ProbePassages.NONE: 0}
    return [shown[kind] for kind in plans()[measure].kinds.values()] if measure else [own]
