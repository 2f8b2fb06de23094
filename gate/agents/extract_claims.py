"""Agent 3: the atomic claims of every answer, each with the place where it was said."""

from __future__ import annotations

from gate.records import Answer, Claim
from gate.state import State, attempt

AGENT = "extract_claims"


def extract_claims(state: State) -> None:
    """Reads `responses`, `prompts`; writes `claims`, in the order of the answers and of what they say.

    A refusal has none. An answer that the extractor fails on is a Failure. At a limit, what was found stays.
    """
    extractor = state["tools"].extractor
    questions = {prompt.id: prompt.question for prompt in state.get("prompts", [])}
    claims = state["claims"] = []
    for answer in state.get("responses", []):
        question = questions.get(answer.prompt_id, "")

        def work(answer: Answer = answer, question: str = question) -> list[Claim]:
            found = extractor.extract(answer.text, question)
            return [
                Claim(f"{answer.id}:{n}", answer.prompt_id, answer.id, one.text, one.start, one.end)
                for n, one in enumerate(found)
            ]

        claims += attempt(state, AGENT, answer.prompt_id, work) or []
