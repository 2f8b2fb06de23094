"""Work as a number of calls, so that a test can compare how it grows without a clock."""

import sys
from collections.abc import Callable


def steps(run: Callable[[], object]) -> int:
    """How many functions, Python's and built-in ones, were called."""
    count = 0

    def called(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def growth(run: Callable[[int], object], size: int) -> float:
    """How many times the work is done for twice the size: about 2 where it is linear, 4 where it is quadratic."""
    run(size)  # what is loaded and remembered at the first time is no part of it
    return steps(lambda: run(2 * size)) / steps(lambda: run(size))
