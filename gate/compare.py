"""Two verdicts side by side: prompts paired by id, claims matched, the paired tests, and what makes them unlike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from gate.matching import LIKELY, Related, by_meaning, match, relate
from gate.measures.risk import clip
from gate.measures.summary import MEASURES
from gate.reports.build import pair, rounded
from gate.reports.document import (
    ChangedClaim,
    ClaimEntry,
    Comparison,
    MeasureComparison,
    MeasureEntry,
    PromptEntry,
    VerdictDocument,
)
from gate.reports.words import LABEL_WORDS, NOT_SUPPORTED, by_prompt, kind, model_name, way_of
from gate.statistics.changes import Paired
from gate.statistics.changes import compare as paired

_MORE_IS_LOOSER = ("deploy_threshold", "warn_threshold", "max_unjudged", "max_increase")
PAIRS = 20_000  # pairs of claims that are looked at beyond those with equal words
DOUBTS = 5  # labels that cannot be right, of which so many are told
MEASURE_WORDS = {"regression": "worse", "improvement": "better"}


# The values of a key from the loosest on.
_STRICTER = {
    "decide_on": ("point", "interval", "corrected"),
    "contradicted": ("ignore", "warn", "block"),
    "must_pass": ("ignore", "warn", "block"),
    "checks": ("ignore", "warn", "block"),
}


def compare(
    base: VerdictDocument,
    head: VerdictDocument,
    max_increase: float = 0.0,
    related: Related = by_meaning,
) -> Comparison:
    """The comparison of `head` to `base`. Only prompts whose claims were judged in both are paired; probes are no
    prompts of their own. `related` says which claims in other words speak about the same thing."""
    measures, models = measure_changes(base, head), _models(base, head)
    base, head = _own(base), _own(head)
    outcome = paired(_differences(base, head), max_increase)
    changes = _changes(base, head, related)
    comparison = Comparison(
        base_score=base["score"],
        difference=rounded(outcome.difference),
        interval=pair(outcome.interval),
        p_value=rounded(_p(outcome)),
        smallest_detectable=rounded(outcome.smallest_detectable),
        word=outcome.word,
        new=changes.new,
        fixed=changes.fixed,
        gone=changes.gone,
        unchanged=changes.unchanged,
        notes=[*_notes(base, head), *changes.notes],
        prompts=outcome.pairs,
    )
    if measures:
        comparison["measures"] = measures
    if models:
        comparison["models"] = models
    return comparison


def _own(document: VerdictDocument) -> VerdictDocument:
    """The document without its probes: they belong to the measures, not to the risk."""
    probes = {prompt["id"] for prompt in document["prompts"] if "probe" in prompt}
    if not probes:
        return document
    return {
        **document,
        "prompts": [prompt for prompt in document["prompts"] if prompt["id"] not in probes],
        "details": [claim for claim in document["details"] if claim["prompt_id"] not in probes],
    }


def _models(base: VerdictDocument, head: VerdictDocument) -> dict[str, str]:
    """The models under test by `base` and `head`, where they differ and both are known."""
    found = {name: model_name(document) for name, document in (("base", base), ("head", head))}
    return found if all(found.values()) and found["base"] != found["head"] else {}


def _p(outcome: Paired) -> float | None:
    """The p-value of the direction that was seen."""
    return outcome.p_better if outcome.difference is not None and outcome.difference < 0 else outcome.p_worse


def _differences(base: VerdictDocument, head: VerdictDocument) -> list[float]:
    before = {prompt["id"]: prompt["risk"] for prompt in base["prompts"]}
    pairs = ((before.get(prompt["id"]), prompt["risk"]) for prompt in head["prompts"])
    return [now - then for then, now in pairs if then is not None and now is not None]


@dataclass(slots=True)
class _Changes:
    """Claims that are bad here and were not, that were bad and hold now, that were bad and are no longer said; how many
    kept their label; the labels that cannot be right; what to know of how claims were matched."""

    new: list[ChangedClaim] = field(default_factory=list)
    fixed: list[ChangedClaim] = field(default_factory=list)
    gone: list[ChangedClaim] = field(default_factory=list)
    unchanged: int = 0
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Answers:
    """The claims of one prompt in both runs, whether its answer is another one, and who is about the same thing."""

    base: Sequence[ClaimEntry]
    head: Sequence[ClaimEntry]
    anew: bool
    met: dict[int, int]  # the same words: place in base -> place in head
    before: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))  # place in head -> places in base
    after: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))  # place in base -> places in head
    again: dict[int, int] = field(default_factory=dict)  # place in base -> of a supported claim that says the same

    def unclear(self) -> Iterator[tuple[int, int]]:
        """The places of the claims that may be about the same thing, where that decides what became of one of them."""
        taken = set(self.met.values())
        if all(claim["label"] not in NOT_SUPPORTED for claim in (*self.base, *self.head)):
            return
        for i, then in enumerate(self.base):
            for j, now in enumerate(self.head):
                open_ones = (i not in self.met) + (j not in taken)
                bad_ones = (then["label"] in NOT_SUPPORTED) + (now["label"] in NOT_SUPPORTED)
                if min(open_ones, bad_ones) > 0 and open_ones + bad_ones > 2:
                    yield i, j


def _changes(base: VerdictDocument, head: VerdictDocument, related: Related) -> _Changes:
    """What became of the claims, prompt by prompt; new contradicted ones first."""
    there, here = by_prompt(base), by_prompt(head)
    said, says = _texts(base), _texts(head)
    both = []
    for name in sorted(here):
        then, now = there.get(name, []), here[name]
        anew = bool(says.get(name)) and says.get(name) != said.get(name)
        both.append(_Answers(then, now, anew, match(then, now)))
    found = _Changes(notes=_relate(both, related))
    same_documents = base.get("documents") == head.get("documents")
    for answers in both:
        _by_words(answers, found)
        _no_longer_bad(answers, found, same_documents)
        _newly_bad(answers, found)
    found.new.sort(key=lambda claim: not claim.get("contradicted", False))
    found.notes += found.doubts[:DOUBTS]
    if len(found.doubts) > DOUBTS:
        found.notes.append(f"and {len(found.doubts) - DOUBTS} more supported claims that were bad in the baseline")
    return found


def _relate(both: Sequence[_Answers], related: Related) -> list[str]:
    """Fill in which claims are about the same thing, the surest first; notes on how it was found."""
    places = ((one, i, j) for one in both for i, j in one.unclear())
    unclear = list(islice(places, PAIRS))
    scores, note = relate([(one.base[i], one.head[j]) for one, i, j in unclear], related)
    sure = [(score, n) for n, score in enumerate(scores) if score is not None and score.about >= LIKELY]
    for score, n in sorted(sure, key=lambda pair: (-pair[0].about, pair[1])):
        one, i, j = unclear[n]
        one.after[i].append(j)
        one.before[j].append(i)
        if score.same >= LIKELY and one.head[j]["label"] == "supported":
            one.again.setdefault(i, j)
    more = ["more claims changed than could be matched: some were not looked at"] if next(places, None) else []
    return [note, *more] if note else more


def _by_words(one: _Answers, found: _Changes) -> None:
    """What became of the claims that were said in the same words."""
    for i, j in one.met.items():
        then, now = one.base[i], one.head[j]
        if kind(then) == kind(now):
            found.unchanged += 1
        elif _is_bad(now) and _grade(now) > _grade(then):
            found.new.append(_changed(now, then))
        elif _is_bad(then) and now["label"] == "supported":
            found.fixed.append(_changed(now, then))


def _no_longer_bad(one: _Answers, found: _Changes, same_documents: bool) -> None:
    """A bad claim whose words went is fixed only where the new answer is right about the same thing, and nowhere wrong
    about it. Where the new answer says nothing about it, it is gone, no more. Where it says the same again and was
    believed this time, although the documents are the same, nothing was fixed: one of the two labels is wrong."""
    for i, then in enumerate(one.base):
        if i in one.met:
            continue
        now = [one.head[j] for j in one.after[i]]
        if any(kind(claim) == kind(then) for claim in now):
            found.unchanged += 1
        elif not _is_bad(then):
            continue
        elif i in one.again and same_documents:
            found.doubts.append(_doubt(then, one.head[one.again[i]]))
        elif now and all(claim["label"] == "supported" for claim in now):
            found.fixed.append(_changed(now[0], then))
        elif not now and one.anew:
            found.gone.append(_changed(then, None))


def _doubt(then: ClaimEntry, now: ClaimEntry) -> str:
    """Two labels that cannot both be right."""
    return (
        f'"{clip(now["claim"])}" ({clip(now["prompt_id"])}) is labelled supported, but seems to say what was '
        f'{LABEL_WORDS[kind(then)]} in the baseline: "{clip(then["claim"])}"; look at both'
    )


def _newly_bad(one: _Answers, found: _Changes) -> None:
    """A bad claim in new words is new unless the base was as wrong about the same thing."""
    taken = set(one.met.values())
    for j, now in enumerate(one.head):
        then = [one.base[i] for i in one.before[j]]
        if j not in taken and _is_bad(now) and all(_grade(claim) < _grade(now) for claim in then):
            found.new.append(_changed(now, max(then, key=_grade, default=None)))


def _texts(document: VerdictDocument) -> dict[str, list[str]]:
    """Prompt id -> its answers, without those that never came: a call that failed takes no claim away."""
    answers = {
        prompt["id"]: (prompt["answer"], *(more["answer"] for more in prompt.get("answers", [])))
        for prompt in document["prompts"]
    }
    return {name: [text for text in texts if text.strip()] for name, texts in answers.items()}


def _is_bad(claim: ClaimEntry) -> bool:
    """Not supported, and accepted by nobody."""
    return claim["label"] in NOT_SUPPORTED and not claim.get("waived", False)


def _grade(claim: ClaimEntry) -> int:
    """How bad a label is; what was not judged is not known to be bad."""
    grades = {"weakly_supported": 1, "unsupported": 2, "contradicted": 3}
    return grades.get(kind(claim), 0)


def _changed(claim: ClaimEntry, before: ClaimEntry | None) -> ChangedClaim:
    entry = ChangedClaim(claim=claim["claim"], prompt_id=claim["prompt_id"], label=claim["label"])
    if claim["contradicted"]:
        entry["contradicted"] = True
    if before:
        entry["was"] = before["label"]
        if before["contradicted"]:
            entry["was_contradicted"] = True
    return entry


def _notes(base: VerdictDocument, head: VerdictDocument) -> Iterator[str]:
    """What makes the two runs unlike, and a bar that was lowered."""
    if base.get("documents") != head.get("documents"):
        yield "the baseline was made with other documents"
    for key in ("provider", "model", "prompt_version"):
        if base["judge"].get(key) != head["judge"].get(key):
            yield f"the baseline was made with another judge ({key}: {base['judge'].get(key)})"
    asked = {prompt["id"]: _asked(prompt) for prompt in base["prompts"]}
    both = [prompt for prompt in head["prompts"] if prompt["id"] in asked]
    if len(both) < max(len(asked), len(head["prompts"])):
        yield f"{len(both)} prompts are in both runs ({len(asked)} in the baseline, {len(head['prompts'])} here)"
    if other := sum(asked[prompt["id"]] != _asked(prompt) for prompt in both):
        yield f"of {len(both)} prompts in both runs, {other} asked another question in the baseline, under the same id"
    yield from _lost(base, both)
    yield from _looser(base["thresholds"], head["thresholds"])
    yield from _measure_notes(base, head)


def _lost(base: VerdictDocument, both: Sequence[PromptEntry]) -> Iterator[str]:
    """What the prompts of `both` runs had in the baseline and have no more: claims, and what they were held to."""
    before = {prompt["id"]: prompt for prompt in base["prompts"]}
    pairs = [(before[prompt["id"]], prompt) for prompt in both]
    if silent := sum(then["risk"] is not None and now["risk"] is None for then, now in pairs):
        yield f"of {len(both)} prompts in both runs, {silent} had judged claims in the baseline and none here"
    if freed := sum(len(_holding(then) - _holding(now)) > 0 for then, now in pairs):
        yield f"of {len(both)} prompts in both runs, {freed} had must_pass or checks in the baseline and not here"


def _holding(prompt: PromptEntry) -> set[str]:
    return {name for name in ("must_pass", "failed_checks") if prompt.get(name, False) is not False}


def _asked(prompt: PromptEntry) -> list[list[str]]:
    """All that the user said up to an answer: the same question may go on from another one."""
    before = [turn["content"].split() for turn in way_of(prompt)[0] if turn["role"] == "user"]
    return [*before, prompt["question"].split()]


def _looser(base: dict[str, object], head: dict[str, object]) -> Iterator[str]:
    """Every threshold that lets more pass than the baseline's did."""
    for key in (*_MORE_IS_LOOSER, "min_claims", "fail_on_regression"):
        then, now = base.get(key), head.get(key)
        if not isinstance(then, int | float) or not isinstance(now, int | float) or then == now:
            continue
        if (now > then) is (key in _MORE_IS_LOOSER):
            yield f"{key} is looser than in the baseline: {now} instead of {then}"
    for key, order in _STRICTER.items():
        then, now = base.get(key), head.get(key)
        if then in order and now in order and order.index(now) < order.index(then):
            yield f"{key} is looser than in the baseline: {now} instead of {then}"


def measure_changes(base: VerdictDocument, head: VerdictDocument) -> dict[str, MeasureComparison]:
    """name -> the change of every measure that both runs have and this version knows, so that it has a good side."""
    both = sorted(base["measures"].keys() & head["measures"].keys() & MEASURES.keys())
    return {name: _change(name, base["measures"][name], head["measures"][name]) for name in both}


def _measure_notes(base: VerdictDocument, head: VerdictDocument) -> Iterator[str]:
    """What only one of the runs has measured, and every threshold that lets more pass than the base's did."""
    there, here = base["measures"], head["measures"]
    for where, only in (("the baseline", there.keys() - here.keys()), ("this run", here.keys() - there.keys())):
        if only:
            yield f"measured in {where} only: {', '.join(sorted(only))}"
    for name in sorted(there.keys() & here.keys() & MEASURES.keys()):
        then, now = there[name].get("threshold"), here[name].get("threshold")
        if then is None or then == now:
            continue
        if now is None:
            yield f"{name} has no threshold any more; in the baseline it was {then:g}"
        elif (now > then) is MEASURES[name].less_is_better:
            yield f"the threshold of {name} is looser than in the baseline: {now:g} instead of {then:g}"


def _change(name: str, base: MeasureEntry, head: MeasureEntry) -> MeasureComparison:
    # The test asks whether the mean of its numbers is above zero, which means worse.
    sign = 1.0 if MEASURES[name].less_is_better else -1.0
    then, now = _means(base), _means(head)
    outcome = paired([sign * (now[key] - then[key]) for key in now if key in then])
    ends = sorted(sign * end for end in outcome.interval) if outcome.interval else None
    return MeasureComparison(
        base=base["value"],
        head=head["value"],
        difference=None if outcome.difference is None else rounded(sign * outcome.difference),
        interval=pair(ends),
        p_value=rounded(_p(outcome)),
        smallest_detectable=rounded(outcome.smallest_detectable),
        word=MEASURE_WORDS.get(outcome.word, outcome.word),
        prompts=outcome.pairs,
    )


def _means(entry: MeasureEntry) -> Mapping[str, float]:
    """prompt id -> the weighted mean of its ratings; a prompt whose ratings weigh nothing is not there."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for rating in entry.get("ratings", []):
        weight = rating.get("weight", 1.0)
        sums[rating["prompt_id"]][0] += weight * rating["value"]
        sums[rating["prompt_id"]][1] += weight
    return {name: total / weight for name, (total, weight) in sums.items() if weight > 0}
