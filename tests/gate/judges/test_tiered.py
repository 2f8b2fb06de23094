"""The tiered judge: the model is asked what the local judge is unsure of, and nothing else."""

from collections.abc import Sequence

from gate.judges.llm import LlmJudge
from gate.judges.tiered import TieredJudge
from gate.records import Claim, Evidence, Item, JudgeInfo, Label, Verdict
from tests.support.scripted_judge import Scripted, as_json, honest, seen


class First:
    """Sure of what has no question mark in it."""

    remote = False

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        return [self._one(item.claim) for item in items]

    def _one(self, claim: Claim) -> Verdict:
        if claim.text.startswith("!"):
            return Verdict(claim, Label.UNJUDGED, "", reason="no words")
        if "?" in claim.text:
            return Verdict(claim, Label.WEAKLY_SUPPORTED, "not sure", unsure=True)
        return Verdict(claim, Label.UNSUPPORTED, "sure", confidence=0.9)

    def info(self) -> JudgeInfo:
        return JudgeInfo("local", "first", "1")


def item(text: str, answer: str, n: int) -> Item:
    passage = Evidence("m.md", 1, "The pump runs at 40 watts.", 1.0, "", (1,))
    return Item(Claim(f"{answer}:{n}", answer, answer, text, 0, 1), (passage,))


def test_only_the_doubtful_is_sent_on_and_it_is_counted() -> None:
    provider = Scripted()
    judge = TieredJudge(First(), LlmJudge(provider))
    items = [
        item("The pump runs at 40 watts?", "a", 0),
        item("It flies.", "a", 1),
        item("It swims.", "b", 0),
        item("! the pump runs at 40 watts", "c", 0),
    ]
    verdicts = judge.judge(items)
    assert [(v.claim.id, v.label.value) for v in verdicts] == [
        ("a:0", "supported"), ("a:1", "unsupported"), ("b:0", "unsupported"), ("c:0", "supported"),
    ]  # fmt: skip
    assert [len(seen(request).claims) for request in provider.requests] == [2, 2]
    info = judge.info()
    assert (info.provider, info.model) == ("tiered", "local, then openai scripted")
    assert info.prompt_version == "first 1+llm-2"
    counts = {name: info.details[name] for name in ("settled_locally", "sent_on", "share_sent_on", "calls_saved")}
    assert counts == {"settled_locally": 2, "sent_on": 2, "share_sent_on": 0.5, "calls_saved": 1}
    assert info.details["canaries"] == 2


def test_a_fooled_model_costs_what_was_sent_on_and_shows_in_the_counters() -> None:
    def everything(request):
        return as_json([{**e, "verdict": "supported", "sentences": [1]} for e in honest(seen(request))])

    judge = TieredJudge(First(), LlmJudge(Scripted(everything)))
    verdicts = judge.judge([item("Is it?", "a", 0), item("It flies.", "a", 1)])
    assert [v.label for v in verdicts] == [Label.UNJUDGED, Label.UNSUPPORTED]
    assert judge.info().details["canaries_supported"] == 1


def test_another_look_is_the_models_alone() -> None:
    provider = Scripted()
    judge = TieredJudge(First(), LlmJudge(provider))
    assert [v.label for v in judge.judge([item("It flies.", "a", 0)], 1)] == [Label.UNSUPPORTED]
    assert len(provider.requests) == 1
