"""Property tests have no deadline: a slow moment is no fault on a shared machine. Each is short: there are many.

The same commit gets the same examples, so that a fault that was there before stops no other change. New ones are sought
with `pytest --hypothesis-profile search`.
"""

import contextlib
import gc
import importlib
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("house")
# What is collected stays to the end: to look for garbage in it again and again takes a third of the collection.
gc.disable()
# What a shell starts in the background ignores Ctrl-C, and so does all that it starts; some tests send it one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: some tests wait, for a server that hangs or for what is in flight."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Each worker collects all, and most of that is to rewrite the asserts. So each begins at another file and keeps
    what it rewrote, and the others find it. What cannot be imported is told by the collection."""
    given = getattr(session.config, "workerinput", None)
    if given is None or session.config.args != session.config.getini("testpaths"):
        return
    root = Path(__file__).parent
    names = [".".join(path.relative_to(root.parent).with_suffix("").parts) for path in sorted(root.rglob("test_*.py"))]
    first = len(names) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    for name in names[first:] + names[:first]:
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)
    sys.dont_write_bytecode = kept


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
