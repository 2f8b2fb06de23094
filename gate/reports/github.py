"""Annotations for GitHub: workflow commands that point at the line of the document that says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from gate.reports import words
from gate.reports.document import ClaimEntry, VerdictDocument
from gate.reports.measures import measures_of
from gate.reports.safe import cut, line, path_of, place
from gate.reports.words import View, merge_repeats, repeats_text

PER_KIND = 10  # GitHub shows no more of one kind for a step
MEASURES = 4  # of these, so that claims with their lines have room
LEVELS = {"block": "error", "inconclusive": "error", "warn": "warning", "deploy": "notice"}
_WEAK = {"error": "warning", "warning": "warning", "notice": "notice"}


def render(document: VerdictDocument, view: View | None = None) -> str:
    """One command a line: the decision, the measures that are not met, then the worst claims; errors where it blocks,
    warnings where it warns."""
    rows: list[str] = []
    used = dict.fromkeys(_WEAK, 0)
    for level, row in _rows(document):
        if used[level] < PER_KIND:
            used[level] += 1
            rows.append(row)
    return "".join(f"{row}\n" for row in rows)


def blob_url(environ: Mapping[str, str]) -> str:
    """The address that lines of the checked-out commit are linked below, or nothing outside GitHub Actions."""
    server, name, sha = (environ.get(f"GITHUB_{key}", "") for key in ("SERVER_URL", "REPOSITORY", "SHA"))
    return f"{server.rstrip('/')}/{name}/blob/{sha}" if server.startswith("https://") and name and sha else ""


def _rows(document: VerdictDocument) -> Iterator[tuple[str, str]]:
    decision = document["decision"]
    level = LEVELS[decision]
    risk = f"risk {words.number(document['score'])} ({words.interval(document['interval'])}, 95 % interval)"
    message = "\n".join([risk, *document["reasons"], words.ledger_line(document)])
    yield level, command(level, message, {"title": f"{words.TITLE}: {decision}"})
    yield from _measures(document)
    claims = "warning" if decision == "inconclusive" else level
    for claim, more in merge_repeats(words.worst(document), words.new_claims(document)):
        of_claim = claims if claim["label"] == "unsupported" else _WEAK[claims]
        yield of_claim, _claim(of_claim, claim, more)


def _measures(document: VerdictDocument) -> Iterator[tuple[str, str]]:
    """One for each measure that stands in the way; few enough to leave room for claims."""
    for measure in [measure for measure in measures_of(document) if measure.bad][:MEASURES]:
        level = "warning" if measure.state == "unsure" else "error"
        rows = [measure.sentence(), *measure.left_out(), *(measure.rating_line(rating) for rating in measure.faults(1))]
        yield level, command(level, "\n".join(rows), {"title": f"{measure.title}: {measure.word}"})


def _claim(level: str, claim: ClaimEntry, more: int) -> str:
    word = words.LABEL_WORDS[words.kind(claim)].capitalize()
    says = f"says ({repeats_text(more)})" if more else "says"
    rows = [f"{line(claim['prompt_id'], 60)} {says}: {line(claim['claim'], 500)}"]
    if claim["justification"]:
        rows.append(line(claim["justification"], 300))
    properties = {"title": word}
    if claim["evidence"]:
        best = claim["evidence"][0]
        rows.append(f"{place(best['source'], best['line'])}: {line(best['quote'], 500)}")
        properties = {**_where(best["source"], best["line"]), **properties}
    return command(level, "\n".join(rows), properties)


def _where(source: str, number: int) -> dict[str, str]:
    """The place as properties; a file outside the repository, or a page, has no line that GitHub could show."""
    path = path_of(source)
    if path is None:
        return {}
    found = {"file": unquote(path)}
    if number > 0 and not source.lower().endswith(".pdf"):
        found["line"] = str(number)
    return found


def command(name: str, message: str, properties: Mapping[str, str]) -> str:
    """A workflow command on one line; percent, line ends and, in properties, colon and comma are encoded."""
    inside = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    body = "\n".join(line(row) for row in message.split("\n"))
    return f"::{name} {inside}::{_data(cut(body, 4000))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(line(text, 250)).replace(":", "%3A").replace(",", "%2C")
