"""An audit whose judge is a few lines: a claim is wrong if it says so. It can be opened in any process."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from gate.audit.engines import Work
from gate.audit.files import find_logs, pieces_of, rows_of
from gate.audit.job import Judging
from gate.audit.rows import Desk, Setup, judge_all
from gate.claims.local import LocalExtractor
from gate.files import Row
from gate.providers.budget import Budget
from gate.providers.pool import uncounted
from gate.records import Evidence, JudgeInfo, Label, Quote, Verdict
from gate.toolbox import bare

PAGE = Evidence("docs/\x1b[2Jpage.md", 1, "The pool is heated to 28 degrees.", 1.0, lines=(1,))


@dataclass
class WordJudge:
    """`wrong` and `denied` claims are unsupported, `hard` ones unjudged, all others supported, but for those of the bar
    without any words of the documents."""

    remote: bool = False
    seen: list[str] = field(default_factory=list)

    def judge(self, items):
        return [self._verdict(item) for item in items]

    def _verdict(self, item):
        text = item.claim.text
        self.seen.append(text)
        label = Label.UNSUPPORTED if "wrong" in text or "denied" in text else Label.SUPPORTED
        if "hard" in text:
            return Verdict(item.claim, Label.UNJUDGED, "-", reason="it is hard")
        quotes = () if "bar" in text else (Quote(PAGE.source, 1, PAGE.text, 1.0),)
        return Verdict(item.claim, label, "-", "denied" in text, 0.9, quotes, support=0.5)

    def info(self):
        return JudgeInfo("word", "word", "1")


def word_desk(setup: Setup) -> Desk:
    config = bare()
    store = SimpleNamespace(search=lambda queries, k, about=(): [[PAGE] for _ in queries])
    tools = SimpleNamespace(
        config=config, extractor=LocalExtractor(), store=store, judge=WordJudge(), counting=uncounted,
        budget=Budget(config.limits), embedder=None,
    )  # fmt: skip
    return Desk(tools)  # type: ignore[arg-type]


def word_work(folder: Path) -> Work:
    return Work(Setup.at("none.yaml", folder / ".gate"), word_desk)


def seen(**changed) -> Judging:
    values = {
        "tolerance": bare().risk_tolerance.model_copy(update={"max_unjudged": 1.0}),
        "judge": {"provider": "word"},
    }
    return Judging(**{**values, "index": "i", "config_hash": "c", "why_not": (), **changed})


def rows(count: int) -> list[dict[str, object]]:
    said = (
        "The pool is heated.",
        "This is wrong about the pool.",
        "The pool is denied to guests.",
        "This is hard to say.",
    )
    return [
        {"id": f"a{n}", "question": f"Question {n % 7}?", "answer": f"{said[n % 4]} The bar is open at {n}.",
         "tags": [f"t{n % 3}", "all"], "created_at": f"2026-01-{1 + n % 5:02}T23:30:00Z"}
        for n in range(count)
    ]  # fmt: skip


def write_rows(path: Path, some: list[dict[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in some), encoding="utf-8")
    return path


def all_rows(*names: object):
    return [row for piece in pieces_of(find_logs([str(name) for name in names])) for row in rows_of(piece)]


def judged(*some: dict[str, object]):
    return list(judge_all([Row("f", n, fields) for n, fields in enumerate(some, 1)], word_desk(Setup(""))))
