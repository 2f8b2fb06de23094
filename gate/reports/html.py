"""The HTML report: one file that needs nothing else, readable without its script, and closed to every other one."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gate.reports import charts, words
from gate.reports.charts import UNIT
from gate.reports.document import ChangedClaim, ClaimEntry, Comparison, MessageEntry, PromptEntry, VerdictDocument
from gate.reports.findings import by_id, finding, grouped, notes, slices, unmet
from gate.reports.marked import SEVERITY, Span, quoted, stretches
from gate.reports.measures import changes_of, measures_of, models_line, shown
from gate.reports.safe import cut, line, link_to, place, visible
from gate.reports.words import NO_VIEW, View, context_line, families, own_prompts, partial_lines

if TYPE_CHECKING:
    from jinja2 import Template

STANDING = 20  # claims that are named before all answers
LISTED = 200  # rows of a list of changes or failures
SOURCES = 40  # documents
QUOTED = 600  # characters of a quote
TURN_LIMIT = 2000  # characters of a turn before the answer
ANSWER_LIMIT = 20_000  # characters; the JSON has the rest
WHY_BYTES, WHY_STEPS = 1_000_000, (300, 160, 90, 50, 0)
PROBE_BYTES, PROBE_STEPS = 700_000, (4000, 1500, 600, 240, 120, 60)


def render(document: VerdictDocument, view: View = NO_VIEW) -> str:
    """The whole page of a verdict."""
    return fill("report.html.j2", page(document, view), ("report.css",), "report.js")


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
    environment.filters |= {
        "line": line, "cut": cut, "visible": visible, "number": words.number, "interval": words.interval,
        "signed": words.signed, "interval_signed": words.interval_signed, "bar": _bar, "change": _change,
        "band": UNIT.band, "label": words.LABEL_WORDS.get, "sign": words.LABEL_SIGNS.get,
    }  # fmt: skip
    environment.globals |= {"link_to": link_to, "place": place}
    return environment.get_template(name)


def _asset(name: str) -> str:
    return files("gate.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source expression by which a policy allows exactly this text (Content Security Policy 3, 2.3.1)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def page(document: VerdictDocument, view: View) -> dict[str, Any]:
    """Everything that the template needs; it shows every stranger's text by `line` or `visible`."""
    standing = words.standing(document, (*words.NOT_SUPPORTED, "unjudged"))
    numbers = {id(claim): number for number, claim in enumerate(document["details"], 1)}
    prompts = by_id(document)
    return {
        "decision": document["decision"],
        "blob_url": view.blob_url,
        "origin": _origin(document, view),
        "run_url": view.run_url,
        "notes": notes(document),
        "headline": words.headline(document),
        "meaning": words.HEADLINES[document["decision"]],
        "corrected": words.corrected_line(document),
        "waived": [claim_row(claim, numbers[id(claim)]) for claim in words.waived_claims(document)],
        "use_case": document.get("use_case", ""),
        "left_out": list(partial_lines(document)),
        "reasons": document["reasons"],
        "risk": words.number(document["score"]),
        "interval": words.interval(document["interval"]),
        "gauge": gauge(document),
        "ledger": Counter(words.kind(claim) for claim in document["details"]),
        "totals": [words.count(document["total_claims"], "claim"), words.count(own_prompts(document), "prompt")],
        **_compared(document.get("comparison")),
        "trend": _trend(document, view),
        "listed": LISTED,
        "unmet": unmet(document),
        "tags": slices(document),
        "standing": [_finding(each, numbers[id(each.claim)], prompts) for each in standing[:STANDING]],
        "standing_shown": sum(each.times for each in standing[:STANDING]),
        "standing_total": sum(each.times for each in standing),
        "categories": charts.by_category(document),
        "before": {share.name: share.risk for share in charts.by_category(view.baseline)} if view.baseline else None,
        "documents": charts.by_document(document)[:SOURCES],
        "measures": charts.rows(document),
        "answers": answers(document, numbers),
        "failures": grouped(document["failures"]),
        "facts": _facts(document),
        "words": {**{kind: words.LABEL_WORDS[kind] for kind in words.LABEL_SIGNS}, "failed": "no answer"},
    }


def _compared(found: Comparison | None) -> dict[str, Any]:
    """The comparison, the models that it compares, and how the measures changed."""
    models, changes = (models_line(found), changes_of(found)) if found else ("", [])
    return {"comparison": found, "models": models, "changes": changes}


def _finding(each: words.Standing, number: int, prompts: Mapping[str, PromptEntry]) -> dict[str, Any]:
    """A claim that is not supported, within its answer, and what can be done about it."""
    claim, prompt = each.claim, prompts[each.claim["prompt_id"]]
    told = finding(claim, prompt)
    span = Span(number, words.kind(claim), len(told.before), len(told.before) + len(told.said))
    return {
        **claim_row(claim, number),
        "prompt": prompt,
        "new": each.new,
        "again": each.again,
        "parts": stretches(cut(f"{told.before}{told.said}{told.after}", ANSWER_LIMIT), [span]),
        "remedy": told.accept,
    }


def _origin(document: VerdictDocument, view: View) -> list[str]:
    """What was judged: branch, commit, and when the last answer was given, as far as they are known."""
    asked = max((prompt.get("asked_at", "") for prompt in document["prompts"]), default="")
    rows = (("branch", view.branch), ("commit", view.commit[:12]), ("asked", asked.replace("T", " ")[:16]))
    return [f"{name} {line(value, 100)}{' UTC' if name == 'asked' else ''}" for name, value in rows if value]


def gauge(document: VerdictDocument) -> dict[str, Any]:
    """Places on the scale from 0 to 1: thresholds, interval and risk."""
    limits = document["thresholds"]
    deploy, warn = float(limits["deploy_threshold"]), float(limits["warn_threshold"])
    return {
        "deploy": UNIT.at(deploy),
        "warn": UNIT.at(warn),
        "warn_width": UNIT.width(deploy, warn),
        "block_width": UNIT.width(warn, 1.0),
        "deploy_text": f"{deploy:g}",
        "warn_text": f"{warn:g}",
        "deploy_anchor": "end" if deploy > 0.75 else "start",
        "warn_anchor": "end" if warn > 0.75 else "start",
        **UNIT.band(document["score"], document["interval"]),
    }


def _bar(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """The parts of a stacked bar, the good end first."""
    total, left, parts = max(1, sum(counts.values())), 0, []
    for label in ("supported", "weakly_supported", "unsupported", "contradicted", "unjudged"):
        amount = counts.get(label, 0)
        if not amount and label == "contradicted":  # the shares of a group do not tell it apart
            continue
        parts.append({"label": label, "n": amount, "x": UNIT.at(left / total), "w": UNIT.at(amount / total)})
        left += amount
    return parts


def _trend(document: VerdictDocument, view: View) -> list[dict[str, Any]]:
    """The risk of the base and of this run; nothing without a base."""
    comparison, base = document.get("comparison"), view.baseline
    if not comparison and not base:
        return []
    score = comparison["base_score"] if comparison else base["score"] if base else None
    rows = [("base", score, base["interval"] if base else None), ("this run", document["score"], document["interval"])]
    return [{"name": name, "risk": words.number(risk), **UNIT.band(risk, interval)} for name, risk, interval in rows]


def _change(change: ChangedClaim) -> str:
    """What a changed claim is, and what it was."""
    label = "contradicted" if change.get("contradicted") else change["label"]
    before = "contradicted" if change.get("was_contradicted") else change.get("was", "")
    now, was = words.LABEL_WORDS.get(label, line(label, 40)), words.LABEL_WORDS.get(before, "")
    return f"{was} before, now {now}" if was and was != now else now


def _as_yaml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _facts(document: VerdictDocument) -> list[tuple[str, str]]:
    times = document["timings"]
    spent = ", ".join(f"{agent} {words.seconds(value)}" for agent, value in times.items())
    facts = [
        ("Judge", words.judge_line(document["judge"])),
        ("Recorded answers", words.recorded_line(document)),
        ("Model under test", words.model_name(document)),
        ("Calls", words.usage_line(document["usage"])),
        ("Time", f"{words.seconds(sum(times.values()))}: {spent}" if times else ""),
        ("Decided by", ", ".join(f"{key}: {_as_yaml(value)}" for key, value in document["thresholds"].items())),
        ("Documents", document.get("documents", "")),
        ("Configuration", document["config_hash"]),
        ("Part of a run", document.get("shard", "")),
    ]
    return [(name, line(value, 600)) for name, value in facts if value]


def answers(document: VerdictDocument, numbers: dict[int, int]) -> list[dict[str, Any]]:
    """One row for each prompt of the run, with its probes; `numbers` maps the identity of a claim's entry to its number
    in the report."""
    claims = words.by_prompt(document)
    failures = {failure["prompt_id"]: failure for failure in document["failures"]}
    rated, varied = ratings(document), probes(document)
    found = []
    for number, family in enumerate(families(document), 1):
        prompt = family.prompt
        own = [claim for member in (prompt, *family.probes) for claim in claims[member["id"]]]
        kinds = Counter(map(words.kind, own))
        reason, texts = failures.get(prompt["id"]), _texts(prompt)
        place = {ident: str(number) for number, (ident, _) in enumerate(texts, 1)} if len(texts) > 1 else {}
        found.append(
            {
                "n": number,
                "prompt": prompt,
                "meta": _meta(prompt),
                **_conversation(prompt),
                "kinds": " ".join(sorted({*kinds, *(["failed"] if prompt.get("failed") else [])})),
                "texts": [_said(ident, text, own, numbers) for ident, text in texts],
                "ratings": [{**row, "of": place.get(row["answer"], "")} for row in rated.get(prompt["id"], [])],
                "probes": varied.get(prompt["id"], []),
                "claims": [claim_row(c, numbers[id(c)]) for c in own],
                "counts": [(kind, amount) for kind in SEVERITY if (amount := kinds[kind])],
                "open": prompt.get("failed", False) or any(_wrong(claim) for claim in own),
                "reference": prompt.get("reference", ""),
                "failure": line(f"{reason['kind']}: {reason['message']}", 500) if reason else "",
            }
        )
    return found


def _conversation(prompt: PromptEntry) -> dict[str, Any]:
    """The turns before the question, and the way from it to the answer: what was said, called and returned."""
    before, way = words.way_of(prompt)
    last = (
        [MessageEntry(role="assistant", content="", tool_calls=prompt["tool_calls"])] if "tool_calls" in prompt else []
    )
    return {
        "before": list(map(_shown_turn, before)),
        "before_count": words.count(len(before) + prompt.get("turns_left_out", 0), "turn"),
        "way": list(map(_shown_turn, [*way, *last])),
    }


def _shown_turn(turn: MessageEntry) -> dict[str, Any]:
    calls = [f"{call['name']}({call['arguments']})" for call in turn.get("tool_calls", ())]
    name = f" {turn.get('name', '')}" if turn["role"] == "tool" else ""
    return {
        "role": line(f"{turn['role']}{name}", 80),
        "text": visible(cut(turn["content"], TURN_LIMIT)),
        "calls": [line(call, TURN_LIMIT) for call in calls],
    }


def _wrong(claim: ClaimEntry) -> bool:
    return claim["label"] != "supported" and not claim.get("waived")


def _texts(prompt: PromptEntry) -> list[tuple[str, str]]:
    """(id, text) of every answer to the prompt."""
    first = (prompt.get("answer_id") or prompt["id"], prompt["answer"])
    return [first, *((again["id"], again["answer"]) for again in prompt.get("answers", ()))]


def _said(ident: str, text: str, claims: Sequence[ClaimEntry], numbers: dict[int, int]) -> dict[str, Any]:
    shown = text[:ANSWER_LIMIT]
    spans = [
        Span(numbers[id(c)], words.kind(c), c["start"], c["end"])
        for c in claims
        if "start" in c and "end" in c and c.get("answer_id", ident) == ident
    ]
    return {"parts": stretches(shown, spans), "cut": len(text) - len(shown)}


def _meta(prompt: PromptEntry) -> list[str]:
    parts = [] if prompt["risk"] is None else [f"risk {prompt['risk']:.2f}"]
    if prompt["latency_ms"] is not None:
        parts.append(f"answered in {words.seconds(prompt['latency_ms'] / 1000)}")
    if prompt.get("probe"):
        parts.append(line(f"{prompt['probe']} of {prompt.get('of', '')}", 100))
    return parts


def claim_row(claim: ClaimEntry, number: int) -> dict[str, Any]:
    """One claim with its verdict and its best quotes."""
    kind = words.kind(claim)
    return {
        "n": number,
        "kind": kind,
        "entry": claim,
        "runs": [run for part in stretches(line(claim["claim"], 1000), ()) for run in part.runs],
        "waived": claim.get("waived", False),
        "accepted": line(words.waived_line(claim).partition("; ")[2], 500),
        "context": line(context_line(claim), 400),
        "nearby": line(context_line(claim, asked=False), 400),
        "why": line(words.why(claim), 500),
        "sure": words.confidence_text(claim),
        "quotes": [
            (each, quoted(cut(each["quote"], QUOTED), claim["claim"], kind == "contradicted"))
            for each in claim["evidence"][: 1 if kind == "supported" else 2]
        ],
    }


def fitting(texts: Iterable[str], limit: int, steps: Sequence[int]) -> int:
    """The largest of the steps (characters, falling) at which all texts, cut to it, take at most `limit` bytes."""
    held = list(texts)
    sizes = ((sum(len(text[:step].encode("utf-8", "replace")) for text in held), step) for step in steps)
    return next((step for size, step in sizes if size <= limit), steps[-1])


def ratings(document: VerdictDocument) -> Mapping[str, list[dict[str, Any]]]:
    """Prompt id -> the ratings of its answers, measure by measure; of a great many the reasons are cut shorter."""
    rated = [(each, rating) for each in measures_of(document) for rating in each.entry.get("ratings", [])]
    limit = fitting((rating["why"] for _, rating in rated), WHY_BYTES, WHY_STEPS)
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for measure, rating in rated:
        row = {
            "answer": rating.get("answer_id", rating["prompt_id"]),
            "title": measure.title,
            "value": shown(measure.name, rating["value"]),
            "low": measure.misses(rating["value"]),
            "why": measure.because(rating, limit),
        }
        found[rating["prompt_id"]].append(row)
    return found


def probes(document: VerdictDocument) -> Mapping[str, list[dict[str, Any]]]:
    """Prompt id -> its probes: what was varied, the question where it is another one, and what was answered."""
    found = families(document)
    said = [text for family in found for probe in family.probes for text in (probe["question"], probe["answer"])]
    limit = fitting(said, PROBE_BYTES, PROBE_STEPS)
    return {
        family.prompt["id"]: [_probe(probe, family.prompt, limit) for probe in family.probes]
        for family in found
        if family.probes
    }


def _probe(probe: PromptEntry, prompt: PromptEntry, limit: int) -> dict[str, Any]:
    measure, _, variation = probe.get("probe", "").partition(":")
    return {
        "kind": line(f"{measure}: {variation}" if variation else measure, 80).replace("_", " "),
        "question": "" if probe["question"] == prompt["question"] else visible(cut(probe["question"], limit)),
        "texts": [visible(cut(text, limit)) for _, text in _texts(probe) if text],
    }
