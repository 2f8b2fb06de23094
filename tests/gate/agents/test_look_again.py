"""Claims near the line are judged again, and only where that may change the decision."""

from types import SimpleNamespace

import pytest

from gate.agents.verify_claims import verify_claims
from gate.config import Limits, RiskTolerance
from gate.errors import BadReplyError, LimitError
from gate.records import Answer, Claim, Evidence, Item, JudgeInfo, Label, Prompt, Quote, Verdict
from gate.state import State

TEXT = "The timeout is 5 seconds."
GOOD, WEAK, BAD, LOST = Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, Label.UNJUDGED


class Judge:
    """Says what is listed: for each claim its label at every look."""

    remote = True

    def __init__(self, *labels):
        self.labels = labels
        self.asked = []

    def judge(self, items, look=0):
        self.asked += [(look, item.claim.id) for item in items]
        return [self.verdict(item, look) for item in items]

    def verdict(self, item: Item, look: int) -> Verdict:
        said = self.labels[int(item.claim.id.split(":")[1])]
        label = said[look] if isinstance(said, tuple) else said
        if isinstance(label, Exception):
            raise label
        return Verdict(item.claim, label, "Because.", evidence=(Quote("a.md", 1, TEXT, 1.0),))

    def info(self):
        return JudgeInfo("fake", "", "")


def run(*labels, second_look: bool = True, fails=None):
    judge = Judge(*labels)
    claims = [Claim(f"p:{n}", "p", "p", "It is so.", 0, 9) for n in range(len(labels))]
    state = State(
        config=SimpleNamespace(
            judge=SimpleNamespace(second_look=second_look),
            risk_tolerance=RiskTolerance(),
            limits=Limits(concurrency=1),
        ),
        tools=SimpleNamespace(judge=judge, budget=None),
        prompts=[Prompt("p", "How long?")],
        responses=[Answer("p", "p", TEXT)],
        claims=claims,
        evidence={claim.id: (Evidence("a.md", 1, TEXT, 1.0, "", (1,)),) for claim in claims},
        failures=[],
        void=[],
    )
    if fails:
        with pytest.raises(fails):
            verify_claims(state)
    else:
        verify_claims(state)
    return state["verdicts"], [call for call in judge.asked if call[0]]


def test_two_looks_that_agree_are_enough() -> None:
    verdicts, asked = run(*[GOOD] * 3, (WEAK, WEAK))
    assert asked == [(1, "p:3")]
    assert verdicts[3].label is WEAK
    assert verdicts[3].justification == "Because. (judged 2 times: weakly supported, weakly supported)"
    assert verdicts[0].justification == "Because."


@pytest.mark.parametrize(
    ("looks", "label"),
    [((WEAK, GOOD, GOOD), GOOD), ((WEAK, BAD, BAD), BAD), ((WEAK, GOOD, WEAK), WEAK), ((WEAK, GOOD, BAD), WEAK)],
)
def test_a_third_decides_where_two_differ(looks, label) -> None:
    verdicts, asked = run(*[GOOD] * 3, looks)
    assert asked == [(1, "p:3"), (2, "p:3")]
    assert verdicts[3].label is label


def test_nothing_is_asked_where_the_decision_stays() -> None:
    assert run(*[GOOD] * 10, (WEAK, GOOD))[1] == []  # 0.045, at worst 0.09: deploy
    assert run(*[BAD] * 9, (WEAK, GOOD))[1] == []
    assert run(*[GOOD] * 4)[1] == []


def test_nothing_is_asked_unless_the_configuration_asks_for_it() -> None:
    verdicts, asked = run(*[GOOD] * 3, (WEAK, GOOD), second_look=False)
    assert asked == []
    assert verdicts[3].label is WEAK


def test_a_look_that_fails_or_labels_nothing_changes_nothing() -> None:
    for lost in (BadReplyError("no JSON"), LOST):
        verdicts, _ = run(*[GOOD] * 3, (WEAK, lost, lost))
        assert verdicts[3].label is WEAK
        assert verdicts[3].justification == "Because."


def test_a_limit_ends_the_asking_and_keeps_all_labels() -> None:
    verdicts, _ = run(*[GOOD] * 3, (WEAK, LimitError("used up")), fails=LimitError)
    assert [verdict.label for verdict in verdicts] == [GOOD, GOOD, GOOD, WEAK]
