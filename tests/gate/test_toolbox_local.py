"""Which local judge is opened: as shipped, fitted, or with a reader of the user's own."""

import numpy as np
import pytest

from gate.config_parts import Judge as Settings
from gate.errors import ModelFileError
from gate.judges.fitted import Fit, fit_text
from gate.measures.refit import Refit
from gate.records import Claim, Evidence, Item, Label
from gate.toolbox_local import PORTION, Counted, OnDemand, open_local, shipped
from tests.gate.judges.test_reader import LABELS, THREE, folder_with
from tests.support.counted import Counter
from tests.support.words_embedder import WordsEmbedder


def opened(reader=None, fit=None, **settings):
    told = []
    return open_local(Settings(**settings), WordsEmbedder(), reader, fit, told.append), told


def item(claim, text):
    return Item(Claim("c", "p", "p", claim, 0, len(claim)), (Evidence("d.md", 1, text, 1.0, lines=(1,)),))


def fit_for(path, base, model):
    fit = Fit(base, model, Refit(1.5, 0.25, 0.75, 0.25))
    path.write_text(fit_text(fit))
    return fit


def test_as_shipped():
    judge, told = opened()
    assert judge.info().provider == "local"
    assert told == []


def test_a_fit_for_this_judge_changes_its_version(tmp_path):
    info = opened()[0].info()
    fit = fit_for(tmp_path / "stack.json", info.prompt_version, info.model)
    judge, told = opened(fit=tmp_path / "stack.json")
    assert judge.info().prompt_version == fit.version != info.prompt_version
    assert told == []


@pytest.mark.parametrize(("base", "model"), [("0-other", "stack-both"), ("", "stack-nothing")])
def test_a_fit_for_another_judge_is_left_out_and_told(tmp_path, base, model):
    fit_for(tmp_path / "stack.json", base, model)
    judge, told = opened(fit=tmp_path / "stack.json")
    assert judge.info() == opened()[0].info()
    assert len(told) == 1
    assert "is left out" in told[0]


def test_no_fit_is_no_fault_and_a_damaged_one_is(tmp_path):
    assert opened(fit=tmp_path / "stack.json")[1] == []
    (tmp_path / "stack.json").write_text('{"slope": -1}')
    with pytest.raises(ModelFileError, match="fit"):
        opened(fit=tmp_path / "stack.json")


def test_a_reader_of_ones_own_is_pooled_and_named(tmp_path):
    judge, _ = opened(reader=folder_with(tmp_path, THREE, reader=LABELS))
    assert f"reader-{tmp_path.name}-" in judge.info().model
    mapped, _ = opened(
        reader=tmp_path, model_path=str(tmp_path), labels={"supported": 2, "contradicted": 1, "neither": 0}
    )
    assert mapped.info().model != judge.info().model


LENT = (
    "The Library lends books to all students and to its staff, and to readers from the town who hold a card. A student "
    "may keep a book for 28 days, and may renew it twice, as long as nobody else has reserved it in the meantime. "
    "Whoever brings a book back late pays 20 cents for each day begun, at most 10 euros a book, and cannot borrow "
    "anything else until the fee is paid."
)


@pytest.mark.parametrize(
    ("end", "label"),
    [
        ("and cannot borrow anything else until the fee is paid.", Label.SUPPORTED),
        ("and can borrow other books before the fee is paid.", Label.UNSUPPORTED),
    ],
)
def test_the_end_of_a_long_claim_is_read_too(end, label):
    text = LENT[: LENT.index("and cannot")].replace(". ", ", and ") + end
    (verdict,) = opened()[0].judge([item(text, LENT)])
    assert verdict.label is label
    assert "2 parts of a long claim" in verdict.justification


def test_a_claim_is_shown_to_a_reader_of_ones_own_as_far_as_it_sees(tmp_path):
    judge, _ = opened(reader=folder_with(tmp_path, THREE, reader=LABELS | {"max_claim": 8}))
    short, long = judge.judge(
        [item("Ducks swim.", "Ducks swim."), item("Ducks swim in it. Geese fly there. " * 3, LENT)]
    )
    assert "parts" not in short.justification
    assert "parts of a long claim" in long.justification


def test_a_folder_that_is_none_is_told(tmp_path):
    with pytest.raises(ModelFileError, match="is no folder") as caught:
        opened(reader=tmp_path / "missing")
    assert "model.onnx" in caught.value.hint


def test_the_reader_is_opened_when_it_is_to_read(tmp_path):
    lazy = OnDemand(tmp_path)  # nothing is there yet
    with pytest.raises(ModelFileError):
        lazy.score([("yes", "yes")])
    folder_with(tmp_path, THREE, reader=LABELS)
    first = lazy.score([("yes", "yes"), ("no", "no")])
    assert first.argmax(1).tolist() == [0, 1]
    (tmp_path / "model.onnx").unlink()
    assert (lazy.score([("yes", "yes"), ("no", "no")]) == first).all()


def test_the_installation_has_its_reader_and_opens_it_once():
    assert isinstance(shipped(), OnDemand)
    assert shipped() is shipped()


def test_a_reader_that_is_counted_reads_the_same_of_every_pair():
    class Lengths:
        def score(self, pairs):
            assert len(pairs) <= PORTION
            return np.array([[len(claim), len(text), 1] for claim, text in pairs], np.float32)

    pairs = [("c" * (n * 7 % 11), "e" * (n * 13 % 301)) for n in range(2 * PORTION + 3)]
    counter = Counter()
    found = Counted(Lengths(), counter).score(pairs)
    assert found.tolist() == [[len(claim), len(text), 1] for claim, text in pairs]
    assert Counted(Lengths(), counter).score([]).shape == (0, 3)
    assert counter.counted == [("passages read", len(pairs), len(pairs)), ("passages read", 0, 0)]
