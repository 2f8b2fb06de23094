"""One run as a whole over a real index, with a word-counting embedder and the plain local judge."""

import json

import pytest

from gate.config import Config
from gate.errors import IndexMissingError, StoreError
from gate.job import Job
from gate.judges.local import LocalJudge
from gate.pipeline import AGENTS
from gate.toolbox import Toolbox
from tests.support.words_embedder import WordsEmbedder, chunk

TEXT = "The tank holds nine litres. The pump stops after 40 seconds. The lid is made of red glass."
ROWS = [
    {"id": "a", "question": "How much fits?", "answer": "The tank holds nine litres."},
    {"id": "b", "question": "When does it stop?", "answer": "The pump stops after 40 seconds."},
]


@pytest.fixture
def job(tmp_path):
    made = []

    def make(rows=ROWS, indexed=True, shard=None, **parts):
        (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        config = Config.model_validate(
            {
                "use_case": "Help",
                "model": {"provider": "replay", "path": "answers.jsonl"},
                "evaluation": {"source": "recorded"},
                **parts,
            }
        )
        tools = Toolbox(config, tmp_path, tmp_path / ".gate", shard=shard)
        tools.embedder, tools.judge = WordsEmbedder(), LocalJudge()
        if indexed:
            tools.index.replace("a.md", "d", [chunk(TEXT)])
            tools.index.finish()
        made.append(tools)
        return Job(config, tools)

    yield make
    for tools in made:
        tools.close()


def test_the_document_says_what_was_judged_by_whom_under_what(job):
    made, watched = job(), []
    document = made.document(watched.append)
    assert watched == list(document["timings"]) == [agent.__name__ for agent in AGENTS]
    assert (document["decision"], document["supported"], document["total_claims"]) == ("deploy", 2, 2)
    assert document["config_hash"] == made.config.hash()
    assert document["documents"] == made.tools.store.fingerprint()
    assert document["judge"]["model"] == "stack-plain"
    assert document["thresholds"] == made.config.risk_tolerance.model_dump(mode="json")
    assert not document.get("partial")
    assert "shard" not in document or document["shard"] == ""


def test_a_contradicted_answer_is_blocked(job):
    rows = [{"id": "a", "question": "How much fits?", "answer": "The tank holds seventy litres."}]
    assert job(rows).document()["decision"] == "block"


def test_a_shard_is_named_and_holds_its_part(job):
    document = job(shard=(2, 2)).document()
    assert document["shard"] == "2/2"
    assert [prompt["id"] for prompt in document["prompts"]] == ["b"]


def test_a_calibration_that_is_required_and_missing_forbids_a_decision(job):
    document = job(judge={"require": {"balanced_accuracy": 0.8}}).document()
    assert document["decision"] == "inconclusive"
    assert "calibrat" in " ".join(document["reasons"])


def test_without_an_index_there_is_no_run(job):
    watched = []
    with pytest.raises(IndexMissingError):
        job(indexed=False).document(watched.append)
    assert watched == []


def test_leaving_the_job_closes_its_tools_also_after_a_fault(job):
    made = job()
    with pytest.raises(ZeroDivisionError), made:
        raise ZeroDivisionError
    with pytest.raises(StoreError, match="closed"):
        list(made.tools.index.chunks())


def test_every_state_is_a_fresh_one(job):
    made = job()
    made.state["void"].append("x")
    assert made.state["void"] == []
