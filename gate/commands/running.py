"""What `gate run` does: the six agents, then the decision; or the plan of it."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from gate.commands.options import limited
from gate.commands.progress import watching
from gate.config import DEFAULT_PATH, load
from gate.errors import UsageError
from gate.pipeline import begin, judged
from gate.process import Interrupts
from gate.reports.files import load as load_verdict
from gate.reports.outcome import check_outputs, exit_code, tell, tell_github, write_all
from gate.toolbox import Toolbox

Open = Callable[..., Toolbox]


def opener(config: str | None, outputs: Sequence[str], limits: Mapping[str, float | None], **part: Any) -> Open:
    """What opens the tools of a run, or of the `part` of it that is asked for. Errors: UsageError, also for `outputs`
    that cannot be written."""
    if part["reuse"] and not part["use_cache"]:
        raise UsageError("--reuse takes recorded answers and --no-cache takes none", "leave one of the two out")
    check_outputs(outputs)
    path = Path(config or DEFAULT_PATH)
    return partial(Toolbox, limited(load(path), **limits), path.parent, **part)


def show_plan(opened: Open) -> int:
    """Print what a run would do and cost; no model is asked."""
    from gate.plan import plan

    with closing(opened()) as tools:
        sys.stdout.write(plan(begin(tools)))
    return 0


def decide(opened: Open, outputs: Sequence[str], baseline: str | None, fail_on: str) -> int:
    """Run, tell the verdict everywhere, and give its exit code."""
    atexit.register(gc.freeze)  # what is left goes with the process: to search it once more took 5 % of a run
    base = load_verdict(Path(baseline)) if baseline is not None else None  # before anything is paid for
    with Interrupts() as interrupts:
        with watching() as watch, closing(opened(counting=watch.counting)) as tools:
            document = judged(tools, watch, interrupts.allowed)
        if base is not None or tools.config.risk_tolerance.fail_on_regression:
            from gate.verdicts import with_baseline

            document = with_baseline(document, base, tools.config.risk_tolerance)
        write_all(document, outputs, base)
        tell(document, base)
        tell_github(document, base)
    return exit_code(document, fail_on)
