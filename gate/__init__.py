"""The reliability gate for LLM applications: label every claim against trusted documents, then decide.

`gate.judge` and `gate.run` are its Python door; they are loaded when they are first used.
"""

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gate.api import Result, judge, run

__version__ = "1.2.0"
__all__ = ["Result", "__version__", "judge", "run"]


def __getattr__(name: str) -> Any:
    """What stands in `gate.api`. Errors: AttributeError."""
    if name in ("Result", "judge", "run"):
        return resolve_name(f"gate.api:{name}")
    raise AttributeError(f"module 'gate' has no attribute {name!r}")
