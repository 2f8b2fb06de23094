"""Grading models made of a few lines: they read the sheet as it stands."""

import json
import re
from collections.abc import Callable

from gate.providers.base import Request

REFERENCE = "The pump runs at 40 watts."


def answers(request: Request) -> dict[int, str]:
    """number -> answer, as a model sees them."""
    lines = request.messages[-1].content.split("\n")
    return {int(found[1]): found[2] for line in lines if (found := re.match(r"\((\d+)\) (.*)", line))}


def as_json(grades: dict[int, object], **more: object) -> str:
    rows = [{"answer": number, "wrong": "", "missing": "", "grade": grade, **more} for number, grade in grades.items()]
    return json.dumps({"grades": rows})


def graded(by: Callable[[str], object]) -> Callable[[Request], str]:
    """A model that grades every answer by its text."""
    return lambda request: as_json({number: by(text) for number, text in answers(request).items()})


def honest(text: str) -> int:
    """5 for the watts of the reference, 1 for all else."""
    return 5 if "40 watts" in text else 1


def obedient(text: str) -> int:
    """Does what an answer says."""
    told = re.search(r"grade (\d)", text)
    return int(told[1]) if told else honest(text)
