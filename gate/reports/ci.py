"""What CI servers show of a verdict: JUnit XML and SARIF 2.1.0.

JUnit for any of them: a test case for each prompt, a failure being a claim without support and an error one not
judged, and a test case for each measure that counts. SARIF for code scanning: every claim that is not supported, with
a fingerprint that stays the same.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET  # noqa: S405 - written here, never read

from gate import __version__
from gate.records import fingerprint
from gate.reports import words
from gate.reports.document import ClaimEntry, FailureEntry, PromptEntry, VerdictDocument
from gate.reports.findings import FindingText, Unmet, all_notes, asked_in, by_id, failure_line, finding, notes, unmet
from gate.reports.measures import MeasureView, measures_of
from gate.reports.safe import line, path_of, visible
from gate.reports.words import NO_VIEW, View, families

WORST = 10  # ratings of a measure
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
CONFIG = ".llm-reliability.yaml"  # where a claim without evidence is filed, as code scanning wants a file
RULES = {
    "contradicted": ("contradicted-claim", "error", "Contradicted", "The documents say otherwise."),
    "unsupported": ("unsupported-claim", "error", "Not in the documents", "Nothing in the documents supports it."),
    "weakly_supported": (
        "weakly-supported-claim", "warning", "Doubtful",
        "The documents support a part of it, or only suggest it.",
    ),
    "unjudged": ("unjudged-claim", "note", "Not judged", "The judge gave no usable label for it."),
    "checks": ("failed-check", "error", "Failed check", "An answer fails an exact check of the dataset."),
    "must_pass": ("must-pass", "warning", "Must pass", "A prompt that must pass does not hold."),
}  # fmt: skip
_ORDER = list(RULES)
_REMEDY = "Correct the answer, or the documents if the claim is true."
_REMEDIES = {
    "unjudged": "Its result says why: put that right and run again.",  # nobody knows whether the claim is wrong
    "checks": "Correct the application, or the check.",
    "must_pass": "Correct the application, or give the prompt checks that decide what its answer has to be.",
}


def render_junit(document: VerdictDocument, view: View = NO_VIEW) -> str:
    """The XML: a suite of prompts (without probes) and one of measures; what XML 1.0 forbids is shown, not written."""
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", name=line(document.get("use_case", ""), 200) or words.TITLE)
    _properties(suite, document)
    claims = words.by_prompt(document)
    failed: dict[str, list[FailureEntry]] = {}
    for failure in document["failures"]:
        failed.setdefault(failure["prompt_id"], []).append(failure)
    checks = {each.prompt["id"]: each.why for each in unmet(document)}
    prompts = [family.prompt for family in families(document) if not family.stray]
    known = {prompt["id"] for prompt in prompts}
    for prompt in prompts:
        _case(suite, prompt, claims[prompt["id"]], failed.get(prompt["id"], []), checks.get(prompt["id"], ""))
    homeless = [failure for name, each in failed.items() if name not in known for failure in each]
    if homeless:
        ET.SubElement(suite, "system-err").text = "\n".join(_failure_rows(homeless))
    _measures(root, document)
    _count(root)
    ET.indent(root)
    return "<?xml version='1.0' encoding='UTF-8'?>\n" + ET.tostring(root, encoding="unicode") + "\n"


def _properties(suite: ET.Element, document: VerdictDocument) -> None:
    held = ET.SubElement(suite, "properties")
    values = {
        "headline": words.headline(document),
        "decision": document["decision"],
        "risk": words.number(document["score"], 6),
        "interval": words.interval(document["interval"], 6),
        "claims": words.ledger_line(document),
        "judge": words.judge_line(document["judge"]),
        "reasons": "; ".join(document["reasons"]),
        "corrected": words.corrected_line(document),
        "notes": "; ".join(notes(document)),
    }
    for name, value in values.items():
        if value:
            ET.SubElement(held, "property", name=name, value=line(value, 2000))


def _case(
    suite: ET.Element, prompt: PromptEntry, claims: Sequence[ClaimEntry], failures: Sequence[FailureEntry], unmet: str
) -> None:
    """`unmet`: why the prompt does not hold (its exact checks, or `must_pass`), if it does not."""
    name = line(f"{prompt['id']}: {prompt['question']}", 200)
    time = f"{(prompt['latency_ms'] or 0) / 1000:.3f}"
    case = ET.SubElement(suite, "testcase", name=name, classname=line(prompt["category"], 100), time=time)
    kinds: dict[str, list[ClaimEntry]] = {}
    for claim in claims:
        kinds.setdefault("waived" if claim.get("waived") else claim["label"], []).append(claim)
    wrong, unjudged = kinds.get("unsupported", []), kinds.get("unjudged", [])
    faults = _failure_rows(failures) or (["no answer"] if prompt.get("failed") else [])
    if wrong or unmet:
        message = "; ".join(filter(None, (unmet, _wrong(wrong))))
        rows = [unmet] * bool(unmet) + [_claim_text(claim, prompt) for claim in wrong]
        _outcome(case, "failure", _worst(wrong) if wrong else "check", message, rows)
    if unjudged or faults:
        text = f"{words.count(len(unjudged), 'claim')} not judged" if unjudged else faults[0]
        rows = [*faults, *(_claim_text(claim, prompt) for claim in unjudged)]
        _outcome(case, "error", "unjudged" if unjudged else "failed", text, rows)
    elif not claims and not unmet and "failed_checks" not in prompt:
        ET.SubElement(case, "skipped", message="the answer makes no claim")
    weak, waived = kinds.get("weakly_supported", []), kinds.get("waived", [])
    beside = [_claim_text(claim, prompt) for claim in weak] + ["waived:"] * bool(waived)
    beside += [_claim_text(claim, prompt) for claim in waived]
    if beside:
        ET.SubElement(case, "system-out").text = "\n".join(beside)


def _worst(wrong: Sequence[ClaimEntry]) -> str:
    return "contradicted" if any(claim["contradicted"] for claim in wrong) else "unsupported"


def _wrong(wrong: Sequence[ClaimEntry]) -> str:
    """`1 claim contradicted, 2 claims not in the documents`."""
    kinds = Counter(words.kind(claim) for claim in wrong)
    order = ("contradicted", "unsupported")
    return ", ".join(f"{words.count(kinds[kind], 'claim')} {words.LABEL_WORDS[kind]}" for kind in order if kinds[kind])


def _outcome(case: ET.Element, tag: str, kind: str, message: str, rows: Iterable[str]) -> None:
    element = ET.SubElement(case, tag, type=kind, message=line(message, 500))
    element.text = visible("\n".join(rows))


def _claim_text(claim: ClaimEntry, prompt: PromptEntry) -> str:
    """A finding over several lines. The name of the test case has the question."""
    told = finding(claim, prompt)
    rows = [f"{words.LABEL_WORDS[words.kind(claim)]}: {line(claim['claim'], 1000)}"]
    rows.append(f"  answer: {line(told.answer, 1500)}")
    rows += [f"  {line(told.why, 500)}"] if told.why else []
    rows += [f"  {line(' · '.join(told.names), 200)}"] if told.names else []
    if told.best:
        rows.append(f"  {told.where}: {line(told.quoted, 1000)}")
    if claim.get("waived"):
        rows[0] = f"{line(words.waived_line(claim), 500)}: {line(claim['claim'], 1000)}"
    else:
        rows.append(f"  to do: {line(told.todo, 300)} {told.accept}".rstrip())
    return "\n".join(rows)


def _failure_rows(failures: Sequence[FailureEntry]) -> list[str]:
    return [line(failure_line(failure), 1000) for failure in failures]


def _count(root: ET.Element) -> None:
    """The sums that readers check: cases with an error, with a failure, left out; seconds of answering."""
    for element in (root, *root.findall("testsuite")):
        cases = list(element.iter("testcase"))
        element.set("tests", str(len(cases)))
        element.set("failures", str(sum(case.find("failure") is not None for case in cases)))
        element.set("errors", str(sum(case.find("error") is not None for case in cases)))
        element.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.3f}")
        if element is not root:
            element.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    root.set("name", words.TITLE)


def _measures(root: ET.Element, document: VerdictDocument) -> None:
    """Append the measures' suite, if there are any: a failure is a threshold that is missed, an error one that could
    not be measured. What is not certain, or left prompts out, passes with a word, as a warning does. Those without a
    threshold are properties."""
    found = measures_of(document)
    if not found:
        return
    element = ET.SubElement(root, "testsuite", name="measures")
    held = ET.SubElement(element, "properties")
    for measure in found:
        ET.SubElement(held, "property", name=measure.title, value=line(measure.sentence(), 500))
    for measure in found:
        if measure.state:
            _measure_case(element, measure)


def _measure_case(element: ET.Element, measure: MeasureView) -> None:
    case = ET.SubElement(element, "testcase", name=measure.title, classname="measures", time="0.000")
    left = list(measure.left_out())
    rows = [measure.sentence(), *left, *(measure.rating_line(rating) for rating in measure.faults(WORST))]
    rows = [line(row) for row in rows]
    if measure.state == "failed":
        _outcome(case, "failure", "measure", f"{measure.value}, asked for {measure.asked}", rows)
    elif measure.state == "lost":
        _outcome(case, "error", "measure", next(iter(left), "no answer could be rated"), rows)
    elif measure.state == "unsure" or left:
        ET.SubElement(case, "system-out").text = visible("\n".join([f"{measure.word}:", *rows]))


def render_sarif(document: VerdictDocument, view: View = NO_VIEW) -> str:
    """The log as JSON; the same verdict gives the same bytes."""
    return json.dumps(sarif(document, view.folder), ensure_ascii=True, indent=2) + "\n"


def sarif(document: VerdictDocument, folder: str = "") -> dict[str, Any]:
    """The log: one run, its rules, a result for each claim that is not supported, failures as notifications. A measure
    is about the whole run and has no line, so it is no result: its figures are properties of the run."""
    seen: dict[str, int] = {}
    prompts = by_id(document)
    chosen = [claim for claim in document["details"] if claim["label"] != "supported"]
    return {
        "$schema": SARIF_SCHEMA,
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
                    *(_unmet(each, folder) for each in unmet(document)),
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
                "fullDescription": {"text": f"A claim of an answer. {full}" if kind in words.LABEL_WORDS else full},
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


def _unmet(each: Unmet, folder: str) -> dict[str, Any]:
    """Its place is the line of the question."""
    mark = fingerprint(each.prompt["question"], each.kind)
    return {
        "ruleId": RULES[each.kind][0],
        "ruleIndex": _ORDER.index(each.kind),
        "level": RULES[each.kind][1],
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
    for note in all_notes(document):
        yield _notification("warning", "note", note)
