"""What the HTML page shows above and below its answers: plain texts and percentages for the template to place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gate.reports import page_measures, telling
from gate.reports.document import LABELS, ChangedClaim, Comparison, VerdictDocument
from gate.reports.extent import left_out
from gate.reports.families import own_prompts
from gate.reports.page_answers import answers, claim_row
from gate.reports.repeats import again, once
from gate.reports.safe import line
from gate.reports.telling import Share, View

STANDING = 10  # claims that are named before all answers
LISTED = 200  # rows of a list of changes or failures


def page(document: VerdictDocument, view: View) -> dict[str, Any]:
    """Everything that the template needs; all texts in it are visible and end no line by surprise."""
    new = telling.new_claims(document)
    standing = once(telling.worst(document), new)[:STANDING]
    numbers = {id(claim): place_ for place_, claim in enumerate(document["details"], 1)}
    return {
        "decision": document["decision"],
        "headline": telling.HEADLINES[document["decision"]],
        "use_case": line(document.get("use_case", ""), 300),
        "left_out": list(left_out(document)),
        "reasons": [line(reason, 1000) for reason in document["reasons"]],
        "risk": telling.number(document["score"]),
        "interval": telling.interval(document["interval"]),
        "gauge": gauge(document),
        "ledger": _bar({label: document[label] for label in LABELS}),  # type: ignore[literal-required]
        "totals": [telling.count(document["total_claims"], "claim"), telling.count(own_prompts(document), "prompt")],
        "comparison": _comparison(document, view),
        "standing": [
            {**claim_row(c, numbers[id(c)], view), "new": (c["prompt_id"], c["claim"]) in new, "again": again(more)}
            for c, more in standing
        ],
        "standing_shown": sum(1 + more for _, more in standing),
        "standing_total": document["unsupported"] + document["weakly_supported"],
        "categories": _shares(telling.by_category(document), view.baseline),
        "documents": [
            {**row, "name": row["name"] or "nothing found"} for row in _shares(telling.by_document(document))
        ][:40],
        "measures": page_measures.rows(document),
        "answers": answers(document, numbers, view),
        "failures": [{key: line(str(value), 500) for key, value in f.items()} for f in document["failures"][:LISTED]],
        "failures_more": max(0, len(document["failures"]) - LISTED),
        "facts": _facts(document),
        "words": {**{kind: telling.LABEL_WORDS[kind] for kind in telling.LABEL_SIGNS}, "failed": "no answer"},
    }


def percent(value: float) -> str:
    """A share as a CSS or SVG length, kept inside the picture."""
    return f"{100 * min(1.0, max(0.0, value)):.2f}%"


def gauge(document: VerdictDocument) -> dict[str, Any]:
    """Places on the scale from 0 to 1: thresholds, interval and risk."""
    limits, band, risk = document["thresholds"], document["interval"], document["score"]
    deploy, warn = float(limits["deploy_threshold"]), float(limits["warn_threshold"])
    return {
        "deploy": percent(deploy),
        "warn": percent(warn),
        "warn_width": percent(warn - deploy),
        "block_width": percent(1 - warn),
        "deploy_text": f"{deploy:g}",
        "warn_text": f"{warn:g}",
        "deploy_anchor": "end" if deploy > 0.75 else "start",
        "warn_anchor": "end" if warn > 0.75 else "start",
        "at": None if risk is None else percent(risk),
        "low": percent(band[0]) if band else None,
        "width": percent(band[1] - band[0]) if band else None,
    }


def _bar(counts: dict[str, int]) -> list[dict[str, Any]]:
    """The parts of a stacked bar, the good end first."""
    total, left, parts = sum(counts.values()), 0, []
    for label in ("supported", "weakly_supported", "unsupported", "unjudged"):
        amount = counts[label]
        parts.append(
            {"label": label, "word": telling.LABEL_WORDS[label], "n": amount,
             "x": percent(left / total if total else 0), "w": percent(amount / total if total else 0)}
        )  # fmt: skip
        left += amount
    return parts


def _shares(found: Sequence[Share], baseline: VerdictDocument | None = None) -> list[dict[str, Any]]:
    before = {share.name: share.risk for share in telling.by_category(baseline)} if baseline else {}
    return [
        {
            "name": line(share.name, 200),
            "bar": _bar(dict(share.counts)),
            "n": share.total,
            "risk": telling.number(share.risk),
            "base": telling.number(before.get(share.name)) if baseline else None,
        }
        for share in found
    ]


def _comparison(document: VerdictDocument, view: View) -> dict[str, Any] | None:
    comparison, base = document.get("comparison"), view.baseline
    if not comparison and not base:
        return None
    score = comparison["base_score"] if comparison else base["score"] if base else None
    rows = [("base", score, base["interval"] if base else None), ("this run", document["score"], document["interval"])]
    found: dict[str, Any] = {
        "rows": [
            {"name": name, "risk": telling.number(risk), "at": None if risk is None else percent(risk),
             "low": percent(band[0]) if band else None, "width": percent(band[1] - band[0]) if band else None}
            for name, risk, band in rows
        ],
        "word": None,
    }  # fmt: skip
    return {**found, **_changes(comparison)} if comparison else found


def _changes(comparison: Comparison) -> dict[str, Any]:
    return {
        "word": comparison["word"],
        "difference": telling.signed(comparison["difference"]),
        "interval": telling.interval_signed(comparison["interval"]),
        "p_value": telling.number(comparison["p_value"]),
        "smallest": telling.number(comparison["smallest_detectable"]),
        "unchanged": comparison["unchanged"],
        "notes": [line(note) for note in comparison["notes"]],
        **page_measures.changes(comparison),
        **{
            name: [_change(c) for c in changes[:LISTED]]
            for name, changes in (("new", comparison["new"]), ("fixed", comparison["fixed"]))
        },
    }


def _change(change: ChangedClaim) -> dict[str, str]:
    label = "contradicted" if change.get("contradicted") else change["label"]
    told = telling.LABEL_WORDS.get(label, line(label, 40))
    was = telling.LABEL_WORDS.get(change.get("was", ""), "")
    return {
        "claim": line(change["claim"], 400),
        "prompt": line(change["prompt_id"], 60),
        "label": f"{was} before, now {told}" if was and was != told else told,
    }


def _facts(document: VerdictDocument) -> list[tuple[str, str]]:
    times = document["timings"]
    spent = ", ".join(f"{agent} {telling.seconds(value)}" for agent, value in times.items())
    model = " / ".join(value for value in document.get("model", {}).values() if value)
    facts = [
        ("Judge", telling.judge_line(document["judge"])),
        ("Model under test", model),
        ("Calls", telling.usage_line(document["usage"])),
        ("Time", f"{telling.seconds(sum(times.values()))}: {spent}" if times else ""),
        ("Decided by", ", ".join(f"{key} {value}" for key, value in document["thresholds"].items())),
        ("Documents", document.get("documents", "")),
        ("Configuration", document["config_hash"]),
        ("Part of a run", document.get("shard", "")),
    ]
    return [(name, line(value, 600)) for name, value in facts if value]
