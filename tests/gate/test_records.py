"""The records: frozen, without room for more, compared by value, and a ledger that proves its balance."""

import copy
import dataclasses
import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import records
from gate.records import Answer, Claim, Item, JudgeInfo, Ledger, Prompt

KINDS = [kind for _, kind in inspect.getmembers(records, dataclasses.is_dataclass)]
COUNTS = st.integers(0, 50)
CLAIM = Claim("a:0", "a", "a", "The tank is green.", 0, 18)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_record_is_frozen_and_has_slots(kind):
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)


@pytest.mark.parametrize(
    "record",
    [Prompt("a", "What?"), Answer("a#1", "a", "text", 1), CLAIM, Item(CLAIM, ()), Ledger(1, 1, 0, 0, 0)],
    ids=lambda record: type(record).__name__,
)
def test_records_are_values(record):
    same = copy.deepcopy(record)
    assert same == record
    assert hash(same) == hash(record)
    first = dataclasses.fields(record)[0].name
    assert dataclasses.replace(record, **{first: 7}) != record


def test_two_judges_do_not_share_their_counters():
    one, other = JudgeInfo("local", "m", "1"), JudgeInfo("local", "m", "1")
    one.details["pairs"] = 3
    assert other.details == {}


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.integers(-3, 3))
def test_the_ledger_balances_only_if_nothing_was_lost_or_found(supported, weakly, unsupported, unjudged, lost):
    total = supported + weakly + unsupported + unjudged
    book = Ledger(total + lost, supported, weakly, unsupported, unjudged)
    assert book.balanced == (lost == 0)
    assert book.judged == total - unjudged
