"""What the terminal and the page say of a calibration in the same words. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from gate.reports import telling
from gate.reports.calibration_document import CalibrationDocument, FigureEntry
from gate.reports.safe import line

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
COLUMNS = ("supported", "weakly_supported", "unsupported", "unjudged")


def name(key: str) -> str:
    """A figure's name for people."""
    return NAMES.get(key, key.replace("_", " "))


def who(document: CalibrationDocument) -> str:
    """Provider, model and prompt version."""
    judge = document["judge"]
    return line(" / ".join(p for p in (judge["provider"], judge["model"], judge["prompt_version"]) if p), 200)


def claims(document: CalibrationDocument) -> str:
    """`labels.jsonl: 928 claims, 349 of them supported; 4 not judged`."""
    data, table = document["data"], document["confusion"]
    good = sum(table["supported"].values())
    more = f"; {document['unjudged']:,} not judged" if document["unjudged"] else ""
    return f"{line(data['name'], 100)}: {telling.count(data['n'], 'claim')}, {good:,} of them supported{more}"


def sentences(document: CalibrationDocument) -> Iterator[str]:
    """What a measured risk means with this judge."""
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
        f"Fitted to these labels: balanced accuracy {telling.number(document['balanced_accuracy']['value'])} on claims "
        f"that the fit did not see ({fit['folds']} folds), {telling.number(before['value'])} before."
    )


def _share(figure: FigureEntry, below: bool) -> str:
    if figure["value"] is None:
        return "the judge's labels do not tell the two kinds of claims apart"
    if below:
        return "less than this judge measures where every claim is supported, so few good runs reach it"
    return f"about {_percent(figure)} of the claims are not supported"


def _figure(figure: FigureEntry) -> str:
    return f"{telling.number(figure['value'], 2)} ({telling.interval(figure['interval'], 2)})"


def _percent(figure: FigureEntry) -> str:
    low, high = figure["interval"] or (0.0, 1.0)
    return f"{figure['value'] or 0.0:.0%} ({low:.0%} to {high:.0%})".replace("%", " %")
