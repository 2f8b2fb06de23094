"""What the local measures take per answer, stage by stage, after start.

`PYTHONPATH=. python benchmarks/measure_speed.py [--repeat N]`: the written answers of measure_cases.jsonl, each with
three contexts of two or three passages from likeness_pairs.jsonl (two of its matter, one of another). Every answer is
measured alone, with a bench that remembers nothing of the others; the models are loaded before. CPU and wall
milliseconds; half of the CPU time is what two idle cores need at best. The claims of an answer are the run's: taking it
apart is printed apart.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median

from gate.bench import Bench
from gate.claims.local import extract
from gate.config import Config
from gate.measures.base import Answered, Case
from gate.providers.embedding import CachedEmbedder
from gate.records import Answer, Claim, Prompt
from gate.toolbox import Toolbox

HERE = Path(__file__).parent
STAGES = ("relevance", "completeness", "faithfulness", "context_relevance", "overall")
TOGETHER = ("relevance", "completeness", "faithfulness")


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def contexts() -> dict[str, tuple[str, ...]]:
    """Three contexts for each matter: its first three passages, its last two, and the first three of the next."""
    passages: dict[str, list[str]] = {}
    for row in rows("likeness_pairs.jsonl"):
        passages.setdefault(row["domain"], []).append(row["passage"])
    names = list(passages)
    return {
        name: (
            "\n\n".join(passages[name][:3]),
            "\n\n".join(passages[name][3:]),
            "\n\n".join(passages[names[(place + 1) % len(names)]][:3]),
        )
        for place, name in enumerate(names)
    }


def cases() -> list[Case]:
    given = contexts()
    found = []
    for number, row in enumerate(rows("measure_cases.jsonl")):
        prompt, name = Prompt(f"p{number}", row["question"]), f"p{number}"
        answer = Answer(name, name, row["answer"], contexts=given[row["domain"]])
        claims = tuple(
            Claim(f"{name}:{n}", name, name, one.text, one.start, one.end, one.context, one.header)
            for n, one in enumerate(extract(row["answer"], row["question"]))
        )
        found.append(Case(prompt, answer, answer.contexts, claims))
    return found


def fresh(bench: Bench, case: Case) -> Bench:
    """A bench for one answer with the loaded models of another, and nothing remembered."""
    made = Bench(bench._tools, Answered((case,)))
    embedder = CachedEmbedder(bench._embedder._embedder)
    made.__dict__.update(_embedder=embedder, _extractor=bench._extractor, _judge=bench._judge)
    return made


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and wall milliseconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return 1000 * (time.process_time() - cpu), 1000 * (time.perf_counter() - wall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    config = Config.model_validate({"use_case": "speed", "model": {"provider": "replay", "path": "answers.jsonl"}})
    found = cases()
    warm = Bench(Toolbox(config), Answered(tuple(found[:3])))
    for stage in STAGES:
        warm.reading(stage)
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ("claims", *STAGES, "together")}
    for case in found * options.repeat:
        bench = fresh(warm, case)
        taken["claims"].append(timed(lambda case=case: extract(case.answer.text, case.prompt.question)))
        spent = {stage: timed(lambda stage=stage, bench=bench: bench.reading(stage)) for stage in STAGES}
        for stage, pair in spent.items():
            taken[stage].append(pair)
        taken["together"].append(tuple(sum(spent[stage][n] for stage in TOGETHER) for n in (0, 1)))  # type: ignore[arg-type]
    claims = [len(case.claims) for case in found]
    load = os.getloadavg()[0]
    print(f"{len(found)} answers, {fmean(claims):.1f} claims each, {options.repeat} times; load {load:.1f}\n")
    print("| stage | CPU ms, mean | median | most | half of it | wall ms, mean |\n| --- |" + " ---: |" * 5)
    for stage, pairs in taken.items():
        cpu, wall = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        figures = (fmean(cpu), median(cpu), max(cpu), fmean(cpu) / 2, fmean(wall))
        print(f"| {stage} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")


if __name__ == "__main__":
    main()
