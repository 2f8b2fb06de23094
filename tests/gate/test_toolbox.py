"""The tools of a run are opened when they are first used, once, and closed together."""

import json
import os
from pathlib import Path

import pytest

from gate.config import Config
from gate.errors import IndexMissingError, InputFileError, StoreError
from gate.providers.replay import Replay
from gate.toolbox import Toolbox, resolve, warn
from tests.support.words_embedder import WordsEmbedder, chunk

REPLAY = {"provider": "replay", "path": "answers.jsonl"}


@pytest.fixture
def toolbox(tmp_path):
    """Make a toolbox over a folder of its own; close it in the end."""
    made = []

    def make(model=REPLAY, **parts):
        config = Config.model_validate({"use_case": "x", "model": model, **parts})
        tools = Toolbox(config, tmp_path, tmp_path / ".gate")
        tools.embedder = WordsEmbedder()
        made.append(tools)
        return tools

    yield make
    for tools in made:
        tools.close()


def put(folder, name, *rows):
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_making_a_toolbox_opens_nothing(toolbox, tmp_path):
    toolbox()
    assert list(tmp_path.iterdir()) == []


def test_everything_is_opened_once(toolbox, tmp_path):
    put(tmp_path, "answers.jsonl", {"question": "q?", "answer": "a"})
    tools = toolbox()
    for name in ("budget", "chain", "provider", "index", "extractor", "judge"):
        assert getattr(tools, name) is getattr(tools, name)
    assert isinstance(tools.provider, Replay)
    assert tools.judge_model is None
    assert (tmp_path / ".gate" / "calls.sqlite").is_file()


def test_a_run_without_an_index_stops_before_anything_is_asked(toolbox, tmp_path):
    with pytest.raises(IndexMissingError):
        toolbox().check()
    assert not (tmp_path / ".gate" / "calls.sqlite").exists()


def test_an_embedder_that_takes_long_to_load_begins_with_the_check(toolbox, tmp_path):
    put(tmp_path, "answers.jsonl", {"question": "q?", "answer": "a"})
    tools, warmed = toolbox(), []
    tools.index.replace("a.md", "1", [chunk("Pools hold ten connections.")])
    tools.embedder.warm = lambda: warmed.append(True)
    tools.check()
    assert warmed == [True]


def test_what_was_opened_is_closed(toolbox):
    tools = toolbox()
    tools.index.replace("a.md", "d", [chunk("The tank is green.")])
    tools.index.finish()
    assert tools.store.fingerprint() == tools.index.fingerprint()
    tools.close()
    for held in (tools.store, tools.index):
        with pytest.raises(StoreError, match="closed"):
            list(held.chunks())
    tools.close()  # nothing is left to close


def test_prompts_come_from_the_dataset_or_from_the_answers(toolbox, tmp_path):
    put(tmp_path, "answers.jsonl", {"id": "r", "question": "recorded?", "answer": "a"})
    put(tmp_path, "d.jsonl", {"id": "d", "question": "given?"})
    assert [p.id for p in toolbox(evaluation={"source": "recorded"}).given_prompts()] == ["r"]
    assert [p.id for p in toolbox(evaluation={"source": "dataset", "dataset": "d.jsonl"}).given_prompts()] == ["d"]
    with pytest.raises(InputFileError, match=r"missing\.jsonl"):
        toolbox(evaluation={"source": "dataset", "dataset": "missing.jsonl"}).given_prompts()


def test_the_model_under_test_and_the_judges_model_are_two(toolbox):
    remote = {"provider": "ollama", "model_id": "m", "base_url": "http://127.0.0.1:9"}
    tools = toolbox(remote, judge=remote)
    assert (tools.provider.name, tools.provider.model) == (tools.judge_model.name, tools.judge_model.model)
    assert tools.provider is not tools.judge_model


def test_an_unused_run_has_used_nothing(toolbox):
    assert toolbox().usage() == {
        "calls": 0,
        "cached_calls": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost_usd": 0.0,
    }


@pytest.mark.parametrize(
    ("there", "here", "found"),
    [(True, True, "conf/x"), (True, False, "conf/x"), (False, True, "x"), (False, False, "conf/x")],
)
def test_a_path_is_beside_the_configuration_else_in_the_current_folder(tmp_path, monkeypatch, there, here, found):
    monkeypatch.chdir(tmp_path)
    os.mkdir("conf")
    if there:
        Path("conf/x").touch()
    if here:
        Path("x").touch()
    assert resolve(Path("conf"), "x") == Path(found)


def test_an_absolute_path_stays(tmp_path):
    assert resolve(Path("conf"), str(tmp_path)) == tmp_path


def test_a_warning_goes_to_stderr(capsys):
    warn("the record is full")
    assert capsys.readouterr() == ("", "warning: the record is full\n")


def test_a_warning_that_names_a_strangers_words_is_one_harmless_line(capsys):
    warn("fitted to \x1b[2Ja\n::error::b\u202e")
    assert capsys.readouterr().err == "warning: fitted to ␛[2Ja ::error::b⟨U+202E⟩\n"
