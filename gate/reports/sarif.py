"""SARIF 2.1.0 for code scanning: every claim that is not supported, with a fingerprint that stays the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from gate import __version__
from gate.records import fingerprint
from gate.reports import words
from gate.reports.document import ClaimEntry, PromptEntry, VerdictDocument
from gate.reports.findings import FindingText, Unmet, asked_in, by_id, failure_line, finding, unmet
from gate.reports.measures import MeasureView, measures_of
from gate.reports.safe import line, path_of
from gate.reports.words import NO_VIEW, View

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
CONFIG = ".llm-reliability.yaml"  # where a claim without evidence is filed, as code scanning wants a file
RULES = {
    "contradicted": ("contradicted-claim", "error", "Contradicted", "The documents say otherwise."),
    "unsupported": ("unsupported-claim", "error", "Not in the documents", "Nothing in the documents supports it."),
    "weakly_supported": (
        "weakly-supported-claim", "warning", "Doubtful",
        "The documents support a part of it, or only suggest it.",
    ),
    "unjudged": ("unjudged-claim", "note", "Not judged", "The judge gave no usable label for it."),
    "check": ("failed-check", "error", "Failed check", "An answer fails an exact check of the dataset."),
}  # fmt: skip
_ORDER = list(RULES)
_REMEDY = "Correct the answer, or the documents if the claim is true."
_REMEDIES = {
    "unjudged": "Its result says why: put that right and run again.",  # nobody knows whether the claim is wrong
    "check": "Correct the application, or the check.",
}


def render(document: VerdictDocument, view: View = NO_VIEW) -> str:
    """The log as JSON; the same verdict gives the same bytes."""
    return json.dumps(sarif(document, view.folder), ensure_ascii=True, indent=2) + "\n"


def sarif(document: VerdictDocument, folder: str = "") -> dict[str, Any]:
    """The log: one run, its rules, a result for each claim that is not supported, failures as notifications. A measure
    is about the whole run and has no line, so it is no result: its figures are properties of the run."""
    seen: dict[str, int] = {}
    prompts = by_id(document)
    chosen = [claim for claim in document["details"] if claim["label"] != "supported"]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver()},
                "automationDetails": {"id": "llm-reliability-gate/"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the repository."}}},
                "invocations": [
                    {
                        "executionSuccessful": document["decision"] != "inconclusive",
                        "toolExecutionNotifications": list(_notifications(document)),
                    }
                ],
                "results": [
                    *(_result(claim, prompts.get(claim["prompt_id"]), seen, folder) for claim in chosen),
                    *(_failed_check(each, folder) for each in unmet(document)),
                ],
                "properties": {
                    "headline": line(words.headline(document)),
                    "decision": document["decision"],
                    "score": document["score"],
                    "interval": document["interval"],
                    "total_claims": document["total_claims"],
                    "waived": document.get("waived", 0),
                    **({"corrected": dict(document["corrected"])} if "corrected" in document else {}),
                    "judge": line(words.judge_line(document["judge"]), 200),
                    "measures": {measure.name: _measure(measure) for measure in measures_of(document)},
                },
            }
        ],
    }


def _driver() -> dict[str, Any]:
    return {
        "name": "llm-reliability-gate",
        "semanticVersion": __version__,
        "rules": [
            {
                "id": name,
                "name": "".join(part.capitalize() for part in name.split("-")),
                "shortDescription": {"text": short},
                "fullDescription": {"text": full if kind == "check" else f"A claim of an answer. {full}"},
                "help": {"text": f"{full} {_REMEDIES.get(kind, _REMEDY)}"},
                "defaultConfiguration": {"level": level},
                "properties": {"tags": ["llm", "reliability"], "precision": "high" if level == "error" else "medium"},
            }
            for kind, (name, level, short, full) in RULES.items()
        ],
    }


def _result(claim: ClaimEntry, prompt: PromptEntry | None, seen: dict[str, int], folder: str) -> dict[str, Any]:
    kind = words.kind(claim)
    name, level, _, full = RULES[kind]
    told = finding(claim, prompt)
    # The same claim to the same question is the same alert in every run, wherever its evidence moved.
    mark = claim.get("fingerprint") or words.fingerprint_of(claim, prompt["question"] if prompt else "")
    seen[mark] = seen.get(mark, 0) + 1  # the same claim in several answers to one question
    waived = line(words.waived_line(claim), 500) if claim.get("waived") else ""
    first, *others = _locations(claim, prompt, folder)
    return {
        "ruleId": name,
        "ruleIndex": _ORDER.index(kind),
        "level": "note" if waived else level,
        "message": {"text": message("\n".join(_rows(claim, told, full)))},
        "locations": [first],
        "relatedLocations": [{"id": number, **spot} for number, spot in enumerate(others, 1)],
        "partialFingerprints": {"claim/v2": mark, "primaryLocationLineHash": f"{mark}:{seen[mark]}"},
        **({"suppressions": [{"kind": "external", "status": "accepted", "justification": waived}]} if waived else {}),
        "properties": {
            "prompt_id": claim["prompt_id"],
            "label": claim["label"],
            "confidence": claim["confidence"],
            **({"tags": [line(tag, 60) for tag in prompt["tags"]]} if prompt and prompt.get("tags") else {}),
        },
    }


def _failed_check(each: Unmet, folder: str) -> dict[str, Any]:
    """Its place is the line of the question."""
    mark = fingerprint(each.prompt["question"], "checks")
    return {
        "ruleId": RULES["check"][0],
        "ruleIndex": _ORDER.index("check"),
        "level": RULES["check"][1],
        "message": {"text": message(f"{line(each.prompt['id'], 100)}: {line(each.why, 1000)}")},
        "locations": [_location(folder, *(asked_in(each.prompt) or (CONFIG, 0)))],
        "partialFingerprints": {"check/v1": mark, "primaryLocationLineHash": f"{mark}:1"},
        "properties": {"prompt_id": each.prompt["id"]},
    }


def _rows(claim: ClaimEntry, told: FindingText, full: str) -> list[str]:
    """The message, a fact a line; code scanning shows the first one in its lists."""
    rows = [
        f"{line(claim['prompt_id'], 100)} says: {line(claim['claim'], 1000)}",
        line(told.why, 500) or full,
        f"Question: {line(told.question, 300)}",
        f"Answer: {line(told.answer, 1500)}",
    ]
    if told.best:
        rows.append(f"{told.where}: {line(told.quoted, 1000)}")
    if claim.get("waived"):
        return [*rows, f"Waived: {line(words.waived_line(claim), 500)}"]
    return [*rows, f"To do: {line(told.todo, 300)} {told.accept}".rstrip()]


def _locations(claim: ClaimEntry, prompt: PromptEntry | None, folder: str) -> list[dict[str, Any]]:
    """Where the question or the answer was read from, then the documents; the configuration where nothing is known."""
    asked = asked_in(prompt)
    documents = [_location(folder, best["source"], best["line"], best["quote"]) for best in claim["evidence"]]
    found = [_location(folder, *asked), *documents] if asked else documents
    return found or [_location(folder, CONFIG, 0)]


def message(text: str) -> str:
    """Plain text as SARIF 2.1.0 wants it (3.11.6): brackets escaped, so that none of it is an embedded link."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _location(folder: str, source: str, number: int, quoted: str = "") -> dict[str, Any]:
    path = path_of(source, folder)
    file = {"uri": path, "uriBaseId": "SRCROOT"} if path else {"uri": _outside(source)}
    physical: dict[str, Any] = {"artifactLocation": file}
    if number > 0 and not source.lower().endswith(".pdf"):
        snippet = {"snippet": {"text": line(quoted, 1000)}} if quoted else {}
        physical["region"] = {"startLine": number, **snippet}
    return {"physicalLocation": physical}


def _outside(source: str) -> str:
    """A source outside the repository as a URI reference: s3 keeps its scheme, everything else is a path."""
    if source.startswith("s3://"):
        return "s3://" + quote(source[5:].encode("utf-8", "replace"), safe="/-._~")
    return quote(source.replace("\\", "/").encode("utf-8", "replace"), safe="/-._~") or "unknown"


def _notification(level: str, name: str, text: str) -> dict[str, Any]:
    return {"level": level, "descriptor": {"id": name}, "message": {"text": message(line(text, 1000))}}


def _measure(measure: MeasureView) -> dict[str, Any]:
    kept = {key: value for key, value in measure.entry.items() if key in ("value", "interval", "n", "threshold")}
    return {**kept, "outcome": measure.word}


def _notifications(document: VerdictDocument) -> Iterator[dict[str, Any]]:
    """What stood in the way of the run, then what a reader should know of waivers and the judge."""
    for failure in document["failures"]:
        yield _notification("error", failure["agent"], failure_line(failure))
    for measure in measures_of(document):
        if measure.state == "lost":
            text = f"{measure.title} has a threshold and was {measure.word}. {'; '.join(measure.left_out())}".rstrip()
            yield _notification("error", "measure", text)
    for note in document.get("notes", ()):
        yield _notification("warning", "note", note)
