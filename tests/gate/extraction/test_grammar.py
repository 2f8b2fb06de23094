"""A shallow reading of English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.extraction.grammar import after_condition, clause, finite, imperative, subject, tokenise

TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["if", "the", "kiln", "cools", "and", ",", "which", "it's", "never", "do",
         "`oven -x`", "(dry)", '"it is"', "to",
         "Glaze", "potters", "fire", "of", ".", ":", "v1.2.", "’", "`", "(", "火"]
    ), max_size=30,
).map(" ".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bake the pots.", [("bake", "word"), ("the", "word"), ("pots", "word"), (".", "mark")]),
        ("run `Kiln -H 9` (twice, slowly)",
         [("run", "word"), ("`kiln -h 9`", "code"), ("(twice, slowly)", "group")]),
        ('"Too hot, sir" [ask]', [('"too hot, sir"', "quote"), ("[ask]", "group")]),
        ("“Too hot”", [("“too hot”", "quote")]),
        ("It’s kiln.door/left", [("it's", "word"), ("kiln.door/left", "word")]),
        ("v1.2. $30", [("v1.2", "word"), (".", "mark"), ("$30", "word")]),
        ("--hot -v", [("--hot", "word"), ("-v", "word")]),
        ("( open", [("(", "mark"), ("open", "word")]),
        ("", []),
    ],
)  # fmt: skip
def test_tokens(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(token.text, token.kind) for token in tokenise(text, 0, len(text))] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The kiln reaches 900 degrees.", "reaches"),
        ("Potters sell the bowls twice.", "sell"),
        ("We glazed it.", "glazed"),
        ("We painted the bowls.", "painted"),
        ("It's hot.", "it's"),
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Open the door.", True),
        ("Then open the door.", True),
        ("Do not open the door.", True),
        ("Don't open the door.", True),
        ("Never open the door.", True),
        ("First `kiln --open`", True),
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


@given(TEXTS, st.integers(0, 5), st.integers(0, 200))
def test_tokens_stand_where_they_say(text: str, start: int, end: int) -> None:
    end = min(end, len(text))
    at = start
    for token in tokenise(text, start, end):
        assert at <= token.start < token.end <= max(end, start)
        assert token.text == text[token.start : token.end].lower().replace("’", "'")
        at = token.end


@given(TEXTS)
def test_between_the_tokens_are_only_blanks(text: str) -> None:
    tokens = tokenise(text, 0, len(text))
    left = list(text)
    for token in tokens:
        left[token.start : token.end] = [" "] * (token.end - token.start)
    assert not "".join(left).strip()


@given(TEXTS)
def test_any_words_can_be_read(text: str) -> None:
    tokens = tokenise(text, 0, len(text))
    size = len(tokens)
    assert -1 <= finite(tokens) < max(size, 1)
    assert {imperative(tokens), clause(tokens, 0)} <= {True, False}
    assert 0 <= after_condition(tokens, 0, size) <= size
    found = subject(tokens, 0, size)
    assert found is None or 0 <= found[0] < found[1] <= size


@pytest.mark.parametrize("unit", ["(", "[", "`", '"', "“", "a.", "-/", "x ", "'", "((a)"])
def test_long_and_hostile_texts_end(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    tokens = tokenise(text, 0, len(text))
    assert tokens
    assert tokens[-1].end <= len(text)
