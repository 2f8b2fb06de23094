"""The records: frozen, without room for more, and a ledger that proves its balance."""

import dataclasses
import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import records
from gate.records import Ledger

KINDS = [kind for _, kind in inspect.getmembers(records, dataclasses.is_dataclass)]
COUNTS = st.integers(0, 50)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_record_is_frozen_and_has_slots(kind):
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.integers(-3, 3))
def test_the_ledger_balances_only_if_nothing_was_lost_or_found(supported, weakly, unsupported, unjudged, lost):
    total = supported + weakly + unsupported + unjudged
    book = Ledger(total + lost, supported, weakly, unsupported, unjudged)
    assert book.balanced == (lost == 0)
    assert book.judged == total - unjudged
