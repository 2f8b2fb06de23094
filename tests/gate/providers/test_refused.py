import pytest

from gate.errors import AskAgainError, BadReplyError
from gate.providers.refused import Refused
from gate.records import Usage

REFUSAL = BadReplyError("no temperature, please", "leave it out", "malformed")


def test_what_is_blamed_for_the_first_time_is_learnt_and_costs_nothing():
    refused = Refused()
    with pytest.raises(AskAgainError) as caught:
        refused.learn(REFUSAL, frozenset({"temperature"}), frozenset())
    assert refused.parts == {"temperature"}
    assert (caught.value.message, caught.value.hint, caught.value.kind) == (REFUSAL.message, REFUSAL.hint, REFUSAL.kind)
    assert caught.value.usage == Usage()


@pytest.mark.parametrize("blamed", [frozenset(), frozenset({"temperature"})])
def test_what_was_minded_already_or_blames_nothing_is_the_refusal_itself(blamed):
    refused = Refused()
    with pytest.raises(BadReplyError) as caught:
        refused.learn(REFUSAL, blamed, frozenset({"temperature"}))
    assert caught.value is REFUSAL
    assert not refused.parts


def test_parts_that_another_thread_learnt_stay():
    refused = Refused()
    for part in ("schema", "temperature"):
        with pytest.raises(AskAgainError):
            refused.learn(REFUSAL, frozenset({part}), frozenset())
    assert refused.parts == {"schema", "temperature"}
