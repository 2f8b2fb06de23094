"""`gate dataset retrieval` as a user types it, over documents indexed with the shipped embedder."""

import json

import pytest

from gate.cli import main
from gate.retrieval import MEASURES, WAYS
from tests.support.project import put, write

PUMP = "# Pump\n\nThe pump of the Larkspur stops after 40 seconds.\n"
LID = "# Lid\n\nThe lid is red and closes by itself.\n"
TANK = "# Tank\n\nThe tank holds nine litres of water.\n\nRinse it every week.\n"
QUESTIONS = [
    {"id": "pump", "question": "When does the pump stop?", "source": "docs/pump.md", "line": 3},
    {
        "id": "tank",
        "question": "How much water does the tank hold?",
        "sources": [{"source": "docs/tank.md", "line": 3}],
    },
    {"id": "planted", "question": "Which colour has the lid?", "source": "docs/tank.md", "line": 5},
    {"id": "open", "question": "Who made it?"},
]


@pytest.fixture(autouse=True)
def _project(folder):
    for name, text in (("pump", PUMP), ("lid", LID), ("tank", TANK)):
        write(f"docs/{name}.md", text)
    put("qa.jsonl", *QUESTIONS)


def test_the_planted_question_fails_and_the_others_are_found(folder, capsys):
    assert main(["ingest", "docs"]) == 0
    capsys.readouterr()
    assert main(["dataset", "retrieval", "qa.jsonl", "-k", "1", "-o", "out.json"]) == 0
    out = capsys.readouterr().out
    assert "3 questions with a labelled source" in out
    assert "1 question without a labelled source left out" in out
    assert "1 of 3 questions finds no labelled place among its first 1 (fused)\n  planted  Which colour" in out
    assert "expected  docs/tank.md:5  (found at rank: " in out
    assert "found     docs/lid.md:" in out
    document = json.loads((folder / "out.json").read_text())
    for way in WAYS:
        for name in MEASURES:
            figure = document["figures"][way][name]
            assert figure["value"] == pytest.approx(2 / 3)
            assert figure["interval"][0] < 2 / 3 < figure["interval"][1]
    assert [one["failed"] for one in document["questions"]] == [False, False, True]
    again = (folder / "out.json").read_bytes()
    assert main(["dataset", "retrieval", "qa.jsonl", "-k", "1", "-o", "out.json"]) == 0
    assert (folder / "out.json").read_bytes() == again


def test_generated_questions_find_their_own_lines(capsys):
    main(["ingest", "docs"])
    assert main(["dataset", "generate", "docs", "-n", "3", "-o", "made.jsonl"]) == 0
    capsys.readouterr()
    assert main(["dataset", "retrieval", "made.jsonl"]) == 0
    assert "every question finds a labelled place among its first 5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no index"),
        (["-k", "51"], "more than the 50"),
        (["-o", "out.txt"], "written as JSON"),
        (["-c", "missing.yaml"], "missing.yaml"),
    ],
)
def test_wrong_use_ends_with_2_and_writes_nothing(folder, capsys, arguments, message):
    assert main(["dataset", "retrieval", "qa.jsonl", *arguments]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""
    assert not (folder / "out.json").exists()
