"""One wrong answer among twelve: how often a run fails the build, by what it is decided by.

    PYTHONPATH=. python benchmarks/one_wrong.py --shared ../shared

Takes the labelled answers that nothing is trained on (benchmarks/answers, and the HTTPX cases of the shared folder).
Every answer of a set is judged once, in one run; then runs of twelve answers are drawn from them and decided anew,
which costs nothing: `--runs` with eleven right answers and a subtly wrong one (of another question), and as many with
twelve right ones. `fails`: exit code 1 or 3. `corrected` takes the judge's error from a calibration on the labelled
claims of the other sets.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from labelled_answers import Group, judged, load_groups

from gate.config import RiskTolerance
from gate.reports.outcome import exit_code
from gate.statistics.intervals import JudgeError
from gate.verdicts import decide_again

SIZE = 12
WAYS: dict[str, tuple[dict[str, str], str]] = {
    "ignore": ({"contradicted": "ignore"}, "block"),
    "ignore --fail-on warn": ({"contradicted": "ignore"}, "warn"),
    "warn": ({}, "block"),
    "warn --fail-on warn": ({}, "warn"),
    "block": ({"contradicted": "block"}, "block"),
    "interval": ({"decide_on": "interval"}, "block"),
    "interval, block": ({"decide_on": "interval", "contradicted": "block"}, "block"),
    "corrected": ({"decide_on": "corrected"}, "block"),
}


def verdict_of(group: Group, folder: Path) -> dict[str, Any]:
    """The verdict of one run over all right and subtly wrong answers of a set."""
    chosen = tuple(one for one in group.answers if one.truth == "right" or one.kind == "subtle")
    done, verdict = judged(replace(group, answers=chosen), folder)
    done.decided()
    return verdict


def part(document: dict[str, Any], ids: Sequence[str], error: JudgeError | None) -> dict[str, Any]:
    """The verdict of the prompts `ids` alone, with a calibration of that error."""
    wanted = set(ids)
    details = [claim for claim in document["details"] if claim["prompt_id"] in wanted]
    count = Counter(claim["label"] for claim in details)
    ledger = {name: count[name] for name in ("supported", "weakly_supported", "unsupported", "unjudged")}
    judge = dict(document["judge"])
    if error is not None:
        ends = {
            "risk_if_all_supported": (error.good, error.good_error),
            "risk_if_none_supported": (error.bad, error.bad_error),
        }
        judge["calibration"] = {
            name: {"value": value, "interval": [value - 1.96 * spread, value + 1.96 * spread]}
            for name, (value, spread) in ends.items()
        }
    prompts = [prompt for prompt in document["prompts"] if prompt["id"] in wanted]
    return {**document, **ledger, "details": details, "total_claims": len(details), "prompts": prompts, "judge": judge}


def error_of(documents: Sequence[tuple[Group, dict[str, Any]]]) -> JudgeError:
    """The judge's error over answers: claims of right answers are supported; of a subtly wrong answer the worst
    claim is the one that is not (it is the only wrong one)."""
    weight = {"supported": 0.0, "weakly_supported": 0.5, "unsupported": 1.0}
    good, bad = [], []
    for group, document in documents:
        truth = {one.id: one.truth for one in group.answers}
        for prompt in document["prompts"]:
            weights = [
                weight[claim["label"]]
                for claim in document["details"]
                if claim["prompt_id"] == prompt["id"] and claim["label"] in weight
            ]
            if truth[prompt["id"]] == "right":
                good += weights
            elif weights:
                bad.append(max(weights))
    figures = []
    for values in (good, bad):
        mean = sum(values) / len(values)
        figures += [mean, (sum((value - mean) ** 2 for value in values) / len(values) / len(values)) ** 0.5]
    return JudgeError(*figures)


def drawn(group: Group, rng: random.Random, wrong: bool) -> list[str]:
    """The ids of twelve answers, one of them subtly wrong where that is `wrong`; no question twice."""
    right = [one for one in group.answers if one.truth == "right"]
    rng.shuffle(right)
    chosen = [rng.choice([one for one in group.answers if one.kind == "subtle"])] if wrong else []
    for one in right:
        if len(chosen) < SIZE and one.question not in {each.question for each in chosen}:
            chosen.append(one)
    return [one.id for one in chosen]


def main() -> None:
    """Print one line for each way to decide."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    groups = [group for group in load_groups(args.shared) if group.set in ("answers", "httpx")]
    decided = []
    for group in groups:
        with tempfile.TemporaryDirectory() as scratch:
            decided.append((group, verdict_of(group, Path(scratch))))
    rng = random.Random(args.seed)  # noqa: S311 - a draw of answers
    draws = [
        (wrong, part(document, drawn(group, rng, wrong), error_of([o for o in decided if o[0] is not group])))
        for wrong in (True, False)
        for place in range(args.runs)
        for group, document in (decided[place % len(decided)],)
    ]
    print(f"{args.runs} runs of {SIZE} answers with one wrong, and {args.runs} with none, over {len(groups)} sets")
    for name, (values, fail_on) in WAYS.items():
        tolerance = RiskTolerance.model_validate(values)
        found = {True: Counter[str](), False: Counter[str]()}
        for wrong, document in draws:
            again = decide_again(document, tolerance)  # type: ignore[arg-type]
            found[wrong][again["decision"]] += 1
            found[wrong]["fails"] += exit_code(again, fail_on) in (1, 3)
        for wrong, what in ((True, "one wrong"), (False, "all right")):
            decisions = ", ".join(f"{word} {n}" for word, n in sorted(found[wrong].items()) if word != "fails")
            print(f"{name:22} {what}: fails {found[wrong]['fails'] / args.runs:.3f}  ({decisions})")


if __name__ == "__main__":
    main()
