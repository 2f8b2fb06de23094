"""The measures in JUnit: a suite with a test case for each that has a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET  # noqa: S405 - written here, never read

from gate.reports.document import VerdictDocument
from gate.reports.safe import line, visible
from gate.reports.telling_measures import Told, faults, left_out, measures, rating_line, sentence

WORST = 10


def suite(root: ET.Element, document: VerdictDocument) -> None:
    """Append the suite, if there are measures: a failure is a threshold that is missed, an error one that could not be
    measured; what is not certain, or left prompts out, passes with a word, as a warning does. Those without a threshold
    are properties."""
    found = measures(document)
    if not found:
        return
    element = ET.SubElement(root, "testsuite", name="measures")
    held = ET.SubElement(element, "properties")
    for told in found:
        ET.SubElement(held, "property", name=told.title, value=line(sentence(told), 500))
    for told in found:
        if told.state:
            _case(element, told)


def _case(element: ET.Element, told: Told) -> None:
    case = ET.SubElement(element, "testcase", name=told.title, classname="measures", time="0.000")
    left = list(left_out(told))
    rows = [sentence(told), *left, *(rating_line(told, rating) for rating in faults(told, WORST))]
    if told.state == "failed":
        _outcome(case, "failure", f"{told.value}, asked for {told.asked}", rows)
    elif told.state == "lost":
        _outcome(case, "error", next(iter(left), "no answer could be rated"), rows)
    elif told.state == "unsure" or left:
        ET.SubElement(case, "system-out").text = visible("\n".join([f"{told.word}:", *map(line, rows)]))


def _outcome(case: ET.Element, tag: str, message: str, rows: Sequence[str]) -> None:
    element = ET.SubElement(case, tag, type="measure", message=line(message, 500))
    element.text = visible("\n".join(map(line, rows)))
