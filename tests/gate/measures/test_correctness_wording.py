"""Long answers in quite other words pass at 4.0, and answers with one thing wrong do not, however near their words."""

from statistics import fmean

import pytest

from gate.config_measures import Correctness
from gate.measures.base import Case, Outcome
from gate.measures.correctness import read
from gate.records import Answer, Prompt
from tests.support.real_bench import bench

# question, reference, the same in other words, nearly the same and wrong
PASS = 4.0
TABLE = [
    (
        "How do I reset the boiler?",
        "Press and hold the red button for five seconds. The display then shows the letter P, and the boiler starts "
        "again after two minutes.",
        "Keep the red button pushed for 5 seconds until P appears on the screen; two minutes later the boiler comes "
        "back on.",
        "Press and hold the red button for fifteen seconds. The display then shows the letter P, and the boiler starts "
        "again after two minutes.",
    ),
    (
        "When will I get my refund?",
        "We refund the purchase price within ten working days after the parcel has reached our warehouse. Shipping "
        "costs are not refunded.",
        "Once the parcel is back at our warehouse you'll have the purchase price back in at most ten working days. You "
        "won't get the shipping costs back, though.",
        "We refund the purchase price and the shipping costs within ten working days after the parcel has reached our "
        "warehouse.",
    ),
    (
        "Can I change the colour of the theme?",
        "Themes can be changed by administrators only. Open Settings, choose Appearance and pick one of the six "
        "palettes.",
        "Only administrators can do that: go to Settings, then Appearance, and select any of the six palettes.",
        "Every member can change themes. Open Settings, choose Appearance and pick one of the six palettes.",
    ),
    (
        "What happens to my data when I close the account?",
        "All files are deleted 30 days after the account is closed. Until then you can reopen the account and find "
        "everything as it was.",
        "Your files are kept for 30 days after you close the account and are then deleted. If you reopen it before "
        "that, everything is still there.",
        "All files are deleted as soon as the account is closed. You can reopen the account within 30 days, but it "
        "will be empty.",
    ),
    (
        "How are night shifts paid?",
        "Work between 22:00 and 6:00 is paid with a supplement of 25 percent. The supplement is free of tax.",
        "For hours worked from 22:00 to 6:00 employees receive 25 % on top, and no tax is due on this supplement.",
        "Work between 22:00 and 6:00 is paid with a supplement of 25 percent. The supplement is taxed like the wage.",
    ),
    (
        "How does the parser treat duplicate keys?",
        "If a key occurs twice, the parser keeps the last value and logs a warning. In strict mode it raises a "
        "`DuplicateKeyError` instead.",
        "By default the last value of a repeated key wins and a warning is logged; with strict mode on, a "
        "`DuplicateKeyError` is raised.",
        "If a key occurs twice, the parser keeps the first value and logs a warning. In strict mode it raises a "
        "`DuplicateKeyError` instead.",
    ),
    (
        "Is breakfast included?",
        "Breakfast is included in the price of every room. It is served from 7 to 10 in the garden hall.",
        "Yes, whichever room you book, the price covers breakfast. You can have it in the garden hall between 7 and "
        "10.",
        "No, breakfast is not included in the price of the room. It is served from 7 to 10 in the garden hall.",
    ),
    (
        "How do I make the pump run at night?",
        "The pump is off at night by default. Set `night_mode` to `on` and give the hours in `night_hours`.",
        "At night the pump does not run unless you switch it on: put `night_mode` to `on` and list the hours under "
        "`night_hours`.",
        "The pump is on at night by default. Set `night_mode` to `off` and give the hours in `night_hours`.",
    ),
    (
        "Who may park in the yard?",
        "Residents with a green badge may park in the yard. Visitors have to use the street, except on Sundays.",
        "You need a green badge and must be a resident to park in the yard. Visitors park on the street, but on "
        "Sundays they need not.",
        "Residents and visitors with a green badge may park in the yard, except on Sundays.",
    ),
    (
        "How often should the filter be cleaned?",
        "Clean the filter once a month with warm water. Do not use soap, because it blocks the pores.",
        "The filter needs cleaning every month. Use warm water without soap, since soap clogs the pores.",
        "Clean the filter once a month with warm water and soap, because dirt blocks the pores.",
    ),
    (
        "What does the Team plan cost?",
        "The Team plan costs Rs 2,400 a month for up to ten people. Every further person costs Rs 200.",
        "You pay Rs 2400 per month for the Team plan, which covers as many as 10 people; each additional person is "
        "Rs 200.",
        "The Team plan costs Rs 2,400 a month for up to twenty people. Every further person costs Rs 200.",
    ),
    (
        "Why does the sync fail?",
        "The sync fails when both devices change the same note while they are offline. The app then keeps both "
        "versions and marks the note with a star.",
        "It fails if the same note was edited on both devices without a connection. In that case both versions are "
        "kept, and a star marks the note.",
        "The sync fails when both devices change the same note while they are offline. The app then keeps the newer "
        "version and marks the note with a star.",
    ),
    (
        "How do I cancel an order?",
        "You can cancel an order until it is packed. Afterwards only a return is possible, for which we pay the "
        "postage.",
        "An order can be cancelled as long as it hasn't been packed. After that you can only send it back, and we "
        "cover the postage.",
        "You can cancel an order until it is packed. Afterwards only a return is possible, for which you pay the "
        "postage.",
    ),
    (
        "How many retries does the client make?",
        "The client retries a failed call three times and waits one second longer before each. Calls that change data "
        "are never retried.",
        "A call that fails is tried again up to three times, each wait being a second longer than the one before. "
        "Data-changing calls aren't repeated at all.",
        "The client retries a failed call three times and waits one second longer before each. Calls that read data "
        "are never retried.",
    ),
    (
        "What must I bring to the exam?",
        "Bring your identity card and a pencil. Calculators, phones and dictionaries are not allowed.",
        "You need a pencil and your identity card with you. You may not use a phone, a calculator or a dictionary.",
        "Bring your identity card and a pencil. Calculators and dictionaries are allowed, phones are not.",
    ),
]  # fmt: skip


def grade(question: str, reference: str, answer: str) -> tuple[float, str]:
    case = Case(Prompt("p", question, reference=reference), Answer("p", "p", answer))
    (rating,) = read(Outcome((case,)), Correctness(), bench()).ratings
    return rating.value, rating.why


def test_most_right_ones_pass_and_most_wrong_ones_do_not() -> None:
    """The local judge is no reader of every turn of phrase: what is asked for is what it could do, not all."""
    right = [grade(question, reference, text)[0] for question, reference, text, _ in TABLE]
    wrong = [grade(question, reference, text)[0] for question, reference, _, text in TABLE]
    assert sum(value >= PASS for value in right) >= 11
    assert sum(value < PASS for value in wrong) >= 9
    assert fmean(right) - fmean(wrong) >= 0.9


@pytest.mark.parametrize(
    ("place", "told"), [(5, "the first value"), (12, "you pay the postage"), (13, "Calls that read data")]
)
def test_the_reason_names_what_was_exchanged(place, told) -> None:
    question, reference, _, wrong = TABLE[place]
    value, why = grade(question, reference, wrong)
    assert value < PASS
    assert told in why
