"""The model grader: one call an answer against its reference, one more for what could not be read, nothing on trust."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gate.errors import LimitError, ProviderError, SetupError
from gate.judges.grading_sheet import (
    HIGHEST,
    LONGEST,
    LOWEST,
    RUBRIC,
    Graded,
    GradingSheet,
    grading_sheet,
    read_grades,
)
from gate.measures.base import Grade
from gate.providers.base import Provider
from gate.providers.budget import Budget
from gate.providers.pool import run_all
from gate.text import tokens
from gate.text_shown import WIDEST, shown

HIGH = 2.0  # grade above which a canary has been believed
FOOLED = "the judge was fooled: it graded a canary, an answer that is wrong by construction, {grade:g}"
ENDED = "the run ended before it was graded"
Item = tuple[str, str, str]  # question, reference, answer


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one call gave: a grade, or why there is none; `fooled` where a canary was believed: then nothing that the
    judge says of this answer counts, and it is not asked again."""

    grade: Grade | None = None
    why: str = ""
    fooled: bool = False


@dataclass(frozen=True, slots=True)
class Grades:
    """One grade for every item, in order; `stopped` says why not all were asked for."""

    grades: list[Grade]
    stopped: LimitError | None = None


def grade_all(
    provider: Provider,
    items: Sequence[Item],
    concurrency: int,
    budget: Budget | None = None,
    counted: Callable[[], None] = lambda: None,
) -> Grades:
    """The grades of all answers, several at once; equal ones are asked for once, and `counted` is called after each.

    A fault of one call leaves its answer without a grade. Errors: SetupError, where no call can succeed.
    """
    fresh = list(dict.fromkeys(items))
    outcome = run_all(lambda item: grade(provider, item), fresh, concurrency, budget, done=counted)
    if outcome.stopped is not None and not isinstance(outcome.stopped, LimitError):
        raise outcome.stopped
    found: dict[Item, Grade] = {}
    for item, done in zip(fresh, outcome.results, strict=True):
        if done is None:
            found[item] = Grade(None, ENDED)
        elif done.error is not None:
            found[item] = Grade(None, f"the judge failed: {done.error.message}")
        else:
            found[item] = done.get()
    return Grades([found[item] for item in items], outcome.stopped)


def grade(provider: Provider, item: Item) -> Grade:
    """The grade of one answer. Errors: those of the provider for the first call."""
    settled = _without_asking(*item)
    if settled:
        return settled
    first = _ask(provider, grading_sheet(*item))
    if first.grade or first.fooled:
        return first.grade or Grade(None, first.why)
    try:
        second = _ask(provider, grading_sheet(*item, repeat=1))
    except (SetupError, LimitError):
        raise
    except ProviderError as error:
        return Grade(None, f"{first.why}; asked again: {error.message}")
    return second.grade or Grade(None, second.why if second.fooled else f"{second.why}, twice asked")


def _without_asking(question: str, reference: str, answer: str) -> Grade | None:
    """What no model is needed for."""
    if not answer.strip():
        return Grade(LOWEST, "the answer is empty")
    if tokens(answer) and answer.split() == reference.split():
        return Grade(HIGHEST, "says what the reference says, word by word")
    for name, text in (("answer", answer), ("reference", reference)):
        size = max(len(text), len(shown(text, WIDEST * LONGEST)))
        if size > LONGEST:  # its end would not be graded
            return Grade(None, f"the {name} has {size} characters, more than {LONGEST}")
    return None


def _ask(provider: Provider, sheet: GradingSheet) -> _Asked:
    reply = provider.complete(sheet.request)
    read = read_grades(reply.text, reply.stop, {sheet.answer, *sheet.canaries})
    believed = max((read.highest.get(number, LOWEST) for number in sheet.canaries), default=LOWEST)
    if believed > HIGH:  # in any entry: one that cannot be used, or that another one takes back, too
        return _Asked(why=FOOLED.format(grade=believed), fooled=True)
    if sheet.canaries - read.good.keys():  # who passes over a canary may have been told to
        return _Asked(why=read.why or "the judge passed over a canary")
    own: Graded | None = read.good.get(sheet.answer)
    return _Asked(Grade(own.grade, own.why, RUBRIC)) if own else _Asked(why=read.why)
