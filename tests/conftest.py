"""Property tests have no deadline: a slow moment is no fault on a shared machine. Each is short: there are many."""

import os

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=60)
settings.load_profile("house")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: some tests wait, for a server that hangs or for what is in flight."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1
