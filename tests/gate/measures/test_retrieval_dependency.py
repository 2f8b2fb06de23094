"""An answer that stays the same without its evidence, or against it, comes from memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.generation.probes_evidence import contradicted
from gate.measures.retrieval_dependency import APART, NONE, NOTHING, UNASKED, read
from tests.support.probed import joined, outcome
from tests.support.real_bench import bench

LINE = 0.5
FEE, LOCK, USER = "What does the card cost?", "Is the child lock on by default?", "How do I update a user?"
PRICE, REFUSAL = "The card costs Rs 800.", "I don't have that information."
OFF = "The child lock is off by default."
KIT = "The kit holds 5 parts: a pump, a hose, a valve, a filter and a gauge."
PATCH = "Send `PATCH /users/{id}` to update a user."
LONG = " ".join(f"Station {n} opens at {n % 12 + 1} and sells {n} kinds of fuel." for n in range(1, 20))
# question, evidence, answer, answer without it, answer against it, whether it depends on it
CASES = [
    ("declines, follows", FEE, PRICE, PRICE, REFUSAL, "The card costs Rs 1200.", True),
    ("memory", FEE, PRICE, PRICE, PRICE, PRICE, False),
    ("memory in other words", FEE, PRICE, PRICE, "You pay Rs 800 for the card.", "Rs 800", False),
    ("guesses", FEE, PRICE, PRICE, "The card costs Rs 50.", "The card costs Rs 1200.", True),
    ("declines both", FEE, PRICE, PRICE, REFUSAL, "The sources do not agree, so I can't say.", True),
    ("says nothing without it, follows", FEE, PRICE, PRICE, "", "The card costs Rs 1200.", True),
    ("says nothing either way", FEE, PRICE, PRICE, "", " \n", True),
    ("short", FEE, PRICE, "Rs 800", REFUSAL, "Rs 1200", True),
    ("short from memory", FEE, PRICE, "Rs 800", "Rs 800", "Rs 800", False),
    ("no", LOCK, OFF, "No, it is off by default.", REFUSAL, "Yes, it is on by default.", True),
    ("no from memory", LOCK, OFF, "No, the child lock is off by default.", "No, it is off by default.", OFF, False),
    ("code", USER, PATCH, PATCH, REFUSAL, "Send `PUT /users/{id}` to update a user.", True),
    ("code from memory", USER, PATCH, PATCH, PATCH, PATCH, False),
    ("list", "How many parts are in the kit?", KIT, KIT, REFUSAL, KIT.replace("5", "7"), True),
    ("list from memory", "How many parts are in the kit?", KIT, KIT, KIT, KIT, False),
    ("not English", "Was kostet die Karte?", "Die Karte kostet 800 Euro.", "Die Karte kostet 800 Euro.",
     "Das weiß ich leider nicht.", "Die Karte kostet 1200 Euro.", True),
    ("not English, memory", "Was kostet die Karte?", "Die Karte kostet 800 Euro.", "Die Karte kostet 800 Euro.",
     "Die Karte kostet 800 Euro.", "Die Karte kostet 800 Euro.", False),
    ("very long", "When do stations open?", LONG, LONG, REFUSAL, None, True),
    ("very long, memory", "When do stations open?", LONG, LONG, LONG, None, False),
]  # fmt: skip


def asked(question, evidence, answer, without, against, prompt_id="p"):
    turned = contradicted(question, evidence, [evidence])
    probes = {"withheld": without, **({"contradicted": against} if against else {})}
    return outcome("retrieval_dependency", question, [answer], probes, [evidence], turned or (), prompt_id)


@pytest.mark.parametrize("case", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_known_cases(case):
    *parts, depends = case
    (rating,) = read(asked(*parts), None, bench()).ratings
    assert rating.value == float(depends), rating
    assert set(rating.parts) == {"withheld", "contradicted"} - ({"contradicted"} if parts[-1] is None else set())
    assert ("from memory" in rating.why) != depends


def test_a_fact_of_many_that_is_turned_counts_alone():
    evidence = "The card costs Rs 800. It is blue. It is valid for two years. It works abroad."
    turned = evidence.replace("800", "1200")
    run = outcome(
        "retrieval_dependency",
        FEE,
        [evidence],
        {"withheld": REFUSAL, "contradicted": turned},
        [evidence],
        [turned],
    )
    (rating,) = read(run, None, bench()).ratings
    assert rating.parts == {"withheld": 1.0, "contradicted": 1.0}
    assert rating.why == f'it declines without its evidence: "{PRICE}" is gone'


def test_other_words_of_another_language_are_no_other_facts():
    """The local tools do not read it: that it changed is not known, and does not pass."""
    said = "Die Karte ist für Studenten kostenlos und wird mit der Post verschickt."
    otherwise = "Wer studiert, zahlt nichts und bekommt sie im Brief."
    reading = read(asked("Was kostet die Karte?", said, said, otherwise, None), None, bench())
    assert reading.ratings == ()
    assert "not in English" in reading.unjudged["p"]


def test_half_from_memory():
    (rating,) = read(asked(FEE, PRICE, PRICE, REFUSAL, PRICE), None, bench()).ratings
    assert (rating.value, rating.parts) == (0.5, {"withheld": 1.0, "contradicted": 0.0})
    assert rating.why == f'it says the same against its evidence, from memory: "{PRICE}"'


def test_where_nothing_can_be_seen_it_says_why():
    bare = outcome("retrieval_dependency", FEE, [PRICE], prompt_id="a")
    declined = asked(FEE, PRICE, REFUSAL, REFUSAL, REFUSAL, "b")
    apart = outcome(
        "retrieval_dependency", FEE, ["Cats sleep."], {"contradicted": "x"}, [PRICE], ["The card costs Rs 9."], "c"
    )
    lost = outcome("retrieval_dependency", FEE, [PRICE], {"withheld": None}, [PRICE], prompt_id="d")
    empty = asked(FEE, PRICE, "", "", "", "f")
    unasked = outcome("retrieval_dependency", FEE, [PRICE], contexts=[PRICE], prompt_id="e")
    reading = read(joined(bare, declined, apart, lost, unasked, empty), None, bench())
    assert reading.ratings == ()
    assert reading.skipped == {"a": NONE, "b": NOTHING, "c": APART, "e": UNASKED, "f": NOTHING}
    assert "evaluation.probes" in UNASKED
    assert reading.unjudged == {"d": "its probe withheld was not answered"}


SAID = st.sampled_from([PRICE, "Rs 800", "The card costs Rs 1200.", "Cats sleep.", REFUSAL])


@settings(max_examples=25, deadline=None)
@given(SAID, SAID)
def test_it_is_a_share_of_two_and_who_says_the_same_has_none(without, against):
    (rating,) = read(asked(FEE, PRICE, PRICE, without, against), None, bench()).ratings
    assert rating.value in (0.0, 0.5, 1.0)
    if without == against == PRICE:
        assert rating.value == 0.0
    if without == against == REFUSAL:
        assert rating.value == 1.0
