"""Lead-ins and what they say together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.extract import extract
from gate.extraction.leads import chain, empty, goes_on, joined, name, together, unfinished

LEADS = st.lists(
    st.sampled_from(["The shop sells", "Rye - $5", "Yes, it is:", "*", "There are two", "oats", "", "- 3"])
)


@pytest.mark.parametrize(
    ("lead", "waits", "nothing"),
    [
        ("The shop sells", True, True),
        ("The loaves are", True, True),
        ("Both shops offer", False, True),
        ("It is baked with", True, True),
        ("Then the oven stops", True, False),
        ("It can be cleaned using", True, True),
        ("Turn the oven on", True, False),
        ("Run the following command", True, False),
        ("Steps", False, False),
        ("The shop has these features", False, False),
        ("Key features", False, False),
        ("What the shop sells", False, True),
        ("Customer support", True, False),
        ("The shop sells rye", False, False),
        ("", False, False),
    ],
)
def test_what_a_lead_in_waits_for(lead: str, waits: bool, nothing: bool) -> None:
    assert (unfinished(lead), empty(f"{lead}:")) == (waits, nothing)


@pytest.mark.parametrize(
    ("item", "goes"),
    [
        ("if you are new", True),
        ("**Only if** you are new", True),
        ("Unless you are new", True),
        ("for students", True),
        ("For students", False),
        ("iffy loaves", False),
        ("students", False),
    ],
)
def test_which_items_go_on_with_the_line_above(item: str, goes: bool) -> None:
    assert goes_on(item) is goes


@pytest.mark.parametrize("joint", ["\n- ", "\n\n- ", "\n1. "])
@pytest.mark.parametrize("opener", ["if", "when", "unless", "only if", "as long as"])
def test_conditions_in_a_list_stay_with_what_they_limit(opener: str, joint: str) -> None:
    answer = f"The loaf is free{joint}{opener} you are new\n{joint.strip()} {opener} it is stale"
    told = [claim.text for claim in extract(answer)]
    assert told == [f"The loaf is free {opener} you are new.", f"The loaf is free {opener} it is stale."]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("We deliver\n- to France\n- for members", ["We deliver to France.", "We deliver for members."]),
        ("The loaf is free\n- If you are new", ["The loaf is free: If you are new."]),
        ("The loaf is free after\n- nine", ["The loaf is free after nine."]),
        ("All new.\n\n**The loaf is free**\n- if you are new", ["The loaf is free: if you are new."]),
        (
            "The loaf is free\n- if you are late, the shop is shut",
            ["The loaf is free.", "If you are late, the shop is shut."],
        ),
    ],
)
def test_items_go_on_with_a_line_without_a_colon(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in extract(answer)][-len(expected) :] == expected


@pytest.mark.parametrize(
    ("lead", "expected"),
    [
        ("Rye - $5", "Rye"),
        ("**Rye** - about 5 euros", "**Rye"),
        ("Rye: 5 euros", "Rye"),
        ("Rye - the dark one", "Rye - the dark one"),
        ("The shop sells these - 5 in all", "The shop sells these - 5 in all"),
        ("Rye-5", "Rye-5"),
        ("Free loaf - $0", "Free loaf"),
        ("Large loaf (from 5 euros)", "Large loaf"),
    ],
)
def test_the_name_of_what_is_priced(lead: str, expected: str) -> None:
    assert name(lead) == expected


@pytest.mark.parametrize(
    ("leads", "expected"),
    [
        (("The shop sells", "Bread", "Rye"), "The shop sells Bread: Rye"),
        (("There are two shops", "North"), "North"),
        (("There are two shops",), "There are two shops"),
        (("Breads", "The dark ones are"), "The dark ones are"),
        (("Rye - $5", "Sizes"), "Rye: Sizes"),
        (("Yes, the shop sells",), "the shop sells"),
        (("For example",), ""),
        ((), ""),
    ],
)
def test_lead_ins_together(leads: tuple[str, ...], expected: str) -> None:
    assert together(leads) == expected


def test_how_an_item_is_joined() -> None:
    assert (joined("The shop sells"), joined("Rye")) == ("The shop sells ", "Rye: ")


def test_which_lead_ins_belong_to_an_item() -> None:
    assert chain(["Yes, the shop sells", "Bread"]) == ["Yes, the shop sells", "Bread"]
    assert chain(["Well, there are two shops", "North"]) == ["North"]
    assert chain(["Breads", "The dark ones are"]) == ["The dark ones are"]


@given(LEADS)
def test_any_lead_ins_can_be_read(leads: list[str]) -> None:
    said = together(leads)
    assert len(said) <= sum(len(lead) + 2 for lead in leads)
    assert isinstance(unfinished(said) or empty(said), bool)


def test_a_lead_in_that_ends_in_its_subject_waits_for_the_verb() -> None:
    answer = "You can apply if you:\n- are of age,\n- live in the town, and\n- have a permit."
    assert [claim.text for claim in extract(answer)] == [
        "You can apply if you are of age.",
        "You can apply if you live in the town.",
        "You can apply if you have a permit.",
    ]


@pytest.mark.parametrize("it_is", ["it's", "it’s", "they're"])
@pytest.mark.parametrize("mark", ["", ":"])
def test_a_lead_in_waits_behind_a_subject_with_its_verb(it_is: str, mark: str) -> None:
    answer = f"You need a permit if {it_is}{mark}\n\n- wider than 3 m, or\n- near the weir.\n"
    shown = it_is.replace("’", "'")
    assert [claim.text for claim in extract(answer, "How wide can a raft be?")] == [
        f"You need a permit if {shown} wider than 3 m.",
        f"You need a permit if {shown} near the weir.",
    ]


def test_an_aim_is_parted_from_the_steps_under_it() -> None:
    answer = "To stop it:\n\n1. Press the red key.\n2. Shut the lid.\n"
    assert [claim.text for claim in extract(answer)] == ["To stop it: Press the red key.", "To stop it: Shut the lid."]
