"""The model judge on the cases that its peers are measured on, against the same server: calls, tokens, CPU, faults.

python benchmarks/peers.py --shared SHARED/bench/peers [--mode clean faults truncated hang slow] [-n 100]
    [--latency-ms 300] [--concurrency 16]

The server needs aiohttp: give a Python that has it with --server-python, or an environment is made in a temporary
folder. Indexing (`gate ingest`) comes before and is measured apart.
"""

from __future__ import annotations

import argparse
import compileall
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from running import ROOT, gate

CONFIG = """use_case: What is known about buildings
evaluation: {{source: recorded}}
model: {{provider: replay, path: answers.jsonl}}
judge: {{provider: openai, model_id: fake, base_url: "{url}/v1"}}
limits: {{concurrency: {concurrency}, max_calls: 10000, max_cost_usd: null, max_seconds: {seconds}}}
"""
SETTINGS: dict[str, dict[str, Any]] = {
    "clean": {"p429": 0.0, "pbad": 0.0, "hang_nth": 0},
    "faults": {"p429": 0.05, "pbad": 0.05, "hang_nth": 0},
    "truncated": {"p429": 0.0, "pbad": 1.0, "hang_nth": 0},
    "hang": {"p429": 0.0, "pbad": 0.0, "hang_nth": 10, "hang_s": 400},
    "slow": {"p429": 0.0, "pbad": 0.0, "hang_nth": 0, "latency_ms": 9000},
}
SECONDS = {"hang": 40}  # the run's own time limit
CASES = {"slow": 180}
COLUMNS = ("mode", "cases", "exit", "decision", "wall_s", "cpu_s", "rss_mb", "requests", "tokens", "http_429", "cut")
LABELS = ("claims", "unjudged", "changed", "wrong", "reasked", "canaries")


def serve(shared: Path, latency_ms: float) -> None:
    """The fake server with one more row in its table: the judge's prompt, answered by comparing words as elsewhere."""
    sys.path.insert(0, str(shared))
    import fake_llm  # type: ignore[import-not-found]

    row = (
        "gate.judge",
        re.compile(r"\nEVIDENCE [0-9a-f]{12}\n"),
        lambda request, match: judged(fake_llm, request.user),
    )
    fake_llm.RESPONDERS.insert(0, row)
    sys.argv = ["fake_llm", "--port", "0", "--latency-ms", str(latency_ms)]
    fake_llm.main()


def judged(fake: Any, sheet: str) -> dict[str, Any]:
    """A reply to the judge's prompt."""
    passages: list[dict[int, str]] = [{}]
    claims: dict[int, str] = {}
    for line in sheet.split("\n"):
        if found := re.match(r"\[(\d+)\] (.*)", line):
            passages[-1][int(found[1])] = found[2]
        elif found := re.match(r"\((\d+)\) (.*)", line):
            claims[int(found[1])] = found[2]
        elif not line:
            passages.append({})
    return {"verdicts": [ruling(fake, number, claim, passages) for number, claim in claims.items()]}


def ruling(fake: Any, number: int, claim: str, passages: list[dict[int, str]]) -> dict[str, Any]:
    """A sentence alone, or as one with those around it: `It ...` needs the name that stands before."""
    for passage in passages:
        near = max(passage, key=lambda n: len(fake.words(claim) & fake.words(passage[n])), default=0)
        whole = " ".join(re.sub(r"[.!?](?=\s|$)", ",", text) for text in passage.values())
        if near and (fake.supported(claim, passage[near]) or fake.supported(claim, whole)):
            return {"claim": number, "sentences": [near], "why": "", "verdict": "supported"}
    why = "The evidence gives another value."
    return {"claim": number, "sentences": [], "why": why, "verdict": "unsupported"}


@contextmanager
def server(arguments: argparse.Namespace, folder: Path) -> Iterator[str]:
    """The address of a running fake server."""
    python = arguments.server_python
    if python is None:
        venv.create(folder / "venv", with_pip=True)
        python = str(folder / "venv" / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", "aiohttp"], check=True)
    command = [python, __file__, "--serve", "--shared", str(arguments.shared)]
    command += ["--latency-ms", str(arguments.latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield next(line.split()[1] for line in process.stdout or () if line.startswith("READY"))
        finally:
            process.kill()


def http(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 - of the loopback
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as response:
        return json.load(response)


def write_cases(folder: Path, shared: Path, number: int) -> list[dict[str, Any]]:
    """The first cases as documents and recorded answers."""
    sys.path.insert(0, str(shared))
    from cases import make_cases  # type: ignore[import-not-found]

    cases: list[dict[str, Any]] = make_cases(number)
    (folder / "docs").mkdir(exist_ok=True)
    rows = []
    for case in cases:
        (folder / "docs" / f"{case['id']}.txt").write_text("\n\n".join(case["contexts"]) + "\n")
        rows.append(json.dumps({key: case[key] for key in ("id", "question", "answer")}))
    (folder / "answers.jsonl").write_text("\n".join(rows) + "\n")
    return cases


def wrong(verdict: dict[str, Any], cases: list[dict[str, Any]]) -> int:
    """Judged claims whose label is not what it must be: a number that the case's passages do not hold is planted."""
    known = {case["id"]: set(re.findall(r"\d+", " ".join([case["question"], *case["contexts"]]))) for case in cases}
    return sum(
        (claim["label"] != "supported") != bool(set(re.findall(r"\d+", claim["claim"])) - known[claim["prompt_id"]])
        for claim in verdict["details"]
        if claim["label"] != "unjudged"
    )


def changed(verdict: dict[str, Any], clean: dict[str, str]) -> int:
    """Judged claims whose label is not the one of the first run; `clean` is filled by it."""
    labels = {claim["id"]: claim["label"] for claim in verdict["details"]}
    for name, label in labels.items():
        clean.setdefault(name, label)
    return sum(label not in ("unjudged", clean[name]) for name, label in labels.items())


def measure(mode: str, arguments: argparse.Namespace, folder: Path, url: str, clean: dict[str, str]) -> list[Any]:
    """One run of the gate against the server in this mode: a row of the table."""
    number = CASES.get(mode, arguments.n)
    cases = write_cases(folder, arguments.shared, number)
    values = {"url": url, "concurrency": arguments.concurrency, "seconds": SECONDS.get(mode, 1800)}
    (folder / ".llm-reliability.yaml").write_text(CONFIG.format(**values))
    for name in ("calls.sqlite", "calls.sqlite-wal", "calls.sqlite-shm"):
        (folder / ".gate" / name).unlink(missing_ok=True)
    http(f"{url}/reset", {"latency_ms": arguments.latency_ms, **SETTINGS[mode]})
    code, wall, cpu, rss, _ = gate(folder, "run", "-o", "verdict.json")
    stats = http(f"{url}/stats")
    verdict = json.loads((folder / "verdict.json").read_text())
    details = verdict["judge"]["details"]
    found: list[Any] = [mode, number, code, verdict["decision"], round(wall, 1), round(cpu, 2), rss, stats["requests"]]
    found += [stats["prompt_tokens"] + stats["completion_tokens"], stats["http_429"], stats["malformed"]]
    found += [verdict["total_claims"], verdict["unjudged"], changed(verdict, clean), wrong(verdict, cases)]
    return [*found, details["reasked_claims"], details["canaries"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True, help="the folder of fake_llm.py and cases.py")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--mode", nargs="+", choices=sorted(SETTINGS), default=list(SETTINGS))
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--latency-ms", type=float, default=300)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--server-python", help="a Python that has aiohttp")
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.shared, arguments.latency_ms)
        return
    with tempfile.TemporaryDirectory() as name, server(arguments, Path(name)) as url:
        folder = Path(name)
        write_cases(folder, arguments.shared, max([arguments.n, *(CASES.get(mode, 0) for mode in arguments.mode)]))
        compileall.compile_dir(str(ROOT / "gate"), quiet=2)
        code, wall, cpu, *_ = gate(folder, "ingest", "docs")
        print(f"ingest: exit {code}, {wall:.1f} s, {cpu:.1f} CPU s")
        print("| " + " | ".join(COLUMNS + LABELS) + " |\n|" + " --- |" * len(COLUMNS + LABELS))
        clean: dict[str, str] = {}
        for mode in arguments.mode:
            print("| " + " | ".join(map(str, measure(mode, arguments, folder, url, clean))) + " |", flush=True)


if __name__ == "__main__":
    main()
