"""Generated pairs about amounts: the same value written otherwise is supported, another value or unit is contradicted.

Things, values and notations are drawn at random; a right and a wrong claim about each amount share a group.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gate.judges import windows
from gate.records import Evidence
from training.data import CONTRADICTED, SUPPORTED
from training.tables import Told


class Amount(NamedTuple):
    """An amount as a document writes it, other notations of the same value, and notations of other values."""

    written: str
    same: Sequence[str]
    other: Sequence[str]


# Per kind: units of one measure, each (its size in the smallest, notations).
MEASURES: dict[str, Sequence[tuple[float, tuple[str, ...]]]] = {
    "length": ((1, ("{} mm", "{} millimetres")), (10, ("{} cm", "{} centimetres")),
               (1000, ("{} m", "{} metres", "{} meters")), (1e6, ("{} km", "{} kilometres"))),
    "weight": ((1, ("{} g", "{} grams")), (1000, ("{} kg", "{} kilograms", "{} kilos")), (1e6, ("{} t", "{} tonnes"))),
    "volume": ((1, ("{} ml", "{} millilitres")), (10, ("{} cl",)), (1000, ("{} L", "{} l", "{} litres", "{} liters"))),
    "span": ((1, ("{} s", "{} seconds", "{} sec")), (60, ("{} min", "{} minutes")), (3600, ("{} h", "{} hours")),
             (86400, ("{} days",)), (604800, ("{} weeks",))),
    "pause": ((1, ("{} ms", "{} milliseconds")), (1000, ("{} s", "{} seconds"))),
    "size": ((1, ("{} KB", "{} kB", "{} kilobytes")), (1e3, ("{} MB", "{} megabytes")),
             (1e6, ("{} GB", "{} gigabytes")), (1e9, ("{} TB", "{} terabytes"))),
}  # fmt: skip
NEAR = {
    "length": ("{} inches", "{} feet", "{} miles"), "weight": ("{} pounds", "{} ounces"), "volume": ("{} gallons",),
    "span": (), "pause": (), "size": (),
}  # fmt: skip
MONEY = {"dollars": ("${}", "{} dollars", "{} USD", "US${}"), "euros": ("€{}", "{} euros", "{} EUR", "{} €"),
         "pounds": ("£{}", "{} pounds", "{} GBP"), "yen": ("¥{}", "{} yen", "{} JPY"),
         "francs": ("CHF {}", "{} Swiss francs", "{} francs")}  # fmt: skip
SINGLE = {"power": (("{} kW", "{} kilowatts"), ("{} kWh", "{} hp")),
          "energy": (("{} kWh", "{} kilowatt-hours"), ("{} kW", "{} MWh")),
          "heat": (("{} °C", "{} degrees Celsius"), ("{} °F", "{} Fahrenheit")),
          "pressure": (("{} bar",), ("{} psi", "{} Pa")),
          "speed": (("{} km/h", "{} kilometres per hour"), ("{} mph", "{} m/s")),
          "rate": (("{} %", "{} percent", "{}%", "{} per cent"), ("{} percentage points",))}  # fmt: skip
THINGS = {
    "length": "The cable/The shelf/The path/The hose/The wall", "weight": "The parcel/The bike/The device/The load",
    "volume": "The tank/The bottle/The pot/The bin", "span": "The session/The check/The loan/The trial/The wash",
    "pause": "The timeout/The delay/The interval", "size": "The file limit/The cache/The upload/The disk",
    "money": "The ticket/The deposit/The fine/The course/The locker", "power": "The engine/The heater/The charger",
    "energy": "The battery/The meter", "heat": "The oven/The boiler/The room", "pressure": "The tyre/The pump",
    "speed": "The train/The car/The belt", "rate": "The discount/The tax/The share/The interest",
    "count": "The hall/The team/The plan/The queue/The album", "clock": "The door/The shop/The desk/The lane",
    "date": "The offer/The permit/The sale/The course", "least": "The client/The script/The order/The group",
}  # fmt: skip
VERBS = {
    "length": "is {} long/measures {}", "weight": "weighs {}/has a weight of {}", "volume": "holds {}/takes {}",
    "span": "lasts {}/takes {}", "pause": "is {}/is set to {}", "size": "is {}/has {}", "money": "costs {}/is {}",
    "power": "has {}/runs at {}", "energy": "stores {}/shows {}", "heat": "reaches {}/is kept at {}",
    "pressure": "needs {}/is at {}", "speed": "does {}/runs at {}", "rate": "is {}", "count": "has {} places/allows {}",
    "clock": "opens at {}/closes at {}", "date": "ends on {}/starts on {}", "least": "needs {}/requires {}",
}  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
OPPOSITE = ("clock", "date", "energy")  # kinds whose two verbs say different things


def _figure(value: float) -> str:
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def _measure(kind: str, rng: random.Random) -> Amount:
    units = MEASURES[kind]
    at = rng.randrange(len(units))
    size, names = units[at]
    value = rng.choice((1.5, 2, 3, 5, 10, 12, 20, 25, 30, 40, 48, 60, 72, 90, 120, 200, 250, 500, 1500))
    written = names[0] if rng.random() < 0.6 else rng.choice(names)
    same = [name.format(_figure(value)) for name in names if name != written]
    for near in (at - 1, at + 1):
        converted = value * size / units[near][0] if 0 <= near < len(units) else 0.0
        if 0.25 <= converted < 100_000 and abs(converted * 100 - round(converted * 100)) < 1e-9:
            same += [name.format(_figure(converted)) for name in units[near][1]]
    wrong_unit = [name.format(_figure(value)) for other, some in units if other != size for name in some]
    wrong_unit += [name.format(_figure(value)) for name in NEAR[kind]]
    wrong_value = [name.format(_figure(value * share)) for name in names for share in (2, 0.5, 10)]
    return Amount(written.format(_figure(value)), same or [written.format(_figure(value))], [*wrong_unit, *wrong_value])


def _money(rng: random.Random) -> Amount:
    currency = rng.choice(list(MONEY))
    value = rng.choice((2, 5, 15, 20, 35, 50, 100, 120, 500, 1000, 2500))
    written = rng.choice(MONEY[currency])
    same = [name.format(_figure(value)) for name in MONEY[currency] if name != written]
    others = [name.format(_figure(value)) for other, some in MONEY.items() if other != currency for name in some]
    others += [written.format(_figure(value * share)) for share in (2, 3, 10)]
    others += [f"{value} cents"] * 3 if currency in ("dollars", "euros") else []
    return Amount(written.format(_figure(value)), same, others)


def _single(kind: str, rng: random.Random) -> Amount:
    names, wrong = SINGLE[kind]
    value = rng.choice((1.5, 2.5, 4, 7.5, 12, 20, 40, 60, 85, 90))
    written = rng.choice(names)
    same = [name.format(_figure(value)) for name in names]
    return Amount(
        written.format(_figure(value)),
        same,
        [name.format(_figure(value)) for name in wrong] + [names[0].format(_figure(value + n)) for n in (1, 5, 10)],
    )


def _count(rng: random.Random) -> Amount:
    value = rng.choice((12, 200, 1500, 25_000, 360_000, 1_200_000, 500_000))
    same = [f"{value:,}", str(value)]
    if value >= 100_000:
        same += [f"{_figure(value / 1e6)} million", f"{_figure(value / 1e5)} lakh"]
    if value >= 1000:
        same += [f"{_figure(value / 1e3)}k", f"{_figure(value / 1e3)} thousand"]
    other = [f"{value * 10:,}", f"{value // 2:,}", f"{value + 1:,}", f"{_figure(value / 1e5)} million"]
    return Amount(rng.choice(same), same, other)


def _clock(rng: random.Random) -> Amount:
    hour, minute = rng.randint(1, 11), rng.choice((0, 0, 30))
    late = rng.random() < 0.5
    tail = f":{minute:02d}" if minute else ""
    half = ("pm", "p.m.") if late else ("am", "a.m.")
    same = [f"{hour + 12 * late:02d}:{minute:02d}", *(f"{hour}{tail} {name}" for name in half)]
    wrong = [f"{hour}{tail} {'am' if late else 'pm'}", f"{hour + 12 * (not late):02d}:{minute:02d}"]
    return Amount(rng.choice(same), same, [*wrong, f"{(hour + 1) % 12 + 12 * late:02d}:{minute:02d}"])


def _date(rng: random.Random) -> Amount:
    day, month, year = rng.randint(13, 28), rng.randint(1, 12), rng.randint(2021, 2029)

    def forms(d: int, m: int, y: int) -> list[str]:
        name = MONTHS[m - 1]
        return [f"{d} {name} {y}", f"{name} {d}, {y}", f"{y}-{m:02d}-{d:02d}", f"{d} {name[:3]} {y}", f"{m}/{d}/{y}"]

    same = forms(day, month, year)
    other = [*forms(day - 1, month, year), *forms(day, month % 12 + 1, year), *forms(day, month, year + 1)]
    return Amount(rng.choice(same), same, other)


def _least(rng: random.Random) -> Amount:
    """A bound: what is at least so much is not at most so much."""
    value, unit = rng.choice((3, 5, 8, 10, 18, 30)), rng.choice(("members", "GB of memory", "characters", "items"))
    low = [f"at least {value} {unit}", f"{value} {unit} or more", f"no fewer than {value} {unit}"]
    high = [f"at most {value} {unit}", f"{value} {unit} or fewer", f"no more than {value} {unit}"]
    below = [f"more than {value} {unit}", f"fewer than {value} {unit}", f"at least {value + 2} {unit}"]
    same, other = (low, high) if rng.random() < 0.5 else (high, low)
    return Amount(rng.choice(same), same, [*other, *other, *below])


def draw(kind: str, rng: random.Random) -> Amount:
    """An amount of a kind of THINGS."""
    makers: dict[str, Callable[[random.Random], Amount]] = {
        "money": _money, "count": _count, "clock": _clock, "date": _date, "least": _least,
    }  # fmt: skip
    if kind in makers:
        return makers[kind](rng)
    return _measure(kind, rng) if kind in MEASURES else _single(kind, rng)


def amount_pairs(count: int, rng: random.Random) -> Iterator[Told]:
    """About `count` pairs: for amounts of a short page a claim with the same value and one with another."""
    made = 0
    while made < count:
        kinds = rng.sample(list(THINGS), rng.randint(3, 6))
        facts = []
        for kind in kinds:
            thing, verb = rng.choice(THINGS[kind].split("/")), rng.choice(VERBS[kind].split("/"))
            facts.append((kind, thing, verb, draw(kind, rng)))
        text = "# Facts\n\n" + " ".join(f"{thing} {verb.format(a.written)}." for _, thing, verb, a in facts) + "\n"
        shown = windows.pieces([Evidence("", 1, text, 1.0)])
        for kind, thing, verb, amount in rng.sample(facts, 2):
            for value, label in ((rng.choice(amount.same), SUPPORTED), (rng.choice(amount.other), CONTRADICTED)):
                said = verb if kind in OPPOSITE else rng.choice(VERBS[kind].split("/"))
                whole = rng.random() < 0.75
                claim = windows.show_claim(f"{thing} {said.format(value)}." if whole else value)
                name = thing.removeprefix("The ").lower()
                question = rng.choice(
                    (f"{name.capitalize()}?", f"What about the {name}?", f"Tell me about the {name}.")
                )
                context = "" if whole and rng.random() < 0.3 else windows.show_context(question)
                best = windows.best_windows(claim, context, shown, 2)
                fit = next((one.text for one in best if thing in one.text and amount.written in one.text), "")
                if fit:
                    made += 1
                    yield claim, context, fit, label, f"amount {made - label} {thing} {amount.written}"
