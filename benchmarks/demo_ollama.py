"""The questions of the example conversation and their probes, put to a real Ollama model: every measure, a report.

    python benchmarks/demo_ollama.py --model gemma-270m --limit 3 --to build/demo-ollama

The model is wrapped in a template, as a base model does not know where an answer ends. What it gets wrong is its own:
the run shows that the gate asks, probes and measures a real model. What it left unanswered is told as unjudged.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections import Counter
from pathlib import Path

from running import ROOT, gate

MODEL = "gate-demo"
TEMPLATE = "{{ if .System }}{{ .System }}\n\n{{ end }}Question: {{ .Prompt }}\nAnswer:"


def wrap(model: str) -> None:
    """Make MODEL of `model` on the server that OLLAMA_HOST names."""
    from ollama import Client

    parameters = {"stop": ["\n"], "temperature": 0, "num_predict": 40}
    Client().create(model=MODEL, from_=model, template=TEMPLATE, parameters=parameters)


def main() -> None:
    """Run; exit 1 unless questions and probes of both kinds were answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="gemma-270m")
    parser.add_argument("--limit", type=int, default=3, help="questions")
    parser.add_argument("--to", type=Path, default=Path("build/demo-ollama"))
    options = parser.parse_args()
    shutil.copytree(ROOT / "examples" / "conversation", options.to, dirs_exist_ok=True)
    wrap(options.model)
    for arguments in (
        ("dataset", "import", "chat.json", "context.json", "-o", "answers.jsonl", "--force"),
        ("ingest", "-c", "probed.yaml"),
    ):
        if gate(options.to, *arguments, shown=True).code:
            raise SystemExit(f"gate {arguments[0]} failed")
    run = ("run", "-c", "probed.yaml", "--limit", str(options.limit), "-o", "verdict.json", "-o", "report.html")
    code, took, *_ = gate(options.to, *run, shown=True)
    verdict = json.loads((options.to / "verdict.json").read_text(encoding="utf-8"))
    asked = Counter(p.get("probe", "question").partition(":")[0] for p in verdict["prompts"] if p["answer"])
    print(f"exit {code}, {took:.0f} s, answered: {dict(asked)}; written: {options.to / 'report.html'}")
    if asked.keys() != {"question", "sensitivity", "retrieval_dependency"}:
        raise SystemExit("a question, or one kind of probe, has no answer at all")


if __name__ == "__main__":
    main()
