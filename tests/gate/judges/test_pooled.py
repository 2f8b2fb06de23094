"""A reader of the user's own beside the local judge, on the two-node model of the reader's tests."""

import math

import numpy as np
import pytest

from gate.judges.fitted import Fit
from gate.judges.local import LocalJudge
from gate.judges.pooled import PLAIN, PooledJudge, name_of
from gate.judges.reader import Reader
from gate.measures.refit import Refit
from gate.records import Claim, Evidence, Item, JudgeInfo, Label, Quote, Verdict
from tests.gate.judges.test_reader import LABELS, THREE, folder_with


class Fixed:
    """A local judge that says what it was told to."""

    remote = False

    def __init__(self, *supports):
        self.supports = supports

    def info(self):
        return JudgeInfo("local", "stack-plain", "3", {"judged": 1})

    def judge(self, items):
        return [
            Verdict(item.claim, Label.UNSUPPORTED, "Nothing.", confidence=0.99, support=support)
            if support is None
            else Verdict(
                item.claim, Label.WEAKLY_SUPPORTED, "Not sure.", evidence=(Quote("d", 1, "yes", 1.0),), support=support
            )
            for item, support in zip(items, self.supports, strict=True)
        ]


class Certain:
    """A reader to whom every passage bears out every claim."""

    def score(self, pairs):
        return np.array([[0.999, 0.0005, 0.0005]] * len(pairs), dtype=np.float32)


def item(*evidence, claim="yes"):
    return Item(Claim("1", "1", "1", claim, 0, 1), tuple(Evidence("d", 1, text, 1.0) for text in evidence))


@pytest.fixture
def reader(tmp_path):
    return Reader(folder_with(tmp_path, THREE, reader=LABELS))


def odds(p):
    return math.log(p / (1 - p))


def test_both_opinions_are_pooled_and_the_best_passage_counts(reader):
    (verdict,) = PooledJudge(Fixed(0.5), reader, "r").judge([item("maybe", "yes", "no")])
    read = float(reader.score([("yes", "yes")])[0, 0])
    assert verdict.support == pytest.approx(1 / (1 + math.exp(-(odds(0.5) + odds(read)) / 2)), abs=1e-5)
    assert verdict.label is Label.SUPPORTED
    assert verdict.confidence == pytest.approx(verdict.support, abs=1e-4)
    assert verdict.justification == f"Found: the reader gives it {read:.2f}. By its words alone: Not sure."
    assert verdict.evidence[0].quote == "yes"


def test_a_denial_in_any_passage_is_seen(reader):
    judge = PooledJudge(Fixed(0.0001, 0.0001), reader, "r")
    assert [v.contradicted for v in judge.judge([item("no no no"), item("maybe", "no no no")])] == [True, True]


def test_a_denial_that_the_reader_sees_is_a_contradiction(reader):
    (verdict,) = PooledJudge(Fixed(0.3), reader, "r").judge([item("no", claim="no")])
    assert (verdict.label, verdict.contradicted) == (Label.UNSUPPORTED, True)


def test_in_the_middle_it_is_unsure(reader):
    (verdict,) = PooledJudge(Fixed(0.5), reader, "r").judge([item("yes no", claim="")])
    assert (verdict.label, verdict.unsure, verdict.contradicted) == (Label.WEAKLY_SUPPORTED, True, False)
    assert verdict.confidence <= 0.5
    assert verdict.justification.startswith("Not sure. The reader gives it 0.")


@pytest.mark.parametrize(
    ("claim", "evidence", "label", "told"),
    [
        ("It is paid within 30 days.", "It is paid within 14 days.", Label.UNSUPPORTED, "Contradicted: the document"),
        ("Guests can use the sauna.", "Guests cannot use the sauna.", Label.WEAKLY_SUPPORTED, "Not sure: the document"),
        ("Guests may take a bath.", "Guests may use the tub.", Label.SUPPORTED, "Found: the reader gives it 1.00. By"),
    ],
)
def test_a_reader_that_is_certain_does_not_lift_what_a_hard_check_found(claim, evidence, label, told):
    for fit in (None, Fit(f"{LocalJudge().info().prompt_version}+2", "r", Refit(1.0, 6.0, 0.6, 0.4))):
        (verdict,) = PooledJudge(LocalJudge(), Certain(), "r", fit).judge([item(evidence, claim=claim)])
        assert verdict.label is label
        assert verdict.justification.startswith(told)


def test_a_denial_that_only_the_reader_sees_is_told_first(reader):
    (verdict,) = PooledJudge(Fixed(0.0001), reader, "r").judge([item("no no no")])
    assert verdict.contradicted
    assert verdict.justification.startswith("Contradicted: the reader takes a passage to deny it (0.9")


def test_what_was_settled_without_weighing_stays(reader):
    first, second = PooledJudge(Fixed(None, 0.5), reader, "r").judge([item("yes"), item()])
    assert (first.label, first.confidence, first.justification) == (Label.UNSUPPORTED, 0.99, "Nothing.")
    assert second.justification == "Not sure."


def test_a_fit_moves_its_labels_and_is_part_of_its_version(reader):
    plain = PooledJudge(Fixed(0.5), reader, "r")
    fit = Fit(plain.info().prompt_version, "r", Refit(1.0, -6.0, 0.6, 0.4))
    judge = PooledJudge(Fixed(0.5), reader, "r", fit)
    assert judge.judge([item("yes")])[0].label is Label.UNSUPPORTED
    assert judge.info() == JudgeInfo("local", "r", fit.version, {"judged": 1})
    assert PooledJudge(Fixed(0.5), reader, "r", Fit("9", "r", fit.line)).info().prompt_version == "3+2"
    assert PLAIN.low < PLAIN.high


def test_another_model_or_mapping_has_another_name(tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    for folder, columns in ((a, THREE), (b, THREE[::-1])):
        folder.mkdir()
        folder_with(folder, columns, reader=LABELS)
    assert name_of(a, None).startswith("reader-a-")
    assert name_of(a, None) == name_of(a, None)
    names = {name_of(a, None)[-8:], name_of(b, None)[-8:], name_of(a, ["supported"])[-8:]}
    assert len(names) == 3
