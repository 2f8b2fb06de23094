"""The main job on real parts: questions from the documents, a real Ollama model, both stores, the time of each agent.

    python benchmarks/real.py --docs DOCS --es http://127.0.0.1:9200 --ollama http://127.0.0.1:11434 --model NAME

Both runs ask the same questions; the second finds the answers in the record, so its `run_model` shows what that costs.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from ollama import Client
from running import gate

ONE_LINE = "gate-one-line"
AGENTS = ("generate_prompts", "run_model", "extract_claims", "retrieve_evidence", "verify_claims", "score_risk")


def configuration(options: argparse.Namespace, elasticsearch: bool) -> str:
    """The same run over one or the other store."""
    config: dict[str, Any] = {
        "use_case": "Questions about a library",
        "doc_sources": [str(Path(options.docs).resolve())],
        "evaluation": {"num_prompts": options.prompts},
        "model": {"provider": "ollama", "model_id": ONE_LINE, "base_url": options.ollama},
        "limits": {"max_seconds": options.seconds, "concurrency": 2},
    }
    if elasticsearch:
        config["elasticsearch"] = {"host": options.es, "index": "gate-benchmark"}
    return json.dumps(config)  # JSON is YAML


def main() -> None:
    """Print one row for each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", required=True)
    parser.add_argument("--es", default="http://127.0.0.1:9200")
    parser.add_argument("--ollama", default="http://127.0.0.1:11434")
    parser.add_argument("--model", default="gemma-270m")
    parser.add_argument("--prompts", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=240)
    options = parser.parse_args()
    # A base model does not know where an answer ends: here it ends with its first line.
    Client(options.ollama).create(
        model=ONE_LINE,
        from_=options.model,
        template="Question: {{ .Prompt }}\nAnswer: It",
        parameters={"stop": ["\n"]},
    )
    print("| store | ingest s | exit | decision | prompts answered | claims | " + " | ".join(AGENTS) + " |")
    print("| --- | ---: | ---: | --- | ---: | ---: |" + " ---: |" * len(AGENTS))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for store in ("embedded", "elasticsearch"):
            config = f"{store}.yaml"
            (folder / config).write_text(configuration(options, store == "elasticsearch"), encoding="utf-8")
            code, took, *_ = gate(folder, "ingest", "-c", config)
            if code:
                raise SystemExit(f"gate ingest into the {store} store ended with {code}")
            code = gate(folder, "run", "-c", config, "-o", "v.json").code
            verdict = json.loads((folder / "v.json").read_text(encoding="utf-8"))
            answered = sum(bool(prompt["answer"]) for prompt in verdict["prompts"])
            seconds = " | ".join(f"{verdict['timings'].get(agent, 0):.2f}" for agent in AGENTS)
            print(
                f"| {store} | {took:.1f} | {code} | {verdict['decision']} | {answered} of {len(verdict['prompts'])} "
                f"| {verdict['total_claims']} | {seconds} |"
            )


if __name__ == "__main__":
    main()
