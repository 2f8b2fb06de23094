"""The judges that ask a model: about every claim, or about those that the local judge is not sure of.

One call for the claims of an answer, one more for what could not be read, nothing on trust. Of a reply every claim
gets one ruling that can be used, or a reason why not.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.errors import ProviderError, SetupError
from gate.judges.base import Judge, Looking, shares, unjudged
from gate.judges.sheet import PROMPT_VERSION, Sheet, sheet_of
from gate.providers.base import Provider
from gate.records import Item, JudgeInfo, Label, Quote, Verdict
from gate.text.output import parse_lists, repeated_key, sanitise, values_of

THINKING = 4  # times as much room, on top of the patience, for who has used up all of it before the answer began
AGAIN = 1000  # added to the repeat of a request whose reply broke off
BATCH = 40  # claims of a call; an answer with more takes more calls
LONGEST = 2000  # characters of a claim: what is longer is no single statement
QUOTES = 3
PASSED = "the judge passed over a canary"
FOOLED = "the judge was fooled: it supported a canary"
_COUNTERS = ("answers", "canaries", "canaries_supported", "reasked_claims", "replies", "unparsed_replies")
_DENIED = "Contradicted by the documents."
_WORDS = {
    Label.SUPPORTED: "Stated in the documents.",
    Label.WEAKLY_SUPPORTED: "Only partly in the documents.",
    Label.UNSUPPORTED: "Not in the documents.",
}
MISSING = "the judge gave no verdict on it"
_CONTRADICTED = "contradicted"
_WHY = 240  # characters of a justification
_SUPPORTED = re.compile(r"[\W_]*supported[\W_]*", re.IGNORECASE)
_OPENING, _CLOSING = ("{", "[", "`"), ("}", "]", "`")


class LlmJudge:
    """Labels claims by asking a model; answers may be judged from several threads at once."""

    remote = True

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def info(self) -> JudgeInfo:
        """Who judged, with the counters so far."""
        with self._lock:
            counts = {name: self._counts[name] for name in _COUNTERS}
        tuning: str = getattr(self._provider, "tuning", "")
        version = f"llm-{PROMPT_VERSION}" + (f"-{tuning}" if tuning else "")
        return JudgeInfo(self._provider.name, self._provider.model, version, {**counts, **shares(counts)})

    def judge(self, items: Sequence[Item], look: int = 0) -> list[Verdict]:
        """One verdict for every item, in order; each answer's claims are asked for together, answer after answer.
        Another `look` is another call, with other numbers and canaries.
        Errors: those of the provider, for the first answer that has one."""
        verdicts: dict[int, Verdict] = {}
        answers: dict[str, list[int]] = {}
        for place, item in enumerate(items):
            settled = _without_asking(item)
            if settled:
                verdicts[place] = settled
            else:
                answers.setdefault(item.claim.answer_id, []).append(place)
        for places in answers.values():
            for first in range(0, len(places), BATCH):
                batch = places[first : first + BATCH]
                verdicts.update(zip(batch, self._answer([items[place] for place in batch], look), strict=True))
            self._count(answers=1)
        return [verdicts[place] for place in range(len(items))]

    def _answer(self, items: Sequence[Item], look: int) -> list[Verdict]:
        """The verdicts on claims of one answer: what the first reply settles, then what a second one does."""
        sheet = sheet_of(items, repeat=2 * look)
        reading = self._ask(sheet)
        found = _verdicts(sheet, reading, items)
        open_ = {sheet.claims[n]: why for n, why in reading.unresolved.items() if n in sheet.claims}
        fooled = self._fooled(sheet, reading)
        if passed := _passed_over(sheet, reading):
            found, open_ = {}, dict.fromkeys(range(len(items)), passed)
        if open_ and not fooled:
            fooled = self._second(items, found, open_, 2 * look + 1, THINKING if reading.spent else 1)
        if fooled:
            return [unjudged(item.claim, FOOLED) for item in items]
        return [found.get(place) or unjudged(item.claim, open_[place]) for place, item in enumerate(items)]

    def _second(
        self, items: Sequence[Item], found: dict[int, Verdict], open_: dict[int, str], repeat: int, room: int
    ) -> bool:
        """Ask once more, for the open places alone; what is settled moves to `found`. A reply that breaks off may be
        followed by another. Whether the judge was fooled."""
        try:
            for number in (repeat, repeat + AGAIN):
                self._count(reasked_claims=len(open_))
                sheet = sheet_of(items, sorted(open_), repeat=number, room=room)
                reading = self._ask(sheet)
                if self._fooled(sheet, reading):
                    return True
                if not reading.cut:  # what is lost on the way says nothing about the judge
                    break
        except SetupError:
            raise
        except ProviderError as error:
            open_.update({place: f"{why}; asked again: {error.message}" for place, why in open_.items()})
            return False
        if passed := _passed_over(sheet, reading):
            open_.update(
                dict.fromkeys(open_, f"{passed}, even when asked again" if passed != PASSED else f"{PASSED} twice")
            )
            return False
        found.update(_verdicts(sheet, reading, items))
        open_.update({sheet.claims[n]: f"{why}, even when asked again" for n, why in reading.unresolved.items()})
        return False

    def _ask(self, sheet: Sheet) -> ParsedReply:
        reply = self._provider.complete(sheet.request)
        reading = parse_verdicts(reply.text, reply.stop, sheet.claims.keys() | sheet.canaries, sheet.sentences.keys())
        self._count(canaries=len(sheet.canaries), replies=1, unparsed_replies=int(not reading.whole))
        return reading

    def _fooled(self, sheet: Sheet, reading: ParsedReply) -> bool:
        """Whether the reply calls a canary supported, in an entry that cannot be used too."""
        supported = len(sheet.canaries & reading.called_supported)
        self._count(canaries_supported=supported)
        return supported > 0

    def _count(self, **more: int) -> None:
        with self._lock:
            self._counts.update(more)


def _passed_over(sheet: Sheet, reading: ParsedReply) -> str:
    """Why nothing of a reply is believed that has no verdict on a canary: who passes over it may have been told to.
    Where the reply says nothing at all, what is wrong with it says more."""
    left = [reading.unresolved[number] for number in sheet.canaries & reading.unresolved.keys()]
    if not left:
        return ""
    return PASSED if reading.rulings or left[0] == MISSING else left[0]


def _without_asking(item: Item) -> Verdict | None:
    """What no model is needed for: a claim that nothing was found for, and one that is no single statement."""
    if len(item.claim.text) > LONGEST:
        return unjudged(item.claim, f"the claim has {len(item.claim.text)} characters, more than {LONGEST}")
    if not any(passage.text.strip() for passage in item.evidence):
        return Verdict(item.claim, Label.UNSUPPORTED, "Nothing in the documents speaks of this.", confidence=0.99)
    return None


def _verdicts(sheet: Sheet, reading: ParsedReply, items: Sequence[Item]) -> dict[int, Verdict]:
    """place -> verdict of the claims that the reply settles; a model states no probability."""
    return {
        sheet.claims[number]: Verdict(
            claim=items[sheet.claims[number]].claim,
            label=ruling.label,
            justification=ruling.why or (_DENIED if ruling.contradicted else _WORDS[ruling.label]),
            contradicted=ruling.contradicted,
            evidence=tuple(
                Quote(s.source, s.line, s.text, round(s.score, 4))
                for s in (sheet.sentences[cited] for cited in ruling.sentences[:QUOTES])
            ),
        )
        for number, ruling in reading.rulings.items()
        if number in sheet.claims
    }


class TieredJudge:
    """Asks `first` about everything, and `then` about what the first is unsure of or could not label."""

    remote = True

    def __init__(self, first: Judge, then: Looking) -> None:
        self._first, self._then = first, then
        self._settled = self._sent = self._saved = 0
        self._lock = threading.Lock()

    def info(self) -> JudgeInfo:
        """Both judges in one; `calls_saved` counts answers that needed no call, `share_sent_on` is of the claims."""
        local, model = self._first.info(), self._then.info()
        with self._lock:
            own = {"settled_locally": self._settled, "sent_on": self._sent, "calls_saved": self._saved}
        details = {**model.details, **own, **shares(own)}
        version = f"{local.model} {local.prompt_version}+{model.prompt_version}"
        return JudgeInfo("tiered", f"local, then {model.provider} {model.model}", version, details)

    def judge(self, items: Sequence[Item], look: int = 0) -> list[Verdict]:
        """One verdict for every item, in order; another `look` is the model's. Errors: those of the second judge."""
        if look:
            return self._then.judge(items, look)
        with self._lock:  # it keeps the processor busy by itself, and was not made for threads
            verdicts = self._first.judge(items)
        doubtful = [place for place, v in enumerate(verdicts) if v.unsure or v.label is Label.UNJUDGED]
        if doubtful:
            for place, verdict in zip(doubtful, self._then.judge([items[p] for p in doubtful]), strict=True):
                verdicts[place] = verdict
        answers = {item.claim.answer_id for item in items}
        with self._lock:
            self._settled += len(items) - len(doubtful)
            self._sent += len(doubtful)
            self._saved += len(answers - {items[place].claim.answer_id for place in doubtful})
        return verdicts


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the model said of one claim; `sentences` are numbers that were offered."""

    label: Label
    contradicted: bool
    sentences: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A reply as read: each of the claims asked for is in `rulings` or, with its reason, in `unresolved`.
    `whole`: nothing was cut off and every entry could be read; `cut`: it began well and broke off.
    `called_supported`: those with an entry that says so, whether it can be used or not. `spent`: its room was at an end
    before any list began, as where a model thinks before it answers."""

    rulings: Mapping[int, Ruling]
    unresolved: Mapping[int, str]
    whole: bool
    cut: bool = False
    called_supported: frozenset[int] = frozenset()
    spent: bool = False


def parse_verdicts(text: str, stop: str, claims: Collection[int], sentences: Collection[int]) -> ParsedReply:
    """What a reply says of `claims`, citing `sentences`. Prose and fences around the JSON do not matter; of several
    lists of verdicts the last counts; of a truncated one the complete entries do.

    A claim without an entry, with an entry that is off the menu, with two that differ, or called supported without a
    sentence that was offered, or after an earlier list that said otherwise, is unresolved.
    """
    if stop == "filter":
        return ParsedReply({}, dict.fromkeys(claims, "the reply was withheld by a content filter"), whole=False)
    listed = parse_lists(text, "verdicts")
    spent = stop == "length" and not listed
    *earlier, (found, whole) = listed or [([], False)]
    doubted = _doubted([entry for before, _ in earlier for entry in before], sentences)
    rulings: dict[int, Ruling] = {}
    faults: dict[int, str] = {}
    called: set[int] = set()
    for entry in found:
        number = number_of(entry.get("claim"))
        if number is None or number not in claims:
            continue
        if any(_SUPPORTED.fullmatch(str(verdict)) for verdict in values_of(entry.get("verdict"))):
            called.add(number)
        ruling = _ruling(entry, sentences)
        if isinstance(ruling, str):
            faults.setdefault(number, ruling)
            continue
        before = rulings.setdefault(number, ruling)
        same = (before.label, before.contradicted) == (ruling.label, ruling.contradicted)
        if not same or (ruling.label is Label.SUPPORTED and number in doubted):
            faults.setdefault(number, "the judge gave two verdicts that differ")
    lost = "the judge's reply ended before it" if found or spent else "the judge's reply is no JSON"
    missing = MISSING if whole else lost
    unresolved = {number: faults.get(number, missing) for number in claims if number in faults or number not in rulings}
    cut = not whole and text.lstrip()[:1] in _OPENING and text.rstrip()[-1:] not in _CLOSING
    rulings = {number: ruling for number, ruling in rulings.items() if number not in faults}
    return ParsedReply(rulings, unresolved, whole and stop == "stop", cut, frozenset(called), spent)


def _doubted(entries: Sequence[dict[str, Any]], sentences: Collection[int]) -> set[int | None]:
    """The claims that an entry gives another label than `supported`."""
    ruled = [(number_of(entry.get("claim")), _ruling(entry, sentences)) for entry in entries]
    return {number for number, ruling in ruled if isinstance(ruling, Ruling) and ruling.label is not Label.SUPPORTED}


def number_of(value: Any) -> int | None:
    """The number of a claim or sentence as a model writes it: `7`, `"7"`, `"[7]"` or `"(7)"`."""
    if isinstance(value, str) and (found := re.fullmatch(r"\s*[(\[]?(\d{1,6})[)\]]?\s*", value)):
        return int(found[1])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _ruling(entry: dict[str, Any], sentences: Collection[int]) -> Ruling | str:
    """The entry, or what is wrong with it."""
    if key := repeated_key(entry):
        return f"the judge gave {sanitise(key, 40)!r} two values that differ"
    verdict = entry.get("verdict")
    word = verdict.strip().lower() if isinstance(verdict, str) else ""
    against = word == _CONTRADICTED or entry.get(_CONTRADICTED) is True
    if word not in (Label.SUPPORTED, Label.WEAKLY_SUPPORTED, Label.UNSUPPORTED, _CONTRADICTED):
        return f"the judge's verdict {sanitise(str(verdict), 40)!r} is none of those offered"
    if against and word in (Label.SUPPORTED, Label.WEAKLY_SUPPORTED):
        return f"the judge called it {word.replace('_', ' ')} and contradicted at once"
    given = entry.get("sentences")
    numbers = map(number_of, given if isinstance(given, list) else ())
    cited = dict.fromkeys(n for n in numbers if n is not None and n in sentences)
    if word == Label.SUPPORTED and not cited:
        return "the judge called it supported and cited no sentence that it was offered"
    label = Label.UNSUPPORTED if against else Label(word)
    why = entry.get("why")
    return Ruling(label, against and bool(cited), tuple(cited), sanitise(why, _WHY) if isinstance(why, str) else "")
