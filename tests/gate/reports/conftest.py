"""A run to tell reports from: small, with every label, a failure, measures and a comparison; and its hostile twin."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from gate.measures.base import Reading
from gate.measures.summary import measured
from gate.records import (
    Answer,
    Category,
    Claim,
    Decision,
    Failure,
    JudgeInfo,
    Label,
    Ledger,
    Measure,
    Prompt,
    Quote,
    Rating,
    Score,
    Usage,
    Verdict,
)
from gate.reports.build import Run, build
from gate.reports.document import Comparison, UsageEntry, VerdictDocument
from gate.waivers import Waiver

THRESHOLDS: dict[str, Any] = {
    "deploy_threshold": 0.1,
    "warn_threshold": 0.25,
    "fail_on_regression": False,
    "max_increase": 0.0,
    "max_unjudged": 0.0,
    "min_claims": 1,
    "decide_on": "point",
}

ANSWERS = {
    "q1": "The kiln holds 40 litres. The kiln reaches 1280 degrees. The lid of the kiln opens with a key.",
    "q2": "Glazes are fired twice. Every glaze is safe for food.",
    "q3": "I don't have that information.",
}
CLAIMS = (
    ("q1", "The kiln holds 40 litres.", Label.SUPPORTED, False),
    ("q1", "The kiln reaches 1280 degrees.", Label.UNSUPPORTED, True),
    ("q1", "The lid of the kiln opens with a key.", Label.UNSUPPORTED, False),
    ("q2", "Glazes are fired twice.", Label.WEAKLY_SUPPORTED, False),
    ("q2", "Every glaze is safe for food.", Label.UNJUDGED, False),
)
QUOTES = {
    0: Quote("docs/kiln.md", 12, "Volume: 40 litres.", 0.93),
    1: Quote("docs/kiln.md", 14, "The highest temperature is 1250 degrees.", 0.88),
    3: Quote("docs/glazes.html", 7, "Most glazes want a second firing.", 0.51),
}

PROBE = Prompt("q1~consistency-paraphrase", "What heat can it take?", probe="consistency:paraphrase", of="q1")
LATENCY = Reading((Rating("q1", 2400.0, "2400 ms"), Rating("q2", 120.0, "120 ms")), unjudged={}, skipped={"q3": "none"})
COST = Reading(
    (Rating("q1", 0.0004, "30 tokens in", parts={"per_1000_answers": 0.4}), Rating("q2", 0.00002, "few tokens")),
    skipped={"q3": "its price is not known"},
)
CONSISTENCY = Reading(
    (Rating("q1", 0.5, "1250 degrees became 1280 degrees"),), unjudged={"q2": "no probe was answered"}
)
MEASURED = (
    Measure("relevance", 0.71, (0.6, 0.8), 3, 0.6, True),
    measured("latency", LATENCY, 1000.0),
    measured("cost", COST, None),
    measured("consistency", CONSISTENCY, 0.4),
)


def verdict(place: int) -> Verdict:
    prompt_id, text, label, contradicted = CLAIMS[place]
    start = ANSWERS[prompt_id].index(text)
    claim = Claim(f"{prompt_id}:{place}", prompt_id, prompt_id, text, start, start + len(text))
    unjudged = label is Label.UNJUDGED
    return Verdict(
        claim,
        label,
        "" if unjudged else "1280 degrees stands against 1250 degrees." if contradicted else "Checked word by word.",
        contradicted=contradicted,
        confidence=0.0 if unjudged else 0.9,
        evidence=(QUOTES[place],) if place in QUOTES else (),
        reason="the judge's reply was cut off" if unjudged else "",
        unsure=label is Label.WEAKLY_SUPPORTED,
    )


COMPARISON = Comparison(
    base_score=0.25,
    difference=0.375,
    interval=[0.05, 0.7],
    p_value=0.031,
    smallest_detectable=0.3,
    word="regression",
    new=[{"claim": CLAIMS[1][1], "prompt_id": "q1", "label": "unsupported", "contradicted": True, "was": "supported"}],
    fixed=[{"claim": "The kiln is blue.", "prompt_id": "q1", "label": "unsupported"}],
    unchanged=3,
    notes=["the base was made with other documents"],
    prompts=3,
    measures={
        "cost": {
            "base": 0.0001, "head": 0.00021, "difference": 0.00011, "interval": [0.00001, 0.00021], "p_value": 0.02,
            "smallest_detectable": 0.0001, "word": "worse", "prompts": 8,
        },
        "consistency": {
            "base": 0.6, "head": 0.5, "difference": -0.1, "interval": None, "p_value": None,
            "smallest_detectable": None, "word": "too few prompts", "prompts": 1,
        },
    },
    models={"base": "replay / m-0", "head": "replay / m-1"},
)  # fmt: skip


def run_of(**changes: Any) -> Run:
    values: dict[str, Any] = {
        "prompts": [
            Prompt("q1", "How hot does the kiln get?", source="docs/kiln.md", line=3),
            Prompt("q2", "Which glazes may touch food?", Category.POLICY_BOUNDARIES, reference="Only those marked F."),
            Prompt("q3", "Who built the kiln?", Category.EDGE_CASES),
            Prompt("q4", "When was it built?", Category.EDGE_CASES),
        ],
        "answers": [
            Answer(name, name, text, model="m-1", latency_ms=120.5, usage=Usage(30, 12))
            for name, text in ANSWERS.items()
        ],
        "verdicts": [verdict(place) for place in range(len(CLAIMS))],
        "score": Score(
            Decision.BLOCK, 0.625, (0.21, 0.92), Ledger(5, 1, 1, 2, 1), ("risk 0.625 > warn threshold 0.25",)
        ),
        "judge": JudgeInfo("local", "stack-1", "1", {"canaries": 3}),
        "thresholds": THRESHOLDS,
        "config_hash": "c0ffee" * 10,
        "failures": [Failure("run_model", "q4", "timeout", "no answer within 30 s")],
        "measures": [Measure("relevance", 0.71, (0.6, 0.8), 3, 0.6, True), Measure("consistency", None, None, 0)],
        "usage": UsageEntry(calls=4, cached_calls=1, input_tokens=1200, output_tokens=340, cost_usd=0.0123),
        "timings": {"generate_prompts": 0.01, "run_model": 1.25, "verify_claims": 0.4},
        "documents": "d0c5" * 8,
        "use_case": "Assistant of a pottery",
        "model": {"provider": "replay", "model": "m-1"},
    }
    return Run(**{**values, **changes})


def accepted(*claims: str) -> dict[str, Waiver]:
    """A waiver for each of these claims, by id."""
    made = Waiver(fingerprint="0" * 16, claim="-", reason="agreed", who="Ann", until=date(2027, 1, 31))
    return dict.fromkeys(claims, made)


@pytest.fixture
def make() -> Callable[..., VerdictDocument]:
    """Build the example with changes to its run."""
    return lambda waived=(), **changes: build(run_of(waived=accepted(*waived), **changes))


@pytest.fixture
def document() -> VerdictDocument:
    """The example: blocked, with every label."""
    return build(run_of())


@pytest.fixture
def compared() -> VerdictDocument:
    """The example with a comparison to its base, a probe, and measures that are passed, missed and not taken."""
    run = run_of(measures=MEASURED)
    said = Answer(PROBE.id, PROBE.id, "It gets to 1250 degrees.", latency_ms=99.0)
    document = build(replace(run, prompts=[*run.prompts, PROBE], answers=[*run.answers, said]))
    return {**document, "comparison": deepcopy(COMPARISON)}


@pytest.fixture
def empty() -> VerdictDocument:
    """A run in which nothing was asked and nothing judged."""
    score = Score(Decision.INCONCLUSIVE, None, None, Ledger(0, 0, 0, 0, 0), ("0 claims could be judged",))
    nothing: dict[str, Any] = {"prompts": (), "answers": (), "verdicts": (), "failures": (), "measures": ()}
    return build(run_of(score=score, timings={}, use_case="", model={}, documents="", **nothing))


KEPT = {"schema_version", "decision", "label", "agent", "word", "category", "decide_on", "was"}


def poisoned(value: Any, text: str, key: str = "") -> Any:
    """The same document with `text` in every field that a stranger can fill; ids stay different from one another."""
    if isinstance(value, dict):
        return {name: poisoned(part, text, name) for name, part in value.items()}
    if isinstance(value, list):
        return [poisoned(part, text, key) for part in value]
    if not isinstance(value, str) or key in KEPT:
        return value
    return value + text if key in ("id", "prompt_id", "answer_id", "of") else text


HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>\"'><svg onload=alert(1)>",
    "::error file=a,line=1::owned\n::set-output name=x::y\n##[error]owned",
    "]]> <!-- --> &amp; &#60;b&#62; %0A%0D",
    "| a | b |\n| --- | --- |\n| [x](javascript:alert(1)) | ![y](http://e.example/p.png) |",
    "\n\n# heading\n\n```\nfence\n```\n- item\n1. one\n> quote\n***\n~~gone~~ **bold** `code` ``",
    "@someone https://e.example www.e.example me@e.example owner/name#12 GH-7 :tada: $x$",
    "\u202egnp.exe\u2066 \u200b\u2028\u2029\ufeff \ud800 \ufffe \U000e0041 e\u0301",
    "{{ 7*7 }} {% raw %} ${7*7} {0} %s",
    "a" * 3000,
    "[link][1]\n\n[1]: http://e.example\n<http://e.example>",
)


@pytest.fixture
def poison() -> Callable[[Any, str], Any]:
    """Fill a document with a stranger's text."""
    return poisoned


@pytest.fixture(params=HOSTILE, ids=lambda text: text[:12].encode("ascii", "backslashreplace").decode())
def hostile(request: pytest.FixtureRequest) -> str:
    """One text that wants out of its place."""
    return str(request.param)
