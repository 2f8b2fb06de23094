"""Claims near the line are judged again, and only where that may change the decision."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.agents.verify_claims import near, verify_claims, worth_judging_again
from gate.errors import BadReplyError, LimitError
from gate.records import Claim, Decision, Evidence, JudgeInfo, Label, Quote, Verdict
from gate.statistics.intervals import WEIGHTS
from tests.support.states import state_of

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

    def verdict(self, item, look):
        said = self.labels[int(item.claim.id.split(":")[1])]
        label = said[look] if isinstance(said, tuple) else said
        if isinstance(label, Exception):
            raise label
        return Verdict(item.claim, label, "Because.", evidence=(Quote("a.md", 1, TEXT, 1.0),))

    def info(self):
        return JudgeInfo("fake", "", "")


def run(*labels, second_look=True):
    """The state, and the claims that were looked at again; a limit ends it."""
    judge = Judge(*labels)
    claims = [Claim(f"p:{n}", "p", "p", "It is so.", 0, 9) for n in range(len(labels))]
    settings = {"provider": "ollama", "model_id": "m", "second_look": second_look}
    state = state_of({"judge": judge}, {"judge": settings, "limits": {"concurrency": 1}}, claims=claims)
    state["evidence"] = {claim.id: (Evidence("a.md", 1, TEXT, 1.0, "", (1,)),) for claim in claims}
    try:
        verify_claims(state)
    except LimitError as error:
        state["limit"] = error.message
    return state, [call for call in judge.asked if call[0]]


def test_two_looks_that_agree_are_enough():
    state, asked = run(*[GOOD] * 3, (WEAK, WEAK))
    assert asked == [(1, "p:3")]
    first, last = state["verdicts"][0], state["verdicts"][3]
    assert (last.label, first.justification) == (WEAK, "Because.")
    assert last.justification == "Because. (judged 2 times: weakly supported, weakly supported)"
    state, asked = run(*[GOOD] * 3, (WEAK, GOOD), second_look=False)
    assert (asked, state["verdicts"][3].label) == ([], WEAK)


@pytest.mark.parametrize(
    ("looks", "label"),
    [((WEAK, GOOD, GOOD), GOOD), ((WEAK, BAD, BAD), BAD), ((WEAK, GOOD, WEAK), WEAK), ((WEAK, GOOD, BAD), WEAK)],
)
def test_a_third_decides_where_two_differ(looks, label):
    state, asked = run(*[GOOD] * 3, looks)
    assert asked == [(1, "p:3"), (2, "p:3")]
    assert state["verdicts"][3].label is label


@pytest.mark.parametrize("lost", [BadReplyError("no JSON"), LOST, LimitError("used up")])
def test_a_look_that_fails_labels_nothing_or_meets_a_limit_changes_nothing(lost):
    state, _ = run(*[GOOD] * 3, (WEAK, lost, lost))
    assert [verdict.label for verdict in state["verdicts"]] == [GOOD, GOOD, GOOD, WEAK]
    assert state["verdicts"][3].justification == "Because."
    assert ("limit" in state) == isinstance(lost, LimitError)


def verdict(n, label, support=None):
    return Verdict(Claim(f"p:{n}", "p", "p", "It is so.", 0, 9), label, "", support=support)


def decision(verdicts):
    risk = sum(WEIGHTS[one.label] for one in verdicts) / len(verdicts)
    return Decision.DEPLOY if risk <= 0.1 else Decision.WARN if risk <= 0.25 else Decision.BLOCK


def test_only_what_may_change_the_decision_is_judged_again():
    sure = [verdict(n, GOOD, 0.99) for n in range(9)]
    assert worth_judging_again([*sure, verdict(9, WEAK, 0.5)], decision) == ()  # risk 0.05; at worst 0.1
    assert worth_judging_again([*sure[:8], verdict(8, WEAK, 0.45), verdict(9, WEAK, 0.5)], decision) == ("p:9", "p:8")
    bad = [verdict(n, BAD, 0.01) for n in range(9)]
    assert worth_judging_again([*bad, verdict(9, WEAK, 0.5)], decision) == ()  # blocked, whatever it is
    # risk 0.1, deploy: the last one as unsupported makes 0.2; it cannot get better than supported.
    assert worth_judging_again([*sure[:8], verdict(8, BAD, 0.01), verdict(9, GOOD, 0.6)], decision) == ("p:9",)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from((GOOD, WEAK, BAD)), st.floats(0, 1)), min_size=1, max_size=12))
def test_where_nothing_is_worth_it_no_labels_of_the_unsure_change_the_decision(rows):
    verdicts = [verdict(n, label, chance) for n, (label, chance) in enumerate(rows)]
    unsure = {one.claim.id for one in verdicts if near(one)}
    worth = worth_judging_again(verdicts, decision)
    assert set(worth) <= unsure
    assert len(set(worth)) == len(worth)
    for label in (GOOD, WEAK, BAD):
        other = [verdict(n, label if one.claim.id in unsure else one.label) for n, one in enumerate(verdicts)]
        assert worth or decision(other) is decision(verdicts)
