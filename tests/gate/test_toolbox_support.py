import numpy as np

from gate.judges.local import LocalJudge
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Label
from gate.toolbox_support import FEW, QuickJudge, _item
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
        return np.tile(np.array([0.5, 0.3, 0.2], dtype=np.float32), (len(pairs), 1))


NEAR = "Help is given in the shop. E-mail is read once a day. Dogs are kept on a lead."
BY_WORDS = ["It includes 5 GB of storage and support by e-mail.", PLAN]


def test_in_a_few_sentences_the_nearest_by_meaning_is_read_too():
    inner = Counting()
    QuickJudge(LocalEmbedder(), inner).support([("Help by e-mail comes with the plan.", (PLAN, NEAR))])
    read = [text for _, text in inner.pairs]
    assert [text for text in read if text in BY_WORDS] == BY_WORDS
    near = [text for text in read if text not in BY_WORDS]
    assert near
    assert all(text in NEAR for text in near)


def test_in_long_texts_only_the_windows_by_words_are_read():
    inner = Counting()
    long = " ".join(f"The keeper of shop {number} sells shoes." for number in range(FEW))
    QuickJudge(LocalEmbedder(), inner).support([("Help by e-mail comes with the plan.", (PLAN, NEAR, long))])
    read = [text for _, text in inner.pairs]
    assert read[:2] == BY_WORDS
    assert read[2:] == [NEAR]  # what has most of the words elsewhere, and no sentence alone


def test_with_one_window_it_is_the_local_judge():
    pair = ("Help by e-mail comes with it.", (PLAN,))
    verdict = LocalJudge(LocalEmbedder(), reader=Counting()).judge([_item(*pair)])[0]
    found = QuickJudge(LocalEmbedder(), Counting()).support([pair])[0]
    assert (found.label, found.chance) == (verdict.label, verdict.support)


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


def test_what_is_too_long_is_not_judged():
    assert bench().support([("long " * 1000, (PLAN,))])[0].label is Label.UNJUDGED


def test_a_claim_that_is_longer_than_the_reader_sees_is_borne_out_as_far_as_its_worst_part():
    inner = Counting()
    judge = QuickJudge(LocalEmbedder(), inner, lambda claim: len(claim.split()) <= 9)
    long = "The Standard plan costs Rs 800 a month. Zebras graze at night in the park."
    alone, found = judge.support([("Zebras graze at night in the park.", (PLAN,)), (long, (PLAN,))])
    assert found == alone
    assert found.label is Label.UNSUPPORTED
    over = "long " * 1000
    assert judge.support([(over, (PLAN,))])[0].label is Label.UNJUDGED
