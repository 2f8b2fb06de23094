"""What the judge is given for a claim: its question and answer, and its evidence once that is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gate.records import Claim, Item
from gate.state import State

T = TypeVar("T")


class Items:
    """Makes the items of claims; where their evidence is still sought, it waits."""

    def __init__(self, state: State) -> None:
        self._state, self._ahead = state, state.get("ahead")
        self._questions = {prompt.id: prompt.question for prompt in state.get("prompts", [])}
        self._answers = {answer.id: answer.text for answer in state.get("responses", [])}

    def of(self, claims: Sequence[Claim]) -> list[Item]:
        """One item for each claim, in order. Errors: LimitError, and those of the search."""
        if self._ahead is not None:
            self._ahead.wait(claims, self._state["tools"].budget.check)
        return [self._item(claim) for claim in claims]

    def _item(self, claim: Claim) -> Item:
        question, answer = self._questions.get(claim.prompt_id, ""), self._answers.get(claim.answer_id, "")
        return Item(claim, self._state["evidence"][claim.id], question, answer)


def of_answers(claims: Sequence[Claim]) -> list[list[Claim]]:
    """The claims of each answer, in order."""
    return _grouped(claims, lambda claim: claim.answer_id)


def by_answer(items: Sequence[Item]) -> list[list[Item]]:
    """The items of each answer, in order."""
    return _grouped(items, lambda item: item.claim.answer_id)


def _grouped(things: Sequence[T], answer: Callable[[T], str]) -> list[list[T]]:
    groups: dict[str, list[T]] = {}
    for thing in things:
        groups.setdefault(answer(thing), []).append(thing)
    return list(groups.values())
