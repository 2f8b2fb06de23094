"""Claims of two answers to one prompt: the same words, the same thing in other words, and data with a floor."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from gate.compare import compare
from gate.errors import ModelFileError
from gate.matching import EQUAL, READ, Meaning, by_meaning, fingerprint, match, relate
from tests.support.steps import growth
from tests.support.verdicts import document

CORPUS = Path(__file__).parents[1] / "corpus" / "comparison.jsonl"
RIGHT = 0.9  # share of the pairs of answers that are told apart
SIDES = {"new": "head", "fixed": "head", "gone": "base"}  # the answer that the places of a list are in


def claims(*texts):
    return document({"p": [f"u {text}" for text in texts]})["details"]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("The **Pump** is bright green today.", "the pump  is bright green today", True),
        ("The pump is green.", "The pump is not green.", False),
        ("It takes 5 s", "It takes 6 s", False),
    ],
)
def test_a_claim_is_known_by_its_words(a, b, same):
    assert (fingerprint({"claim": a}) == fingerprint({"claim": b})) is same


def test_a_short_claim_is_known_by_its_question_and_by_nothing_else_around_it():
    said = {"claim": "No.", "context": "Is breakfast included?\nHello."}
    assert fingerprint(said) == fingerprint({**said, "context": "Is breakfast included?\nHi there."})
    assert fingerprint(said) != fingerprint({**said, "context": "Are dogs allowed?\nHello."})
    whole = {"claim": "Small dogs may stay for 5 euros a night.", "context": "Dogs?"}
    assert fingerprint(whole) == fingerprint({**whole, "context": "And dogs?"})


def test_each_claim_finds_the_most_similar_partner_once():
    base = claims("the green pump starts at six every morning", "it rains")
    head = claims("the sun is hot", "the green pump starts at six each morning")
    assert match(base, head) == {0: 1}
    assert match(claims("it rains", "it rains"), claims("it rains", "It rains.", "it rains")) == {0: 0, 1: 1}
    base = claims("the old green pump starts daily at six")
    head = claims("the old green pump starts daily at seven", "the old green pump starts daily at six sharp")
    assert match(base, head) == {0: 1}


def test_many_claims_of_one_prompt_are_not_compared_each_with_each():
    """An answer may make 400 claims, each of them in other words than the base's; all of a kind, or all unlike."""

    def compared(size):
        base = claims(*(f"the pump of kind k{n} costs {n} euros a month" for n in range(size)))
        return match(base, claims(*(f"the valve of sort s{n} needs {n} litres an hour" for n in range(size))))

    assert growth(compared, 40) < 2.5


class Embedder:
    """Every text is near every other one."""

    def embed(self, texts):
        return np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))


class Reader:
    """Denies what holds a 9, if the evidence is long; says nothing of the rest."""

    def __init__(self):
        self.read = []

    def score(self, items):
        self.read += items
        hits = np.array(["9" in claim and len(evidence) > 12 for claim, _, evidence in items])
        return np.where(hits[:, None], [0.0, 0.9, 0.1, 0.0], [0.1, 0.1, 0.8, 0.0]).astype(np.float32)


def test_claims_are_about_the_same_thing_if_each_supports_or_denies_the_other():
    (a, b, short) = claims("refunds take 9 weeks", "money is back after 9 days", "9 or 8")
    a["context"] = b["context"] = "How long?\nHello."
    reader = Reader()
    found = Meaning(Embedder(), reader)([(a, b), (short, a), (a, short)])
    assert [round(one.about, 5) for one in found] == [0.9, 0.2, 0.2]
    there, back = ("refunds take 9 weeks", "How long?"), ("money is back after 9 days", "How long?")
    assert {(*there, back[0]), (*back, there[0])} <= set(reader.read)
    assert len(reader.read) == 5  # the way back of the two that the first way found likely


def test_so_much_is_read_and_no_more_and_the_rest_is_told():
    sides = (claims(*(text.format(n) for n in range(400))) for text in ("pump a{} sings", "b{} wails"))
    pairs = list(zip(*sides, strict=True))
    reader = Reader()
    found, note = relate(pairs, Meaning(Embedder(), reader))
    assert len(reader.read) == READ
    assert Counter(score is None for score in found) == {False: READ, True: 250}
    assert note == "250 pairs of claims were matched by their words alone: too many have changed"


def test_words_have_to_do_where_no_model_can_be_read():
    def broken(pairs):
        raise ModelFileError("model.onnx: not the file that was shipped", "")

    pair, same = claims("it rains today", "the sun shines"), claims("the tank is green", "The tank is green.")
    assert relate([tuple(pair), tuple(same)], broken) == (
        [None, EQUAL],
        "claims were matched by their words alone: model.onnx: not the file that was shipped",
    )
    assert relate([tuple(same)], broken) == ([EQUAL], "")


def told(row):
    """Whether the comparison of a pair of answers says what the row does."""
    base, head = (document({"p": row[side]}, question=row["question"]) for side in ("base", "head"))
    outcome = compare(base, head, related=by_meaning)
    wanted = [(name, row[side][place][2:]) for name, side in SIDES.items() for place in row[name]]
    return sorted((name, claim["claim"]) for name in SIDES for claim in outcome[name]) == sorted(wanted)


def test_answers_in_other_words_are_told_from_answers_that_changed():
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    right = [told(row) for row in rows]
    assert sum(right) >= RIGHT * len(rows), [row["base"] for row, good in zip(rows, right, strict=True) if not good]
