"""JUnit XML for any CI: a test case for each prompt, a failure being a claim without support and an error one not
judged, and a test case for each measure that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET  # noqa: S405 - written here, never read

from gate.reports import words
from gate.reports.document import ClaimEntry, FailureEntry, PromptEntry, VerdictDocument
from gate.reports.findings import failure_line, finding, notes, unmet
from gate.reports.measures import MeasureView, measures_of
from gate.reports.safe import line, visible
from gate.reports.words import NO_VIEW, View, families

WORST = 10  # ratings of a measure


def render(document: VerdictDocument, view: View = NO_VIEW) -> str:
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
