"""Property tests have no deadline: on a shared machine a slow moment is no fault."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
