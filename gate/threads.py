"""How many threads numpy's products take: the calling one alone."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

NAME = "OPENBLAS_NUM_THREADS"
OURS = "01"  # reads as one, and is told from what a user has set


def alone(environment: MutableMapping[str, str] = os.environ) -> None:
    """Have OpenBLAS, once it is loaded, start no threads of its own, unless the user says how many: the products here
    are small, and threads that wait for the next one spin, which took a fifth of a run's processor time."""
    environment.setdefault(NAME, OURS)


def passed_on(environment: MutableMapping[str, str] = os.environ) -> dict[str, str]:
    """The environment for a program of the user's, as it was before `alone`."""
    return {name: value for name, value in environment.items() if (name, value) != (NAME, OURS)}
