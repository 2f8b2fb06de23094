"""The tools of a run: which ones a configuration stands for, opened when first used, once, and closed together."""

from pathlib import Path

import pytest

from gate.claims.by_model import ModelExtractor
from gate.claims.local import LocalExtractor
from gate.config import Config, JudgeSettings
from gate.errors import ConfigError, IndexMissingError, InputFileError, LimitError, SetupError, StoreError, UsageError
from gate.judges.llm import LlmJudge, TieredJudge
from gate.judges.local import LocalJudge
from gate.providers.connect import model_of
from gate.providers.local_embedder import LocalEmbedder
from gate.providers.replay import Replay
from gate.toolbox import Toolbox, open_for_ingest, resolve, warn
from tests.support.project import configure, put, write
from tests.support.words_embedder import WordsEmbedder, chunk

REPLAY = {"provider": "replay", "path": "answers.jsonl"}
REMOTE = {"provider": "ollama", "model_id": "m", "base_url": "http://127.0.0.1:9"}
TIERED = {**REMOTE, "provider": "tiered", "escalate_to": "ollama"}
CONFIG = "use_case: x\nmodel: {provider: replay, path: a.jsonl}\n"


@pytest.fixture
def toolbox(tmp_path):
    """Make a toolbox over a folder of its own; close it in the end."""
    made = []

    def make(model=REPLAY, **parts):
        config = Config.model_validate({"use_case": "x", "model": model, **parts})
        tools = Toolbox(config, tmp_path, tmp_path / ".gate")
        if "embedding" not in parts:
            tools.embedder = WordsEmbedder()
        made.append(tools)
        return tools

    yield make
    for tools in made:
        tools.close()


def test_everything_is_opened_when_it_is_used_and_once(toolbox, tmp_path):
    tools = toolbox()
    assert list(tmp_path.iterdir()) == []
    put(tmp_path / "answers.jsonl", {"question": "q?", "answer": "a"})
    for name in ("budget", "servers", "provider", "index", "extractor", "judge"):
        assert getattr(tools, name) is getattr(tools, name)
    assert isinstance(tools.provider, Replay)
    assert tools.judge_model is None
    assert not (tmp_path / ".gate" / "calls.sqlite").exists()
    assert tools.servers.chain is tools.servers.chain
    assert (tmp_path / ".gate" / "calls.sqlite").is_file()


def test_a_run_without_an_index_stops_before_anything_is_asked(toolbox, tmp_path):
    with pytest.raises(IndexMissingError):
        toolbox().check()
    assert not (tmp_path / ".gate" / "calls.sqlite").exists()


def test_an_embedder_that_takes_long_to_load_begins_with_the_check(toolbox, tmp_path):
    put(tmp_path / "answers.jsonl", {"question": "q?", "answer": "a"})
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


def test_prompts_come_from_the_dataset_or_from_the_answers(toolbox, tmp_path):
    put(tmp_path / "answers.jsonl", {"id": "r", "question": "recorded?", "answer": "a"})
    put(tmp_path / "d.jsonl", {"id": "d", "question": "given?"})
    assert [p.id for p in toolbox(evaluation={"source": "recorded"}).load_prompts()] == ["r"]
    assert [p.id for p in toolbox(evaluation={"source": "dataset", "dataset": "d.jsonl"}).load_prompts()] == ["d"]
    with pytest.raises(InputFileError, match=r"missing\.jsonl"):
        toolbox(evaluation={"source": "dataset", "dataset": "missing.jsonl"}).load_prompts()


def test_who_judges_and_who_takes_answers_apart(toolbox):
    for judge, kind, extractor in (
        ({}, LocalJudge, LocalExtractor),
        (REMOTE, LlmJudge, LocalExtractor),
        (TIERED, TieredJudge, LocalExtractor),
        ({**REMOTE, "extract": "model"}, LlmJudge, ModelExtractor),
    ):
        tools = toolbox(judge=judge)
        assert (type(tools.judge), type(tools.extractor)) == (kind, extractor)


def test_bedrock_model_id_goes_before_the_configuration_and_only_for_bedrock(toolbox, monkeypatch):
    environ = {"BEDROCK_MODEL_ID": "env"}
    assert model_of(JudgeSettings(provider="bedrock", model_id="m"), environ) == "env"
    assert model_of(JudgeSettings(provider="tiered", escalate_to="bedrock"), environ) == "env"
    assert model_of(JudgeSettings(provider="bedrock", model_id="m"), {"BEDROCK_MODEL_ID": " "}) == "m"
    assert model_of(JudgeSettings(**REMOTE), environ) == "m"
    monkeypatch.delenv("BEDROCK_MODEL_ID", raising=False)
    with pytest.raises(SetupError, match="no model"):
        _ = toolbox(judge={"provider": "bedrock"}).judge_model


def served(server, **limits):
    return {"embedding": {"provider": "openai", "model_id": "m", "base_url": f"{server.url}/v1"}, "limits": limits}


def test_limits_hold_for_the_vectors_of_a_run_and_not_for_the_index(toolbox, tmp_path, server):
    tools = toolbox(**served(server, max_calls=0))
    tools.index.replace("a.md", "1", [chunk("The tank is green.")])
    assert not (tmp_path / ".gate" / "calls.sqlite").exists()
    with pytest.raises(LimitError):
        tools.embedder.embed(["x"])
    assert server.sent


def test_what_a_run_embeds_is_in_its_usage_and_recorded(toolbox, server):
    assert toolbox().usage() == dict.fromkeys(("calls", "cached_calls", "input_tokens", "output_tokens", "cost_usd"), 0)
    for calls, cached in ((1, 0), (0, 1)):
        tools = toolbox(**served(server))
        assert tools.embedder.embed(["x"]).shape == (1, 8)
        usage = tools.usage()
        tools.close()
        assert (usage["calls"], usage["cached_calls"], usage["input_tokens"]) == (calls, cached, 3 * calls)


def test_the_embedder_that_ships_is_loaded_once_for_all_runs(toolbox):
    first, second = toolbox(embedding={}), toolbox(embedding={})
    assert isinstance(first.embedder, LocalEmbedder)
    assert first.embedder is second.embedder


@pytest.mark.parametrize(
    ("there", "here", "found"),
    [(True, True, "conf/x"), (True, False, "conf/x"), (False, True, "x"), (False, False, "conf/x")],
)
def test_a_path_is_beside_the_configuration_else_in_the_current_folder(tmp_path, monkeypatch, there, here, found):
    monkeypatch.chdir(tmp_path)
    Path("conf").mkdir()
    for name in ["conf/x"] * there + ["x"] * here:
        Path(name).touch()
    assert resolve(Path("conf"), "x") == Path(found)
    assert resolve(Path("conf"), str(tmp_path)) == tmp_path


def test_a_warning_is_one_harmless_line_on_stderr(capsys):
    warn("fitted to \x1b[2Ja\n::error::b\u202e")
    assert capsys.readouterr() == ("", "warning: fitted to ␛[2Ja ::error::b⟨U+202E⟩\n")


def sources(config, paths=()):
    with open_for_ingest(config, paths) as (found, _):
        return [one if isinstance(one, str) else one.path for one in found]


def test_paths_that_are_named_need_no_configuration_and_go_before_it(folder):
    assert sources(None, ["docs", "s3://b/x"]) == ["docs", "s3://b/x"]
    assert (folder / ".gate" / "index.sqlite").is_file()
    configure(doc_sources=["docs"])
    assert sources(None, ["other"]) == ["other"]
    assert sources(None) == ["docs"]


def test_configured_sources_stand_beside_the_configuration_and_buckets_stay_addresses(folder):
    (folder / "conf" / "docs").mkdir(parents=True)
    (folder / "here").mkdir()
    configure("conf/gate.yaml", doc_sources=["docs", "here", "s3://b/docs"])
    assert sources(str(folder / "conf" / "gate.yaml")) == [str(folder / "conf" / "docs"), "here", "s3://b/docs"]


@pytest.mark.parametrize(
    ("text", "named", "paths", "message"),
    [
        (None, None, [], "there is no such file"),
        (None, "missing.yaml", ["docs"], "there is no such file"),
        (CONFIG, None, [], "nothing to index"),
        (CONFIG + "nonsense: 1", None, ["docs"], "nonsense"),
    ],
)
def test_an_ingestion_that_cannot_begin_makes_no_index(folder, text, named, paths, message):
    if text:
        write(".llm-reliability.yaml", text)
    with pytest.raises((UsageError, ConfigError), match=message):
        sources(named, paths)
    assert not (folder / ".gate").exists()


def test_the_index_is_closed_whatever_happens(folder):
    opened = []

    def interrupted():
        with open_for_ingest(None, ["docs"]) as (_, index):
            opened.append(index)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(StoreError, match="closed"):
        opened[0].digests()
