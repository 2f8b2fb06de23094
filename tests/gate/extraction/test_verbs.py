"""Where the finite verb is."""

import pytest

from gate.extraction.tokens import tokenise
from gate.extraction.verbs import auxiliary, finite


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The kiln reaches 900 degrees.", "reaches"),
        ("Potters sell the bowls twice.", "sell"),
        ("We glazed it.", "glazed"),
        ("We painted the bowls.", "painted"),
        ("The list of potters names the guild.", "names"),
        ("A crew of nine people keeps the kiln warm.", "keeps"),
        ("Potters of Ghent need a kiln.", "need"),
        ("from 6 am on market days", None),
        ("The wheel flurbs the clay.", "flurbs"),
        ("The kiln opened in May.", "opened"),
        ("The kiln cost 900 crowns.", "cost"),
        ("The potter wrote to Ghent.", "wrote"),
        ("The kiln opened in May is blue.", "is"),
        ("On market days the kiln is cold.", "is"),
        ("the potter's records", None),
        ("the days of the fair", None),
        ("It's hot.", "it's"),
        ("A kiln above the limit, 900 degrees by default, makes them crack.", "makes"),
        ("A bowl, or its lid, makes the noise.", "makes"),
        ("In May, in Ghent, names of potters.", None),
        ("The bowls of this potter are blue.", "are"),
        ("The bowl must dry.", "must"),
        ("`oven.heat` returns the degrees.", "returns"),
        ("a lovely blue bowl", None),
        ("Bowls of clay", None),
        ("", None),
    ],
)
def test_the_finite_verb(text: str, expected: str | None) -> None:
    tokens = tokenise(text, 0, len(text))
    at = finite(tokens)
    assert (tokens[at].text if at >= 0 else None) == expected


def test_the_verb_is_looked_for_within_bounds() -> None:
    tokens = tokenise("The kiln is hot and the door is shut", 0, 36)
    assert (finite(tokens), finite(tokens, 3), finite(tokens, 3, 6), finite(tokens, 0, 2)) == (2, 7, -1, -1)


def test_an_auxiliary_verb_may_hide_in_its_subject() -> None:
    assert [auxiliary(token) for token in tokenise("it's is potters", 0, 15)] == [True, True, False]


@pytest.mark.parametrize(
    "unit", ["opened in ", "potters records ", "potters records of, ", "flurbs it ", "of kilns names "]
)
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (10_000 // len(unit)) + "is"
    tokens = tokenise(text, 0, len(text))
    assert -1 <= finite(tokens) < len(tokens)


@pytest.mark.parametrize("text", ["5 seats", "3 reports of a day", "10 backups, 2 restores", "2 calls and a chat"])
def test_what_is_counted_at_the_beginning_is_no_verb(text: str) -> None:
    assert finite(tokenise(text, 0, len(text))) < 0


@pytest.mark.parametrize(
    "text", ["404 means that nothing is there", "Model 3 costs 5 euros", "Version 2 works with Linux"]
)
def test_a_number_may_be_a_name(text: str) -> None:
    assert finite(tokenise(text, 0, len(text))) > 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paying the arrears unlocks it within an hour.", "unlocks"),
        ("Calling `lift` spares you the key.", "spares"),
        ("Lifting the lids takes strength 5.", "takes"),
        ("`Lid` and `Key` take the same oil.", "take"),
        ("`Lid`, `Key` and `Gate` never need listing.", "need"),
        ("Old lids generally need those keys, though.", "need"),
        ("Lids wider than 5 cm never fit.", "fit"),
        ("The chair and the clerk of the office settle the matter.", "settle"),
        ("On top of that, he'd be given a key.", "he'd"),
    ],
)
def test_a_verb_whose_subject_is_not_the_noun_before_it(text: str, expected: str) -> None:
    tokens = tokenise(text, 0, len(text))
    assert tokens[finite(tokens)].text == expected


@pytest.mark.parametrize("text", ["Building all reports the night before", "Something in the lids", "Use `a` and `b`"])
def test_nouns_behind_what_one_does_are_no_verbs(text: str) -> None:
    assert finite(tokenise(text, 0, len(text))) < 0


@pytest.mark.parametrize("text", ["20k gate calls a day", "500 lid reports per hour.", "3 oil changes every week"])
def test_what_is_counted_in_a_time_is_no_verb(text: str) -> None:
    assert finite(tokenise(text, 0, len(text))) < 0


def test_a_number_may_stand_in_front_of_a_subject() -> None:
    tokens = tokenise("3 keys open a lid each day", 0, 26)
    assert tokens[finite(tokens)].text == "open"
