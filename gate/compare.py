"""Two verdicts side by side: prompts paired by id, claims matched, the paired tests, and what makes them unlike."""

from __future__ import annotations

from collections.abc import Iterator

from gate.compare_claims import match
from gate.compare_measures import measure_changes, measure_notes
from gate.measures.paired import Paired
from gate.measures.paired import compare as paired
from gate.reports.document import ChangedClaim, ClaimEntry, Comparison, PromptEntry, VerdictDocument

BAD = frozenset({"unsupported", "weakly_supported"})


def compare(base: VerdictDocument, head: VerdictDocument, seed: int = 0, max_increase: float = 0.0) -> Comparison:
    """The comparison of `head` to `base`. Only prompts whose claims were judged in both are paired; probes are no
    prompts of their own."""
    measures, models = measure_changes(base, head, seed), _models(base, head)
    base, head = _own(base), _own(head)
    outcome = paired(_differences(base, head), seed, max_increase)
    new, fixed, unchanged = _changes(base, head)
    comparison = Comparison(
        base_score=base["score"],
        difference=_round(outcome.difference),
        interval=[round(end, 6) + 0.0 for end in outcome.interval] if outcome.interval else None,
        p_value=_round(_p(outcome)),
        smallest_detectable=_round(outcome.smallest_detectable),
        word=outcome.word,
        new=new,
        fixed=fixed,
        unchanged=unchanged,
        notes=list(notes(base, head)),
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
    found = {name: _model(document) for name, document in (("base", base), ("head", head))}
    return found if all(found.values()) and found["base"] != found["head"] else {}


def _model(document: VerdictDocument) -> str:
    return " / ".join(value for value in document.get("model", {}).values() if value)


def _p(outcome: Paired) -> float | None:
    """The p-value of the direction that was seen."""
    return outcome.p_better if outcome.difference is not None and outcome.difference < 0 else outcome.p_worse


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 6) + 0.0  # no zero has a sign


def _differences(base: VerdictDocument, head: VerdictDocument) -> list[float]:
    before = {prompt["id"]: prompt for prompt in base["prompts"]}
    pairs = ((before[prompt["id"]], prompt) for prompt in head["prompts"] if prompt["id"] in before)
    return [now - then for then, now in map(_risks, pairs) if then is not None and now is not None]


def _risks(pair: tuple[PromptEntry, PromptEntry]) -> tuple[float | None, float | None]:
    return pair[0]["risk"], pair[1]["risk"]


def _changes(base: VerdictDocument, head: VerdictDocument) -> tuple[list[ChangedClaim], list[ChangedClaim], int]:
    """(bad here and not before, bad before and not any more, how many kept their label)."""
    there, here = _by_prompt(base), _by_prompt(head)
    new: list[ChangedClaim] = []
    fixed: list[ChangedClaim] = []
    unchanged = 0
    for prompt_id in sorted(there.keys() & here.keys()):
        for then, now in match(there[prompt_id], here[prompt_id]):
            if then and now and then["label"] == now["label"]:
                unchanged += 1
            elif now and now["label"] in BAD and not (then and then["label"] == "unsupported"):
                new.append(_changed(now, then))
            elif then and then["label"] in BAD and not (now and now["label"] in BAD):
                fixed.append(_changed(now or then, then))
    new.extend(
        _changed(claim, None)
        for prompt_id in sorted(here.keys() - there.keys())
        for claim in here[prompt_id]
        if claim["label"] in BAD
    )
    return new, fixed, unchanged


def _by_prompt(document: VerdictDocument) -> dict[str, list[ClaimEntry]]:
    claims: dict[str, list[ClaimEntry]] = {prompt["id"]: [] for prompt in document["prompts"]}
    for detail in document["details"]:
        claims.setdefault(detail["prompt_id"], []).append(detail)
    return claims


def _changed(claim: ClaimEntry, before: ClaimEntry | None) -> ChangedClaim:
    entry = ChangedClaim(claim=claim["claim"], prompt_id=claim["prompt_id"], label=claim["label"])
    if claim["contradicted"]:
        entry["contradicted"] = True
    if before:
        entry["was"] = before["label"]
    return entry


def notes(base: VerdictDocument, head: VerdictDocument) -> Iterator[str]:
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
    yield from looser(base["thresholds"], head["thresholds"])
    yield from measure_notes(base, head)


def looser(base: dict[str, object], head: dict[str, object]) -> Iterator[str]:
    """Every threshold that lets more pass than the baseline's did."""
    for key, more_is_looser in (
        ("deploy_threshold", True),
        ("warn_threshold", True),
        ("max_unjudged", True),
        ("max_increase", True),
        ("min_claims", False),
        ("fail_on_regression", False),
    ):
        then, now = base.get(key), head.get(key)
        if not isinstance(then, int | float) or not isinstance(now, int | float) or then == now:
            continue
        if (now > then) is more_is_looser:
            yield f"{key} is looser than in the baseline: {now} instead of {then}"
    if (base.get("decide_on"), head.get("decide_on")) == ("interval", "point"):
        yield "decide_on is looser than in the baseline: point instead of interval"
