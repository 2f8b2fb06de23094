"""What the HTML page shows of every answer: its text cut at the claims, the claims, its ratings and its probes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.reports import words
from gate.reports.document import ClaimEntry, EvidenceEntry, PromptEntry, RatingEntry, VerdictDocument
from gate.reports.measures import MeasureView, measures_of, shown
from gate.reports.safe import cut, line, link_to, place, visible
from gate.reports.words import View, context_line, families

SEVERITY = ("contradicted", "unsupported", "weakly_supported", "unjudged", "supported")
ANSWER_LIMIT = 20_000  # characters; the JSON has the rest
QUOTE_LIMIT = 600
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
WHY_BYTES, WHY_STEPS = 1_000_000, (300, 160, 90, 50, 0)
PROBE_BYTES, PROBE_STEPS = 700_000, (4000, 1500, 600, 240, 120, 60)


@dataclass(frozen=True, slots=True)
class Span:
    """A claim's place in an answer: `text[start:end]`, with its number in the report and its kind (see SEVERITY)."""

    number: int
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; `kind` is the worst that covers it (empty: none), `ends` the numbers of claims ending here."""

    text: str
    kind: str = ""
    ends: tuple[int, ...] = ()


def pieces(text: str, spans: Sequence[Span]) -> list[Piece]:
    """Cut `text` at the borders of its spans; joined, the pieces are the text. A span that reaches out of the text is
    clipped and one with nothing inside is left out. Time: linear in pieces, after sorting."""
    inside = [(max(0, s.start), min(len(text), s.end), s) for s in spans]
    inside = [each for each in inside if each[0] < each[1]]
    opens: dict[int, list[Span]] = {}
    closes: dict[int, list[Span]] = {}
    for start, end, span in inside:
        opens.setdefault(start, []).append(span)
        closes.setdefault(end, []).append(span)
    found: list[Piece] = []
    active: Counter[str] = Counter()
    last = 0
    for border in sorted({0, len(text), *opens, *closes}):
        ended = closes.get(border, [])
        if border > last:
            kind = next((kind for kind in SEVERITY if active[kind]), "")
            found.append(Piece(text[last:border], kind, tuple(sorted(span.number for span in ended))))
        active.subtract(span.kind for span in ended)
        active.update(span.kind for span in opens.get(border, []))
        last = border
    return found


def answers(document: VerdictDocument, numbers: dict[int, int], view: View) -> list[dict[str, Any]]:
    """One row for each prompt of the run, with its probes; `numbers` maps the identity of a claim's entry to its number
    in the report."""
    claims = words.by_prompt(document)
    failures = {failure["prompt_id"]: failure for failure in document["failures"]}
    rated, varied = ratings(document), probes(document)
    found = []
    for number, family in enumerate(families(document), 1):
        prompt = family.prompt
        own = [claim for member in (prompt, *family.probes) for claim in claims[member["id"]]]
        reason = failures.get(prompt["id"])
        found.append(
            {
                "n": number,
                "id": line(prompt["id"], 80),
                "category": line(prompt["category"], 60),
                "question": visible(cut(prompt["question"], 1000)),
                "meta": _meta(prompt, own),
                "kinds": " ".join(
                    sorted({words.kind(c) for c in own} | ({"failed"} if prompt.get("failed") else set()))
                ),
                "texts": [_said(ident, text, own, numbers) for ident, text in _texts(prompt)],
                "ratings": _ratings(rated.get(prompt["id"], []), [ident for ident, _ in _texts(prompt)]),
                "probes": varied.get(prompt["id"], []),
                "claims": [claim_row(c, numbers[id(c)], view) for c in own],
                "reference": visible(cut(prompt.get("reference", ""), 4000)),
                "failure": line(f"{reason['kind']}: {reason['message']}", 500) if reason else "",
            }
        )
    return found


def _texts(prompt: PromptEntry) -> list[tuple[str, str]]:
    """(id, text) of every answer to the prompt."""
    first = (prompt.get("answer_id") or prompt["id"], prompt["answer"])
    return [first, *((again["id"], again["answer"]) for again in prompt.get("answers", ()))]


def _ratings(rows: Sequence[dict[str, Any]], answers: Sequence[str]) -> list[dict[str, Any]]:
    """The ratings of a prompt, each with the number of the answer that it is of, where there are several."""
    place = {ident: str(number) for number, ident in enumerate(answers, 1)} if len(answers) > 1 else {}
    return [{**row, "of": place.get(row["answer"], "")} for row in rows]


def _said(ident: str, text: str, claims: Sequence[ClaimEntry], numbers: dict[int, int]) -> dict[str, Any]:
    shown = text[:ANSWER_LIMIT]
    spans = [
        Span(numbers[id(c)], words.kind(c), c["start"], c["end"])
        for c in claims
        if "start" in c and "end" in c and c.get("answer_id", ident) == ident
    ]
    parts = [
        {"runs": runs(visible(piece.text)), "kind": piece.kind, "ends": piece.ends} for piece in pieces(shown, spans)
    ]
    return {"parts": parts, "cut": len(text) - len(shown)}


def runs(text: str) -> list[tuple[str, bool]]:
    """The text in runs, true for what stands between two single backticks of one line (the ticks are left out)."""
    return [(part, bool(place % 2)) for place, part in enumerate(_CODE.split(text)) if part]


def _meta(prompt: PromptEntry, claims: Sequence[ClaimEntry]) -> list[str]:
    parts = [words.count(len(claims), "claim")]
    if prompt["risk"] is not None:
        parts.insert(0, f"risk {prompt['risk']:.2f}")
    if prompt["latency_ms"] is not None:
        parts.append(words.seconds(prompt["latency_ms"] / 1000))
    if prompt.get("probe"):
        parts.append(line(f"{prompt['probe']} of {prompt.get('of', '')}", 100))
    return parts


def claim_row(claim: ClaimEntry, number: int, view: View) -> dict[str, Any]:
    """One claim with its verdict and its best quotes."""
    kind = words.kind(claim)
    limit = 1 if kind == "supported" else 2
    return {
        "n": number,
        "kind": kind,
        "word": words.LABEL_WORDS[kind],
        "sign": words.LABEL_SIGNS[kind],
        "context": line(context_line(claim), 400),
        "nearby": line(context_line(claim, asked=False), 400),
        "text": line(claim["claim"], 1000),
        "why": line(claim["justification"] or claim.get("reason", ""), 500),
        "sure": words.confidence_text(claim),
        "marked": "start" in claim,
        "prompt": line(claim["prompt_id"], 60),
        "quotes": [_quote(quote, view) for quote in claim["evidence"][:limit]],
    }


def _quote(quote: EvidenceEntry, view: View) -> dict[str, Any]:
    return {
        "text": visible(cut(quote["quote"], QUOTE_LIMIT)),
        "place": cut(place(quote["source"], quote["line"]), 200),
        "link": link_to(view.blob_url, quote["source"], quote["line"]),
    }


def fitting(texts: Iterable[str], limit: int, steps: Sequence[int]) -> int:
    """The largest of the steps (characters, falling) at which all texts, cut to it, take at most `limit` bytes."""
    held = list(texts)
    return next((step for step in steps if sum(len(text[:step].encode("utf-8", "replace")) for text in held) <= limit),
                steps[-1])  # fmt: skip


def ratings(document: VerdictDocument) -> Mapping[str, list[dict[str, Any]]]:
    """Prompt id -> the ratings of its answers, measure by measure; of a great many the reasons are cut shorter."""
    rated = [(each, rating) for each in measures_of(document) for rating in each.entry.get("ratings", [])]
    limit = fitting((rating["why"] for _, rating in rated), WHY_BYTES, WHY_STEPS)
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each, rating in rated:
        found[rating["prompt_id"]].append(_rating(each, rating, limit))
    return found


def _rating(measure: MeasureView, rating: RatingEntry, limit: int) -> dict[str, Any]:
    return {
        "answer": rating.get("answer_id", rating["prompt_id"]),
        "title": measure.title,
        "value": shown(measure.name, rating["value"]),
        "low": measure.misses(rating["value"]),
        "why": measure.because(rating, limit),
    }


def probes(document: VerdictDocument) -> Mapping[str, list[dict[str, Any]]]:
    """Prompt id -> its probes: what was varied, the question where it is another one, and what was answered."""
    found = families(document)
    said = [text for family in found for probe in family.probes for text in (probe["question"], probe["answer"])]
    limit = fitting(said, PROBE_BYTES, PROBE_STEPS)
    return {
        family.prompt["id"]: [_probe(probe, family.prompt, limit) for probe in family.probes]
        for family in found
        if family.probes
    }


def _probe(probe: PromptEntry, prompt: PromptEntry, limit: int) -> dict[str, Any]:
    measure, _, variation = probe.get("probe", "").partition(":")
    return {
        "kind": line(f"{measure}: {variation}" if variation else measure, 80).replace("_", " "),
        "question": "" if probe["question"] == prompt["question"] else visible(cut(probe["question"], limit)),
        "texts": [visible(cut(text, limit)) for _, text in _texts(probe) if text],
    }
