"""Declining is right where the evidence is not there, and wrong where it is; the same the other way round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import AtLeast
from gate.judges.base import Support
from gate.measures.abstention import SURE, UNREAD, borne_out, enough, rate_abstention
from gate.measures.base import Answered, Case
from gate.records import Answer, Claim, Label, Prompt, Quote, Verdict
from tests.support.measured import REFUSAL, Said, Tools

NO = REFUSAL
FEE = "The Blue card costs Rs 800 a year. Renewal is free for students."
POST = "Parcels are delivered from Monday to Friday. Large items need an appointment."
ASKED = "The Blue card costs what a year?"
WHO = "Who founded the company?"
SAYS = "The Blue card costs Rs 800 a year."
# question, answer, contexts, reference, whether that is right
KNOWN = [
    (ASKED, NO, (FEE,), None, False),
    (ASKED, NO, (POST,), None, True),
    (ASKED, "The Blue card costs Rs 800.", (FEE,), None, True),
    (ASKED, "The Blue card costs Rs 950.", (POST,), None, False),
    (ASKED, NO, (), SAYS, False),
    (ASKED, NO, (FEE,), "", True),
    (ASKED, "Rs 800", (FEE,), NO, False),
    (ASKED, "", (FEE,), None, False),
]


def rated(question, answer, contexts=(), reference=None, *, verdicts=(), documents=()):
    case = Case(Prompt("p", question, reference=reference), Answer("p", "p", answer), contexts, verdicts=verdicts)
    return rate_abstention(Answered((case,)), AtLeast(), Tools(documents=documents))


@pytest.mark.parametrize(("question", "answer", "contexts", "reference", "right"), KNOWN)
def test_known_cases(question, answer, contexts, reference, right) -> None:
    (rating,) = rated(question, answer, contexts, reference).ratings
    assert rating.value == float(right), rating.why
    assert 0 < len(rating.why) <= 300


def test_without_contexts_the_documents_count() -> None:
    assert rated(ASKED, NO, documents=(POST, FEE)).ratings[0].value == 0.0
    assert rated(ASKED, NO, documents=(POST,)).ratings[0].value == 1.0
    assert "documents say" in rated(ASKED, NO, documents=(POST, FEE)).ratings[0].why


def test_a_claim_that_the_documents_bear_out_is_no_wrong_answer() -> None:
    claim = Claim("p:0", "p", "p", SAYS, 0, len(SAYS))
    good = Verdict(claim, Label.SUPPORTED, "", evidence=(Quote("fees.md", 3, SAYS, 1.0),))
    (rating,) = rated(ASKED, SAYS, (POST,), verdicts=(good,)).ratings
    assert rating.value == 1.0
    assert "fees.md, line 3" in rating.why


@pytest.mark.parametrize(
    ("labels", "right"),
    [
        (((Label.SUPPORTED, 0.6), (Label.UNSUPPORTED, 0.1), (Label.UNSUPPORTED, 0.1)), 0.0),
        (((Label.WEAKLY_SUPPORTED, 0.5), (Label.WEAKLY_SUPPORTED, 0.5)), 0.0),
        (((Label.SUPPORTED, 0.6), (Label.SUPPORTED, 0.6), (Label.UNSUPPORTED, 0.1)), 1.0),
        (((Label.SUPPORTED, 0.9), (Label.UNSUPPORTED, 0.1), (Label.UNSUPPORTED, 0.1)), 1.0),
    ],
)
def test_one_verdict_that_is_hardly_supported_is_no_evidence(labels, right) -> None:
    verdicts = tuple(
        Verdict(Claim(f"p:{n}", "p", "p", SAYS, 0, len(SAYS)), label, "", support=support)
        for n, (label, support) in enumerate(labels)
    )
    (rating,) = rated(WHO, "It was founded by Anna Berg in 1987.", (FEE, POST), verdicts=verdicts).ratings
    assert rating.value == right, rating.why


def test_what_cannot_be_told_is_unjudged_and_never_a_half() -> None:
    unsure = rated("Was kostet die Karte?", NO, ("Die Karte kostet 800 Rupien im Jahr.",))
    assert unsure.ratings == ()
    assert "cannot be told" in unsure.unjudged["p"]


@pytest.mark.parametrize("answer", ["Sie verlangen 800 Rupien für die Karte.", NO])
def test_contexts_that_cannot_be_read_do_not_say_that_the_evidence_is_missing(answer) -> None:
    fee = "Für die blaue Karte werden im Jahr genau 800 Rupien fällig."
    german = rated("Was kostet die Karte?", answer, (fee,), "Die Karte kostet im Jahr 800 Rupien.")
    assert german.ratings == ()
    assert "not in English" in german.unjudged["p"]
    assert rated(ASKED, answer, (POST, fee), SAYS).unjudged == {"p": UNREAD}


TEXT = "The pump runs at 40 watts. The tank holds five litres. The hose is blue. The lid is made of steel."
TEXTS = ("The pump draws 40 watts.", "The tank takes five litres.", "The hose is a blue one.", "Steel makes the lid.")
CLAIMS = tuple(Said(text, "What is so?") for text in TEXTS)


def judge(**chances: float) -> Tools:
    """Bears out the claims that are named, with these probabilities, and no other."""
    labels = dict.fromkeys(TEXTS, Support(Label.UNSUPPORTED, False, 0.1))
    named = {TEXTS[int(name[1:])]: Support(Label.SUPPORTED, False, chance) for name, chance in chances.items()}
    return Tools(labels=labels | named)


@pytest.mark.parametrize(
    ("chances", "found"),
    [
        ({}, ""),
        ({"c2": 0.79}, ""),
        ({"c2": 0.8}, TEXTS[2]),
        ({"c1": 0.6, "c2": 0.7}, TEXTS[2]),
    ],
)
def test_one_surely_or_two(chances, found) -> None:
    assert borne_out(CLAIMS, (TEXT,), judge(**chances)) == found


def test_all_of_a_single_claim_and_what_stands_word_by_word() -> None:
    assert borne_out(CLAIMS[:1], (TEXT,), judge(c0=0.6)) == TEXTS[0]
    stated = [Said(text, "") for text in ("The pump is red.", "The hose is blue.", "The lid is of glass.")]
    assert borne_out(stated, (TEXT,), judge()) == "The hose is blue."
    assert borne_out((), (TEXT,), judge()) == borne_out(CLAIMS, (), judge(c0=0.9)) == ""


@given(st.integers(1, 60), st.data(), st.floats(0, 1))
def test_more_support_never_takes_the_evidence_away(claims, data, chance) -> None:
    borne = data.draw(st.integers(0, claims))
    if enough(borne, claims, chance):
        assert enough(min(borne + 1, claims), claims, chance)
        assert enough(borne, claims, max(chance, SURE))
