"""An audit of many answers: rows a second, memory, and whether every engine writes the same bytes.

python benchmarks/audit.py [ROWS] [DISTINCT]    # default 100000 24

The rows are DISTINCT of the labelled answers (benchmarks/answers) again and again, with other ids, days and tags.
Equal answers are judged once a process: the first seconds measure the reader, the rest all else. In the end an audit
is killed in its middle and goes on.
"""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
GATE = [sys.executable, "-m", "gate.cli"]
CONFIG = """use_case: "-"
doc_sources: [docs]
evaluation: {source: recorded}
model: {provider: replay, path: log.jsonl}
risk_tolerance: {max_unjudged: 1.0}
"""
WAYS = (
    ("local", "1"),
    ("local", "2"),
    ("ray", "1"),
    ("ray", "2"),
)


def make(folder: Path, rows: int, distinct: int) -> None:
    cases = [json.loads(text) for path in sorted((ROOT / "benchmarks/answers").glob("*/cases.jsonl"))
             for text in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    for docs in (ROOT / "benchmarks/answers").glob("*/docs"):
        shutil.copytree(docs, folder / "docs", dirs_exist_ok=True)
    (folder / ".llm-reliability.yaml").write_text(CONFIG, encoding="utf-8")
    some = cases[:: max(1, len(cases) // distinct)][:distinct]
    for name, count in (("one.jsonl", len(some)), ("tenth.jsonl", rows // 10), ("log.jsonl", rows)):
        with (folder / name).open("w", encoding="utf-8") as stream:
            for n in range(count):
                case = some[n % len(some)]
                row = {"id": f"a{n}", "question": case["question"], "answer": case["answer"], "tags": [case["variant"]],
                       "created_at": f"2026-01-{1 + n * 28 // count:02}T12:00:00Z"}  # fmt: skip
                stream.write(json.dumps(row) + "\n")


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:16]


def audit(folder: Path, log: str, to: str, *options: str) -> subprocess.Popen:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [*GATE, "audit", log, "--all", "--to", to, *options], cwd=folder, env=environ,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def measured(folder: Path, log: str, to: str, *options: str) -> tuple[float, float, float]:
    """Seconds, processor seconds and the largest resident size (MiB) of any of its processes."""
    begun, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process = audit(folder, log, to, *options)
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{to} ended with {os.waitstatus_to_exitcode(status)}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.time() - begun, cpu, used.ru_maxrss / 1024


def main() -> None:
    rows, distinct = map(int, [*sys.argv[1:3], *("100000", "24")[len(sys.argv) - 1 :]])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, rows, distinct)
        subprocess.run([*GATE, "ingest"], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
        for log in ("one.jsonl", "tenth.jsonl"):
            seconds, cpu, size = measured(folder, log, f"out-{log}", "--workers", "1")
            count = len((folder / log).read_text(encoding="utf-8").splitlines())
            print(f"{log:12} 1 process: {count:,} rows, {seconds:.0f} s, {cpu:.0f} core s, {size:.0f} MiB", flush=True)
        marks = set()
        for engine, workers in WAYS:
            to = f"{engine}-{workers}"
            seconds, cpu, size = measured(folder, "log.jsonl", to, "--engine", engine, "--workers", workers)
            marks.add(mark := digest(folder / to))
            print(f"{to:12} {rows:,} rows, {seconds:.0f} s, {cpu:.0f} core s, {size:.0f} MiB, {mark}", flush=True)
        process = audit(folder, "log.jsonl", "killed", "--workers", "2")
        while len(list(folder.glob("killed/*.jsonl"))) < rows // 2000:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kept = len(list(folder.glob("killed/*.json")))
        measured(folder, "log.jsonl", "killed", "--workers", "2")
        marks.add(mark := digest(folder / "killed"))
        print(f"killed       after {kept} pieces, and gone on with: {mark}")
        print("every way wrote the same bytes" if len(marks) == 1 else "THE BYTES DIFFER")


if __name__ == "__main__":
    main()
