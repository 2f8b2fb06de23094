"""Property tests have no deadline: a slow moment is no fault on a shared machine. Each is short: there are many."""

from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=60)
settings.load_profile("house")
