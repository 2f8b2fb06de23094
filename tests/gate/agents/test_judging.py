"""What the judge is given for a claim."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from gate.agents.retrieve_evidence import Ahead
from gate.agents.verify_claims import items_of
from gate.records import Answer, Claim, Evidence, Prompt
from gate.state import State

PASSAGE = Evidence("m.md", 1, "Text.", 1.0, "", (1,))
CLAIM = Claim("q:0", "q", "q#0", "A claim.", 0, 8)


def state(**more: Any) -> State:
    return State(prompts=[Prompt("q", "What?")], responses=[Answer("q#0", "q", "It is.")], claims=[CLAIM], **more)


def test_an_item_has_question_answer_and_evidence() -> None:
    (item,) = items_of(state(evidence={"q:0": (PASSAGE,)}))([CLAIM])
    assert (item.claim, item.evidence, item.question, item.answer) == (CLAIM, (PASSAGE,), "What?", "It is.")


def test_evidence_that_is_still_sought_is_waited_for() -> None:
    found: dict[str, tuple[Evidence, ...]] = {}
    ahead = Ahead(lambda claims: {claim.id: (PASSAGE,) for claim in claims}, [[CLAIM]], found)
    tools: Any = SimpleNamespace(budget=SimpleNamespace(check=lambda: None))
    items = items_of(state(evidence=found, ahead=ahead, tools=tools))
    assert items([CLAIM])[0].evidence == (PASSAGE,)
    ahead.end()
