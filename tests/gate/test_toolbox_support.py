import numpy as np

from gate.providers.local_embedder import LocalEmbedder
from gate.records import Label
from gate.toolbox_support import BestWindow, QuickJudge, Remembering
from tests.support.real_bench import bench

PLAN = "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail."


class Counting:
    """An embedder and a reader that count what they are asked."""

    name, dimension = "counting", 2

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pairs: list[tuple[str, str]] = []

    def embed(self, texts):
        self.texts += texts
        return np.ones((len(texts), 2), dtype=np.float32)

    def windows(self, text):
        return [text]

    def score(self, pairs):
        self.pairs += pairs
        return np.tile(np.array([0.9, 0.05, 0.05], dtype=np.float32), (len(pairs), 1))


def test_each_text_is_embedded_once():
    inner = Counting()
    found = Remembering(inner)
    assert found.embed(["a", "b", "a"]).shape == (3, 2)
    assert found.embed(["b"]).shape == (1, 2)
    assert found.embed([]).shape == (0, 2)
    assert inner.texts == ["a", "b"]
    assert (found.name, found.dimension, found.windows("x")) == ("counting", 2, ["x"])


def test_only_the_best_window_of_a_claim_is_read():
    inner = Counting()
    rows = BestWindow(inner).score([("a", "1"), ("a", "2"), ("b", "3"), ("b", "4")])
    assert inner.pairs == [("a", "1"), ("b", "3")]
    assert rows[:, 2].tolist() == [np.float32(0.05), 1.0, np.float32(0.05), 1.0]
    assert BestWindow(inner).score([]).shape == (0, 3)


def test_the_reader_is_asked_only_about_what_is_not_settled():
    inner = Counting()
    judge = QuickJudge(LocalEmbedder(), inner)
    found = judge.support([
        ("The Standard plan costs Rs 800 a month.", (PLAN,)),
        ("Zebras graze at night.", (PLAN,)),
        ("Help by e-mail comes with it.", (PLAN,)),
    ])  # fmt: skip
    assert found[0].label is Label.SUPPORTED
    assert found[1].label is Label.UNSUPPORTED
    assert {claim for claim, _ in inner.pairs} == {"Help by e-mail comes with it."}


def test_a_claim_over_two_contexts_is_judged_as_alone():
    claim = "Help by e-mail comes with it."
    pairs = [(claim, (PLAN,)), (claim, ("Support by e-mail costs Rs 100.",)), ("Dogs bark.", (PLAN,))]
    tools = bench()
    assert tools.support(pairs) == [tools._judge.support([pair])[0] for pair in pairs]


def test_what_cannot_be_judged_has_no_chance():
    (found,) = bench().support([("...", (PLAN,))])
    assert (found.label, found.chance, found.quote) == (Label.UNJUDGED, 0.0, "")
    assert bench().support([("The plan costs Rs 800.", ())])[0].label is Label.UNSUPPORTED
