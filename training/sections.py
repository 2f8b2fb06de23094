"""Generated pairs about sections that say the same of different things: a heading binds what stands below it.

`## macOS` and `## Linux` hold the same sentences with other values. The value of the section that is asked for is
right, a neighbour's is wrong, and the neighbour's section alone decides nothing. Some questions go on from the user's
turn before (`And on Linux?`). All is drawn, so that neither words nor amounts tell the label.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gate.judges import windows
from gate.judges.windows import Piece
from gate.records import Evidence
from training.data import CONTRADICTED, NEITHER, SUPPORTED
from training.tables import COLUMNS, ROWS, Told, drawn_value

CLOCK = "opening time/check-in/closing time/last admission/daily backup/start of the shift/departure"
KINDS = {name: kind for kind, names in (*ROWS.items(), ("clock", CLOCK)) for name in names.split("/")}
STATED = (
    "The {row} is {value}.", "The {row} here is {value}.", "{Row}: {value}.", "We set the {row} to {value}.",
    "Please note that the {row} is {value}.", "As of this year, the {row} is {value}.", "Expect a {row} of {value}.",
)  # fmt: skip
OFFERED = {
    "yes": ("{Row} is included.", "{Row} comes at no extra cost.", "You have {row}.", "{Row} is available."),
    "no": ("{Row} is not included.", "There is no {row}.", "{Row} is not available.", "You do without {row}."),
}
NAMED = ("What about {name}?", "And {name}?", "And for {name}?", "{name}?", "How about {name}?", "Same for {name}?")
ASKED_NEXT = ("What about the {row}?", "And the {row}?", "{Row}?", "And what is the {row}?")
SHORT = ("{value}", "{value}.", "It's {value}.", "It is {value}.", "That would be {value}.", "{value}, then.")
FULL = (
    "The {row} for {name} is {value}.",
    "For {name}, it's {value}.",
    "{name}: {value}",
    "With {name} you get {value}.",
)
SIBLING = 0.35  # share of pairs that are shown beside the neighbour's section too


class Fact(NamedTuple):
    """A value of one section, and how an answer may say it: the same in another notation."""

    value: str
    said: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Page:
    """Facts by row name and section; `text` in Markdown."""

    text: str
    names: tuple[str, ...]
    facts: dict[str, tuple[Fact, ...]]


def draw_page(rng: random.Random) -> Page:
    """A page of two or three sections with two to four facts each."""
    names = tuple(rng.choice(COLUMNS).split("/"))
    facts = {row: tuple(_fact(row, rng) for _ in names) for row in rng.sample(list(KINDS), rng.randint(2, 4))}
    level = rng.choice(("##", "###", "####"))
    text = rng.choice(("# Guide\n\n", "# Overview\n\n", "# What applies\n\n", ""))
    for at, name in enumerate(names):
        body = [fact[at].sentence for fact in facts.values()]
        rng.shuffle(body)
        text += f"{level} {name}\n\n" + rng.choice((" ", "\n\n")).join(body) + "\n\n"
    return Page(text, names, facts)


def section_pairs(count: int, rng: random.Random) -> Iterator[Told]:
    """About `count` pairs: each right value with a neighbour's, in one group."""
    made = asked = 0
    while made < count:
        page = draw_page(rng)
        shown = windows.pieces([Evidence("", 1, page.text, 1.0)])
        for _ in range(4):
            asked += 1
            for pair in _pairs(page, shown, rng):
                made += 1
                yield (*pair, f"section {asked}")


def _pairs(page: Page, shown: Sequence[Piece], rng: random.Random) -> Iterator[tuple[str, str, str, int]]:
    row = rng.choice(list(page.facts))
    at, beside = rng.sample(range(len(page.names)), 2)
    right, wrong = page.facts[row][at], page.facts[row][beside]
    if right.value == wrong.value:
        return
    question, short = _question(page, row, at, beside, rng)
    context = windows.show_context(question)
    for fact, label in ((right, SUPPORTED), (wrong, CONTRADICTED)):
        said = _said(row, page.names[at], fact.said, short, rng)
        best = [one.text for one in windows.best_windows(windows.show_claim(said), context, shown, 4)]
        for text, target in (
            (_holding(best, page.names[at], right.sentence), label),
            (_holding(best, page.names[beside], wrong.sentence, page.names[at]), NEITHER),
        ):
            if text and (target is not NEITHER or rng.random() < SIBLING):
                yield windows.show_claim(said), context, text, target


def _holding(texts: Sequence[str], name: str, sentence: str, other: str = "") -> str:
    found = (text for text in texts if name in text and sentence in text and not (other and other in text))
    return next(found, "")


def _question(page: Page, row: str, at: int, beside: int, rng: random.Random) -> tuple[str, bool]:
    """The question, in a second line what the user said before, and whether only a short answer fits."""
    name, other = page.names[at], page.names[beside]
    whole = _whole(row, name, rng)
    kind = rng.choices(("alone", "name", "row", "change"), (40, 30, 15, 15))[0]
    rest = [one for one in page.facts if one != row]
    if kind == "name":
        return f"{rng.choice(NAMED).format(name=name)}\n{_whole(row, other, rng)}", True
    if kind == "row" and KINDS[row] != "offer":
        return f"{_put(rng.choice(ASKED_NEXT), row)}\n{_whole(rng.choice(rest), name, rng)}", True
    if kind == "change":
        return f"{whole}\n{_whole(rng.choice(rest), other, rng)}", False
    return whole, False


def _whole(row: str, name: str, rng: random.Random) -> str:
    if KINDS[row] == "offer":
        return rng.choice(
            (f"Is there {row} for {name}?", f"Does {name} include {row}?", f"Do I get {row} with {name}?")
        )
    return rng.choice((f"What is the {row} for {name}?", f"{name}: what {row}?", f"I have {name}. What's the {row}?"))


def _said(row: str, name: str, value: str, short: bool, rng: random.Random) -> str:
    if value in OFFERED:
        return rng.choice(
            ("Yes.", "Yes, it is.", "Yes, it's included.") if value == "yes" else ("No.", "No, there isn't.")
        )
    form = rng.choice(SHORT if short or rng.random() < 0.6 else FULL)
    return _put(form, row, name=name, value=value)


def _fact(row: str, rng: random.Random) -> Fact:
    kind = KINDS[row]
    if kind != "clock":
        value = drawn_value(kind, rng)
        return Fact(value, value, _put(rng.choice(OFFERED.get(value, STATED)), row, value=value))
    hour, half = rng.randrange(24), rng.random() < 0.3
    forms = (
        f"{hour:02}:{'30' if half else '00'}",
        f"{hour % 12 or 12}{':30' if half else ''} {'am' if hour < 12 else 'pm'}",
        f"{hour % 12 or 12}:{'30' if half else '00'} {'a.m.' if hour < 12 else 'p.m.'}",
    )
    return Fact(forms[0], rng.choice(forms), _put(rng.choice(STATED), row, value=rng.choice(forms)))


def _put(form: str, row: str, **parts: str) -> str:
    return form.format(row=row, Row=row[0].upper() + row[1:], **parts)
