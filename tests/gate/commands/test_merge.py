"""`gate merge`: the files of all shards become one verdict with its own exit code."""

import json

import pytest

from gate.cli import main
from tests.support.verdicts import document

ENTRIES = {f"p{n}": [f"{'su'[n == 3]} claim {n} is here"] for n in range(4)}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = list(ENTRIES)
    for i in (1, 2):
        part = {name: ENTRIES[name] for name in names[i - 1 :: 2]}
        (tmp_path / f"s{i}.json").write_text(json.dumps(document(part, shard=f"{i}/2")))
    return tmp_path


@pytest.mark.parametrize("order", [["s1.json", "s2.json"], ["s2.json", "s1.json"]])
def test_the_shards_become_the_whole_run(folder, order):
    assert main(["merge", *order, "-o", "m.json"]) == 0
    merged = json.loads((folder / "m.json").read_text())
    assert {**merged, "timings": {}} == {**document(ENTRIES), "timings": {}}


def test_the_code_is_that_of_the_whole_not_of_a_shard():
    assert main(["merge", "s1.json", "s2.json", "--fail-on", "warn"]) == 1
    assert main(["report", "s1.json", "--fail-on", "warn"]) == 0
    assert main(["report", "s2.json"]) == 1


@pytest.mark.parametrize("names", [["s1.json"], ["s1.json", "s1.json"], ["s1.json", "missing.json"]])
def test_what_is_not_all_shards_is_wrong_use_and_writes_nothing(folder, capsys, names):
    assert main(["merge", *names, "-o", "m.json"]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert not (folder / "m.json").exists()
