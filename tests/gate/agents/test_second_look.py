"""Claims near the line are judged again, and only where that may change the decision."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.agents.verify_claims import near, verify_claims, worth_judging_again
from gate.config import Limits, RiskTolerance
from gate.errors import BadReplyError, LimitError
from gate.records import Answer, Claim, Decision, Evidence, Item, JudgeInfo, Label, Prompt, Quote, Verdict
from gate.state import State
from gate.statistics.intervals import WEIGHTS

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


def verdict(n: int, label: Label, support: float | None = None, answer: str = "p") -> Verdict:
    return Verdict(Claim(f"{answer}:{n}", "p", answer, "It is so.", 0, 9), label, "", support=support)


def decision(verdicts) -> Decision:
    risk = sum(WEIGHTS[one.label] for one in verdicts) / len(verdicts)
    return Decision.DEPLOY if risk <= 0.1 else Decision.WARN if risk <= 0.25 else Decision.BLOCK


def test_only_what_may_change_the_decision_is_judged_again() -> None:
    sure = [verdict(n, GOOD, 0.99) for n in range(9)]
    assert worth_judging_again([*sure, verdict(9, WEAK, 0.5)], decision) == ()  # risk 0.05; at worst 0.1
    assert worth_judging_again([*sure[:8], verdict(8, WEAK, 0.45), verdict(9, WEAK, 0.5)], decision) == ("p:9", "p:8")
    bad = [verdict(n, BAD, 0.01) for n in range(9)]
    assert worth_judging_again([*bad, verdict(9, WEAK, 0.5)], decision) == ()  # blocked, whatever it is


def test_a_label_that_can_only_move_away_from_the_line_is_left() -> None:
    rows = [*(verdict(n, GOOD, 0.99) for n in range(8)), verdict(8, BAD, 0.01), verdict(9, GOOD, 0.6)]
    # risk 0.1, deploy: the last one as unsupported makes 0.2; it cannot get better than supported.
    assert worth_judging_again(rows, decision) == ("p:9",)
    assert worth_judging_again(rows[:9], decision) == ()


labels = st.lists(st.tuples(st.sampled_from((GOOD, WEAK, BAD, LOST)), st.floats(0, 1)), min_size=1, max_size=12)


@settings(max_examples=60)
@given(labels)
def test_where_nothing_is_worth_it_no_labels_of_the_unsure_change_the_decision(rows) -> None:
    verdicts = [verdict(n, label, chance) for n, (label, chance) in enumerate(rows)]
    counted = [one for one in verdicts if one.label is not LOST]
    if not counted:
        return

    def by(found):
        return decision([one for one in found if one.label is not LOST])

    worth = worth_judging_again(verdicts, by)
    assert set(worth) <= {one.claim.id for one in verdicts if near(one)}
    assert len(set(worth)) == len(worth)
    assert worth_judging_again([one for one in verdicts if not near(one)] or verdicts[:0], lambda _: by(counted)) == ()
