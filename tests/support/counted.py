"""A Counting that remembers what was counted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Counter:
    """`counted`: (of what, how many there were to do, how many were done) of every count, in order."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, int, int]] = []

    @contextmanager
    def __call__(self, total: int, what: str) -> Iterator[Callable[[], None]]:
        done: list[None] = []
        yield lambda: done.append(None)
        self.counted.append((what, total, len(done)))
