"""A calibration on a terminal, and which file takes which form of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from gate.errors import UsageError
from gate.reports import calibration_words as words
from gate.reports import telling
from gate.reports.calibration_document import FIGURES, CalibrationDocument
from gate.reports.render import check as check_place
from gate.reports.safe import line, workflow_safe

FORMS = (".json", ".html")
SHOWN = 10


def check(paths: Sequence[Path]) -> None:
    """That every path can be written, before anything is paid for. Errors: UsageError."""
    for path in paths:
        if path.suffix.lower() not in FORMS:
            raise UsageError(
                f"{path}: no calibration is written as {path.suffix or 'a file without a suffix'}",
                f"end the name with {' or '.join(FORMS)}",
            )
        check_place(path)


def render(document: CalibrationDocument, suffix: str) -> str:
    """The document in the form of a suffix (one of FORMS)."""
    if suffix.lower() == ".html":
        from gate.reports.calibration_html import render as page

        return page(document)
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def told(document: CalibrationDocument) -> str:
    """The calibration as plain text; nothing in it can move a cursor or command a runner."""
    return workflow_safe("\n".join(_lines(document))) + "\n"


def _lines(document: CalibrationDocument) -> Iterator[str]:
    yield from ("", f"judge   {words.who(document)}", f"labels  {words.claims(document)}", "")
    for key in FIGURES:
        figure = document[key]  # type: ignore[literal-required]
        yield (
            f"  {words.name(key):18} {telling.number(figure['value']):>6}  {telling.interval(figure['interval']):16}  "
            f"{words.MEANINGS[key]}"
        ).rstrip()
    yield from ("", "  people \\ judge     " + "".join(f"{telling.LABEL_WORDS[c]:>18}" for c in words.COLUMNS))
    for label, row in document["confusion"].items():
        if sum(row.values()):
            yield f"  {telling.LABEL_WORDS[label]:18} " + "".join(f"{row[c]:>18,}" for c in words.COLUMNS)
    yield ""
    yield from (f"  {sentence}" for sentence in words.sentences(document))
    fit = words.fit_sentence(document)
    yield from (f"  {text}" for text in (*([fit] if fit else []), *(line(n, 300) for n in document["notes"])))
    yield from _differences(document)


def _differences(document: CalibrationDocument) -> Iterator[str]:
    if not document["differing"]:
        return
    yield from ("", f"judge and people differ on {telling.count(document['differing'], 'claim')}")
    for each in document["differences"][:SHOWN]:
        people, judge = (telling.LABEL_WORDS.get(each[side], "?") for side in ("people", "judge"))
        yield f"  line {each['line']}  people: {people}, judge: {judge}"
        yield f"    {line(each['claim'], 200)}"
    if document["differing"] > SHOWN:
        yield f"  and {document['differing'] - SHOWN:,} more: see the page (-o calibration.html)"
