"""What a user has in the current folder: documents, rows of questions or recorded answers, a configuration."""

import json
from pathlib import Path
from typing import Any

CONFIG = ".llm-reliability.yaml"
REPLAY = {"provider": "replay", "path": "answers.jsonl"}
ASKED = {"source": "dataset", "dataset": "asked.jsonl"}


def write(name: str | Path, text: str) -> Path:
    """A file, with the folders above it."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def put(name: str | Path, *rows: Any) -> Path:
    """A file of JSON lines."""
    return write(name, "".join(json.dumps(row) + "\n" for row in rows))


def configure(name: str | Path = CONFIG, **parts: Any) -> None:
    """A configuration (JSON is YAML) that judges the recorded answers of answers.jsonl, but for its `parts`."""
    write(name, json.dumps({"use_case": "Help", "evaluation": {"source": "recorded"}, "model": REPLAY, **parts}))


def record(*answers: str) -> None:
    """Recorded answers to questions that say nothing."""
    put("answers.jsonl", *({"id": f"q{n}", "question": f"Question {n}?", "answer": a} for n, a in enumerate(answers)))
