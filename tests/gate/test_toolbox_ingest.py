"""Which documents an ingestion reads, beside which configuration, and that its index is closed again."""

import pytest

from gate.errors import ConfigError, StoreError, UsageError
from gate.toolbox_ingest import open_for_ingest

CONFIG = "use_case: x\nmodel: {provider: replay, path: a.jsonl}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sources(config, paths=()):
    with open_for_ingest(config, paths) as job:
        return job.paths


def put(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def test_named_paths_need_no_configuration(folder):
    assert sources(None, ["docs", "s3://b/x"]) == ["docs", "s3://b/x"]
    assert (folder / ".gate" / "index.sqlite").is_file()


def test_named_paths_go_before_the_configured_ones(folder):
    put(folder / ".llm-reliability.yaml", CONFIG + "doc_sources: [docs]\n")
    assert sources(None, ["other"]) == ["other"]


def test_configured_sources_stand_beside_the_configuration_and_buckets_stay_addresses(folder):
    (folder / "conf" / "docs").mkdir(parents=True)
    (folder / "here").mkdir()
    name = put(folder / "conf" / "gate.yaml", CONFIG + "doc_sources: [docs, here, 's3://b/docs']\n")
    assert sources(name) == [str(folder / "conf" / "docs"), "here", "s3://b/docs"]


@pytest.mark.parametrize("text", [None, CONFIG])
def test_nothing_to_index_is_told(folder, text):
    if text:
        put(folder / ".llm-reliability.yaml", text)
    with pytest.raises((UsageError, ConfigError)) as caught, open_for_ingest(None, []):
        pass
    assert caught.value.exit_code == 2
    assert ("nothing to index" in caught.value.message) == (text is not None)
    assert not (folder / ".gate").exists()


def test_a_broken_configuration_is_not_passed_over_for_named_paths(folder):
    put(folder / ".llm-reliability.yaml", CONFIG + "nonsense: 1\n")
    with pytest.raises(ConfigError, match="nonsense"):
        sources(None, ["docs"])


def test_a_configuration_that_was_named_must_be_there():
    with pytest.raises(ConfigError):
        sources("missing.yaml", ["docs"])


@pytest.mark.parametrize("fails", [False, True])
def test_the_index_is_closed_whatever_happens(fails):
    try:
        with open_for_ingest(None, ["docs"]) as job:
            index = job.index
            assert index.digests() == {}
            if fails:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        assert fails
    with pytest.raises(StoreError, match="closed"):
        index.digests()
