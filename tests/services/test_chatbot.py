"""The example chatbot end to end: a server of its own, a real model of Ollama, and the gate over HTTP."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from gate.cli import main
from tests.support.services import missing

pytestmark = pytest.mark.services
ROOT = Path(__file__).parents[2]
URL = os.environ.get("OLLAMA_HOST") or "http://127.0.0.1:11434"
START = 60  # seconds, at most, until the server answers


def free_port() -> int:
    with contextlib.closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def chatbot(tmp_path, monkeypatch):
    """The folder of the example, with the chatbot at the address that its configuration names."""
    try:
        httpx.get(f"{URL}/api/version", timeout=5, trust_env=False)
    except httpx.HTTPError as error:
        missing(f"Ollama at {URL}: {error}")
    shutil.copytree(ROOT / "examples/chatbot", tmp_path / "examples/chatbot")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    folder, port = tmp_path / "examples/chatbot", free_port()
    config = folder / "gate.yaml"
    config.write_text(config.read_text(encoding="utf-8").replace("8765", str(port)), encoding="utf-8")
    monkeypatch.chdir(folder)
    command = [sys.executable, "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "warning"]
    with subprocess.Popen(command, cwd=folder, env={**os.environ, "OLLAMA_HOST": URL}) as server:
        try:
            for _ in range(START * 10):
                with contextlib.suppress(httpx.HTTPError):
                    if httpx.get(f"http://127.0.0.1:{port}/health", timeout=5, trust_env=False).is_success:
                        break
                time.sleep(0.1)
            yield folder
        finally:
            server.terminate()


def test_the_chatbot_is_gated_with_its_own_contexts(chatbot):
    assert main(["ingest", "-c", "gate.yaml"]) == 0
    code = main(["run", "-c", "gate.yaml", "--limit", "2", "-o", "verdict.json", "-o", "report.html"])
    verdict = json.loads(Path("verdict.json").read_text(encoding="utf-8"))
    assert code in (0, 1), verdict["reasons"]
    assert verdict["failures"] == []
    assert len(verdict["prompts"]) == 2
    assert verdict["usage"]["input_tokens"] > 200  # what the model read, as the chatbot tells it
    assert verdict["measures"]["faithfulness"]["n"] >= 1
