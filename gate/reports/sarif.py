"""SARIF 2.1.0 for code scanning: every claim that is not supported, with a fingerprint that stays the same."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import quote

from gate import __version__
from gate.reports import words
from gate.reports.document import ClaimEntry, EvidenceEntry, FailureEntry, VerdictDocument
from gate.reports.measures import MeasureView, measures_of
from gate.reports.safe import line, path_of, place
from gate.reports.words import NO_VIEW, View, claim_key

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
CONFIG = ".llm-reliability.yaml"  # where a claim without evidence is filed, as code scanning wants a file
RULES = {
    "contradicted": ("contradicted-claim", "error", "The documents say otherwise", "The documents contradict it."),
    "unsupported": ("unsupported-claim", "error", "Not in the documents", "Nothing in the documents supports it."),
    "weakly_supported": (
        "weakly-supported-claim", "warning", "Only partly in the documents",
        "The documents support a part of it, or only suggest it.",
    ),
    "unjudged": ("unjudged-claim", "note", "Not judged", "The judge gave no usable label for it."),
}  # fmt: skip
_ORDER = list(RULES)
_REMEDY = "Correct the answer, or the documents if the claim is true."
_REMEDY_UNJUDGED = "Its result says why: put that right and run again."  # nobody knows whether the claim is wrong


def render(document: VerdictDocument, view: View = NO_VIEW) -> str:
    """The log as JSON; the same verdict gives the same bytes."""
    return json.dumps(sarif(document), ensure_ascii=True, indent=2) + "\n"


def sarif(document: VerdictDocument) -> dict[str, Any]:
    """The log: one run, its rules, a result for each claim that is not supported, failures as notifications. A measure
    is about the whole run and has no line, so it is no result: its figures are properties of the run."""
    seen: dict[str, int] = {}
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
                        "toolExecutionNotifications": [
                            *(_notification(failure) for failure in document["failures"]),
                            *(_unmeasured(measure) for measure in measures_of(document) if measure.state == "lost"),
                        ],
                    }
                ],
                "results": [_result(claim, seen) for claim in chosen],
                "properties": {
                    "decision": document["decision"],
                    "score": document["score"],
                    "interval": document["interval"],
                    "total_claims": document["total_claims"],
                    "judge": line(words.judge_line(document["judge"]), 200),
                    "measures": {measure.name: _measure(measure) for measure in measures_of(document)},
                },
            }
        ],
    }


def fingerprint(claim: ClaimEntry) -> str:
    """SHA-256 (hex) over the prompt and the claim's words, whatever their case and spacing: the same claim of the same
    prompt is the same alert in every run, wherever its evidence moved. A short claim is known by its question too."""
    text = " ".join(claim_key(claim).casefold().split())
    return hashlib.sha256(f"{claim['prompt_id']}\0{text}".encode("utf-8", "replace")).hexdigest()


def _driver() -> dict[str, Any]:
    return {
        "name": "llm-reliability-gate",
        "semanticVersion": __version__,
        "rules": [
            {
                "id": name,
                "name": "".join(part.capitalize() for part in name.split("-")),
                "shortDescription": {"text": short},
                "fullDescription": {"text": f"A claim of an answer. {full}"},
                "help": {"text": f"{full} {_REMEDY_UNJUDGED if kind == 'unjudged' else _REMEDY}"},
                "defaultConfiguration": {"level": level},
                "properties": {"tags": ["llm", "reliability"], "precision": "high" if level == "error" else "medium"},
            }
            for kind, (name, level, short, full) in RULES.items()
        ],
    }


def _result(claim: ClaimEntry, seen: dict[str, int]) -> dict[str, Any]:
    kind = words.kind(claim)
    name, level, _, full = RULES[kind]
    mark = fingerprint(claim)
    seen[mark] = seen.get(mark, 0) + 1  # the same claim in several answers to one prompt
    why = words.why(claim) or full
    rows = [f"{claim['prompt_id']} says: {line(claim['claim'], 1000)}", line(why, 500)]
    rows += [f"{place(e['source'], e['line'])}: {line(e['quote'], 1000)}" for e in claim["evidence"][:1]]
    located = [_location(evidence) for evidence in claim["evidence"]]
    return {
        "ruleId": name,
        "ruleIndex": _ORDER.index(kind),
        "level": level,
        "message": {"text": message("\n".join(line(row) for row in rows))},
        "locations": located[:1]
        or [{"physicalLocation": {"artifactLocation": {"uri": CONFIG, "uriBaseId": "SRCROOT"}}}],
        "relatedLocations": [{"id": number, **spot} for number, spot in enumerate(located[1:], 1)],
        "partialFingerprints": {"claim/v1": mark, "primaryLocationLineHash": f"{mark[:16]}:{seen[mark]}"},
        "properties": {"prompt_id": claim["prompt_id"], "label": claim["label"], "confidence": claim["confidence"]},
    }


def message(text: str) -> str:
    """Plain text as SARIF 2.1.0 wants it (3.11.6): brackets escaped, so that none of it is an embedded link."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _location(evidence: EvidenceEntry) -> dict[str, Any]:
    path = path_of(evidence["source"])
    file = {"uri": path, "uriBaseId": "SRCROOT"} if path else {"uri": _outside(evidence["source"])}
    physical: dict[str, Any] = {"artifactLocation": file}
    if evidence["line"] > 0 and not evidence["source"].lower().endswith(".pdf"):
        physical["region"] = {"startLine": evidence["line"], "snippet": {"text": line(evidence["quote"], 1000)}}
    return {"physicalLocation": physical}


def _outside(source: str) -> str:
    """A source outside the repository as a URI reference: s3 keeps its scheme, everything else is a path."""
    if source.startswith("s3://"):
        return "s3://" + quote(source[5:].encode("utf-8", "replace"), safe="/-._~")
    return quote(source.replace("\\", "/").encode("utf-8", "replace"), safe="/-._~") or "unknown"


def _notification(failure: FailureEntry) -> dict[str, Any]:
    text = message(line(words.failure_line(failure), 1000))
    return {"level": "error", "descriptor": {"id": failure["agent"]}, "message": {"text": text}}


def _measure(measure: MeasureView) -> dict[str, Any]:
    kept = {key: value for key, value in measure.entry.items() if key in ("value", "interval", "n", "threshold")}
    return {**kept, "outcome": measure.word}


def _unmeasured(measure: MeasureView) -> dict[str, Any]:
    text = f"{measure.title} has a threshold and was {measure.word}. {'; '.join(measure.left_out())}".rstrip()
    return {"level": "error", "descriptor": {"id": "measure"}, "message": {"text": message(line(text, 1000))}}
