"""The shards of one run, joined into the verdict that the whole run would have given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gate.errors import UsageError
from gate.judges.shares import shares
from gate.remeasure import joined
from gate.reports.document import JudgeEntry, PromptEntry, UsageEntry, VerdictDocument

_ALIKE = ("config_hash", "documents", "schema_version", "thresholds", "repeats", "model", "limit", "inputs")
_ONE_JUDGE = ("provider", "model", "prompt_version")  # an environment, or a fit, may make another of one configuration


def merge(shards: Sequence[VerdictDocument]) -> VerdictDocument:
    """Join all shards of one run; the decision is still that of the first (see `gate.regate`).

    Errors: UsageError for shards of different runs, one that is missing, or one that is given twice.
    """
    ordered = _in_order(shards)
    if any("comparison" in document for document in ordered):
        raise UsageError(
            "a shard was compared with a baseline: that says nothing about the whole run",
            "run the shards without --baseline, merge them, and use gate compare",
        )
    first = ordered[0]
    _check_alike(ordered)
    prompts = _interleaved([_families(document["prompts"]) for document in ordered])
    place = {prompt["id"]: number for number, prompt in enumerate(prompts)}
    if len(place) != len(prompts):
        raise UsageError("a prompt is in two shards", "merge each shard once")
    merged: VerdictDocument = {
        **first,
        "prompts": prompts,
        "details": sorted(_all(ordered, "details"), key=lambda claim: place[claim["prompt_id"]]),
        "failures": sorted(_all(ordered, "failures"), key=lambda failure: place.get(failure["prompt_id"], len(place))),
        "measures": joined([document["measures"] for document in ordered], place),
        "usage": _usage([document["usage"] for document in ordered]),
        "timings": _sums([document["timings"] for document in ordered]),
        "judge": _judge([document["judge"] for document in ordered]),
        "partial": any(document.get("partial", False) for document in ordered),
        "void": list(dict.fromkeys(reason for document in ordered for reason in document.get("void", []))),
    }
    for key in ("total_claims", "supported", "weakly_supported", "unsupported", "unjudged"):
        merged[key] = sum(document[key] for document in ordered)
    merged.pop("shard", None)
    merged.pop("inputs", None)
    return merged


def _check_alike(ordered: Sequence[VerdictDocument]) -> None:
    """Errors: UsageError for shards of different runs."""
    first = ordered[0]
    for other in ordered[1:]:
        unlike = [key for key in _ALIKE if first.get(key) != other.get(key)]
        unlike += [f"judge.{key}" for key in _ONE_JUDGE if first["judge"].get(key) != other["judge"].get(key)]
        if unlike:
            raise UsageError(
                f"these are shards of different runs: {unlike[0]} differs",
                "merge verdicts of the same configuration, questions, answers, documents, judge and version",
            )


def _in_order(shards: Sequence[VerdictDocument]) -> list[VerdictDocument]:
    """The shards 1/N to N/N, each once."""
    found: dict[int, VerdictDocument] = {}
    totals: set[int] = set()
    for place, document in enumerate(shards, 1):
        name = document.get("shard")
        if not name:
            what = f"verdict {place} of the {len(shards)} given is not a shard"
            raise UsageError(what, "make shards with gate run --shard I/N")
        number, total = _place(name)
        totals.add(total)
        if number in found:
            raise UsageError(f"shard {name} is given twice", "merge each shard once")
        found[number] = document
    total = max(totals, default=0)
    missing = [f"{number}/{total}" for number in range(1, min(total, len(found) + 8) + 1) if number not in found]
    if len(totals) != 1 or missing:
        raise UsageError(
            f"shards are missing: {', '.join(missing)}" if len(totals) == 1 else "the shards are of different numbers",
            "merge all shards of one run together",
        )
    return [found[number] for number in range(1, total + 1)]


def _place(name: str) -> tuple[int, int]:
    """(I, N) of `I/N`. Errors: UsageError."""
    left, _, right = name.partition("/")
    if not (left.isdecimal() and right.isdecimal() and 1 <= int(left[:9]) <= int(right[:9])):
        raise UsageError(f"{name[:40]!r} is not the name of a shard like 1/4", "make shards with gate run --shard I/N")
    return int(left[:9]), int(right[:9])


def _families(prompts: Sequence[PromptEntry]) -> list[list[PromptEntry]]:
    """Each prompt with the probes behind it."""
    families: list[list[PromptEntry]] = []
    for prompt in prompts:
        if "probe" in prompt and families:
            families[-1].append(prompt)
        else:
            families.append([prompt])
    return families


def _interleaved(lists: Sequence[list[list[PromptEntry]]]) -> list[PromptEntry]:
    """Shard i of n holds every n-th prompt from the i-th on: dealt back in turn, they stand in the run's order."""
    longest = max(map(len, lists))
    dealt = [families[turn] for turn in range(longest) for families in lists if turn < len(families)]
    return [prompt for family in dealt for prompt in family]


def _all(documents: Sequence[VerdictDocument], key: str) -> list[Any]:
    return [entry for document in documents for entry in document[key]]  # type: ignore[literal-required]


def _usage(parts: Sequence[UsageEntry]) -> UsageEntry:
    costs = [part["cost_usd"] for part in parts]
    known = [cost for cost in costs if cost is not None]
    joined = UsageEntry(
        calls=sum(part["calls"] for part in parts),
        cached_calls=sum(part["cached_calls"] for part in parts),
        input_tokens=sum(part["input_tokens"] for part in parts),
        output_tokens=sum(part["output_tokens"] for part in parts),
        cost_usd=round(sum(known), 6) if len(known) == len(costs) else None,
    )
    if any(part.get("estimated") for part in parts):
        joined["estimated"] = True
    return joined


def _judge(parts: Sequence[JudgeEntry]) -> JudgeEntry:
    """One judge; its counters are added up, shares are of the sums, whatever else it tells is the first shard's."""
    joined: JudgeEntry = {**parts[0]}
    if "details" in parts[0]:
        counters = [
            {key: value for key, value in part.get("details", {}).items() if type(value) is int} for part in parts
        ]
        sums = _sums(counters)
        joined["details"] = {**parts[0]["details"], **sums, **shares(sums)}
    return joined


def _sums(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    keys = dict.fromkeys(key for part in parts for key in part)
    return {key: round(sum(part.get(key, 0) for part in parts), 3) for key in keys}
