"""What a check has to say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind` names the check, `strength` (0..1) how much it weighs, `sentence` the one that shows it (-1: none does).

    `against` tells a conflict with the documents from something that is missing in them.
    """

    kind: str
    strength: float
    message: str
    against: bool = False
    sentence: int = -1
