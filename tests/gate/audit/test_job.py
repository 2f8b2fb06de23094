"""An audit on any engine gives the same bytes, goes on where it was killed, and passes nothing it did not judge."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gate.audit.engines import Portion, in_process, on_cores, on_ray
from gate.audit.job import AGAIN, Errand, against, audit, decide
from gate.audit.report import describe, report
from gate.audit.rows import KNOWN, TOGETHER, JudgeRows, day_of, row_of
from gate.audit.summary import Count, Tally
from gate.errors import LimitError, TransientError, UsageError
from gate.records import Decision
from gate.statistics.intervals import JudgeError
from tests.support.audited import judged, rows, seen, word_desk, word_work, write_rows


def conduct(place: Path, engine=in_process, work=None, **order):
    return audit(Errand([str(place / "log.jsonl")], **order), work or word_work(place), seen(), engine)


def finished(folder: Path, count=250):
    write_rows(folder / "log.jsonl", rows(count))
    return conduct(folder)[0]


def verdicts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_every_engine_writes_the_same_bytes(tmp_path):
    first = finished(tmp_path)
    one, two = (
        conduct(tmp_path, engine, folder=tmp_path / name) for engine, name in ((in_process, "1"), (on_cores(2), "2"))
    )
    assert one[0] == two[0] == first
    assert verdicts(one[1]) == verdicts(two[1])
    assert len([name for name in verdicts(one[1]) if name.endswith(".jsonl")]) == 3


def test_ray_writes_the_same_bytes(tmp_path):
    pytest.importorskip("ray")
    first = finished(tmp_path)
    script = (
        "import sys; from pathlib import Path; from gate.audit.engines import on_ray;"
        "from tests.gate.audit.test_job import conduct;"
        "print(conduct(Path(sys.argv[1]), on_ray(2), folder=Path(sys.argv[1]) / 'ray')[0].tally.total.answers)"
    )
    environ = {**os.environ, "PYTHONPATH": os.getcwd(), "PYTHONWARNINGS": "default"}
    done = subprocess.run([sys.executable, "-c", script, tmp_path], env=environ, capture_output=True, text=True)
    assert done.stdout.strip().endswith(str(first.tally.total.answers)), done.stderr[-2000:]
    alone = conduct(tmp_path, folder=tmp_path / "1")[1]
    assert verdicts(alone) == verdicts(tmp_path / "ray")


def test_an_answer_is_judged_the_same_in_any_company(tmp_path):
    some = rows(TOGETHER * 2 + 3)
    alone = [row_of(judged(row)[0]) for row in some]
    together = [row_of(one) for one in judged(*some)]
    for number, row in enumerate(together, 1):
        assert row | {"line": 1} == alone[number - 1]


def test_what_cannot_be_judged_says_why(tmp_path):
    some = judged(
        {"question": "?", "answer": " "}, {"question": "?", "answer": "It is 3.", "about": ["v9"]}, {"answer": "x"}
    )
    assert [one.reason for one in some] == [
        "the answer is empty, or nothing but thinking",
        "it is about 'v9', a tag that no source of documents has", "`question` is missing",
    ]  # fmt: skip
    assert [one.broken for one in some] == [False, False, True]


def test_equal_answers_are_judged_once_and_memory_stays_bounded(tmp_path):
    write_rows(tmp_path / "log.jsonl", rows(1) * 500)
    desk = word_desk(word_work(tmp_path).setup)
    work = word_work(tmp_path)
    whole, _ = conduct(tmp_path, work=type(work)(work.setup, lambda setup: desk))
    assert whole.tally.total.answers == 500
    assert len(desk.tools.judge.seen) == 2
    write_rows(tmp_path / "log.jsonl", [{"question": "?", "answer": f"It is {n}."} for n in range(KNOWN + 500)])
    conduct(tmp_path, work=type(work)(work.setup, lambda setup: desk))
    assert len(desk.known) <= KNOWN


def test_a_killed_audit_goes_on(tmp_path):
    whole = finished(tmp_path)
    script = (
        "import os, sys; from pathlib import Path; from tests.gate.audit.test_job import conduct, in_process\n"
        "def dying(work, pieces):\n"
        "    portions = in_process(work, pieces)\n"
        "    yield next(portions)\n"
        "    os.kill(os.getpid(), 9)\n"
        "conduct(Path(sys.argv[1]), dying, folder=Path(sys.argv[1]) / 'killed')"
    )
    done = subprocess.run([sys.executable, "-c", script, tmp_path], env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert done.returncode == -signal.SIGKILL
    before = verdicts(tmp_path / "killed")
    left = []

    def counted(work, pieces):
        left.extend(pieces)
        return in_process(work, left)

    again, folder = conduct(tmp_path, counted, folder=tmp_path / "killed")
    assert len(left) == 2
    assert again == whole
    assert verdicts(folder).items() >= before.items()
    (torn,) = folder.glob("*-000001.json")
    torn.write_text('{"total"', encoding="utf-8")
    assert conduct(tmp_path, folder=folder)[0] == whole


def test_what_failed_is_judged_again_by_the_next_audit_and_nothing_else(tmp_path):
    whole = finished(tmp_path)
    work = word_work(tmp_path)
    desk, asked = word_desk(work.setup), []

    class Failing(type(desk.tools.judge)):
        down = True

        def judge(self, items):
            asked.extend(item.claim.text for item in items)
            if self.down and any("open at 7." in item.claim.text for item in items):
                raise TransientError("the judge is down")
            return super().judge(items)

    desk.tools.judge = Failing(remote=True)
    once, _ = conduct(tmp_path, work=type(work)(work.setup, lambda setup: desk), folder=tmp_path / "f")
    assert once.tally.reasons["the judge failed: the judge is down"] == 1
    assert once.notes == (AGAIN,)
    desk.tools.judge.down, before = False, len(asked)
    again, folder = conduct(tmp_path, work=type(work)(work.setup, lambda setup: desk), folder=tmp_path / "f")
    assert again == whole
    assert asked[before:] == ["The bar is open at 7."]
    assert verdicts(folder) == verdicts(conduct(tmp_path, folder=tmp_path / "g")[1])


def test_a_corrected_decision_is_that_of_a_run(tmp_path):
    tolerance = seen().tolerance.model_copy(update={"decide_on": "corrected"})
    many = Tally(Count(answers=400, judged_answers=400, supported=400, claims_squared=400))
    judge = JudgeError(0.04, 0.01, 0.85, 0.02)
    assert decide(many, seen(tolerance=tolerance, error=judge))[0] is Decision.DEPLOY
    few = Tally(Count(answers=9, judged_answers=9, supported=9, claims_squared=9))
    found, (why,) = decide(few, seen(tolerance=tolerance, error=judge))
    assert (found, "more answers" in why) == (Decision.INCONCLUSIVE, True)


def test_a_fault_ends_it_and_what_was_judged_is_kept(tmp_path):
    finished(tmp_path)

    def limited(work, pieces):
        first, *others = pieces
        yield work(first)
        yield Portion(others[0], fault=("too dear", "", 4))

    with pytest.raises(LimitError, match="too dear"):
        conduct(tmp_path, limited, folder=tmp_path / "limited")
    assert len(list((tmp_path / "limited").glob("*.jsonl"))) == 1


def test_a_folder_holds_one_audit(tmp_path):
    finished(tmp_path)
    conduct(tmp_path, folder=tmp_path / "one")
    write_rows(tmp_path / "log.jsonl", rows(3))
    with pytest.raises(UsageError, match="another|other answers"):
        conduct(tmp_path, folder=tmp_path / "one")
    with pytest.raises(UsageError, match="not empty"):
        conduct(tmp_path, folder=tmp_path)
    write_rows(tmp_path / "log.jsonl", [])
    with pytest.raises(UsageError, match="no answers"):
        conduct(tmp_path)


def test_verdicts_as_parquet_are_those_of_jsonl(tmp_path):
    finished(tmp_path)
    folders = [conduct(tmp_path, folder=tmp_path / str(form), parquet=form)[1] for form in (False, True)]
    lines = [json.loads(line) for path in sorted(folders[0].glob("*.jsonl")) for line in path.read_text().splitlines()]
    assert [row for path in sorted(folders[1].glob("*.parquet")) for row in pq.read_table(path).to_pylist()] == lines
    assert [row["line"] for row in lines] == list(range(1, 251))


def test_a_sample_says_what_it_buys(tmp_path):
    write_rows(tmp_path / "log.jsonl", rows(1000))
    some, _ = conduct(tmp_path, sample=100)
    assert (some.tally.total.answers, some.sample.of, some.rows) == (100, 1000, 1000)
    assert some.sample.for_one_point > 1000
    assert "points wide. About" in describe(some, tmp_path)
    assert "; there are 1,000." in describe(some, tmp_path)
    assert conduct(tmp_path, sample=1000)[0].sample is None


@pytest.mark.parametrize(
    ("count", "most", "why_not", "void", "expected"),
    [
        ((9, 0, 0), 0.0, (), {}, Decision.DEPLOY),
        ((8, 2, 0), 0.0, (), {}, Decision.WARN),
        ((1, 9, 0), 0.0, (), {}, Decision.BLOCK),
        ((9, 0, 1), 0.0, (), {}, Decision.INCONCLUSIVE),
        ((9, 0, 1), 0.5, (), {}, Decision.DEPLOY),
        ((0, 0, 0), 1.0, (), {}, Decision.INCONCLUSIVE),
        ((9, 0, 0), 0.0, ("not calibrated",), {}, Decision.INCONCLUSIVE),
        ((9, 0, 0), 0.0, (), {"the judge supported a canary": 1}, Decision.INCONCLUSIVE),
    ],
)
def test_what_was_not_judged_never_passes(count, most, why_not, void, expected):
    good, bad, left = count
    answers = Count(good + bad + left, good + bad, 0, left, good, 0, bad, 0, left, good + bad, bad, bad)
    tolerance = seen().tolerance.model_copy(update={"max_unjudged": most})
    assert decide(Tally(answers, void=void), seen(tolerance=tolerance, why_not=why_not))[0] is expected


def test_strangers_text_is_harmless_wherever_it_is_told(tmp_path):
    wild = "<script>alert(1)</script>\x1b[2J|\n::error::x"
    some = [{"id": wild, "question": wild, "answer": f"It is wrong {wild} to say.", "tags": [wild]}, {"question": wild}]
    write_rows(tmp_path / "log.jsonl", some)
    whole, folder = conduct(tmp_path)
    told = [
        describe(against(whole, whole), folder),
        *(report(against(whole, whole), form) for form in (".html", ".md")),
    ]
    for text in told:
        assert "\x1b" not in text
    assert "\n::error" not in told[0]
    assert not any("<script" in text.replace("\\<", "") for text in told[1:])
    assert "\x1b" not in report(whole, ".json")


def test_arrow_tables_are_judged_row_by_row(tmp_path):
    some = [dict.fromkeys(rows(1)[0]), *rows(3)]
    setup = word_work(tmp_path).setup
    table = pa.Table.from_pylist(some)
    out = JudgeRows(setup, "log", word_desk)(table)
    assert out.column("id").to_pylist() == ["", "a0", "a1", "a2"]
    assert out.column("reason").to_pylist() == ["`answer` is missing", "", "", ""]
    assert out.column("file").to_pylist() == ["log"] * 4


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-01-31T23:30:00-02:00", "2026-02-01"), ("2026-01-31", "2026-01-31"), (1769900000, "2026-01-31"),
        (1769900000000, "2026-01-31"), (datetime(2026, 1, 31, 1, tzinfo=UTC), "2026-01-31"), ("soon", ""), (True, ""),
        (float("inf"), ""), (None, ""), ([], ""), ("0999-05-05", "0999-05-05"), (..., ""),
    ],
)  # fmt: skip
def test_days_are_those_of_utc(value, day):
    assert day_of(value) == day


def test_an_engine_that_is_not_there_is_told(tmp_path):
    if "ray" not in sys.modules:
        blocked = subprocess.run(
            [sys.executable, "-c", "import sys; sys.modules['ray'] = None; from gate.audit.engines import on_ray\n"
             "try: list(on_ray(1)(None, []))\nexcept Exception as error: print(error, error.hint)"],
            capture_output=True, text=True,
        )  # fmt: skip
        assert "PLACE[ray]" in blocked.stdout
    assert on_ray(1) is not None
