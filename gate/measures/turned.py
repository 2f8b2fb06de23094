"""Which words of the evidence were turned into which, so that an answer can be seen to follow them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from gate.text import tokens


@dataclass(frozen=True, slots=True)
class Turn:
    """Words that stood in the evidence, and those that stand there now; one of both may be empty."""

    before: frozenset[str]
    after: frozenset[str]

    def concerns(self, claim: str) -> bool:
        """Whether a claim says the words that were turned."""
        return bool(self.before) and self.before <= set(tokens(claim))

    def followed(self, answer: str) -> bool:
        """Whether an answer says the new words and not the old ones."""
        said = set(tokens(answer))
        return bool(self.before and self.after) and self.after <= said and not self.before & said


def turns(before: Sequence[str], after: Sequence[str]) -> list[Turn]:
    """The places where passages differ, which are as many and in the same order."""
    found = []
    for old, new in zip(before, after, strict=False):
        if old == new:
            continue
        left, right = tokens(old), tokens(new)
        for kind, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
            if kind != "equal":
                found.append(Turn(frozenset(left[a:b]), frozenset(right[c:d])))
    return found
