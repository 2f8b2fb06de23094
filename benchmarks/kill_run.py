"""Kill `gate run` at random moments, and see that the next run asks nothing that had been recorded.

python benchmarks/kill_run.py [--rounds 30] [--seed 0]
"""

from __future__ import annotations

import argparse
import itertools
import json
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from running import check, finished, kill_often, killed

PROMPTS, CONCURRENCY = 24, 4
RUN = ("run", "-o", "verdict.json")
CONFIG = f"""
use_case: "Kill test"
evaluation: {{source: dataset, dataset: questions.jsonl, num_prompts: {PROMPTS}}}
doc_sources: [docs/]
model: {{provider: command, command: ["{sys.executable}", "answer.py"]}}
limits: {{concurrency: {CONCURRENCY}}}
"""
# The application under test: it notes that it was asked, takes a moment, and answers.
ANSWER = """
import json, os, sys, time
asked = json.load(sys.stdin)
with open("asked.log", "a") as log:
    log.write(asked["id"] + "\\n")
time.sleep(0.3)
print("The timeout of " + asked["question"].split()[-1].strip("?") + " is 5 seconds.")
"""
DOCUMENT = "# Timeouts\n\n" + "\n".join(f"- The timeout of part{number} is 5 seconds." for number in range(PROMPTS))


def prepare(work: Path) -> None:
    (work / "docs").mkdir()
    (work / "docs" / "timeouts.md").write_text(DOCUMENT)
    (work / "answer.py").write_text(ANSWER)
    (work / ".llm-reliability.yaml").write_text(CONFIG)
    code, errors, _ = finished(work, "ingest")
    check(code == 0, errors)


def new_questions(work: Path, edition: int) -> set[str]:
    """Questions that no run has asked yet; their ids."""
    entries = [
        {"id": f"e{edition}p{number}", "question": f"Edition {edition}: what is the timeout of part{number}?"}
        for number in range(PROMPTS)
    ]
    (work / "questions.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    (work / "asked.log").unlink(missing_ok=True)
    return {entry["id"] for entry in entries}


def recorded(work: Path) -> set[str]:
    """Ids of the prompts whose answers are in the record of calls."""
    path = work / ".gate" / "calls.sqlite"
    if not path.exists():
        return set()
    with sqlite3.connect(path) as connection:
        check(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the record is damaged")
        return {json.loads(request)["prompt_id"] for (request,) in connection.execute("SELECT request FROM calls")}


def asked(work: Path) -> list[str]:
    log = work / "asked.log"
    return log.read_text().split() if log.exists() else []


def finish(work: Path, ids: set[str]) -> float:
    """Run to the end: a verdict over all prompts. Seconds."""
    code, errors, seconds = finished(work, *RUN)
    check(code in (0, 1), f"exit code {code}: {errors}")
    verdict = json.loads((work / "verdict.json").read_text())
    check({prompt["id"] for prompt in verdict["prompts"]} == ids, "a prompt is missing from the verdict")
    labels = ("supported", "weakly_supported", "unsupported", "unjudged")
    check(sum(verdict[label] for label in labels) == verdict["total_claims"], "the ledger does not balance")
    return seconds


def kill_once(work: Path, ids: set[str], wait: float) -> str:
    """Kill a run after `wait` seconds and finish it; how much had been recorded (empty: it was over before)."""
    if not killed(work, RUN, wait):
        return ""
    time.sleep(1)  # programs that were asked live on for a moment; what they answer is lost with the run
    known, before = recorded(work) & ids, len(asked(work))
    finish(work, ids)
    again = known & set(asked(work)[before:])
    check(not again, f"asked again although recorded: {sorted(again)}")
    check(len(asked(work)) <= PROMPTS + CONCURRENCY, "more was asked again than was under way")
    return "nothing recorded yet" if not known else "all recorded" if known == ids else "some recorded"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work, editions = Path(temporary), itertools.count(1)
        prepare(work)
        whole = finish(work, new_questions(work, 0))
        print(f"one run of {PROMPTS} prompts to its end: {whole:.1f} s")
        outcomes = kill_often(
            options.rounds,
            options.seed,
            0.8 * whole,
            lambda wait: kill_once(work, new_questions(work, next(editions)), 0.2 * whole + wait),
        )
    print(f"{options.rounds} kills: {dict(outcomes.most_common())}; the next run asked nothing that had been recorded")


if __name__ == "__main__":
    main()
