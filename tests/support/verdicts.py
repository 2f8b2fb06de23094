"""Small verdict documents for tests: labels by prompt in, a whole document out."""

from collections.abc import Mapping, Sequence

from gate.config import RiskTolerance
from gate.measures.risk import Course, Labelled, score
from gate.records import Answer, Claim, JudgeInfo, Label, Prompt, Verdict
from gate.reports.build import Run, build
from gate.reports.document import VerdictDocument

BAD = {"w": Label.WEAKLY_SUPPORTED, "u": Label.UNSUPPORTED, "c": Label.UNSUPPORTED}
LABELS = {"s": Label.SUPPORTED, "?": Label.UNJUDGED, **BAD}


def document(
    claims: Mapping[str, Sequence[str]],
    tolerance: RiskTolerance | None = None,
    void: Sequence[str] = (),
    question: str = "",
    **changes: object,
) -> VerdictDocument:
    """`claims`: prompt id -> entries such as "s the tank is green" (label, then text; "c" is contradicted); None for a
    failed prompt. `question` is that of all prompts."""
    tolerance = tolerance or RiskTolerance()
    prompts = [Prompt(name, question or f"What of {name}?") for name in claims]
    answers = [
        Answer(name, name, " ".join(e[2:] for e in entries)) for name, entries in claims.items() if entries is not None
    ]
    verdicts = [
        Verdict(
            Claim(f"{name}:{n}", name, name, entry[2:], 0, 1, question),
            LABELS[entry[0]],
            "because",
            contradicted=entry[0] == "c",
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
