"""What the HTML page shows of every answer: its text cut at the claims, and the claims with their evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gate.reports import telling
from gate.reports.document import ClaimEntry, EvidenceEntry, PromptEntry, VerdictDocument
from gate.reports.families import families
from gate.reports.marks import Span, pieces
from gate.reports.page_ratings import probes, ratings
from gate.reports.repeats import leans_on
from gate.reports.safe import cut, line, link_to, place, visible
from gate.reports.telling import View

ANSWER_LIMIT = 20_000  # characters; the JSON has the rest
QUOTE_LIMIT = 600
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def answers(document: VerdictDocument, numbers: dict[int, int], view: View) -> list[dict[str, Any]]:
    """One row for each prompt of the run, with its probes; `numbers` maps the identity of a claim's entry to its number
    in the report."""
    claims = telling.by_prompt(document)
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
                    sorted({telling.kind(c) for c in own} | ({"failed"} if prompt.get("failed") else set()))
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
    return [(telling.answer_id(prompt), prompt["answer"]), *((a["id"], a["answer"]) for a in prompt.get("answers", ()))]


def _ratings(rows: Sequence[dict[str, Any]], answers: Sequence[str]) -> list[dict[str, Any]]:
    """The ratings of a prompt, each with the number of the answer that it is of, where there are several."""
    place = {ident: str(number) for number, ident in enumerate(answers, 1)} if len(answers) > 1 else {}
    return [{**row, "of": place.get(row["answer"], "")} for row in rows]


def _said(ident: str, text: str, claims: Sequence[ClaimEntry], numbers: dict[int, int]) -> dict[str, Any]:
    shown = text[:ANSWER_LIMIT]
    spans = [
        Span(numbers[id(c)], telling.kind(c), c["start"], c["end"])
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
    parts = [telling.count(len(claims), "claim")]
    if prompt["risk"] is not None:
        parts.insert(0, f"risk {prompt['risk']:.2f}")
    if prompt["latency_ms"] is not None:
        parts.append(telling.seconds(prompt["latency_ms"] / 1000))
    if prompt.get("probe"):
        parts.append(line(f"{prompt['probe']} of {prompt.get('of', '')}", 100))
    return parts


def claim_row(claim: ClaimEntry, number: int, view: View) -> dict[str, Any]:
    """One claim with its verdict and its best quotes."""
    kind = telling.kind(claim)
    limit = 1 if kind == "supported" else 2
    return {
        "n": number,
        "kind": kind,
        "word": telling.LABEL_WORDS[kind],
        "sign": telling.LABEL_SIGNS[kind],
        "context": line(leans_on(claim), 400),
        "nearby": line(leans_on(claim, asked=False), 400),
        "text": line(claim["claim"], 1000),
        "why": line(claim["justification"] or claim.get("reason", ""), 500),
        "sure": telling.sure(claim),
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
