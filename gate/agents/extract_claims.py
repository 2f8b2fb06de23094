"""Agent 3: the claims of every answer, each with the place where it was said and the context that it leans on."""

from __future__ import annotations

from gate.claims.local import Extracted, Extractor, LocalExtractor, piece
from gate.conversation import earlier
from gate.records import Answer, Claim, Prompt
from gate.state import State, attempt, each

AGENT = "extract_claims"
NO_PROMPT = Prompt("", "")


def extract_claims(state: State) -> None:
    """Reads `responses`, `prompts`; writes `claims`, in the order of the answers and of what they say.

    A refusal and a call of a tool have none, and so has the answer to a probe: it is no part of the risk. An answer
    that the extractor fails on is a Failure; if a model failed, the local extractor takes its place, so that no answer
    goes unjudged.
    Errors: SetupError, and LimitError with the claims written.
    """
    extractor = state["tools"].extractor
    prompts = {prompt.id: prompt for prompt in state.get("prompts", [])}
    if getattr(extractor, "remote", False):
        _by_model(state, extractor, prompts)
        return
    claims = state["claims"] = []
    for answer in _own(state):
        claims += _taken_apart(state, extractor, answer, prompts.get(answer.prompt_id, NO_PROMPT))


def _own(state: State) -> list[Answer]:
    probes = {prompt.id for prompt in state.get("prompts", []) if prompt.probe}
    return [answer for answer in state.get("responses", []) if answer.prompt_id not in probes]


def _by_model(state: State, extractor: Extractor, prompts: dict[str, Prompt]) -> None:
    answers = _own(state)
    outcome = each(
        state,
        lambda answer: extractor.extract(answer.text, prompts.get(answer.prompt_id, NO_PROMPT).question),
        answers,
        "answers taken apart",
    )
    claims = state["claims"] = []
    for answer, done in zip(answers, outcome.results, strict=True):
        found = attempt(state, AGENT, answer.prompt_id, done.get) if done is not None else None
        if found is None:
            claims += _taken_apart(state, LocalExtractor(), answer, prompts.get(answer.prompt_id, NO_PROMPT))
        else:
            claims += _named(answer, found, prompts.get(answer.prompt_id, NO_PROMPT))
    if outcome.stopped is not None:
        raise outcome.stopped


def _taken_apart(state: State, extractor: Extractor, answer: Answer, prompt: Prompt) -> list[Claim]:
    found = attempt(state, AGENT, answer.prompt_id, lambda: extractor.extract(answer.text, prompt.question))
    return _named(answer, found or [], prompt)


def _named(answer: Answer, found: list[Extracted], prompt: Prompt) -> list[Claim]:
    names, before = (f"{answer.id}:{n}" for n in range(len(found))), piece(earlier(prompt))
    return [
        Claim(name, answer.prompt_id, answer.id, one.text, one.start, one.end, one.context, one.header, before)
        for name, one in zip(names, found, strict=True)
    ]
