"""Which local judge is opened: as shipped, fitted, or with a reader of the user's own."""

import numpy as np
import pytest

from gate.config import JudgeSettings
from gate.errors import ModelFileError
from gate.judges.line import Fit, fit_text
from gate.local_judge import PORTION, CountedReader, LazyReader, open_local
from gate.statistics.calibration import Refit
from tests.gate.judges.test_reader import LABELS, THREE, folder_with
from tests.support.counted import Counter


def opened(reader=None, fit=None, **settings):
    told = []
    return open_local(JudgeSettings(**settings), reader, fit, told.append), told


def fit_for(path, base, model):
    fit = Fit(base, model, Refit(1.5, 0.25, 0.75, 0.25))
    path.write_text(fit_text(fit))
    return fit


def test_a_fit_for_this_judge_changes_its_version(tmp_path):
    info = opened()[0].info()
    fit = fit_for(tmp_path / "line.json", info.prompt_version, info.model)
    assert info.provider == "local"
    judge, told = opened(fit=tmp_path / "line.json")
    assert judge.info().prompt_version == fit.version != info.prompt_version
    assert told == []


@pytest.mark.parametrize(("base", "model"), [("0-other", "reader-x"), ("", "reader-nothing")])
def test_a_fit_for_another_judge_is_left_out_and_told(tmp_path, base, model):
    fit_for(tmp_path / "line.json", base, model)
    judge, told = opened(fit=tmp_path / "line.json")
    assert judge.info() == opened()[0].info()
    assert len(told) == 1
    assert "is left out" in told[0]


def test_no_fit_is_no_fault_and_a_damaged_one_is(tmp_path):
    assert opened(fit=tmp_path / "line.json")[1] == []
    (tmp_path / "line.json").write_text('{"slope": -1}')
    with pytest.raises(ModelFileError, match="fit"):
        opened(fit=tmp_path / "line.json")


def test_a_reader_of_ones_own_takes_the_shipped_ones_place_and_is_named(tmp_path):
    judge, _ = opened(reader=folder_with(tmp_path, THREE, reader=LABELS))
    assert f"reader-{tmp_path.name}-" in judge.info().model
    mapped, _ = opened(
        reader=tmp_path, model_path=str(tmp_path), labels={"supported": 2, "contradicted": 1, "neither": 0}
    )
    assert mapped.info().model != judge.info().model


def test_a_folder_that_is_none_is_told(tmp_path):
    with pytest.raises(ModelFileError, match="is no folder") as caught:
        opened(reader=tmp_path / "missing")
    assert "model.onnx" in caught.value.hint
    with pytest.raises(ModelFileError, match="has no model.onnx"):
        _ = LazyReader(tmp_path).name


def test_the_reader_is_opened_when_it_is_to_read(tmp_path):
    lazy = LazyReader(tmp_path)  # nothing is there yet
    with pytest.raises(ModelFileError):
        lazy.score([("yes", "", "yes")])
    folder_with(tmp_path, THREE, reader=LABELS)
    first = lazy.score([("yes", "", "yes"), ("no", "", "no")])
    assert first.argmax(1).tolist() == [0, 1]
    (tmp_path / "model.onnx").unlink()
    assert (lazy.score([("yes", "", "yes"), ("no", "", "no")]) == first).all()


def test_a_reader_that_is_counted_reads_every_window_once():
    class Lengths:
        def score(self, items):
            assert len(items) <= PORTION
            return np.array([[len(claim), len(about), len(text), 1] for claim, about, text in items], np.float32)

        def fits(self, claim):
            return len(claim) < 5

    items = [("c" * (n * 7 % 11), "q" * (n % 3), "e" * (n * 13 % 301)) for n in range(2 * PORTION + 3)]
    counter = Counter()
    counted = CountedReader(Lengths(), counter)
    found = counted.score([*items, items[0]])
    assert found.tolist() == [[len(claim), len(about), len(text), 1] for claim, about, text in [*items, items[0]]]
    assert counted.score([]).shape == (0, 4)
    assert counted.fits("abc")
    assert counter.counted == [("windows read", len(items), len(items)), ("windows read", 0, 0)]
