"""What each statement takes from those before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.context import Subject
from gate.extraction.extract import extract
from gate.extraction.segments import units
from gate.extraction.statements import Reader
from gate.extraction.talk import claims, replaced
from gate.extraction.wording import names_of

TEXTS = st.lists(
    st.sampled_from(["It is dry. ", "They leak. ", "You can tow it, ", "because it sinks. ", "The raft ", "- ", "\n"]),
    max_size=12,
).map("".join)


def told(answer: str, question: str = "") -> list[str]:
    return [claim.text for claim in claims(Reader(answer, question, units(answer), names_of(answer)))]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("How does a raft move?", "It moves on barrels.", ["The raft moves on barrels."]),
        ("How much is the raft?", "It's 5 crowns for members.", ["The raft is 5 crowns for members."]),
        ("May I name my raft?", "Long answer: it's only possible in May.", ["It's only possible in May."]),
        ("What happens to rafts in May?", "They sink.", ["Rafts sink."]),
        ("May I keep a raft?", "You may tow it home.", ["You may tow the raft home."]),
        ("Which leaks, the raft or the barge?", "Both leak.", ["Both the raft and the barge leak."]),
        (
            "How do rafts and barges differ?",
            "They differ in length. Neither of them is dry.",
            ["Rafts and barges differ in length.", "Neither rafts nor barges is dry."],
        ),
        ("When do they sail?", "It is up to the crew. This isn't so in May.",
         ["It is up to the crew.", "It is up to the crew. This isn't so in May."]),
        ("Does it float in May?", "That is up to the crew.", ["That is up to the crew."]),
        ("Does it float in May?", "I think it does, but only at sea.",
         ["Does it float in May? It does, but only at sea."]),
        ("", "That is up to the crew.", ["That is up to the crew."]),
        ("", "The raft costs 5 crowns. You can tow it home.",
         ["The raft costs 5 crowns.", "You can tow the raft home."]),
        ("", "Ask the crew or the pilot has a look. You can tow it home.",
         ["Ask the crew or the pilot has a look.", "Ask the crew or the pilot has a look. You can tow it home."]),
        ("", "If you pay, the raft is yours. It sails at noon.",
         ["If you pay, the raft is yours.", "The raft sails at noon."]),
        ("", "The raft leaks because its floor is old.", ["The raft leaks because its floor is old."]),
        ("", "A wet raft is slow. A dry one sails well.", ["A wet raft is slow.", "A dry raft sails well."]),
        ("", "After that, the crew rests.", ["After that, the crew rests."]),
        ("", "The raft sank in 2001. Today it floats. Its crew is old.",
         ["The raft sank in 2001.", "Today the raft floats.", "The raft's crew is old."]),
        ("", "Rafts below 5 metres are free. Anything above that is taxed.",
         ["Rafts below 5 metres are free.", "Rafts below 5 metres are free. Anything above that is taxed."]),
        ("", "The fee is 5 crowns. A raft of that size is rare.",
         ["The fee is 5 crowns.", "The fee is 5 crowns. A raft of that size is rare."]),
        ("", "The tenant pays the toll. It is due at noon.",
         ["The tenant pays the toll.", "The tenant pays the toll. It is due at noon."]),
        ("", "The pilot either tows the raft or leaves. The pilot is paid.",
         ["The pilot either tows the raft or leaves.", "The pilot is paid."]),
        ("May I paint the raft?", "Yes, any colour you like. It must be dry.",
         ["May I paint the raft? Yes, any colour you like.", "The raft must be dry."]),
        ("", "There are a raft and a barge. The former costs 5 crowns.",
         ["There are a raft and a barge.", "There are a raft and a barge. The former costs 5 crowns."]),
        ("", "`tow 2024-05-01` brings the last raft before that date.",
         ["`tow 2024-05-01` brings the last raft before that date."]),
        ("", "Rafts are slow; however, old barges are. They can't sail.",
         ["Rafts are slow.", "Rafts are slow; however, old barges are.",
          "Rafts are slow; however, old barges are. They can't sail."]),
        ("Must I be on the raft?", "You needn't be.", ["Must I be on the raft? You needn't be."]),
        ("", "1. Take the raft.\n2. Tow it home.", ["Take the raft.", "Tow it home."]),
    ],
)  # fmt: skip
def test_a_statement_stands_alone(question: str, answer: str, expected: list[str]) -> None:
    assert told(answer, question) == expected


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        ("You can tow it.", Subject("The raft"), "You can tow the raft."),
        ("Tow them home.", Subject("rafts", plural=True), "Tow rafts home."),
        ("You can tow them.", Subject("The raft"), "You can tow them."),
        ("Had it been dry, you could go.", Subject("The raft"), "Had it been dry, you could go."),
        ("You can tow the barge to it.", Subject("The raft"), "You can tow the barge to it."),
        ("You can tow its load.", Subject("The raft"), "You can tow its load."),
    ],
)
def test_a_pronoun_of_what_the_reader_may_do(text: str, subject: Subject, expected: str) -> None:
    assert replaced(text, subject) == expected


def test_an_order_with_a_rare_verb_says_what_the_next_one_is_about() -> None:
    answer = "Do not immerse the raft in tar. Clean it with a cloth."
    assert told(answer, "What does the manual say?") == [
        "Do not immerse the raft in tar.",
        "Do not immerse the raft in tar. Clean it with a cloth.",
    ]


def test_the_place_is_that_of_the_statement() -> None:
    answer = "Ask the crew or the pilot looks. That is all you need."
    found = list(claims(Reader(answer, "", units(answer), frozenset())))
    assert answer[found[-1].start : found[-1].end] == "That is all you need."


@given(TEXTS, TEXTS)
def test_nothing_that_is_said_is_lost(answer: str, question: str) -> None:
    said = " ".join(told(answer, question))
    assert all(word not in answer or word in said for word in ("dry", "leak", "tow", "sinks"))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who has to oil the lids?", "Who has to oil the lids? That's the miller's job."),
        ("What's going on?", "That's the miller's job."),
        ("Who does it, and when does it squeak?", "That's the miller's job."),
        ("Tell me about the lids", "That's the miller's job."),
    ],
)
def test_that_stands_for_what_is_asked(question: str, expected: str) -> None:
    assert told("That's the miller's job.", question) == [expected]


def test_both_verbs_of_what_takes_so_long_have_its_name() -> None:
    found = told("It takes 3 hours and needs two men.", "How long does the raft take?")
    assert found == ["The raft takes 3 hours.", "The raft needs two men."]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Does the pass cover the raft?", "It does for the first year.",
         ["Does the pass cover the raft? The pass does for the first year."]),
        ("Do rafts need oars?", "Large rafts do, small ones don't.",
         ["Do rafts need oars? Large rafts do, small ones don't."]),
        ("What is insured?", "Oars are insured if they were tied; rafts aren't, unless you have a pass, as we do.",
         ["Oars are insured if they were tied.",
          "Oars are insured if they were tied; rafts aren't, unless you have a pass, as we do."]),
        ("Do I need a pass?", "It is advised because otherwise you can't moor.",
         ["The pass is advised because otherwise you can't moor."]),
        ("Do I need a pass?", "You do, except in May.", ["Do I need a pass? You do, except in May."]),
        ("Does the raft leak?", "It does in most cases leak.", ["The raft does in most cases leak."]),
    ],
)  # fmt: skip
def test_a_verb_that_stands_for_what_is_asked(question: str, answer: str, expected: list[str]) -> None:
    assert told(answer, question) == expected


def test_what_is_said_below_code_leans_on_what_is_said_above() -> None:
    answer = "Set `mill.stones` to `2`:\n\n```yaml\nmill:\n  stones: 2\n```\n\nIts default is `1`.\n"
    told = "Set `mill.stones` to `2`."
    assert [claim.text for claim in extract(answer)] == [told, f"{told} Its default is `1`."]
