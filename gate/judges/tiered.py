"""The tiered judge: the local judge settles what it is sure of, a model the rest."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from gate.judges.base import Judge, Looking
from gate.judges.shares import shares
from gate.records import Item, JudgeInfo, Label, Verdict


class TieredJudge:
    """Asks `first` about everything, and `then` about what the first is unsure of or could not label."""

    remote = True

    def __init__(self, first: Judge, then: Looking) -> None:
        self._first, self._then = first, then
        self._settled = self._sent = self._saved = 0
        self._lock = threading.Lock()

    def info(self) -> JudgeInfo:
        """Both judges in one; `calls_saved` counts answers that needed no call, `share_sent_on` is of the claims."""
        local, model = self._first.info(), self._then.info()
        with self._lock:
            own = {"settled_locally": self._settled, "sent_on": self._sent, "calls_saved": self._saved}
        details = {**model.details, **own, **shares(own)}
        version = f"{local.model} {local.prompt_version}+{model.prompt_version}"
        return JudgeInfo("tiered", f"local, then {model.provider} {model.model}", version, details)

    def judge(self, items: Sequence[Item], look: int = 0) -> list[Verdict]:
        """One verdict for every item, in order; another `look` is the model's. Errors: those of the second judge."""
        if look:
            return self._then.judge(items, look)
        with self._lock:  # it keeps the processor busy by itself, and was not made for threads
            verdicts = self._first.judge(items)
        doubtful = [place for place, v in enumerate(verdicts) if v.unsure or v.label is Label.UNJUDGED]
        if doubtful:
            for place, verdict in zip(doubtful, self._then.judge([items[p] for p in doubtful]), strict=True):
                verdicts[place] = verdict
        answers = {item.claim.answer_id for item in items}
        with self._lock:
            self._settled += len(items) - len(doubtful)
            self._sent += len(doubtful)
            self._saved += len(answers - {items[place].claim.answer_id for place in doubtful})
        return verdicts
