from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.judges.look import look
from gate.records import Item


class FakeReader:
    """Supports what says so, contradicts what says not."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.pairs += pairs
        rows = [
            [0.9, 0.05, 0.05] if "yes" in e else [0.1, 0.8, 0.1] if "not" in e else [0.1, 0.1, 0.8] for _, e in pairs
        ]
        return np.array(rows, dtype=np.float32).reshape(len(pairs), 3)


class FakeEmbedder:
    name, dimension = "fake", 2

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.array([[0.6, 0.8] if "Ducks" in text else [1.0, 0.0] for text in texts], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        return [text]


def test_what_cannot_be_read_is_none(item: Callable[..., Item]) -> None:
    assert look([item("", "Ducks."), item("Ducks."), item("...", "Ducks.")]) == [None, None, None]


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_the_reader_is_shown_the_best_window_and_its_best_sentence(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    passage = "Ducks swim here very often indeed. The keeper of the harbour said yes to that."
    (seen,) = look([item("Ducks swim.", passage)], reader=reader)
    assert seen is not None
    assert [evidence for _, evidence in reader.pairs] == ["Ducks swim here very often indeed.", passage]
    assert seen.values["reads_supported"] == pytest.approx(odds(0.9), abs=1e-2)  # of the window that speaks of it
    assert seen.values["reads_contradicted"] == pytest.approx(odds(0.1), abs=1e-5)


def test_with_an_embedder_the_reader_is_shown_the_sentence_that_means_the_same(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    near = "Waterfowl are Ducks to all who live beside it. It was said: yes, they float about all day long."
    passages = ("Birds swim in the old harbour all year round, people say.", near)
    (seen,) = look([item("Ducks swim in the harbour.", *passages)], FakeEmbedder(), reader)
    assert seen is not None
    shown = [evidence for _, evidence in reader.pairs]
    assert shown == [passages[0], "Waterfowl are Ducks to all who live beside it.", near]
    assert seen.values["reads_supported"] == pytest.approx(odds(0.9), abs=1e-2)  # of the window that speaks of it


def test_contradiction_is_told_apart(item: Callable[..., Item]) -> None:
    (seen,) = look([item("Ducks swim.", "Ducks do not swim in the old harbour at all.")], reader=FakeReader())
    assert seen is not None
    assert seen.values["reads_contradicted"] == pytest.approx(odds(0.8), abs=1e-5)
    assert seen.values["reads_supported"] == pytest.approx(odds(0.1), abs=1e-5)


def test_what_sentences_alone_settle_is_not_read_on(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    passage = "Ducks, yes, do swim here often. The keeper of the harbour said so."
    (seen,) = look([item("Ducks swim.", passage)], reader=reader)
    assert seen is not None
    assert [evidence for _, evidence in reader.pairs] == ["Ducks, yes, do swim here often."]
    assert [read.window.text for read in seen.reads] == ["Ducks, yes, do swim here often."]


def test_no_window_is_shown_twice(item: Callable[..., Item]) -> None:
    reader = FakeReader()
    look([item("Ducks swim.", "Ducks do not swim in the old harbour at all.")], FakeEmbedder(), reader)
    assert len(reader.pairs) == 1


def test_each_item_gets_its_own_scores(item: Callable[..., Item]) -> None:
    items = [
        item("Ducks swim.", "Ducks do not swim here in any case."),
        item("", "x"),
        item("Ducks swim.", "Ducks, yes, do swim here often."),
    ]
    together = look(items, FakeEmbedder(), FakeReader())
    alone = [look([one], FakeEmbedder(), FakeReader())[0] for one in items]
    assert [one and one.values for one in together] == [one and one.values for one in alone]


def test_without_items_nothing_is_asked() -> None:
    assert look([], FakeEmbedder(), FakeReader()) == []


FILLER = " ".join(f"The keeper of house number {n} tells of quite other things." for n in "abcdefgh")
LIFTED = "The barrier is lifted at six on Sundays. "


@pytest.mark.parametrize(
    ("chances", "shown"),
    [
        ((0.5, 0.5, 0.5, 0.5), 5),  # open to the end
        ((0.99,), 1),
        ((0.01,), 1),
        ((0.96, 0.96), 2),
        ((0.5, 0.5, 0.1), 3),
        ((0.5, 0.5, 0.5, 0.8), 4),
    ],
)
def test_a_claim_is_read_only_while_it_is_open(
    item: Callable[..., Item], chances: tuple[float, ...], shown: int
) -> None:
    reader, left = FakeReader(), list(chances)
    given = item("The barrier is lifted on Sundays.", FILLER + " Ducks. " + FILLER + LIFTED + FILLER, FILLER)
    (seen,) = look([given], FakeEmbedder(), reader, lambda values: left.pop(0))
    assert seen is not None
    assert (len(seen.reads), len(reader.pairs), left) == (shown, shown, [])


def test_what_is_decided_early_depends_on_the_item_alone(item: Callable[..., Item]) -> None:
    given = [
        item("The barrier is lifted on Sundays.", FILLER + LIFTED + FILLER),
        item("The barrier is lifted.", "They say yes, the barrier is lifted at six. " + FILLER),
        item("The barrier is lifted by Ducks.", LIFTED + FILLER, FILLER + "Ducks do not lift it."),
    ]

    def chance(values: Mapping[str, float]) -> float:
        return 1 / (1 + math.exp(-values["reads_supported"]))

    together = look(given, FakeEmbedder(), FakeReader(), chance)
    alone = [look([one], FakeEmbedder(), FakeReader(), chance)[0] for one in given]
    assert [one and one.reads for one in together] == [one and one.reads for one in alone]
    assert [one and one.values for one in together] == [one and one.values for one in alone]


def test_without_a_chance_all_windows_are_read_at_once(item: Callable[..., Item]) -> None:
    calls: list[int] = []

    class Counted(FakeReader):
        def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
            calls.append(len(pairs))
            return super().score(pairs)

    given = item("The barrier is lifted on Sundays.", FILLER + " Ducks. " + FILLER + LIFTED + FILLER, FILLER)
    look([given], FakeEmbedder(), Counted())
    assert calls == [1, 4]
