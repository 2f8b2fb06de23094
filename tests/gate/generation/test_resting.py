"""A question rests on what it cites: kept if the sentences answer it, dropped if they speak of something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.generation.resting import rests


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("How much does the pump cost?", "The pump costs Rs 800."),
        ("What is the price of the pump?", "The pump costs Rs 800."),
        ("What does delivery cost?", "Delivery is Rs 40."),
        ("How much is breakfast?", "Breakfast is included for guests."),
        ("Can I return goods?", "Goods can be returned within 30 days."),
        ("Can I return an unopened lamp after 40 days?", "Unopened lamps can be returned within 30 days."),
        ("When is breakfast served?", "Breakfast is served from 7 to 10."),
        ("When does the pump start?", "The pump starts by default at 06:00 every morning."),
        ("How long is the warranty?", "The warranty runs for two years."),
        ("How many devices can I use?", "At most five devices can be used at once."),
        ("Who installs the pump?", "The pump is installed by a technician."),
        ("Who founded the company?", "Marie Curie founded the company in 1998."),
        ("Who may enter the lab?", "Only members may enter the lab."),
        ("Why must the filter be cleaned?", "Clean the filter weekly, because a dirty filter damages the pump."),
        ("Which countries do you ship to?", "We ship to India and Nepal."),
        ("Which cards are accepted?", "We accept Visa and Mastercard."),
        ("What colour is the light when the pump runs dry?", "If the pump runs dry, a red light blinks."),
        ("Are pets allowed?", "Pets must stay at home."),
        ("Is breakfast included?", "Breakfast is included in the price."),
        ("How do I clean the filter?", "Rinse the filter with warm water and clean the lid."),
        ("What happens if the tank is empty?", "If the tank is empty, the pump stops."),
        ("How many technicians are needed to install the pump?", "The pump must be installed by two technicians."),
        ("How far is the airport?", "The airport is 12 km away."),
        ("What is the daily limit for withdrawals?", "Withdrawals are limited to Rs 5000 a day."),
        ("How heavy is the pump?", "The pump weighs 3 kg."),
        ("Does the warranty cover hard water damage?", "Damage from hard water is excluded from the warranty."),
        ("What does E18 mean?", "E18 means that the water does not drain away."),
        ("What is a deductible?", "A deductible is the part of a claim that you pay yourself."),
        ("How often should the filter be cleaned?", "The filter should be cleaned every week."),
        ("Which status code does a missing order return?", "The server returns 404 for a missing order."),
        ("What is the default timeout?", "The timeout is five seconds by default."),
        ("Is there a fee for late payment?", "A fee of Rs 50 is charged for late payment."),
        (
            "What is the maximum number of retries that the client makes by default?",
            "The client makes at most three retries by default.",
        ),
        ("How can I change the password of my account?", "You can change your password under Account > Security."),
        (
            "What should I do if my card is lost or stolen?",
            "If your card is lost or stolen, block it in the app at once.",
        ),
        ("Does the free plan include support by phone?", "The free plan includes support by email only."),
        (
            "What documents do I need to open a savings account?",
            "To open a savings account you need a passport and a proof of address.",
        ),
        ("Is smoking permitted on the balcony?", "Smoking is not allowed anywhere, including balconies."),
        ("How soon will I get my refund?", "Refunds are paid within 5 working days."),
        ("Who is eligible for the student discount?", "Students under 26 are eligible for the discount."),
        ("What languages does the support team speak?", "The support team speaks English and Hindi."),
        ("How many guests can stay in the family room?", "The family room sleeps four guests."),
        (
            "What happens to unused leave at the end of the year?",
            "Up to five days of unused leave carry over to the next year.",
        ),
        (
            "Why does the machine stop during the spin cycle?",
            "The machine stops during spinning when the load is uneven.",
        ),
        ("Which timeout applies if none is set?", "If no timeout is set, five seconds apply."),
        ("How do I descale the kettle?", "To descale the kettle, boil a litre of water with vinegar."),
        ("When will my subscription be renewed?", "Subscriptions are renewed on the first day of each month."),
        ("What is the notice period for cancelling?", "You can cancel with a notice of 30 days."),
        ("Does it work offline?", "The app works offline for up to 7 days."),
        ("What temperature does the oven reach?", "The oven reaches 250 degrees."),
        ("What is the deductible for dental treatment?", "Dental treatment has a deductible of Rs 500."),
        ("Where can I park?", "Parking for guests is behind the hotel."),
        ("Am I charged for children under six?", "Children under six travel free of charge."),
    ],
)
def test_a_question_that_its_sentences_answer_is_kept(question, cited):
    assert rests(question, cited, "Terms", "docs/terms.md")


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("What colour is the pump?", "The pump costs Rs 800."),
        ("Who designed the tank?", "If the tank is empty, the pump stops."),
        ("Who designed the tank?", "If the tank is empty, call a technician."),
        ("How many technicians are needed to install the pump?", "The pump must be installed on a flat floor."),
        ("What pump sings opera?", "The pump costs Rs 800."),
        ("How purple is the Tuesday of the pump?", "The pump costs Rs 800."),
        ("How many technicians does the pump need?", "The pump costs Rs 800."),
        ("How heavy is the tank?", "The tank costs Rs 800."),
        ("What does the tank cost?", "The tank holds 40 litres."),
        ("What colour does the pump have?", "The pump costs Rs 800."),
        ("When was the pump designed?", "The pump is green."),
        ("Why is the pump green?", "The pump is green."),
        ("Is the pump green?", "The pump costs Rs 800."),
        ("Which wines go with oysters?", "The pump runs for an hour."),
        ("???", "The pump runs."),
        ("How do I paint the pump?", "The pump must stay closed."),
        ("How long is the warranty?", "The pump runs for two hours."),
        ("Who repairs the pump?", "The pump is repaired quickly."),
        ("What is the capital of France?", "The capital letter is required in names."),
        ("Who wrote the manual?", "The manual explains how users install the pump."),
        ("How long does shipping to Canada take?", "Shipping to Canada costs Rs 900."),
        ("Can the pump be used under water?", "The pump must be cleaned weekly."),
        ("What material is the tank made of?", "The tank is empty at night."),
        ("How many litres does the tank hold?", "The tank costs Rs 900."),
        ("Why was the tank moved?", "The tank holds 40 litres."),
        ("Is the warranty transferable?", "The warranty lasts two years."),
        ("Where is the factory located?", "The factory makes 40 pumps a day."),
    ],
)
def test_one_that_they_do_not_answer_is_dropped(question, cited):
    assert not rests(question, cited, "Terms", "docs/terms.md")


def test_the_heading_and_the_name_of_the_document_say_what_a_sentence_is_about():
    cited = "Open the settings and choose a new one."
    assert rests("How do I reset the password in the settings?", cited, "Reset the password", "a.md")
    assert rests("How do I reset the password in the settings?", cited, "", "help/reset_password.md")
    assert not rests("How do I reset the password in the settings?", cited, "", "a.md")


@given(st.text(max_size=60), st.text(max_size=80))
def test_whatever_is_asked_nothing_rests_on_nothing(question, cited):
    assert not rests(question, "", "", "a.md")
    assert rests(question, cited, "", "a.md") in (True, False)
