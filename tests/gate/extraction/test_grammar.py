"""A shallow reading of English."""

import pytest
from hypothesis import given

from gate.extraction.grammar import after_condition, clause, compound, imperative, orders, subject, timed
from gate.extraction.tokens import tokenise
from gate.extraction.verbs import finite
from tests.support.sentences import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Open the door.", True),
        ("Then open the door.", True),
        ("Do not open the door.", True),
        ("Don't open the door.", True),
        ("Never open the door.", True),
        ("Do not immerse the door.", True),
        ("Don't immerse it.", True),
        ("Not worth it.", False),
        ("First `kiln --open`", True),
        ("Only `glaze` and `clay`", False),
        ("You open the door.", False),
        ("To open the door", False),
        ("Heat is good.", False),
        ("Test of the glaze", False),
        ("The door opens.", False),
        ("", False),
    ],
)
def test_orders(text: str, expected: bool) -> None:
    assert imperative(tokenise(text, 0, len(text))) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the kiln cools", True),
        ("anyone who orders before noon gets the tiles the next day", True),
        ("everybody who came by March is in", True),
        ("anyone who orders before noon", False),
        ("everyone who pays in time and gets a card", False),
        ("anyone who", False),
        ("it's hot", True),
        ("if it rains, the roof closes", True),
        ("that is hot", True),
        ("which cools slowly", False),
        ("of the kiln is hot", True),
        (", the kiln is hot", False),
        ("is hot", False),
        ("a cold room", False),
        ("if it rains", False),
        ("", False),
    ],
)
def test_clauses(text: str, expected: bool) -> None:
    assert clause(tokenise(text, 0, len(text)), 0) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kiln access controls", True),
        ("kiln access controls for potters", True),
        ("a shelf with glaze records", True),
        ("glaze records, kilns", True),
        ("It cools.", False),
        ("The kiln cools.", False),
        ("the kiln cools the room", False),
        ("the kiln is hot", False),
        ("clay bowls", False),
        ("", False),
    ],
)
def test_what_only_looks_like_a_clause(text: str, expected: bool) -> None:
    assert compound(tokenise(text, 0, len(text))) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If it rains, the roof closes.", "the roof closes."),
        ("When cold, stir it.", "stir it."),
        ("Unless the tide, as always, turns, we wait.", "we wait."),
        ("If it rains", ""),
        ("If it rains, if it snows", ""),
    ],
)
def test_the_main_clause_behind_a_condition(text: str, expected: str) -> None:
    tokens = tokenise(text, 0, len(text))
    at = after_condition(tokens, 0, len(tokens))
    assert (text[tokens[at].start :] if at else "") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The kiln reaches 900 degrees.", "The kiln"),
        ("The Ghent Kiln No. 4 was built in 1921.", "The Ghent Kiln No. 4"),
        ("Kilns Inc. makes the bowls.", "Kilns Inc."),
        ("The list of potters names the guild.", "The list of potters"),
        ("**The kiln** reaches 900 degrees.", "**The kiln**"),
        ("And so the old kiln usually reaches it.", "the old kiln"),
        ("The lid of the kiln is heavy.", "The lid of the kiln"),
        ("`heat` returns a number.", "`heat`"),
        ("It is hot.", "It"),
        ("There is a kiln.", None),
        ("In spring the kiln is cold.", None),
        ("Clay and sand are mixed.", None),
        ("Open the door.", None),
        ("The big old red brick kiln in our small yard is hot.", None),
    ],
)
def test_the_subject(text: str, expected: str | None) -> None:
    tokens = tokenise(text, 0, len(text))
    found = subject(tokens, 0, len(tokens))
    assert (text[tokens[found[0]].start : tokens[found[1] - 1].end] if found else None) == expected


@given(TEXTS)
def test_any_words_can_be_read(text: str) -> None:
    tokens = tokenise(text, 0, len(text))
    size = len(tokens)
    assert -1 <= finite(tokens) < max(size, 1)
    assert {imperative(tokens), clause(tokens, 0)} <= {True, False}
    assert 0 <= after_condition(tokens, 0, size) <= size
    found = subject(tokens, 0, size)
    assert found is None or 0 <= found[0] < found[1] <= size


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("Open the gate and turn the wheel", True),
        ("Set `a` to 3 and add a key", True),
        ("Let the wheel turn and open the gate", False),
        ("Press and hold the lever", False),
        ("Open the gate and show it to Ann", False),
        ("Ask Ann to open the gate and turn the wheel", False),
        ("Ring the bell and he opens the gate", False),
        ("Turn the wheel and the stone", False),
    ],
)
def test_two_orders_with_an_object_each(text: str, apart: bool) -> None:
    tokens = tokenise(text, 0, len(text))
    at = [token.text for token in tokens].index("and")
    assert orders(tokens, 0, at, at + 1) is apart


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        ("after four years it stands at 88", True),
        ("before noon the gate is shut", True),
        ("after the wheel stops the gate opens", False),
        ("in May it is shut", False),
        ("after four years", False),
        ("", False),
    ],
)
def test_a_clause_behind_words_of_time(text: str, follows: bool) -> None:
    tokens = tokenise(text, 0, len(text))
    assert timed(tokens, 0, len(tokens)) is follows
