"""Measures the whole gate on labelled answers: decisions by variant, then the judge by labelled claim.

`python benchmarks/cases.py --shared FOLDER [--cases FILE --docs FOLDER]`: the documents are ingested, each variant's
answers are gated with `--fail-on warn`. A labelled claim takes the label of the extracted claim that matches it best
(as in benchmarks/extraction.py); a short one (`30 days`) is matched together with its question. Then the judge alone,
on the labelled claims with the evidence that the store finds for them. `called supported`: share of claims by the label
`supported`; balanced accuracy is the mean of that share for supported claims and of the rest for the others. A quote
hits if it shares 20 characters (or 60 %) with the labelled one. No weight and no threshold comes from the cases.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import yaml
from extraction import Matcher, content, rarity
from running import gate

from gate.agents.retrieve_evidence import retrieve_evidence
from gate.config import JudgeSettings
from gate.judges.local import open_local
from gate.providers.local_embedder import LocalEmbedder
from gate.records import Claim, Item, Prompt
from gate.store.embedded import open_for_reading
from gate.text import words

Case = dict[str, Any]
LABELS = ("supported", "contradicted", "not_in_docs")
SHORT = 8  # words of a claim that says little without its question


class Judged(NamedTuple):
    """A labelled claim with what the gate said of it."""

    answer: str
    variant: str
    truth: str
    label: str
    hit: bool | None  # whether a quote meets the labelled one; None where there is none


def gated(folder: Path, variant: str, cases: Sequence[Case]) -> tuple[int, dict[str, Any], float]:
    """Exit code, verdict and seconds of one variant."""
    answers = folder / f"{variant}.jsonl"
    answers.write_text("".join(json.dumps({k: c[k] for k in ("id", "question", "answer")}) + "\n" for c in cases))
    config = {
        "use_case": "labelled cases",
        "doc_sources": ["docs"],
        "evaluation": {"source": "recorded"},
        "model": {"provider": "replay", "path": answers.name},
    }
    (folder / f"{variant}.yaml").write_text(yaml.safe_dump(config))
    done = gate(folder, "run", "-c", f"{variant}.yaml", "-o", f"{variant}.json", "--fail-on", "warn")
    return done.decided(), json.loads((folder / f"{variant}.json").read_text()), done.wall


def meets(quotes: Iterable[str], labelled: str) -> bool:
    wanted = " ".join(labelled.split())
    for quote in quotes:
        matcher = SequenceMatcher(None, " ".join(quote.split()), wanted, autojunk=False)
        if matcher.find_longest_match().size >= min(20, 0.6 * len(wanted)):
            return True
    return False


def through(cases: Sequence[Case], details: Sequence[dict[str, Any]], weights: dict[str, float]) -> list[Judged]:
    """The labelled claims that an extracted one matches, each with the label of the best."""
    found = []
    for case in cases:
        mine = [d for d in details if d["prompt_id"] == case["id"]]
        matcher = Matcher(weights, max(weights.values()), content(case["question"]))
        ours = [content(whole(detail["claim"], case["question"])) for detail in mine]
        scores = matcher.matches(ours, [content(claim["claim"]) for claim in case["claims"]])
        for j, claim in enumerate(case["claims"]):
            best = max((i for i, k in scores if k == j), key=lambda i: scores[i, j], default=None)  # noqa: B023
            if best is not None:
                quotes = [evidence["quote"] for evidence in mine[best]["evidence"]]
                found.append(judged(case, claim, mine[best]["label"], quotes))
    return found


def whole(claim: str, question: str) -> str:
    """A claim as a labelled one would put it: a short one leans on its question."""
    return claim if len(words(claim)) >= SHORT else f"{question} {claim}"


def judged(case: Case, claim: dict[str, Any], label: str, quotes: Sequence[str]) -> Judged:
    hit = meets(quotes, claim["quote"]) if claim["quote"] else None
    return Judged(case["id"], case["variant"], claim["label"], label, hit)


def labelled(folder: Path, cases: Sequence[Case]) -> tuple[list[Judged], float]:
    """The judge on the labelled claims themselves, and its seconds without retrieval."""
    pairs = [(case, claim) for case in cases for claim in case["claims"]]
    claims = [Claim(str(i), c["id"], c["id"], given["claim"], 0, 0) for i, (c, given) in enumerate(pairs)]
    prompts = [Prompt(case["id"], case["question"]) for case in cases]
    store = open_for_reading(folder / ".gate" / "index.sqlite", LocalEmbedder())
    state: Any = {"prompts": prompts, "claims": claims, "tools": SimpleNamespace(store=store)}
    retrieve_evidence(state)
    judge = open_local(JudgeSettings(), None, None, print)
    judge.judge([Item(claims[0], state["evidence"]["0"])])
    begun = time.perf_counter()
    verdicts = judge.judge([Item(claim, state["evidence"][claim.id]) for claim in claims])
    seconds = time.perf_counter() - begun
    found = [
        judged(case, given, str(verdict.label), [quote.quote for quote in verdict.evidence])
        for (case, given), verdict in zip(pairs, verdicts, strict=True)
    ]
    return found, seconds


def share(found: Sequence[Judged], label: str = "supported") -> float:
    return sum(one.label == label for one in found) / len(found) if found else float("nan")


def tell(title: str, found: Sequence[Judged], total: int) -> None:
    """Prints what the labels are worth."""
    by = {truth: [one for one in found if one.truth == truth] for truth in LABELS}
    rest = [one for one in found if one.truth != "supported"]
    print(f"\n{title}: {len(found)} of {total} labelled claims ({len(found) / total:.3f})")
    print("  called supported: " + ", ".join(f"{truth} {share(by[truth]):.3f}" for truth in LABELS))
    print("  called unsupported: " + ", ".join(f"{truth} {share(by[truth], 'unsupported'):.3f}" for truth in LABELS))
    for name, others in (
        ("all others", rest),
        ("contradicted", by["contradicted"]),
        ("not in docs", by["not_in_docs"]),
    ):
        print(f"  balanced accuracy, supported against {name}: {(share(by['supported']) + 1 - share(others)) / 2:.3f}")
    for variant, truth, bad in (("faithful", "supported", "unsupported"), ("subtle", "contradicted", "supported")):
        mine = [one for one in found if one.variant == variant and one.truth == truth]
        answers = {one.answer for one in mine}
        clean = answers - {one.answer for one in mine if one.label == bad}
        print(f"  {variant} answers with no {truth} claim called {bad}: {len(clean)} of {len(answers)}")
    quoted = [one.hit for one in found if one.hit is not None and one.label == "supported" == one.truth]
    print(f"  quotes of supported claims that meet the labelled one: {sum(map(bool, quoted))} of {len(quoted)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("GATE_SHARED", "../shared")))
    parser.add_argument("--cases", type=Path, help="labelled answers (default: those of HTTPX)")
    parser.add_argument("--docs", type=Path, help="their documents")
    arguments = parser.parse_args()
    source = arguments.cases or arguments.shared / "data/cases/httpx.jsonl"
    docs = (arguments.docs or arguments.shared / "data/docs/httpx").resolve()
    cases = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
    total = sum(len(case["claims"]) for case in cases)
    weights = rarity(cases)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "docs").symlink_to(docs)
        gate(folder, "ingest", str(docs)).decided()
        heads = "variant answers claims supported weakly unsupported unjudged risk interval decision exit s"
        print("| " + heads.replace(" ", " | ") + " |\n| --- |" + " ---: |" * 7 + " --- | --- | ---: | ---: |")
        found: list[Judged] = []
        for variant in dict.fromkeys(case["variant"] for case in cases):
            mine = [case for case in cases if case["variant"] == variant]
            code, verdict, seconds = gated(folder, variant, mine)
            counts = [
                verdict[key] for key in ("total_claims", "supported", "weakly_supported", "unsupported", "unjudged")
            ]
            score, interval = verdict["score"], verdict["interval"]
            risk = ["-", "-"] if score is None else [f"{score:.3f}", f"{interval[0]:.3f} to {interval[1]:.3f}"]
            cells = [variant, len(mine), *counts, *risk, verdict["decision"], code, f"{seconds:.1f}"]
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)
            found += through(mine, verdict["details"], weights)
        tell("whole gate", found, total)
        alone, seconds = labelled(folder, cases)
        tell("judge on the labelled claims", alone, total)
        print(f"  {total} claims in {seconds:.1f} s")


if __name__ == "__main__":
    main()
