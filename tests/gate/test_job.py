"""One run as a whole over a real index, with a word-counting embedder and the plain local judge."""

import pytest

from gate.config import load
from gate.errors import LimitError, TransientError, UsageError
from gate.pipeline import AGENTS, judged
from gate.toolbox import Toolbox
from gate.verdicts import merge
from tests.support.counted import Counter
from tests.support.project import CONFIG, configure, put
from tests.support.scripted_reader import words_judge
from tests.support.words_embedder import WordsEmbedder, chunk

TEXT = "The tank holds nine litres. The pump stops after 40 seconds. The lid is made of red glass."
ROWS = [
    {"id": "a", "question": "How much fits?", "answer": "The tank holds nine litres."},
    {"id": "b", "question": "When does it stop?", "answer": "The pump stops after 40 seconds."},
]


@pytest.fixture
def job(tmp_path):
    made = []

    def make(rows=ROWS, indexed=True, shard=None, embedder=None, **parts):
        put(tmp_path / "answers.jsonl", *rows)
        configure(tmp_path / CONFIG, **parts)
        config = load(tmp_path / CONFIG)
        tools = Toolbox(config, tmp_path, tmp_path / ".gate", shard=shard)
        tools.embedder, tools.judge = embedder or WordsEmbedder(), words_judge()
        if indexed:
            tools.index.replace("a.md", "d", [chunk(TEXT)])
            tools.index.finish()
        made.append(tools)
        return tools

    yield make
    for tools in made:
        tools.close()


def test_the_document_says_what_was_judged_by_whom_under_what(job):
    made, watched, counter = job(), [], Counter()
    made.counting, made.judge.remote = counter, True
    document = judged(made, watched.append)
    assert counter.counted == [("answers", 2, 2), ("answers judged", 2, 2)]
    assert watched == list(document["timings"]) == [agent.__name__ for agent in AGENTS]
    assert (document["decision"], document["supported"], document["total_claims"]) == ("deploy", 2, 2)
    assert document["config_hash"] == made.config.hash()
    assert document["documents"] == made.store.fingerprint()
    assert document["judge"]["model"] == "words"
    assert document["thresholds"] == made.config.risk_tolerance.model_dump(mode="json")
    assert not document.get("partial")
    assert "shard" not in document or document["shard"] == ""


def test_shards_of_other_questions_or_answers_are_told_apart(job, tmp_path):
    """A shard of yesterday's answers is no part of today's run."""
    first = judged(job(shard=(1, 2)))
    assert (first["shard"], [prompt["id"] for prompt in first["prompts"]]) == ("1/2", ["a"])
    same = job(indexed=False, shard=(2, 2))
    (tmp_path / "answers.jsonl").write_bytes((tmp_path / "answers.jsonl").read_bytes().replace(b"\n", b"\r\n"))
    assert first["inputs"] == judged(same)["inputs"]
    other = judged(job([ROWS[0], {**ROWS[1], "answer": "It stops."}], indexed=False, shard=(2, 2)))
    assert first["inputs"] != other["inputs"]
    with pytest.raises(UsageError, match="inputs differs"):
        merge([first, other])


def test_a_calibration_that_is_required_and_missing_forbids_a_decision(job):
    document = judged(job(judge={"require": {"balanced_accuracy": 0.8}}))
    assert document["decision"] == "inconclusive"
    assert "calibrat" in " ".join(document["reasons"])


class Failing(WordsEmbedder):
    """Embeds the documents, and then no more."""

    error: Exception | None = None

    def embed(self, texts):
        if self.error is not None:
            raise self.error
        return super().embed(texts)


@pytest.mark.parametrize(
    ("error", "partial"), [(TransientError("busy", kind="throttled"), False), (LimitError("3 s are over"), True)]
)
def test_an_embedder_that_ends_in_the_middle_leaves_the_answers_and_no_decision(job, error, partial):
    rows = [{**row, "answer": row["answer"].replace(".", " today.")} for row in ROWS]  # words alone settle none
    made = job(rows, embedder=(failing := Failing()), risk_tolerance={"max_unjudged": 1.0})
    failing.error = error
    document = judged(made)
    assert (document["decision"], document["partial"]) == ("inconclusive", partial)
    assert [prompt["answer"] for prompt in document["prompts"]] == [row["answer"] for row in rows]
    assert (document["total_claims"], document["unjudged"]) == (2, 2)
    assert error.message in " ".join(document["reasons"])


def test_a_limit_before_the_index_is_open_is_told_in_a_verdict(job):
    made = job()

    class Late(WordsEmbedder):
        @property
        def dimension(self):
            raise LimitError("3 s are over")

        @dimension.setter
        def dimension(self, value):
            pass

    made.embedder = Late()
    document = judged(made)
    assert (document["decision"], document["partial"], document["documents"]) == ("inconclusive", True, "")
    assert document["unjudged"] == document["total_claims"] == 2
