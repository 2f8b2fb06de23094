from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.listing import check_listing
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("You can pay by card, invoice and cheque.", "Payment is by card and invoice."),
        ("Exports are CSV, JSON and XML.", "Exports are CSV, JSON and YAML."),
        ("The cover includes theft, fire and flood.", "The policy covers theft and fire."),
        ("Boards can be public, private or shared.", "A board is public or private."),
        ("Support is offered by phone, chat and fax.", "You can reach support by phone and chat."),
        ("It stores data in MySQL, Redis and Oracle.", "Data is stored in MySQL, Redis or SQLite."),
        ("Cheque, card and invoice are accepted.", "We accept card and invoice."),
        ("It runs on Linux, macOS and Solaris.", "It runs on Linux and macOS."),
        ("Tokens carry a name, a scope and a colour.", "Every token has a name and a scope."),
        ("The app speaks English, German, French and Danish.", "The app speaks English, German and French."),
    ],
)
def test_an_item_that_the_list_does_not_have_is_a_sure_finding(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_listing(laid(claim, document))
    assert finding.kind == "listing"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("You can pay by card and invoice.", "Payment is by card, invoice or cheque."),
        ("You can pay by card, invoice and cheque.", "Payment is by card, cheque and invoice."),
        (
            "You can pay by card, invoice and cheque.",
            "Payment is by card and invoice. Cheques are taken at the counter.",
        ),
        ("You can pay by card, invoice and cheque.", "Payment is possible by means such as card and invoice."),
        ("You can pay by card, invoice and cheque.", "Card and invoice are among what we take."),
        ("You can pay by card, invoice and bank transfer.", "Payment is by card, invoice or wire."),
        ("Support is given by phone, mail and chat.", "There is a phone line. There is a chat as well."),
        ("Boards can be public, private or hidden.", "Boards are public."),
        ("You cannot pay by card, invoice or cheque.", "Payment is by card and invoice."),
        ("It runs on Linux, macOS and Windows.", "It runs on Windows and on Linux, and macOS works too."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_listing(laid(claim, document)) == []
