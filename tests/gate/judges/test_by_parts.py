"""A long claim is worth what its worst part is, whoever judges the parts."""

import numpy as np
import pytest

from gate.judges.by_parts import QUOTES, ByParts
from gate.judges.local import LONGEST, LocalJudge
from gate.records import JudgeInfo, Label, Quote, Verdict

FOUND, UNSURE, NOT = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED


class Scripted:
    """Labels by a word in the claim, and remembers what it was asked."""

    remote = False

    def __init__(self, says):
        self.says, self.asked = says, []

    def info(self):
        return JudgeInfo("local", "scripted", "1", {"judged": len(self.asked), "unsure": 7, "other": 3})

    def judge(self, items):
        self.asked += [item.claim.text for item in items]
        return [self._one(item) for item in items]

    def _one(self, item):
        label, support, ceiling = next(says for word, says in self.says.items() if word in item.claim.text)
        quote = Quote("d.md", 1, item.claim.text, 1.0)
        return Verdict(
            item.claim, label, "Why.", evidence=(quote,), support=support, ceiling=ceiling, unsure=label is UNSURE
        )


def fits(text):
    return len(text.split()) <= 4


def judged(item, text, **says):
    inner = Scripted({"": (FOUND, 0.9, FOUND)} | says if not says else says | {"": (FOUND, 0.9, FOUND)})
    judge = ByParts(inner, fits)
    (verdict,) = judge.judge([item(text)])
    return verdict, inner, judge


def test_what_fits_is_judged_as_it_is(item):
    verdict, inner, _ = judged(item, "Ducks can swim here.")
    assert inner.asked == ["Ducks can swim here."]
    assert (verdict.justification, len(verdict.evidence)) == ("Why.", 1)


@pytest.mark.parametrize(
    ("worst", "label"),
    [
        ((NOT, 0.1, FOUND), NOT),
        ((UNSURE, 0.4, FOUND), UNSURE),
        ((Label.UNJUDGED, None, FOUND), Label.UNJUDGED),
    ],
)
def test_the_worst_part_decides_wherever_it_stands(item, worst, label):
    for text in ("Geese can fly there. Ducks can swim here.", "Ducks can swim here. Geese can fly there."):
        verdict, inner, _ = judged(item, text, Geese=worst)
        assert len(inner.asked) == 2
        assert (verdict.label, verdict.support, verdict.unsure) == (label, worst[1], label is UNSURE)
        assert verdict.claim.text == text
        assert verdict.justification == "Why. So much of the weakest of 2 parts of a long claim."
        assert [quote.quote for quote in verdict.evidence] == ["Geese can fly there.", "Ducks can swim here."]


def test_of_parts_with_one_label_the_least_likely_is_told_and_the_lowest_ceiling_holds(item):
    says = {"Geese": (FOUND, 0.7, FOUND), "Ducks": (FOUND, 0.8, UNSURE)}
    verdict, _, _ = judged(item, "Ducks can swim here. Geese can fly there.", **says)
    assert (verdict.label, verdict.support, verdict.ceiling) == (FOUND, 0.7, UNSURE)


def test_each_claim_keeps_its_place_and_is_counted_once(item):
    inner = Scripted({"Geese": (UNSURE, 0.5, FOUND), "": (FOUND, 0.9, FOUND)})
    judge = ByParts(inner, fits)
    texts = ["Ducks swim.", "Geese can fly there. Ducks can swim here. Cats can climb trees.", "Cats climb."]
    verdicts = judge.judge([item(text) for text in texts])
    assert [verdict.claim.text for verdict in verdicts] == texts
    assert [verdict.label for verdict in verdicts] == [FOUND, UNSURE, FOUND]
    assert len(inner.asked) == 5
    assert judge.info() == JudgeInfo("local", "scripted", "1", {"judged": 3, "unsure": 1, "other": 3})


def test_there_are_never_many_quotes(item):
    verdict, _, _ = judged(item, " ".join(f"Duck number {n} can swim." for n in range(20)))
    assert len(verdict.evidence) == QUOTES


def test_what_no_judge_reads_is_not_taken_apart(item):
    text = "Ducks can swim here. " * 300
    assert len(text) > LONGEST
    _, inner, _ = judged(item, text)
    assert inner.asked == [text]


def test_a_row_of_marks_hides_nothing_and_what_says_nothing_is_judged_as_it_is(item):
    text = "! ! ! ! ! ! ! ! Ducks can swim here."
    verdict, inner, _ = judged(item, text)
    assert (inner.asked, verdict.claim.text) == (["Ducks can swim here."], text)
    assert judged(item, "! " * 9)[1].asked == ["! " * 9]


class Cut:
    """A reader that sees five words of a claim, and believes what it sees, but not that geese fly."""

    def fits(self, claim):
        return len(claim.split()) <= 5

    def score(self, pairs):
        seen = [" ".join(claim.split()[:5]) for claim, _ in pairs]
        return np.array([[0.01, 0.98, 0.01] if "geese" in claim else [0.98, 0.01, 0.01] for claim in seen], np.float32)


def test_a_wrong_end_does_not_pass_behind_what_is_read(item):
    given = item("Ducks swim in the pond, and geese fly in it.", "Ducks swim in the pond. Geese do not fly in it.")
    reader = Cut()
    alone = LocalJudge(reader=reader)
    assert alone.judge([given])[0].label is FOUND
    assert ByParts(alone, reader.fits).judge([given])[0].label is not FOUND
