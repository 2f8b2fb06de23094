"""`gate dataset`: from files of other tools and from documents to what a run reads."""

import json
import re
import shutil
from pathlib import Path
from typing import get_args

import pytest

from gate.cli import main
from gate.commands.dataset import Format
from gate.datasets.convert import FORMATS as READERS
from tests.support.fake_models import FakeModels
from tests.support.project import configure, write

EXAMPLE = Path(__file__).parents[3] / "examples" / "conversation"
DOCUMENT = """# {0}

The {0} starts at 06:00 every morning.

If the {0} runs dry, a red light blinks at once.

You must not open the {0} during its run in the garden.

You should clean the `{0}_filter` setting of the {0} every week.
"""
ASKED_FOR = {"num_prompts": 4, "seed": 3}


@pytest.fixture(autouse=True)
def _project(folder, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for name in ("pump", "mower", "heater"):
        write(f"docs/{name}.md", DOCUMENT.format(name))


def by_model(server, **parts):
    """A configuration whose judge has a model at `server`, which writes the questions."""
    judge = {"provider": "openai", "model_id": "m", "base_url": f"{server.url}/v1"}
    usual = {"evaluation": {**ASKED_FOR, "generator": "model"}, "judge": judge, "limits": {"concurrency": 2}}
    configure(doc_sources=["docs"], prices={"m": {"input": 1, "output": 2}}, **{**usual, **parts})


def gate(capsys, *words):
    code = main(["dataset", *words])
    told = capsys.readouterr()
    return code, told.out, told.err


def rows(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_the_flag_knows_all_readers():
    assert set(get_args(Format)) == {"auto", *READERS}


def test_a_conversation_is_imported(folder, capsys):
    for name in ("chat.json", "context.json"):
        shutil.copy(EXAMPLE / name, folder)
    code, out, err = gate(capsys, "import", "chat.json", "context.json", "-o", "answers.jsonl")
    assert code == 0
    assert out.startswith("wrote  answers.jsonl: 10 questions (10 with answer, 10 with contexts), from beyondchats\n")
    assert "10 x field of a question: sender_id" in err
    assert rows("answers.jsonl")[0]["answer"] == "The basic service costs Rs 2000."


def test_questions_without_answers_are_a_dataset(folder, capsys):
    (folder / "in.csv").write_text("question,expected\nHow warm?,20 degrees\n")
    code, out, err = gate(capsys, "import", "in.csv", "-o", "qa.jsonl")
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "use    evaluation: {source: dataset, dataset: qa.jsonl}"
    assert rows("qa.jsonl") == [{"question": "How warm?", "reference": "20 degrees"}]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["import", "none.json", "-o", "o.jsonl"], "none.json: no such file"),
        (["import", "docs", "-o", "o.jsonl"], "docs: cannot be read"),
        (["import", "docs/pump.md", "--format", "ragas", "-o", "o.jsonl"], "docs/pump.md: "),
        (["import", "x.json", "--format", "word", "-o", "o.jsonl"], "'word' is not one of 'auto', "),
        (["import", "x.json", "-o", "none/o.jsonl"], "none/o.jsonl: the folder none does not exist"),
        (["import", "-o", "o.jsonl"], "missing argument 'FILE'"),
        (["generate", "none/", "-o", "o.jsonl"], "none/: no such file or folder"),
        (["generate", "-o", "o.jsonl"], "there is no such file"),
        (["generate", "docs", "--generator", "model", "-o", "o.jsonl"], "--generator model needs a model"),
        (["generate", "docs", "--category", "odd", "-o", "o.jsonl"], "'odd' is not one of "),
        (["generate", "docs/bare.txt", "-o", "o.jsonl"], "no question could be made of these documents"),
    ],
)
def test_wrong_use_is_one_error_and_nothing_is_written(folder, capsys, words, message):
    (folder / "docs" / "bare.txt").write_text("# A\n\n- one\n- two\n")
    before = sorted(folder.rglob("*"))
    code, out, err = gate(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert "hint: " in err
    assert sorted(folder.rglob("*")) == before


def test_an_existing_file_is_written_over_only_by_force(folder, capsys):
    (folder / "in.csv").write_text("question\nq?\n")
    (folder / "o.jsonl").write_text("mine")
    for words in (["import", "in.csv"], ["generate", "docs"]):
        code, _, err = gate(capsys, *words, "-o", "o.jsonl")
        assert (code, err.splitlines()[0]) == (2, "error: o.jsonl: already there")
        assert (folder / "o.jsonl").read_text() == "mine"
    assert gate(capsys, "import", "in.csv", "-o", "o.jsonl", "--force")[0] == 0
    assert gate(capsys, "generate", "docs", "-o", "o.jsonl", "--force")[0] == 0
    assert [path.name for path in folder.iterdir() if path.name.startswith(".o")] == []


def test_names_from_a_file_are_shown_and_not_obeyed(folder, capsys):
    (folder / "in.json").write_text(json.dumps([{"x\x1b[2J": 1}]))
    code, _, err = gate(capsys, "import", "in.json", "-o", "o.jsonl")
    assert code == 2
    assert "\x1b" not in err
    assert "x\\x1b[2J" in err


def test_documents_give_questions_with_their_lines(folder, capsys):
    code, out, err = gate(capsys, "generate", "docs", "-n", "12", "-o", "qa.jsonl")
    assert (code, err) == (0, "")
    assert out.startswith("wrote  qa.jsonl: 12 questions from 3 documents (ambiguous_queries 3, edge_cases 3, ")
    found = rows("qa.jsonl")
    assert {tuple(row) for row in found} == {("id", "question", "category", "reference", "source", "line")}
    for row in found:
        line = Path(row["source"]).read_text().splitlines()[row["line"] - 1]
        assert row["reference"].split(". ")[0].rstrip(".") in line.replace("`", "`")
    assert not (folder / ".gate").exists()
    configure(evaluation={"source": "dataset", "dataset": "qa.jsonl"}, model={"provider": "ollama", "model_id": "m"})
    assert main(["run", "--dry-run"]) == 0
    assert "prompts: 12 (ambiguous_queries 3, edge_cases 3, " in capsys.readouterr().out


FACTS = "# pump\n\nThe pump starts at 06:00 every morning.\n"


def test_categories_that_are_asked_for_and_have_no_question_are_named(folder, capsys):
    (folder / "few.md").write_text(FACTS)
    code, _, err = gate(capsys, "generate", "few.md", "-n", "9", "-o", "qa.jsonl")
    assert code == 0
    assert {row["category"] for row in rows("qa.jsonl")} == {"factual_recall", "ambiguous_queries"}
    told = "warning: no question could be made for edge_cases, policy_boundaries"
    assert err.splitlines()[1:] == [told]
    assert err.splitlines()[0] == "warning: 2 of 9 questions: the documents give no more that differ"
    words = ["--category", "edge_cases", "--category", "factual_recall", "--force"]
    assert gate(capsys, "generate", "few.md", "-n", "1", *words, "-o", "qa.jsonl")[2] == (
        "warning: no question could be made for edge_cases\n"
    )
    assert gate(capsys, "generate", "few.md", "-n", "1", "--force", "-o", "qa.jsonl")[2] == "", "their turn never came"


def test_a_document_that_cannot_be_read_is_named(folder, capsys):
    (folder / "docs" / "bad.md").write_text("")
    code, _, err = gate(capsys, "generate", "docs", "-n", "2", "-o", "qa.jsonl")
    assert (code, err) == (3, "warning: docs/bad.md: is empty (delete it or write it)\n")
    assert len(rows("qa.jsonl")) == 2


@pytest.fixture
def server(folder):
    """A model that asks about the second sentence it is shown, once a wish; and a configuration that names it."""
    fake = FakeModels()

    def chat(body, text, fault):
        prompt = body["messages"][-1]["content"]
        title = re.search(r"\[2\] The (\w+)", prompt)[1]
        wishes = re.findall(r"^- (\w+):", prompt, re.MULTILINE)
        questions = [
            {"category": kind, "sentences": [2], "question": f"When does the {title} start every morning, {kind}?"}
            for kind in wishes
        ]
        said = text if text else json.dumps({"questions": questions})
        message = {"role": "assistant", "content": said}
        return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": {}}

    fake._chat = chat
    by_model(fake)
    yield fake
    fake.close()


def test_a_model_writes_and_is_not_asked_twice(server, capsys):
    code, out, err = gate(capsys, "generate", "-o", "qa.jsonl")
    assert code == 0
    assert err.startswith("calls: at most 3 to openai m\ncost: about 0.0")
    assert "4 questions from 3 documents" in out
    found = rows("qa.jsonl")
    assert {row["reference"][-22:] for row in found} == {"The pump starts at 06:00 every morning."[-22:]}
    assert {row["line"] for row in found} == {3}
    assert len(server.sent) == 3
    assert gate(capsys, "generate", "-o", "again.jsonl")[0] == 0
    assert len(server.sent) == 3
    assert Path("again.jsonl").read_text() == Path("qa.jsonl").read_text()
    assert gate(capsys, "generate", "-o", "fresh.jsonl", "--no-cache")[0] == 0
    assert len(server.sent) == 6


def test_a_plan_by_a_model_asks_nothing(server, capsys):
    code, out, err = gate(capsys, "generate", "-o", "qa.jsonl", "--dry-run")
    assert (code, err, server.sent) == (0, "", [])
    assert out.startswith(
        "questions: at most 4 from 3 documents (3 pieces)\ncalls: at most 3 to openai m\ncost: about "
    )
    assert not Path(".gate").exists()


def test_a_limit_ends_it_and_the_next_time_it_goes_on(server, capsys):
    by_model(server, limits={"concurrency": 1, "max_calls": 2})
    code, _, err = gate(capsys, "generate", "-o", "qa.jsonl")
    assert code == 4
    assert "2 of 3 calls are done, nothing was written" in err
    assert not Path("qa.jsonl").exists()
    assert gate(capsys, "generate", "-o", "qa.jsonl")[0] == 0
    assert len(server.sent) == 3


def test_what_a_model_falls_short_of_is_made_by_patterns(server, capsys):
    server.faults = ["truncated", ""]
    code, _, err = gate(capsys, "generate", "-n", "9", "-o", "qa.jsonl")
    assert code == 0
    assert re.search(r"warning: 1 of 3 calls gave no question \(", err) or "made by patterns" in err
    assert len(rows("qa.jsonl")) == 9


def test_where_the_judge_has_no_model_the_model_under_test_writes(server, capsys):
    model = {"provider": "openai", "model_id": "m", "base_url": f"{server.url}/v1"}
    by_model(server, evaluation=ASKED_FOR, model=model, judge={})
    code, _, err = gate(capsys, "generate", "--generator", "model", "-o", "qa.jsonl")
    assert (code, len(server.sent)) == (0, 3)
    assert err.startswith("calls: at most 3 to openai m\n")
