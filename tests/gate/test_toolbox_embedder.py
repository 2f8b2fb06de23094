"""The embedder of a run is bound by its limits and recorded; that of ingestion is neither."""

from pathlib import Path

import pytest

from gate.config import Config
from gate.errors import LimitError
from gate.providers.local_embedder import LocalEmbedder
from gate.toolbox import Toolbox
from tests.support.words_embedder import chunk


def tools(folder: Path, url: str, **limits) -> Toolbox:
    served = {"provider": "openai", "model_id": "m", "base_url": f"{url}/v1"}
    config = {"use_case": "x", "model": {"provider": "replay", "path": "a.jsonl"}, "embedding": served}
    return Toolbox(Config.model_validate({**config, "limits": limits}), folder, folder / ".gate")


def test_limits_hold_in_a_run_and_not_for_the_index(tmp_path, server) -> None:
    made = tools(tmp_path, server.url, max_calls=0)
    made.index.replace("a.md", "1", [chunk("The tank is green.")])
    assert not (tmp_path / ".gate" / "calls.sqlite").exists()
    with pytest.raises(LimitError):
        made.embedder.embed(["x"])
    made.close()
    assert server.sent


def test_what_a_run_embeds_is_in_its_usage_and_recorded(tmp_path, server) -> None:
    for calls, cached in ((1, 0), (0, 1)):
        made = tools(tmp_path, server.url)
        assert made.embedder.embed(["x"]).shape == (1, 8)
        usage = made.usage()
        made.close()
        assert (usage["calls"], usage["cached_calls"], usage["input_tokens"]) == (calls, cached, 3 * calls)


def test_without_a_word_it_is_the_one_that_ships_loaded_once_for_all_runs(tmp_path) -> None:
    config = Config.model_validate({"use_case": "x", "model": {"provider": "replay", "path": "a.jsonl"}})
    first, second = (Toolbox(config, tmp_path, tmp_path / ".gate") for _ in range(2))
    assert isinstance(first.embedder, LocalEmbedder)
    assert first.embedder is second.embedder
    first.close()
    second.close()
