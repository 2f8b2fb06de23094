"""The calibration as one self-contained page: figures, the reliability diagram, and where judge and people differ."""

from __future__ import annotations

from typing import Any

from gate.reports import calibration_words as words
from gate.reports import telling
from gate.reports.calibration_document import FIGURES, BinEntry, CalibrationDocument, DifferenceEntry
from gate.reports.html import filled
from gate.reports.page import percent
from gate.reports.safe import cut, line, place, visible

LISTED = 200
SIZE = 400  # the diagram's side; chances and shares are places in it
_SIDES = {"supported": "supported", "weakly_supported": "weakly_supported", "unsupported": "unsupported"}


def render(document: CalibrationDocument) -> str:
    """The whole page: nothing is fetched, no script runs, every text is escaped."""
    return filled("calibration.html.j2", page(document), ("report.css", "calibration.css"))


def page(document: CalibrationDocument) -> dict[str, Any]:
    """Everything that the template needs; all texts in it are visible and end no line by surprise."""
    accuracy = document["balanced_accuracy"]
    return {
        "value": telling.number(accuracy["value"], 2),
        "interval": telling.interval(accuracy["interval"], 2),
        "who": words.who(document),
        "claims": words.claims(document),
        "figures": [_figure(document, key) for key in FIGURES],
        "sentences": [*words.sentences(document)],
        "fit": words.fit_sentence(document),
        "notes": [line(note, 400) for note in document["notes"]],
        "bins": [_bin(each, document["reliability"]) for each in document["reliability"] if each["n"]],
        "ticks": [(f"{n / 5:g}", SIZE * n / 5, SIZE - SIZE * n / 5) for n in range(6)],
        "size": SIZE,
        "columns": [telling.LABEL_WORDS[column] for column in words.COLUMNS],
        "table": [
            _row(document, label) for label in document["confusion"] if sum(document["confusion"][label].values())
        ],
        "differences": [_difference(n, each) for n, each in enumerate(document["differences"][:LISTED], 1)],
        "differing": document["differing"],
        "facts": [
            ("Judge", words.who(document)),
            ("Labels", words.claims(document)),
            ("SHA-256", document["data"]["sha256"]),
            ("Made", line(document["created"], 40)),
        ],
    }


def _figure(document: CalibrationDocument, key: str) -> dict[str, Any]:
    figure = document[key]  # type: ignore[literal-required]
    value, band = figure["value"], figure["interval"]
    return {
        "name": words.name(key),
        "meaning": words.MEANINGS[key],
        "value": telling.number(value),
        "interval": telling.interval(band),
        "at": None if value is None else percent(value),
        "low": percent(band[0]) if band else None,
        "width": percent(max(0.0, band[1]) - max(0.0, band[0])) if band else None,
    }


def _bin(each: BinEntry, every: list[BinEntry]) -> dict[str, Any]:
    """A point of the diagram: x is the judge's mean chance, y the share that people found, both upwards from 0."""
    low, high = each["interval"] or (0.0, 1.0)
    most = max(other["n"] for other in every)
    return {
        "x": round(SIZE * (each["predicted"] or 0.0), 1),
        "y": round(SIZE - SIZE * (each["observed"] or 0.0), 1),
        "top": round(SIZE - SIZE * high, 1),
        "bottom": round(SIZE - SIZE * low, 1),
        "bar": round(SIZE * each["low"], 1),
        "tall": round(56 * each["n"] / most, 1),
        "range": f"{each['low']:g} to {each['high']:g}",
        "n": each["n"],
        "predicted": telling.number(each["predicted"], 2),
        "observed": telling.number(each["observed"], 2),
        "interval": telling.interval(each["interval"], 2),
    }


def _row(document: CalibrationDocument, label: str) -> dict[str, Any]:
    """A row of the confusion matrix; `miss` where the two sides differ."""
    counts = document["confusion"][label]
    total = sum(counts.values())
    cells = [
        {
            "n": f"{counts[column]:,}",
            "share": f"{counts[column] / total:.0%}".replace("%", " %"),
            "kind": "miss" if column != "unjudged" and (label == "supported") != (column == "supported") else column,
        }
        for column in words.COLUMNS
    ]
    return {"label": telling.LABEL_WORDS[label], "cells": cells}


def _difference(number: int, each: DifferenceEntry) -> dict[str, Any]:
    judge = _SIDES.get(each["judge"], "unjudged")
    return {
        "n": number,
        "kind": judge,
        "sign": telling.LABEL_SIGNS[judge],
        "judge": telling.LABEL_WORDS[judge],
        "people": telling.LABEL_WORDS[_SIDES.get(each["people"], "unjudged")],
        "sure": f"{each['confidence']:.0%}" if each["confidence"] and judge != "weakly_supported" else "",
        "line": each["line"],
        "text": visible(cut(each["claim"], 1000)),
        "why": line(each["justification"], 400),
        "quotes": [
            {"text": visible(cut(q["quote"], 600)), "place": place(q["source"], q["line"])} for q in each["evidence"]
        ],
    }
