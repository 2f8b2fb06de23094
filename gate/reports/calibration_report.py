"""A calibration for people: as text for a terminal, and as one self-contained page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gate.reports import words
from gate.reports.calibration import FIGURES, BinEntry, CalibrationDocument, FigureEntry
from gate.reports.files import render_json
from gate.reports.html import fill
from gate.reports.safe import line, workflow_safe

FORMS = (".json", ".html")
SHOWN, LISTED = 10, 200  # differences on the terminal, on the page
SIZE = 400  # the diagram's side; chances and shares are places in it
MEANINGS = {
    "balanced_accuracy": "mean of recall and specificity; 0.5 is guessing",
    "precision": "of what the judge does not pass, so much is truly not supported",
    "recall": "of what is not supported, so much the judge does not pass",
    "specificity": "of what is supported, so much the judge passes",
    "f1": "harmonic mean of precision and recall",
    "kappa": "agreement beyond chance (Cohen); 0 is chance",
    "ece": "expected calibration error: how far its probabilities are off; 0 is best",
    "false_pass_rate": "runs that deploy though their true risk is just above the warn threshold",
    "false_alarm_rate": "runs that do not deploy though every claim is supported",
}
NAMES = {"f1": "F1", "ece": "calibration error", "kappa": "Cohen's kappa"}
_SIDES = ("supported", "weakly_supported", "unsupported")
COLUMNS = (*_SIDES, "unjudged")


def name(key: str) -> str:
    """A figure's name for people."""
    return NAMES.get(key, key.replace("_", " "))


def who(document: CalibrationDocument) -> str:
    """Provider, model and prompt version, and the criterion that it judges by, if any."""
    judge = document["judge"]
    criterion = f", “{document['criterion']}”" if "criterion" in document else ""
    name = " / ".join(p for p in (judge["provider"], judge["model"], judge["prompt_version"]) if p)
    return f"{line(name, 200)}{line(criterion, 320)}"


def figures(document: CalibrationDocument) -> tuple[str, ...]:
    """The figures that say something of this judge: one by a criterion has no part in a run's decision."""
    return FIGURES[: FIGURES.index("false_pass_rate")] if "criterion" in document else FIGURES


def claims(document: CalibrationDocument) -> str:
    """`labels.jsonl: 928 claims, 349 of them supported; 4 not judged`."""
    data, table = document["data"], document["confusion"]
    good = sum(table["supported"].values())
    more = f"; {document['unjudged']:,} not judged" if document["unjudged"] else ""
    what, good_ones = ("answer", "meet it") if "criterion" in document else ("claim", "supported")
    return f"{line(data['name'], 100)}: {words.count(data['n'], what)}, {good:,} of them {good_ones}{more}"


def sentences(document: CalibrationDocument) -> Iterator[str]:
    """What a measured risk means with this judge; nothing of one by a criterion."""
    if "criterion" in document:
        return
    gate = document["gate"]
    low, high = gate["risk_if_all_supported"], gate["risk_if_none_supported"]
    if low["value"] is None or high["value"] is None:
        yield "What a measured risk means cannot be known from labels of one kind."
        return
    yield (
        f"Where every claim is supported this judge measures a risk of {_figure(low)}; where none is, {_figure(high)}."
    )
    for word, threshold, share in (
        ("deploy", gate["deploy_threshold"], gate["true_share_at_deploy"]),
        ("warn", gate["warn_threshold"], gate["true_share_at_warn"]),
    ):
        yield f"A measured risk of {threshold:g} ({word} threshold): {_share(share, threshold < low['value'])}."
    for key, what in (
        ("false_pass_rate", f"whose true risk is just above the warn threshold of {gate['warn_threshold']:g} deploys"),
        ("false_alarm_rate", "whose claims are all supported does not deploy"),
    ):
        rate: FigureEntry = document[key]  # type: ignore[literal-required]
        if rate["value"] is not None:
            yield f"A run of {gate['claims']} claims {what} in {_percent(rate)} of cases."


def fit_sentence(document: CalibrationDocument) -> str:
    """How a fit changed the judge; empty without one."""
    fit = document.get("fit")
    if not fit:
        return ""
    before = fit["before"].get("balanced_accuracy", {"value": None, "interval": None})
    return (
        f"Fitted to these labels: balanced accuracy {words.number(document['balanced_accuracy']['value'])} on claims "
        f"that the fit did not see ({fit['folds']} folds), {words.number(before['value'])} before."
    )


def _share(figure: FigureEntry, below: bool) -> str:
    if figure["value"] is None:
        return "the judge's labels do not tell the two kinds of claims apart"
    if below:
        return "less than this judge measures where every claim is supported, so few good runs reach it"
    return f"about {_percent(figure)} of the claims are not supported"


def _figure(figure: FigureEntry) -> str:
    return f"{words.number(figure['value'], 2)} ({words.interval(figure['interval'], 2)})"


def _percent(figure: FigureEntry) -> str:
    low, high = figure["interval"] or (0.0, 1.0)
    return f"{figure['value'] or 0.0:.0%} ({low:.0%} to {high:.0%})".replace("%", " %")


def render(document: CalibrationDocument, suffix: str) -> str:
    """The document in the form of a suffix (one of FORMS); on the page nothing is fetched and no script runs."""
    if suffix.lower() == ".html":
        return fill("calibration.html.j2", page(document), ("report.css", "calibration.css"))
    return render_json(document)


def describe(document: CalibrationDocument) -> str:
    """The calibration as plain text; nothing in it can move a cursor or command a runner."""
    return workflow_safe("\n".join(_lines(document))) + "\n"


def _lines(document: CalibrationDocument) -> Iterator[str]:
    yield from ("", f"judge   {who(document)}", f"labels  {claims(document)}", "")
    for key in figures(document):
        figure = document[key]  # type: ignore[literal-required]
        yield (
            f"  {name(key):18} {words.number(figure['value']):>6}  {words.interval(figure['interval']):16}  "
            f"{MEANINGS[key]}"
        ).rstrip()
    yield from ("", "  people \\ judge       " + "".join(f"{words.LABEL_WORDS[c]:>22}" for c in COLUMNS))
    for label, row in document["confusion"].items():
        if sum(row.values()):
            yield f"  {words.LABEL_WORDS[label]:20} " + "".join(f"{row[c]:>22,}" for c in COLUMNS)
    yield ""
    yield from (f"  {sentence}" for sentence in sentences(document))
    fit = fit_sentence(document)
    yield from (f"  {text}" for text in (*([fit] if fit else []), *(line(n, 300) for n in document["notes"])))
    yield from _differences(document)


def _differences(document: CalibrationDocument) -> Iterator[str]:
    if not document["differing"]:
        return
    yield from ("", f"judge and people differ on {words.count(document['differing'], 'claim')}")
    for each in document["differences"][:SHOWN]:
        people, judge = (words.LABEL_WORDS.get(each[side], "?") for side in ("people", "judge"))
        yield f"  line {each['line']}  people: {people}, judge: {judge}"
        yield f"    {line(each['claim'], 200)}"
    if document["differing"] > SHOWN:
        yield f"  and {document['differing'] - SHOWN:,} more: see the page (-o calibration.html)"


def page(document: CalibrationDocument) -> dict[str, Any]:
    """Everything that the page's template needs; it shows every stranger's text by `line` or `visible`."""
    return {
        **document,
        "who": who(document),
        "claims": claims(document),
        "figures": [(name(key), MEANINGS[key], document[key]) for key in figures(document)],  # type: ignore[literal-required]
        "sentences": list(sentences(document)),
        "fitted": fit_sentence(document),
        "bins": [_bin_row(each, document["reliability"]) for each in document["reliability"] if each["n"]],
        "ticks": [(f"{n / 5:g}", SIZE * n / 5, SIZE - SIZE * n / 5) for n in range(6)],
        "size": SIZE,
        "columns": COLUMNS,
        "listed": LISTED,
    }


def _bin_row(each: BinEntry, every: list[BinEntry]) -> dict[str, Any]:
    """A point of the diagram: x is the judge's mean chance, y the share that people found, both upwards from 0."""
    low, high = each["interval"] or (0.0, 1.0)
    most = max(other["n"] for other in every)
    return {
        "entry": each,
        "x": round(SIZE * (each["predicted"] or 0.0), 1),
        "y": round(SIZE - SIZE * (each["observed"] or 0.0), 1),
        "top": round(SIZE - SIZE * high, 1),
        "bottom": round(SIZE - SIZE * low, 1),
        "bar": round(SIZE * each["low"], 1),
        "tall": round(56 * each["n"] / most, 1),
        "range": f"{each['low']:g} to {each['high']:g}",
    }
