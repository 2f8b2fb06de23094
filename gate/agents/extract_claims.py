"""Agent 3: the claims of every answer, each with the place where it was said and the context that it leans on."""

from __future__ import annotations

from gate.claims.base import Extracted, Extractor
from gate.claims.local import LocalExtractor
from gate.records import Answer, Claim
from gate.state import State, attempt, each

AGENT = "extract_claims"


def extract_claims(state: State) -> None:
    """Reads `responses`, `prompts`; writes `claims`, in the order of the answers and of what they say.

    A refusal has none, and so has the answer to a probe: it is no part of the risk. An answer that the extractor fails
    on is a Failure; if a model failed, the local extractor takes its place, so that no answer goes unjudged.
    Errors: SetupError, and LimitError with the claims written.
    """
    extractor = state["tools"].extractor
    questions = {prompt.id: prompt.question for prompt in state.get("prompts", [])}
    if getattr(extractor, "remote", False):
        _by_model(state, extractor, questions)
        return
    claims = state["claims"] = []
    for answer in _own(state):
        claims += _taken_apart(state, extractor, answer, questions.get(answer.prompt_id, ""))


def _own(state: State) -> list[Answer]:
    probes = {prompt.id for prompt in state.get("prompts", []) if prompt.probe}
    return [answer for answer in state.get("responses", []) if answer.prompt_id not in probes]


def _by_model(state: State, extractor: Extractor, questions: dict[str, str]) -> None:
    answers = _own(state)
    outcome = each(
        state,
        lambda answer: extractor.extract(answer.text, questions.get(answer.prompt_id, "")),
        answers,
        "answers taken apart",
    )
    claims = state["claims"] = []
    for answer, done in zip(answers, outcome.results, strict=True):
        found = attempt(state, AGENT, answer.prompt_id, done.get) if done is not None else None
        if found is None:
            claims += _taken_apart(state, LocalExtractor(), answer, questions.get(answer.prompt_id, ""))
        else:
            claims += _named(answer, found)
    if outcome.stopped is not None:
        raise outcome.stopped


def _taken_apart(state: State, extractor: Extractor, answer: Answer, question: str) -> list[Claim]:
    found = attempt(state, AGENT, answer.prompt_id, lambda: extractor.extract(answer.text, question))
    return _named(answer, found or [])


def _named(answer: Answer, found: list[Extracted]) -> list[Claim]:
    return [
        Claim(f"{answer.id}:{n}", answer.prompt_id, answer.id, one.text, one.start, one.end, one.context, one.header)
        for n, one in enumerate(found)
    ]
