"""Two verdicts side by side: prompts paired by id, claims matched, the paired tests, and what makes them unlike."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gate.measures.base import MEASURES
from gate.reports.build import pair, rounded
from gate.reports.document import (
    ChangedClaim,
    ClaimEntry,
    Comparison,
    MeasureComparison,
    MeasureEntry,
    VerdictDocument,
)
from gate.reports.words import NOT_SUPPORTED, by_prompt, claim_key, model_name
from gate.statistics.paired import Paired
from gate.statistics.paired import compare as paired
from gate.text import tokens, words

SAME = 0.7  # shared share of words from which two claims of one prompt are the same in other words
_MORE_IS_LOOSER = ("deploy_threshold", "warn_threshold", "max_unjudged", "max_increase")
MEASURE_WORDS = {"regression": "worse", "improvement": "better"}


# The values of a key from the loosest on.
_STRICTER = {
    "decide_on": ("point", "interval", "corrected"),
    "contradicted": ("ignore", "warn", "block"),
    "must_pass": ("ignore", "warn", "block"),
}


def compare(base: VerdictDocument, head: VerdictDocument, seed: int = 0, max_increase: float = 0.0) -> Comparison:
    """The comparison of `head` to `base`. Only prompts whose claims were judged in both are paired; probes are no
    prompts of their own."""
    measures, models = measure_changes(base, head, seed), _models(base, head)
    base, head = _own(base), _own(head)
    outcome = paired(_differences(base, head), seed, max_increase)
    changes = _changes(base, head)
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
        notes=list(_notes(base, head)),
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
    """Claims that are bad here and were not, that were bad and hold now, that are bad and no longer said; how many kept
    their label."""

    new: list[ChangedClaim] = field(default_factory=list)
    fixed: list[ChangedClaim] = field(default_factory=list)
    gone: list[ChangedClaim] = field(default_factory=list)
    unchanged: int = 0


def _changes(base: VerdictDocument, head: VerdictDocument) -> _Changes:
    """What became of the claims, prompt by prompt; new contradicted ones first. A bad claim whose words went is fixed
    only where the new answer says something that is supported, and nothing that is bad: else it is gone, no more."""
    there, here = by_prompt(base), by_prompt(head)
    found = _Changes()
    for prompt_id in sorted(here):
        sound = _is_sound(here[prompt_id])
        for then, now in match(there.get(prompt_id, []), here[prompt_id]):
            if then and now and then["label"] == now["label"]:
                found.unchanged += 1
            elif now and _is_bad(now) and not (then and then["label"] == "unsupported"):
                found.new.append(_changed(now, then))
            elif then and _is_bad(then) and now and not _is_bad(now):
                (found.fixed if now["label"] == "supported" else found.gone).append(_changed(now, then))
            elif then and _is_bad(then) and not now:
                (found.fixed if sound else found.gone).append(_changed(then, then))
    found.new.sort(key=lambda claim: not claim.get("contradicted", False))
    return found


def _is_bad(claim: ClaimEntry) -> bool:
    """Not supported, and accepted by nobody."""
    return claim["label"] in NOT_SUPPORTED and not claim.get("waived", False)


def _is_sound(claims: Sequence[ClaimEntry]) -> bool:
    """Whether an answer says something that is supported, and nothing that is not."""
    return any(claim["label"] == "supported" for claim in claims) and not any(map(_is_bad, claims))


def _changed(claim: ClaimEntry, before: ClaimEntry | None) -> ChangedClaim:
    entry = ChangedClaim(claim=claim["claim"], prompt_id=claim["prompt_id"], label=claim["label"])
    if claim["contradicted"]:
        entry["contradicted"] = True
    if before:
        entry["was"] = before["label"]
    return entry


def _notes(base: VerdictDocument, head: VerdictDocument) -> Iterator[str]:
    """What makes the two runs unlike, and a bar that was lowered."""
    if base.get("documents") != head.get("documents"):
        yield "the baseline was made with other documents"
    for key in ("provider", "model", "prompt_version"):
        if base["judge"].get(key) != head["judge"].get(key):
            yield f"the baseline was made with another judge ({key}: {base['judge'].get(key)})"
    asked = {prompt["id"]: prompt["question"] for prompt in base["prompts"]}
    both = [prompt for prompt in head["prompts"] if prompt["id"] in asked]
    if len(both) < max(len(asked), len(head["prompts"])):
        yield f"{len(both)} prompts are in both runs ({len(asked)} in the baseline, {len(head['prompts'])} here)"
    if other := sum(asked[prompt["id"]].split() != prompt["question"].split() for prompt in both):
        yield f"of {len(both)} prompts in both runs, {other} asked another question in the baseline, under the same id"
    yield from _looser(base["thresholds"], head["thresholds"])
    yield from _measure_notes(base, head)


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


def fingerprint(claim: ClaimEntry) -> tuple[str, ...]:
    """What a claim is known by across runs: its words, without case, markup and spacing; of a short one (`No.`) all
    words, and those of its question."""
    known = claim_key(claim)
    return tuple(tokens(known) if known != claim["claim"] else words(known))


def match(
    base: Sequence[ClaimEntry], head: Sequence[ClaimEntry]
) -> Iterator[tuple[ClaimEntry | None, ClaimEntry | None]]:
    """Claims of one prompt in pairs: equal ones first, then the most similar (shared words over all words) above SAME;
    what has no partner comes alone."""
    there, here = [fingerprint(claim) for claim in base], [fingerprint(claim) for claim in head]
    waiting: dict[tuple[str, ...], list[int]] = {}
    for i in reversed(range(len(base))):
        waiting.setdefault(there[i], []).append(i)
    right: list[int] = []
    for j, claim in enumerate(head):
        if equal := waiting.get(here[j]):
            yield base[equal.pop()], claim
        else:
            right.append(j)
    left = dict.fromkeys(sorted(chain.from_iterable(waiting.values())))
    unmet = dict.fromkeys(right)
    said = {i: frozenset(words(base[i]["claim"])) for i in left}, {j: frozenset(words(head[j]["claim"])) for j in right}
    for _, i, j in sorted(_alike(*said)):
        if i in left and j in unmet:
            del left[i], unmet[j]
            yield base[i], head[j]
    yield from ((base[i], None) for i in left)
    yield from ((None, head[j]) for j in unmet)


def _alike(left: dict[int, frozenset[str]], right: dict[int, frozenset[str]]) -> Iterator[tuple[float, int, int]]:
    """(less the similarity, place, place) of the pairs from SAME on. Two sets that share so many words share one of the
    rarest of the first, so that only claims with one of these are looked at and not each with each."""
    often = Counter(chain.from_iterable(right.values()))
    where: dict[str, list[int]] = {}
    for j, said in right.items():
        for word in said:
            where.setdefault(word, []).append(j)
    for i, said in left.items():
        rare = sorted(said, key=lambda word: (often[word], word))[: len(said) - int(SAME * len(said)) + 1]
        for j in set(chain.from_iterable(where.get(word, ()) for word in rare)):
            share = len(said & right[j]) / len(said | right[j])
            if share >= SAME:
                yield -share, i, j


def measure_changes(base: VerdictDocument, head: VerdictDocument, seed: int = 0) -> dict[str, MeasureComparison]:
    """name -> the change of every measure that both runs have and this version knows, so that it has a good side."""
    both = sorted(base["measures"].keys() & head["measures"].keys() & MEASURES.keys())
    return {name: _change(name, base["measures"][name], head["measures"][name], seed) for name in both}


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


def _change(name: str, base: MeasureEntry, head: MeasureEntry, seed: int) -> MeasureComparison:
    # The test asks whether the mean of its numbers is above zero, which means worse.
    sign = 1.0 if MEASURES[name].less_is_better else -1.0
    then, now = _means(base), _means(head)
    outcome = paired([sign * (now[key] - then[key]) for key in now if key in then], seed)
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
