"""A real Ollama server with a tiny model: it answers slowly and badly, which is what the client is tested with."""

import contextlib
import json
import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from gate.cli import main
from gate.errors import ProviderError, SetupError
from gate.judges.sheet import sheet_of
from gate.providers.base import Message, Request
from gate.providers.ollama import Ollama
from gate.records import Claim, Evidence, Item
from gate.text.output import parse_last_list
from tests.support.services import missing, ollama_to_kill

pytestmark = pytest.mark.services
URL = os.environ.get("OLLAMA_HOST") or "http://127.0.0.1:11434"
MODEL = os.environ.get("OLLAMA_MODEL", "gemma-270m")


def ask(words, **changes):
    return Request((Message("user", words),), max_tokens=8, prompt_id="p", question=words, **changes)


@pytest.fixture
def ollama():
    import httpx

    try:
        httpx.get(f"{URL}/api/version", timeout=5, trust_env=False)
    except httpx.HTTPError as error:
        missing(f"Ollama at {URL}: {error}")
    provider = Ollama(MODEL, URL)
    yield provider
    provider.close()


def test_it_answers_and_counts_its_tokens(ollama):
    reply = ollama.complete(ask("The sky is"))
    assert reply.text.strip()
    assert reply.usage.output_tokens > 0
    assert not reply.usage.estimated
    assert reply.stop in {"stop", "length"}


def test_an_unknown_model_ends_the_run_with_a_hint(ollama):
    unknown = Ollama("no-such-model", URL)
    with pytest.raises(SetupError) as caught:
        unknown.complete(ask("hello"))
    unknown.close()
    assert "no-such-model" in caught.value.message
    assert "ollama pull" in caught.value.hint


def test_a_model_that_cannot_embed_says_so(ollama):
    try:
        vectors = ollama.embed(["one", "two"]).vectors
    except ProviderError as error:
        assert error.message
    else:
        assert len(vectors) == 2
        assert len(vectors[0]) == len(vectors[1]) > 0


def ran():
    """The exit code of a run and its verdict. A tiny model may ramble to the limit of tokens or of seconds: then there
    is a reason, never a pass."""
    code = main(["run", "-o", "v.json"])
    verdict = json.loads(Path("v.json").read_text(encoding="utf-8"))
    assert code == {"deploy": 0, "warn": 0, "block": 1, "inconclusive": 3}[verdict["decision"]] or code == 4
    return code, verdict


def test_the_main_job_with_a_real_model(ollama, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pump.md").write_text(
        "# Pump\n\nThe pump starts by default at 06:00.\n\n"
        "If the tank is empty, the pump stops and a red light blinks.\n"
    )
    (tmp_path / ".llm-reliability.yaml").write_text(
        "use_case: Garden pump\nevaluation: {num_prompts: 2}\n"
        f"model: {{provider: ollama, model_id: '{MODEL}', base_url: '{URL}'}}\n"
        "limits: {max_seconds: 90, concurrency: 2}\n"
    )
    assert main(["ingest", "docs"]) == 0
    _, verdict = ran()
    assert len(verdict["prompts"]) == 2
    answered = [prompt for prompt in verdict["prompts"] if prompt["answer"]]
    assert len(answered) == 2 or verdict["decision"] == "inconclusive"
    assert verdict["usage"]["calls"] >= 1


def test_a_real_model_as_judge_answers_in_the_form_asked_for(ollama):
    """A tiny model cannot judge. What it says has the constrained form all the same, so it is read, or cut off."""
    claim = Claim("a:0", "p", "a", "The pump starts at 06:00.", 0, 25)
    sheet = sheet_of([Item(claim, (Evidence("pump.md", 3, "The pump starts by default at 06:00.", 1.0),))])
    reply = ollama.complete(sheet.request)
    assert reply.stop in {"stop", "length"}
    assert reply.text.lstrip().startswith("{")
    found, whole = parse_last_list(reply.text, "verdicts")
    if reply.stop == "stop":
        assert set(json.loads(reply.text)) == {"verdicts"}
        assert whole
    for entry in found:
        assert set(entry) >= {"claim", "verdict"}
        assert entry["verdict"] in {"supported", "weakly_supported", "unsupported", "contradicted"}


def test_a_run_with_a_real_model_as_judge_ends_in_a_verdict(ollama, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pump.md").write_text("# Pump\n\nThe pump starts by default at 06:00.\n")
    rows = [{"question": f"When does pump {n} start?", "answer": "The pump starts at 06:00."} for n in range(2)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / ".llm-reliability.yaml").write_text(
        "use_case: Garden pump\nevaluation: {source: recorded}\nmodel: {provider: replay, path: answers.jsonl}\n"
        f"judge: {{provider: ollama, model_id: '{MODEL}', base_url: '{URL}'}}\n"
        "limits: {max_seconds: 90, concurrency: 2}\n"
    )
    assert main(["ingest", "docs"]) == 0
    code, verdict = ran()
    labels = ("supported", "weakly_supported", "unsupported", "unjudged")
    assert verdict["total_claims"] == sum(verdict[label] for label in labels) == 2
    assert verdict["judge"]["provider"] == "ollama"
    details = verdict["judge"]["details"]
    assert details["canaries"] >= details["replies"] >= 1 or code == 4
    assert details["share_unparsed"] == round(details["unparsed_replies"] / max(1, details["replies"]), 4)
    told = " ".join(capsys.readouterr().out.split())
    assert ("could not be read whole" in told) is (details["share_unparsed"] > 0)
    if verdict["unjudged"] or details["canaries_supported"]:
        assert verdict["decision"] == "inconclusive"


def test_a_server_that_stops_in_mid_run_is_told_and_the_next_run_goes_on(tmp_path, monkeypatch, capsys):
    server = ollama_to_kill(URL, MODEL)
    server.up()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pump.md").write_text("# Pump\n\nThe pump starts by default at 06:00 in the morning.\n")
    (tmp_path / "qs.jsonl").write_text("".join(json.dumps({"question": f"What is {n}?"}) + "\n" for n in range(200)))
    (tmp_path / ".llm-reliability.yaml").write_text(
        "use_case: x\nevaluation: {source: dataset, dataset: qs.jsonl}\n"
        f"model: {{provider: ollama, model_id: '{server.model}', base_url: '{server.url}'}}\n"
        "limits: {max_seconds: 120, concurrency: 4}\n"
    )
    assert main(["ingest", "docs"]) == 0

    def kill():
        until = time.monotonic() + 10  # a base model may ramble, and what is cut off is not kept
        while not answered(tmp_path) and time.monotonic() < until:
            time.sleep(0.1)
        server.kill()

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        code = main(["run", "-o", "v.json"])
    finally:
        thread.join()
    kept = answered(tmp_path)
    assert kept < 200
    assert code in {2, 3, 4}  # refused connections end the run; never a pass
    assert "Traceback" not in capsys.readouterr().err
    server.up()
    try:
        assert main(["run", "--limit", str(kept + 4), "--max-seconds", "30", "-o", "v.json"]) in {0, 1, 3, 4}
    finally:
        server.down()
    usage = json.loads(Path("v.json").read_text(encoding="utf-8"))["usage"]
    assert usage["cached_calls"] >= kept - 4  # of four at once each may be late
    assert usage["calls"] > 0


def answered(folder):
    """How many answers the record has."""
    path = folder / ".gate" / "calls.sqlite"
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(path)) as record:
        try:
            return record.execute("SELECT count(*) FROM calls").fetchone()[0]
        except sqlite3.OperationalError:  # the table is being made
            return 0
