"""Whether a question rests on the sentences that it cites: they speak of what it asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gate.records import Prompt
from gate.text import stem, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

# The cosine of a question and what it cites, and SHARED for all of its content words there, from which the one answers
# the other. Chosen on 80 written pairs: 51 of 53 that belong together lie above, 25 of 27 others below.
RESTS, SHARED = 0.83, 0.2


def rest(prompts: Sequence[Prompt], headings: Sequence[str], embed: Embed) -> list[bool]:
    """For each question whether its reference, which stands under a heading of its source, answers it."""
    if not prompts:
        return []
    cited = [prompt.reference or "" for prompt in prompts]
    under = [f"{heading}: {text}" if heading else text for heading, text in zip(headings, cited, strict=True)]
    questions, bare, headed = (embed(texts) for texts in ([prompt.question for prompt in prompts], cited, under))
    return [
        bool(cited[n].strip())
        and float(max(questions[n] @ bare[n], questions[n] @ headed[n])) + SHARED * _share(prompt, headings[n]) >= RESTS
        for n, prompt in enumerate(prompts)
    ]


def _share(prompt: Prompt, heading: str) -> float:
    """The share of the question's content words that stand in the reference, its heading or the name of its file."""
    name = re.sub("[_-]", " ", PurePosixPath(prompt.source or "").stem)
    asked, there = _stems(prompt.question), _stems(f"{prompt.reference} {heading} {name}")
    return len(asked & there) / len(asked) if asked else 0.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))
