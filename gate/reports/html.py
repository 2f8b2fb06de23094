"""The HTML report: one file that needs nothing else, readable without its script, and closed to every other one."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gate.reports import charts, words
from gate.reports.answers import answers, claim_row
from gate.reports.document import LABELS, ChangedClaim, Comparison, VerdictDocument
from gate.reports.measures import changes_of, models_line
from gate.reports.safe import line
from gate.reports.words import Share, View, merge_repeats, own_prompts, partial_lines, repeats_text

if TYPE_CHECKING:
    from jinja2 import Template

STANDING = 10  # claims that are named before all answers
LISTED = 200  # rows of a list of changes or failures
SOURCES = 40  # documents


def render(document: VerdictDocument, view: View | None = None) -> str:
    """The whole page of a verdict."""
    return fill("report.html.j2", page(document, view or View()), ("report.css",), "report.js")


def fill(template: str, values: dict[str, Any], styles: Sequence[str], script: str = "") -> str:
    """A page from a template. Every text is escaped by the template engine, and the page's own policy lets only the
    style and script that it was made with run: nothing is fetched, sent or framed."""
    from markupsafe import Markup

    style, code = "".join(map(_asset, styles)), _asset(script) if script else ""
    return _template(template).render(
        values,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(code),  # noqa: S704 - our own file
        policy=(
            f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(code)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
    )


@cache
def _template(name: str) -> Template:
    """Compiled once a process: that takes longer than to fill it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("gate.reports"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    return environment.get_template(name)


def _asset(name: str) -> str:
    return files("gate.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source expression by which a policy allows exactly this text (Content Security Policy 3, 2.3.1)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def page(document: VerdictDocument, view: View) -> dict[str, Any]:
    """Everything that the template needs; all texts in it are visible and end no line by surprise."""
    new = words.new_claims(document)
    standing = merge_repeats(words.worst(document), new)[:STANDING]
    numbers = {id(claim): number for number, claim in enumerate(document["details"], 1)}
    return {
        "decision": document["decision"],
        "headline": words.HEADLINES[document["decision"]],
        "use_case": line(document.get("use_case", ""), 300),
        "left_out": list(partial_lines(document)),
        "reasons": [line(reason, 1000) for reason in document["reasons"]],
        "risk": words.number(document["score"]),
        "interval": words.interval(document["interval"]),
        "gauge": gauge(document),
        "ledger": _bar({label: document[label] for label in LABELS}),  # type: ignore[literal-required]
        "totals": [words.count(document["total_claims"], "claim"), words.count(own_prompts(document), "prompt")],
        "comparison": _comparison(document, view),
        "standing": [
            {
                **claim_row(c, numbers[id(c)], view),
                "new": (c["prompt_id"], c["claim"]) in new,
                "again": repeats_text(more),
            }
            for c, more in standing
        ],
        "standing_shown": sum(1 + more for _, more in standing),
        "standing_total": document["unsupported"] + document["weakly_supported"],
        "categories": _shares(words.by_category(document), view.baseline),
        "documents": [
            {**row, "name": row["name"] or "nothing found"} for row in _shares(words.by_document(document)[:SOURCES])
        ],
        "measures": charts.rows(document),
        "answers": answers(document, numbers, view),
        "failures": [{key: line(str(value), 500) for key, value in f.items()} for f in document["failures"][:LISTED]],
        "failures_more": max(0, len(document["failures"]) - LISTED),
        "facts": _facts(document),
        "words": {**{kind: words.LABEL_WORDS[kind] for kind in words.LABEL_SIGNS}, "failed": "no answer"},
    }


def percent(value: float) -> str:
    """A share as a CSS or SVG length, kept inside the picture."""
    return f"{100 * min(1.0, max(0.0, value)):.2f}%"


def band(value: float | None, interval: Sequence[float] | None) -> dict[str, str | None]:
    """Places of a value and its interval on the scale from 0 to 1; None for what is not known."""
    return {
        "at": None if value is None else percent(value),
        "low": percent(interval[0]) if interval else None,
        "width": percent(max(0.0, interval[1]) - max(0.0, interval[0])) if interval else None,
    }


def gauge(document: VerdictDocument) -> dict[str, Any]:
    """Places on the scale from 0 to 1: thresholds, interval and risk."""
    limits = document["thresholds"]
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
        **band(document["score"], document["interval"]),
    }


def _bar(counts: dict[str, int]) -> list[dict[str, Any]]:
    """The parts of a stacked bar, the good end first."""
    total, left, parts = sum(counts.values()), 0, []
    for label in ("supported", "weakly_supported", "unsupported", "unjudged"):
        amount = counts[label]
        parts.append(
            {"label": label, "word": words.LABEL_WORDS[label], "n": amount,
             "x": percent(left / total if total else 0), "w": percent(amount / total if total else 0)}
        )  # fmt: skip
        left += amount
    return parts


def _shares(found: Sequence[Share], baseline: VerdictDocument | None = None) -> list[dict[str, Any]]:
    before = {share.name: share.risk for share in words.by_category(baseline)} if baseline else {}
    return [
        {
            "name": line(share.name, 200),
            "bar": _bar(dict(share.counts)),
            "n": share.total,
            "risk": words.number(share.risk),
            "base": words.number(before.get(share.name)) if baseline else None,
        }
        for share in found
    ]


def _comparison(document: VerdictDocument, view: View) -> dict[str, Any] | None:
    comparison, base = document.get("comparison"), view.baseline
    if not comparison and not base:
        return None
    score = comparison["base_score"] if comparison else base["score"] if base else None
    rows = [("base", score, base["interval"] if base else None), ("this run", document["score"], document["interval"])]
    shown = [{"name": name, "risk": words.number(risk), **band(risk, interval)} for name, risk, interval in rows]
    return {"rows": shown, "word": None, **(_changes(comparison) if comparison else {})}


def _changes(comparison: Comparison) -> dict[str, Any]:
    return {
        "word": comparison["word"],
        "difference": words.signed(comparison["difference"]),
        "interval": words.interval_signed(comparison["interval"]),
        "p_value": words.number(comparison["p_value"]),
        "smallest": words.number(comparison["smallest_detectable"]),
        "unchanged": comparison["unchanged"],
        "notes": [line(note) for note in comparison["notes"]],
        "models": line(models_line(comparison), 300),
        "measures": changes_of(comparison),
        "new": [_change(change) for change in comparison["new"][:LISTED]],
        "fixed": [_change(change) for change in comparison["fixed"][:LISTED]],
    }


def _change(change: ChangedClaim) -> dict[str, str]:
    label = "contradicted" if change.get("contradicted") else change["label"]
    now = words.LABEL_WORDS.get(label, line(label, 40))
    was = words.LABEL_WORDS.get(change.get("was", ""), "")
    return {
        "claim": line(change["claim"], 400),
        "prompt": line(change["prompt_id"], 60),
        "label": f"{was} before, now {now}" if was and was != now else now,
    }


def _facts(document: VerdictDocument) -> list[tuple[str, str]]:
    times = document["timings"]
    spent = ", ".join(f"{agent} {words.seconds(value)}" for agent, value in times.items())
    model = " / ".join(value for value in document.get("model", {}).values() if value)
    facts = [
        ("Judge", words.judge_line(document["judge"])),
        ("Model under test", model),
        ("Calls", words.usage_line(document["usage"])),
        ("Time", f"{words.seconds(sum(times.values()))}: {spent}" if times else ""),
        ("Decided by", ", ".join(f"{key} {value}" for key, value in document["thresholds"].items())),
        ("Documents", document.get("documents", "")),
        ("Configuration", document["config_hash"]),
        ("Part of a run", document.get("shard", "")),
    ]
    return [(name, line(value, 600)) for name, value in facts if value]
