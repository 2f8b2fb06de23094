"""Generated pairs about tables of options and plans: the cell that is asked for, and a neighbour's in its place.

A claim that names a row and a column is supported by that cell alone; a table in words holds many values side by side.
Rows, columns and values are drawn, so that neither the words nor the amounts tell the label.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gate.judges import windows
from gate.records import Evidence
from training.data import CONTRADICTED, SUPPORTED

Told = tuple[str, str, str, int, str]  # claim, context, evidence, class, group
COLUMNS = (
    "Free/Team/Enterprise", "Starter/Growth/Scale", "Basic/Plus/Pro", "Bronze/Silver/Gold", "Hobby/Business/Enterprise",
    "Economy/Premium/Business", "Child/Adult/Senior", "Student/Staff/Visitor", "Model S/Model M/Model L",
    "Summer/Winter", "Single/Double/Suite", "Weekday/Weekend/Holiday", "Zone A/Zone B/Zone C", "v1/v2/v3",
    "Small/Medium/Large", "Linux/macOS/Windows", "North/South/East/West", "2023/2024/2025", "Solo/Duo/Family",
)  # fmt: skip
ROWS = {
    "span": "log retention/history/refund period/loan period/notice period/delivery time/return window/warranty",
    "money": "monthly price/deposit/cancellation fee/late fee/fine per day/price per night",
    "offer": "audit log/single sign-on/data export/webhooks/pets/breakfast/parking",
    "size": "storage/file size limit",
    "weight": "luggage/max load/weight",
    "count": "team members/requests per minute/projects/API keys/concurrent jobs/seats/rate limit/renewals/width",
}
TITLES = ("# Plans\n\n", "# Prices\n\n", "# Limits\n\n", "## Compare\n\n", "")
CORNERS = ("Feature", "", "Plan", "Item", "Limit", "Option")


def drawn_value(kind: str, rng: random.Random) -> str:
    """A value of a kind of ROWS."""
    makers: dict[str, Callable[[], str]] = {
        "span": lambda: f"{rng.choice((2, 3, 5, 7, 10, 14, 30, 60, 90))} {rng.choice(('days', 'weeks', 'hours'))}",
        "money": lambda: f"{rng.choice('$€£')}{rng.choice((0, 5, 9, 15, 29, 49, 79, 99, 149, 199, 250, 299, 499))}",
        "offer": lambda: rng.choice(("yes", "no")),
        "size": lambda: f"{rng.choice((1, 2, 5, 10, 50, 100, 500))} {rng.choice(('MB', 'GB', 'TB'))}",
        "weight": lambda: f"{rng.choice((3, 5, 8, 12, 20, 23, 30, 80, 120))} kg",
        "count": lambda: rng.choice(("1", "2", "5", "10", "25", "50", "100", "500", "1000", "10,000", "unlimited")),
    }
    return makers[kind]()


@dataclass(frozen=True, slots=True)
class Table:
    """Values by row name and column; `text` in Markdown, the plans in columns or in rows."""

    text: str
    columns: tuple[str, ...]
    values: dict[str, tuple[str, ...]]


def draw_table(rng: random.Random) -> Table:
    """A table of three to seven rows."""
    columns = tuple(rng.choice(COLUMNS).split("/"))
    kinds = [(name, kind) for kind, names in ROWS.items() for name in names.split("/")]
    values = {
        name: tuple(drawn_value(kind, rng) for _ in columns) for name, kind in rng.sample(kinds, rng.randint(3, 7))
    }
    corner = rng.choice(CORNERS) or " "
    lines = [[corner, *columns], *([_capital(name), *cells] for name, cells in values.items())]
    if rng.random() < 0.5:
        lines = [list(line) for line in zip(*lines, strict=True)]
    body = [f"| {' | '.join(line)} |" for line in lines]
    ruler = f"|{' --- |' * len(lines[0])}"
    return Table(rng.choice(TITLES) + "\n".join([body[0], ruler, *body[1:]]) + "\n", columns, values)


def table_pairs(count: int, rng: random.Random) -> Iterator[Told]:
    """About `count` pairs: each right cell with a wrong one, in one group."""
    made = asked = 0
    while made < count:
        table = draw_table(rng)
        shown = windows.pieces([Evidence("", 1, table.text, 1.0)])
        for _ in range(3):
            asked += 1
            row, at = rng.choice(list(table.values)), rng.randrange(len(table.columns))
            right = table.values[row][at]
            others = [value for value in table.values[row] if value != right]
            if right in ("yes", "no"):
                others = ["no" if right == "yes" else "yes"]
            if not others:
                continue
            for value, label in ((right, SUPPORTED), (rng.choice(others), CONTRADICTED)):
                question, answer = _said(row, table.columns[at], value, rng)
                claim, context = windows.show_claim(answer), windows.show_context(question)
                need = (_capital(row), table.columns[at], right)
                best = windows.best_windows(claim, context, shown, 2)
                fit = next((window.text for window in best if all(part in window.text for part in need)), "")
                if fit:
                    made += 1
                    yield claim, context, fit, label, f"table {asked}"


def _said(row: str, column: str, value: str, rng: random.Random) -> tuple[str, str]:
    if value in ("yes", "no"):
        answers: Sequence[str] = (
            ("Yes.", "Yes, it does.", f"{column} has {row}.")
            if value == "yes"
            else ("No.", "No, it doesn't.", f"{column} has no {row}.")
        )
        return rng.choice((f"Does {column} include {row}?", f"Is there {row} on {column}?")), rng.choice(answers)
    question = rng.choice(
        (f"What is the {row} on {column}?", f"{row} for {column}?", f"I'm on {column}. What {row} do I get?")
    )
    full = (f"The {row} on {column} is {value}.", f"{column}: {value}", f"On {column} you get {value}.")
    return question, rng.choice((value, f"{value}.", f"It is {value}.", f"With {column} it's {value}.", *full))


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]
