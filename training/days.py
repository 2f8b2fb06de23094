"""Generated pairs about days, hours and limits: what lies within them, what follows from them, and what does not.

A page states periods, deadlines, opening hours and limits, drawn at random; a question asks about one case, and a right
and a wrong answer share a group.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from gate.judges import windows
from gate.records import Evidence
from training.amounts import MONTHS
from training.data import CONTRADICTED, SUPPORTED
from training.tables import Told


class Case(NamedTuple):
    """A question, and answers that are right and wrong by the fact it belongs to."""

    question: str
    right: Sequence[str]
    wrong: Sequence[str]


class Fact(NamedTuple):
    """A sentence of a page and what can be asked about it."""

    text: str
    cases: Sequence[Case]


WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ORDER = ("first", "second", "third", "last")
EVENTS = (
    ("permit", "is valid until", "expire"), ("offer", "ends on", "end"), ("version", "is supported until", "run out"),
    ("certificate", "expires on", "expire"), ("contract", "ends on", "end"), ("exhibition", "closes on", "close"),
    ("course", "starts on", "start"), ("sale", "begins on", "begin"), ("service", "was launched on", "launch"),
)  # fmt: skip
OPEN = (
    ("Applications", "are accepted", "apply"), ("Registration", "is open", "register"), ("The pool", "is open", "swim"),
    ("The trail", "is open", "hike"), ("Orders", "are taken", "order"), ("The hall", "can be booked", "book the hall"),
)  # fmt: skip
SHUT = ("The office", "The museum", "The workshop", "The canteen", "The archive", "The help desk", "The library")
RETURNS = (
    ("Goods can be returned within {} of delivery", "The parcel came", "Can I still return it?"),
    ("A complaint must be made within {} of the invoice", "The invoice came", "Can I still complain?"),
    ("The booking can be cancelled for nothing within {} of payment", "I paid", "Can I still cancel for nothing?"),
    ("A claim is accepted within {} of the loss", "It happened", "Is my claim still accepted?"),
    ("A deleted project can be restored within {} of its deletion", "I deleted it", "Can I get it back?"),
)  # fmt: skip
TERMS = (("The lease", "signed"), ("The warranty", "given"), ("The agreement", "made"), ("The licence", "issued"))
YOUNG = ("travel free", "pay nothing", "enter without a ticket", "need an adult with them", "pay half")
PEOPLE = {
    False: ("My daughter is {}.", "She is {} years old.", "Our girl turned {} last month.", "I am {}."),
    True: ("My grandmother is {}.", "I am {}.", "I'm {} years old.", "My mother is {}."),
}
# By whether a rule holds above the bound, and whether the bound is in.
AGES = {
    (False, False): (
        "Children under {n} {what}.", "Those below the age of {n} {what}.", "Until they turn {n}, guests {what}.",
    ),
    (False, True): (
        "Children up to and including {n} {what}.", "Children aged {n} or younger {what}.",
        "Up to the age of {n} (inclusive) guests {what}.",
    ),
    (True, False): ("Guests over {n} {what}.", "Those older than {n} {what}."),
    (True, True): (
        "Guests aged {n} and over {what}.", "From the age of {n}, visitors {what}.",
        "Guests who are at least {n} {what}.",
    ),
}  # fmt: skip
SIZES = {
    (False, False): ("under {}", "of less than {}", "below {}"),
    (False, True): ("up to and including {}", "of no more than {}", "of {} or less", "of at most {}"),
    (True, False): ("over {}", "of more than {}", "above {}"),
    (True, True): ("of {} or more", "of at least {}", "from {} on"),
}
OVER = (
    ("Orders", "ship free", "Is shipping free for my order of {}?", "€{}"),
    ("Stays", "get a discount", "I book {}. Do I get the discount?", "{} nights"),
    ("Groups", "get a guide", "We are {}. Do we get a guide?", "{} people"),
    ("Files", "are refused", "Mine has {}. Is it refused?", "{} MB"),
    ("Trips", "need a permit", "Ours takes {}. Does it need a permit?", "{} days"),
)  # fmt: skip
YES, NO = (
    ("Yes.", "Yes, it does.", "Yes", "Yes, you can.", "Yes, that works."),
    ("No.", "No", "No, sorry.", "No, not so."),
)


def _yes(is_so: bool) -> tuple[Sequence[str], Sequence[str]]:
    return (YES, NO) if is_so else (NO, YES)


def _day(day: date, rng: random.Random, year: bool = True) -> str:
    month = MONTHS[day.month - 1]
    tail = f" {day.year}" if year else ""
    forms = [f"{day.day} {month}{tail}", f"{month} {day.day}{',' if year else ''}{tail}"]
    return rng.choice([*forms, day.isoformat(), f"{day:%d/%m/%Y} (day/month/year)"] if year else forms)


def _loose(day: date, rng: random.Random) -> str:
    month = f"{MONTHS[day.month - 1]} {day.year}"
    part = "at the end of" if day.day > 24 else "at the beginning of" if day.day < 6 else "in"
    return rng.choice((f"In {month}.", f"It is {part} {month}.", f"{month}", f"{part.capitalize()} {month}."))


def _moved(day: date, rng: random.Random, year: bool = True) -> date:
    """Another day, one part of which differs: its day by some, its month by one or two, or its `year`."""
    kind = rng.choice((0, 1, 2) if year else (0, 2))
    if kind == 2:
        return day + timedelta(days=rng.choice((-3, -2, 2, 3, 7)))
    month = (day.month - 1 + rng.choice((1, 2, 10, 11))) % 12 + 1 if kind == 0 else day.month
    return day.replace(month=month, day=min(day.day, 28), year=day.year + (rng.choice((-1, 1)) if kind else 0))


def _any_day(rng: random.Random) -> date:
    return date(rng.randint(2019, 2029), 1, 1) + timedelta(days=rng.randrange(365))


def point(rng: random.Random) -> Fact:
    """A day, told in another notation or by its month."""
    day, (thing, verb, asked) = _any_day(rng), rng.choice(EVENTS)
    other = _moved(day, rng)
    month = _moved(day, rng)
    while month.month == day.month and month.year == day.year:
        month = _moved(day, rng)
    wrong = [_day(other, rng), f"On {_day(other, rng)}.", _loose(month, rng)]
    right = [_day(day, rng), f"On {_day(day, rng)}.", _loose(day, rng)]
    helper = "did" if asked == "launch" else "does"
    return Fact(f"The {thing} {verb} {_day(day, rng)}.", [Case(f"When {helper} the {thing} {asked}?", right, wrong)])


def period(rng: random.Random) -> Fact:
    """From one day to another, each year: what is possible on a day or in a month."""
    thing, verb, asked = rng.choice(OPEN)
    first = date(2023, rng.randint(1, 9), rng.randint(1, 28))
    last = first + timedelta(days=rng.randint(20, 100))
    inside, outside = first + (last - first) / 2, last + timedelta(days=rng.randint(5, 60))
    until = [f"Until {_day(last, rng, year=False)}.", f"{_day(last, rng, year=False)}"]
    off = [f"Until {_day(first, rng, year=False)}.", f"Until {_day(_moved(last, rng, year=False), rng, year=False)}."]
    cases = [Case("Until when?", until, off), Case(f"Until when can I {asked}?", until, off)]
    for day, is_so in ((inside, True), (outside, False)):
        right, wrong = _yes(is_so)
        cases.append(Case(f"Can I {asked} on {_day(day, rng, year=False)}?", right, wrong))
    month = (last.month % 12 + rng.randint(0, 2)) % 12 + 1
    if month not in {(first + timedelta(days=n)).month for n in range((last - first).days + 1)}:
        cases.append(Case(f"Can I {asked} in {MONTHS[month - 1]}?", NO, YES))
    start, end = _day(first, rng, year=False), _day(last, rng, year=False)
    return Fact(f"{thing} {verb} from {start} to {end}.", cases)


def deadline(rng: random.Random) -> Fact:
    """So many days after something: whether a case is in time."""
    count, unit, days = rng.choice(((7, "days", 1), (10, "days", 1), (14, "days", 1), (30, "days", 1), (4, "weeks", 7),
                                    (2, "weeks", 7), (3, "months", 30), (6, "months", 30)))  # fmt: skip
    text, began, asked = rng.choice(RETURNS)
    most = count * days
    cases = []
    for gone, is_so in ((rng.randint(1, most - 2), True), (rng.randint(most + 4, 2 * most + 10), False)):
        ago = f"{gone // 7} weeks" if gone % 7 == 0 and gone > 7 else f"{gone} days"
        right, wrong = _yes(is_so)
        cases.append(Case(f"{began} {ago} ago. {asked}", right, wrong))
    if unit == "days":
        day = date(2023, rng.randint(1, 12), rng.randint(1, 28))
        end, late = day + timedelta(days=count), day + timedelta(days=count + rng.choice((-4, 5, 7, 10)))
        asked = f"{began} on {_day(day, rng, year=False)}. Until when is there time?"
        cases.append(Case(asked, [f"Until {_day(end, rng, year=False)}."], [f"Until {_day(late, rng, year=False)}."]))
    return Fact(f"{text.format(f'{count} {unit}')}.", cases)


def term(rng: random.Random) -> Fact:
    """A day and so many years: when it ends."""
    thing, verb = rng.choice(TERMS)
    day, years = _any_day(rng), rng.choice((1, 2, 3, 5, 10))
    month, end = MONTHS[day.month - 1], day.year + years
    off = end + rng.choice((-2, -1, 1, 2)) if years > 2 else end + rng.choice((1, 2, 3))
    right, wrong = ([f"In {month} {y}.", f"It ends in {y}.", f"{month} {y}"] for y in (end, off))
    span = "one year" if years == 1 else f"{years} years"
    return Fact(
        f"{thing} was {verb} on {_day(day, rng)} and runs for {span}.",
        [Case(f"When does {thing.lower()} end?", right, wrong)],
    )


def hours(rng: random.Random) -> Fact:
    """Opening hours: whether it is open on a day at a time."""
    thing, last = rng.choice(SHUT), rng.randint(3, 5)
    start, end, short = rng.randint(7, 10), rng.randint(16, 20), rng.randint(12, 14)
    weekend = last < 5 and rng.random() < 0.6
    text = f"{thing} is open {WEEK[0]} to {WEEK[last]} from {start}:00 to {end}:00"
    text += f" and on {WEEK[last + 1]} until {short}:00" if weekend else ""
    asked, cases = thing.lower(), []
    told = [(rng.randint(0, last), rng.randint(start + 1, end - 2), True), (rng.randint(0, last), end + 1, False)]
    told += [(last + 1, short + 2, False), (last + 1, start + 1, True)] if weekend else [(6, start + 2, False)]
    for day, hour, is_so in told:
        clock = rng.choice((f"{hour}:00", f"{(hour - 1) % 12 + 1} {'pm' if hour > 11 else 'am'}"))
        right, wrong = _yes(is_so)
        cases.append(Case(f"Is {asked} open on {WEEK[day]} at {clock}?", right, wrong))
    if not weekend and last < 6:
        cases.append(Case(f"Is {asked} open on {WEEK[6]}?", NO, YES))
    return Fact(f"{text}.", cases)


def limit(rng: random.Random) -> Fact:
    """An age or an amount from which, or up to which, a rule holds: whether it holds for a case."""
    cases = []
    above = rng.random() < 0.5
    closed = rng.random() < 0.5
    if rng.random() < 0.5:
        age = rng.choice((60, 62, 65, 67, 70)) if above else rng.choice((4, 5, 6, 7, 10, 12, 14, 16, 18))
        what, who = rng.choice(YOUNG), rng.choice(PEOPLE[above])
        form = rng.choice(AGES[above, closed])
        for own, is_so in _either_side(age, 1, 6, above, closed, rng):
            right, wrong = _yes(is_so)
            asked = f"{who.format(own)} {'Do I' if who[0] == 'I' else 'Does she'} {what}?"
            asked = asked.replace("them", "me" if who[0] == "I" else "her")
            cases.append(Case(asked, right, wrong))
        return Fact(form.format(n=age, what=what), cases)
    things, what, asked, unit = rng.choice(OVER)
    bound = rng.choice((5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 100, 120, 150, 200))
    for own, is_so in _either_side(bound, 1, bound, above, closed, rng):
        right, wrong = _yes(is_so)
        cases.append(Case(asked.format(unit.format(own)), right, wrong))
    size = rng.choice(SIZES[above, closed]).format(unit.format(bound))
    return Fact(f"{things} {size} {what}.", cases)


def _either_side(
    bound: int, least: int, most: int, above: bool, closed: bool, rng: random.Random
) -> Sequence[tuple[int, bool]]:
    """A number on each side of a bound, and now and then the bound itself, with whether the rule holds for it."""
    more, less = bound + rng.randint(least, most), max(1, bound - rng.randint(least, min(most, bound - 1)))
    on = [(bound, closed)] if rng.random() < 0.4 else []
    return [(more, above), (less, not above), *on]


def repeated(rng: random.Random) -> Fact:
    """A day of the week or of the month that comes again."""
    day, order = rng.choice(WEEK), rng.choice(ORDER)
    other, later = rng.choice([d for d in WEEK if d != day]), rng.choice([o for o in ORDER if o != order])
    thing = rng.choice(("The bin", "The meter", "The pond", "The filter", "The lift"))
    verb = rng.choice(("emptied", "checked", "cleaned"))
    right = [f"On the {order} {day} of the month.", f"Every month, on the {order} {day}.", f"The {order} {day}"]
    wrong = [f"On the {order} {other} of the month.", f"On the {later} {day} of the month.", f"Every {day}."]
    asked = f"When is {thing.lower()} {verb}?"
    return Fact(f"{thing} is {verb} on the {order} {day} of each month.", [Case(asked, right, wrong)])


KINDS: Sequence[Callable[[random.Random], Fact]] = (point, point, period, deadline, term, hours, limit, limit, repeated)


def day_pairs(count: int, rng: random.Random) -> Iterator[Told]:
    """About `count` pairs: a right and a wrong answer to questions about the facts of short pages."""
    made = 0
    while made < count:
        facts = [kind(rng) for kind in rng.sample(list(KINDS), rng.randint(2, 4))]
        text = "# Facts\n\n" + " ".join(fact.text for fact in facts) + "\n"
        shown = windows.pieces([Evidence("", 1, text, 1.0)])
        for fact in facts:
            case = rng.choice(fact.cases)
            context = windows.show_context(case.question)
            for answers, label in ((case.right, SUPPORTED), (case.wrong, CONTRADICTED)):
                claim = windows.show_claim(rng.choice(answers))
                best = windows.best_windows(claim, context, shown, 2)
                if fit := next((one.text for one in best if fact.text in one.text), ""):
                    made += 1
                    yield claim, context, fit, label, f"days {case.question} {fact.text}"
