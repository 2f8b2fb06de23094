"""Who does the work of an audit: this process, a process a core, or Ray. One function does it wherever it runs."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any

from gate.audit.files import LogPiece, rows_of
from gate.audit.rows import Desk, Setup, judge_all, opened, row_of
from gate.audit.summary import Tally, tally_of, total
from gate.errors import GateError, LimitError, UsageError, install_hint

AHEAD = 2  # pieces for each worker that are handed out
_GONE = "a worker of the audit was killed"


@dataclass(frozen=True, slots=True)
class Portion:
    """What came of a piece: the rows to write and their tally; or the fault that ended it: message, hint, exit code.
    `failed`: the judge, or the search, failed on some of it, and may do better another time."""

    piece: LogPiece
    rows: list[dict[str, Any]] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    fault: tuple[str, str, int] | None = None
    failed: bool = False

    def checked(self) -> Portion:
        """Itself. Errors: LimitError, UsageError where a fault ended it."""
        if self.fault is not None:
            message, hint, code = self.fault
            raise (LimitError if code == LimitError.exit_code else UsageError)(message, hint)
        return self


@dataclass(frozen=True, slots=True)
class Work:
    """The function of an audit: a piece in, its portion out. It can be pickled; `desk` opens the tools, once a
    process."""

    setup: Setup
    desk: Callable[[Setup], Desk] = opened

    def __call__(self, piece: LogPiece) -> Portion:
        """Load the rows of a piece and judge them. A fault is told by the portion: not every error can be pickled."""
        try:
            desk = self.desk(self.setup)
            judged = list(judge_all(rows_of(piece), desk))
        except GateError as error:
            return Portion(piece, fault=(error.message, error.hint, error.exit_code))
        void = Tally(void=dict.fromkeys(desk.void, 1))
        desk.void.clear()
        tally = total([void, *map(tally_of, judged)])
        return Portion(piece, [row_of(one) for one in judged], tally, failed=any(one.failed for one in judged))


Engine = Callable[[Work, Iterable[LogPiece]], Iterator[Portion]]


def in_process(work: Work, pieces: Iterable[LogPiece]) -> Iterator[Portion]:
    """One piece after another, here."""
    return map(work, pieces)


def on_cores(workers: int) -> Engine:
    """So many processes of this machine. Errors of the engine: UsageError where one of them was killed."""

    def run(work: Work, pieces: Iterable[LogPiece]) -> Iterator[Portion]:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(workers, context, _begin, (ours,))
        left, waiting = iter(pieces), set[Future[Portion]]()
        try:
            while True:
                waiting |= {pool.submit(work, piece) for piece in islice(left, AHEAD * workers - len(waiting))}
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
        except BrokenProcessPool:
            raise UsageError(_GONE, "was there too little memory? --workers says how many work at once") from None
        finally:
            theirs.close()  # whoever is still at work ends: nobody waits for what comes of it
            pool.shutdown(cancel_futures=True)

    return run


def _begin(line: Connection) -> None:
    """A worker leaves Ctrl-C to its parent, and ends when that ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        line.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class RayWorker:
    """The actor of Ray Data: opens index and model once, and gives portions for pieces, both pickled."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, batch: Mapping[str, Iterable[bytes]]) -> dict[str, list[bytes]]:
        """`piece` in, `portion` out. What is unpickled was pickled by this audit."""
        return {"portion": [pickle.dumps(self._work(pickle.loads(one))) for one in batch["piece"]]}  # noqa: S301


def on_ray(workers: int, address: str = "") -> Engine:
    """So many actors of Ray, on this machine or on the cluster at `address`. Every machine has to see the answers, the
    configuration and the index under the names that this one has for them. Ray reports nothing about its use.

    Errors of the engine: UsageError where Ray is not installed or a part of it was lost.
    """

    def run(work: Work, pieces: Iterable[LogPiece]) -> Iterator[Portion]:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        try:
            import ray
            import ray.data
        except ImportError:
            raise UsageError("--engine ray needs Ray", install_hint("ray")) from None
        items = [{"piece": pickle.dumps(piece)} for piece in pieces]
        if not items:
            return
        where: dict[str, Any] = {"address": address} if address else {"address": "local", "num_cpus": workers}
        try:
            ray.init(**where, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
            ray.data.DataContext.get_current().enable_progress_bars = False
            found = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
                RayWorker,
                fn_constructor_args=(work,),
                batch_size=1,
                batch_format="numpy",
                concurrency=workers,
                num_cpus=1,
            )
            yield from (pickle.loads(row["portion"]) for row in found.iter_rows())  # noqa: S301
        except (ray.exceptions.RayError, ConnectionError, ValueError) as error:  # ValueError: of an address
            raise UsageError(
                f"Ray: {str(error).strip().splitlines()[-1]}", "is the cluster there, has it memory?"
            ) from error
        finally:
            ray.shutdown()

    return run
