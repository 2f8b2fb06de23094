"""Which statements say what they are about only by what was said before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.leaning import half, later, leans, pronoun

LEANS = """It sails at noon.
You can tow it at the pier.
Give it a rope and it holds.
They differ in length.
Both carry coal.
Both of them carry coal.
This isn't counted.
That's up to the pilot.
Those never sink.
Its mast is of oak.
By default that's noon.
If it doesn't, the pilot waits.
The others don't.
One of the others takes the helm.
It sinks the boat in the other two.
The pilot still is.
Barges and rafts are not.
So is the raft.
You can, provided the tide is high.
The fare grows by 2.
A raft can carry no more than 15.
The raft always waits just that long.
The pilot pays for anything above that.
The pilot waits in the latter case.
To board the latter you need a ticket.
For the second you pay at the pier.
Half of it is paid back.
If these are full, the pilot waits.
Neither carries coal.
Setting it to 0 stops the raft.
You needn't be.
You don't have to."""
STANDS = """The barge sails when it is loaded.
It is possible to wait.
It's only after noon that the bridge opens.
When it is full, the barge leaves.
The barge can be towed where it lies.
Those who wait are paid.
That barge sails at noon.
This way of towing is safe.
IT repairs the barge.
`tow()` waits until it is called.
You can take the barge and tow it.
The bridge opens at 9.
The fare is 5.
The barge is, by and large, dry.
There is a pier.
The pilot waits for the latter half of the year.
For the second trip you pay at the pier.
Neither barge carries coal.
If these barges are full, the pilot waits.
The other barge is red.
The captain of the barge decides what it may carry."""


@pytest.mark.parametrize("text", LEANS.splitlines())
def test_leaning(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize("text", STANDS.splitlines())
def test_standing(text: str) -> None:
    assert not leans(text)


@pytest.mark.parametrize(
    "text",
    ["After that, the crew rests.", "From there you see the sea.", "Then leave from there.", "If it sinks, you pay."],
)
def test_what_follows_on(text: str) -> None:
    assert later(text)
    assert not later("After noon, the crew rests.")


def test_where_the_pronoun_stands() -> None:
    assert pronoun("You can tow it.") == 12
    assert pronoun("The barge is dry.") == -1
    assert pronoun("") == -1
    assert not half("")


WORDS = "it they the barge , is not other two `x` if by 5 . that tow"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=15))
def test_any_words_can_be_read(words: list[str]) -> None:
    text = " ".join(words)
    assert leans(text) in (True, False)
    assert pronoun(text) < len(text) or not text
