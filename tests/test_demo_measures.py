"""The demonstration of the measures: the example's conversation, imported, indexed and measured, as `make` does it."""

import json
import shutil
from pathlib import Path

from gate.cli import main

EXAMPLE = Path(__file__).parent.parent / "examples" / "conversation"
WITH_THRESHOLD = {"faithfulness", "relevance", "completeness", "overall", "abstention", "latency"}
ASKED = {*WITH_THRESHOLD, "hallucination", "context_relevance"}


def test_what_is_wrong_with_the_conversation_is_found(tmp_path, monkeypatch):
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    assert main(["dataset", "import", "chat.json", "context.json", "-o", "answers.jsonl"]) == 0
    assert main(["ingest", "-c", "measures.yaml"]) == 0
    assert main(["run", "-c", "measures.yaml", "-o", "verdict.json", "-o", "report.html"]) == 1
    verdict = json.loads((tmp_path / "verdict.json").read_text())
    assert verdict["measures"].keys() == ASKED
    assert {name for name, one in verdict["measures"].items() if "passed" in one} == WITH_THRESHOLD
    questions = {prompt["id"]: prompt["question"] for prompt in verdict["prompts"]}
    assert len(questions) == 10
    why = {
        name: {questions[rating["prompt_id"]]: (rating["value"], rating["why"]) for rating in measure["ratings"]}
        for name, measure in verdict["measures"].items()
    }
    price, said = why["faithfulness"]["Hi, how much is the basic service for my bicycle?"]
    assert price == 0
    assert "although its own context says" in said
    assert "Rs 800" in said
    items, said = why["faithfulness"]["What is included in it?"]
    assert 0 < items < 1
    assert "inner tube" in said
    half, said = why["completeness"]["How long does it take, and can I wait in the shop?"]
    assert half == 0.5
    assert "wait in the shop" in said
    assert "How long" not in said
    assert why["abstention"]["Do you rent out cargo bikes with a child seat?"][0] == 1
    page = (tmp_path / "report.html").read_text()
    assert all(f">{name.replace('_', ' ')}" in page for name in ASKED)
