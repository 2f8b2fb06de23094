"""Small verdict documents for tests: labels by prompt in, a whole document out."""

from collections.abc import Mapping, Sequence

from gate.config import RiskTolerance
from gate.measures.risk import Course, Labelled, score
from gate.records import Answer, Claim, JudgeInfo, Label, Prompt, Verdict
from gate.reports.build import Run, build
from gate.reports.document import VerdictDocument

LABELS = {"s": Label.SUPPORTED, "w": Label.WEAKLY_SUPPORTED, "u": Label.UNSUPPORTED, "?": Label.UNJUDGED}


def document(
    claims: Mapping[str, Sequence[str]],
    tolerance: RiskTolerance | None = None,
    void: Sequence[str] = (),
    **changes: object,
) -> VerdictDocument:
    """`claims`: prompt id -> entries such as "s the tank is green" (label, then text); None for a failed prompt."""
    tolerance = tolerance or RiskTolerance()
    prompts = [Prompt(name, f"What of {name}?") for name in claims]
    answers = [
        Answer(name, name, " ".join(e[2:] for e in entries)) for name, entries in claims.items() if entries is not None
    ]
    verdicts = [
        Verdict(
            Claim(f"{name}:{n}", name, name, entry[2:], 0, 1),
            LABELS[entry[0]],
            "because",
            reason="x" if entry[0] == "?" else "",
        )
        for name, entries in claims.items()
        for n, entry in enumerate(entries or ())
    ]
    labelled = [Labelled(v.claim.prompt_id, v.label) for v in verdicts]
    speaking = {v.claim.answer_id for v in verdicts}
    course = Course(len(prompts), len(prompts) - len(answers), len({a.id for a in answers} - speaking), tuple(void))
    values = {
        "prompts": prompts,
        "answers": answers,
        "verdicts": verdicts,
        "score": score(labelled, len(verdicts), course, tolerance),
        "judge": JudgeInfo("local", "m", "1", {"pairs": len(verdicts)}),
        "thresholds": tolerance.model_dump(mode="json"),
        "config_hash": "c",
        "documents": "d",
        "void": list(void),
        "timings": {"run_model": 1.0},
    }
    return build(Run(**{**values, **changes}))
