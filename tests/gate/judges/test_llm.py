"""The judges that ask a model: one call an answer, one more for what is open; nothing that was not settled passes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import pytest

from gate.errors import BadReplyError, SetupError, TransientError
from gate.judges.llm import BATCH, FOOLED, LONGEST, LlmJudge, TieredJudge
from gate.providers.base import Reply, Request
from gate.records import Claim, Evidence, Item, JudgeInfo, Label, Verdict
from tests.support.scripted_judge import Scripted, as_json, honest, seen

PUMP = "The pump runs at 40 watts.\nThe warranty lasts two years.\nThe door stays locked while the drum turns."


def item(text: str, n: int = 0, answer: str = "a", passage: str = PUMP) -> Item:
    claim = Claim(f"{answer}:{n}", answer, answer, text, 0, len(text))
    evidence = (Evidence("m.md", 7, passage, 1.0, "", (7, 8, 9)),) if passage else ()
    return Item(claim, evidence, "How strong is the pump?")


GOOD = [item("The pump runs at 40 watts."), item("The warranty lasts two years.", 1)]
FALSE = item("The pump runs at 90 watts.", 2)


def labels(judge: LlmJudge, items: list[Item]) -> list[str]:
    return [v.label.value + ("!" if v.contradicted else "") for v in judge.judge(items)]


def entries(request: Request, **changes: object) -> list[dict[str, object]]:
    return [{**entry, **changes} for entry in honest(seen(request))]


def test_one_call_for_all_claims_of_an_answer_and_quotes_are_cut_from_the_document() -> None:
    provider = Scripted()
    judge = LlmJudge(provider)
    verdicts = judge.judge([*GOOD, FALSE])
    assert [v.label for v in verdicts] == [Label.SUPPORTED, Label.SUPPORTED, Label.UNSUPPORTED]
    assert verdicts[2].contradicted
    assert len(provider.requests) == 1
    assert [(q.source, q.line, q.quote) for v in verdicts for q in v.evidence] == [
        ("m.md", 7, "The pump runs at 40 watts."),
        ("m.md", 8, "The warranty lasts two years."),
        ("m.md", 7, "The pump runs at 40 watts."),
    ]
    assert judge.info().details == {
        "answers": 1, "canaries": 1, "canaries_supported": 0, "reasked_claims": 0, "replies": 1, "unparsed_replies": 0,
        "share_unparsed": 0.0,
    }  # fmt: skip


def test_answers_are_asked_for_apart_and_long_ones_in_batches() -> None:
    provider = Scripted()
    many = [item("The pump runs at 40 watts.", n, "long") for n in range(BATCH + 1)]
    assert labels(LlmJudge(provider), [*GOOD, *many]) == ["supported"] * (BATCH + 3)
    assert sorted(len(seen(request).claims) for request in provider.requests) == [2, 3, BATCH + 1]


def test_nothing_is_asked_where_nothing_was_found_or_the_claim_is_no_statement() -> None:
    provider = Scripted()
    verdicts = LlmJudge(provider).judge([item("It flies.", passage=""), item("x" * (LONGEST + 1), 1)])
    assert [v.label for v in verdicts] == [Label.UNSUPPORTED, Label.UNJUDGED]
    assert str(LONGEST) in verdicts[1].reason
    assert provider.requests == []


def first_then(first: object, then: object = None) -> Scripted:
    """Answers the first request so, and the others honestly or so."""
    provider = Scripted()

    def script(request: Request) -> object:
        said = first if len(provider.requests) == 1 else then
        said = said(request) if callable(said) else said
        return as_json(honest(seen(request))) if said is None else said

    provider.script = script  # type: ignore[assignment]
    return provider


def bad(real_only: bool, **changes: object):
    """A reply with faults in the entries of real claims (the canary is known by its odd name), or in all."""

    def reply(request: Request) -> str:
        known = {g.claim.text for g in [*GOOD, FALSE]}
        return as_json([
            {**e, **(changes if not real_only or seen(request).claims[e["claim"]] in known else {})}
            for e in honest(seen(request))
        ])  # fmt: skip

    return reply


@pytest.mark.parametrize(
    ("reply", "reasked"),
    [
        ("", 3),
        ('{"verdicts": []}', 3),
        (bad(True, verdict="TRUE"), 3),
        (bad(True, sentences=[99], verdict="supported"), 3),
        (bad(False, claim=1), 3),
        (lambda request: Reply(as_json(honest(seen(request))), stop="filter"), 3),
        (lambda request: as_json(honest(seen(request)) + entries(request, verdict="weakly_supported")), 3),
    ],
)
def test_what_cannot_be_used_is_asked_once_more_and_counted(reply, reasked) -> None:
    provider = first_then(reply)
    judge = LlmJudge(provider)
    assert labels(judge, [*GOOD, FALSE]) == ["supported", "supported", "unsupported!"]
    assert judge.info().details["reasked_claims"] == reasked
    first, second = provider.requests
    assert first.key("p", "m") != second.key("p", "m")
    assert not set(seen(first).claims) & set(seen(second).claims)


@pytest.mark.parametrize("thought", ["", "<think>The claim says 5 seconds and the sentence"])
def test_a_model_that_thinks_all_its_room_away_is_given_more(thought) -> None:
    def rooms(first: Reply) -> list[int]:
        provider = first_then(first)
        assert labels(LlmJudge(provider), [*GOOD, FALSE]) == ["supported", "supported", "unsupported!"]
        return [request.max_tokens for request in provider.requests]

    usual, again = rooms(Reply("I would rather not say."))
    assert rooms(Reply(thought, stop="length")) == [usual, 4 * again]
    assert rooms(Reply('{"verdicts": [', stop="length")) == [usual, again]
    lost = first_then(Reply(thought, stop="length"), Reply(thought, stop="length"))
    assert {verdict.reason for verdict in LlmJudge(lost).judge(GOOD)} == {
        "the judge's reply ended before it, twice asked"
    }
    assert len(lost.requests) == 2


def test_a_second_reply_that_breaks_off_is_no_verdict_on_the_judge() -> None:
    def cut(request: Request) -> str:
        return as_json(honest(seen(request)))[:20]

    provider = Scripted()

    def script(request: Request) -> object:
        return cut(request) if len(provider.requests) < 3 else as_json(honest(seen(request)))

    provider.script = script  # type: ignore[assignment]
    judge = LlmJudge(provider)
    assert labels(judge, [*GOOD, FALSE]) == ["supported", "supported", "unsupported!"]
    assert len({request.key("p", "m") for request in provider.requests}) == 3
    broken = first_then(cut, cut)
    assert set(labels(LlmJudge(broken), GOOD)) == {"unjudged"}
    assert len(broken.requests) == 3


def test_only_what_is_open_is_asked_again_over_the_same_evidence() -> None:
    def one_missing(request: Request) -> str:
        return as_json([e for e in honest(seen(request)) if seen(request).claims[e["claim"]] != GOOD[1].claim.text])

    provider = first_then(one_missing)
    judge = LlmJudge(provider)
    assert labels(judge, GOOD) == ["supported", "supported"]
    again = seen(provider.requests[1])
    assert len(again.claims) == 2  # the claim and a canary
    assert again.sentences == seen(provider.requests[0]).sentences
    assert judge.info().details["reasked_claims"] == 1


def everything(request: Request) -> str:
    return as_json(entries(request, verdict="supported", sentences=[1]))


@pytest.mark.parametrize("script", [(everything, None), ("", everything)], ids=["at once", "when asked again"])
def test_a_judge_that_supports_a_canary_has_judged_nothing(script) -> None:
    judge = LlmJudge(first_then(*script))
    verdicts = judge.judge(GOOD)
    assert {(v.label, v.reason) for v in verdicts} == {(Label.UNJUDGED, FOOLED)}
    assert judge.info().details["canaries_supported"] >= 1


def canaries_called(*verdicts: str, sentences: Sequence[int] = (1,)):
    """An honest reply but for the canaries: an entry for each of `verdicts`."""

    def reply(request: Request) -> str:
        known = {g.claim.text for g in GOOD}
        found = honest(seen(request))
        baits = [e for e in found if seen(request).claims[e["claim"]] not in known]
        told = [{**e, "verdict": verdict, "sentences": list(sentences)} for e in baits for verdict in verdicts]
        return as_json(told + [e for e in found if e not in baits])

    return reply


@pytest.mark.parametrize(
    "reply",
    [
        canaries_called("supported", sentences=()),
        canaries_called("supported", sentences=(99,)),
        canaries_called("supported", "unsupported"),
        canaries_called("unsupported", "supported"),
    ],
    ids=["no sentence", "no such sentence", "and then not", "at last"],
)
@pytest.mark.parametrize("before", [None, ""], ids=["at once", "when asked again"])
def test_a_canary_that_is_called_supported_in_any_way_is_not_forgiven(reply, before) -> None:
    judge = LlmJudge(first_then(reply) if before is None else first_then(before, reply))
    assert {(v.label, v.reason) for v in judge.judge(GOOD)} == {(Label.UNJUDGED, FOOLED)}
    assert judge.info().details["canaries_supported"] == 1


def test_a_second_reply_that_supports_a_canary_before_it_breaks_off_is_not_forgiven() -> None:
    provider = Scripted()

    def script(request: Request) -> str:
        asked = len(provider.requests)
        if asked == 1:
            return ""
        return canaries_called("supported")(request)[:-2] if asked == 2 else as_json(honest(seen(request)))

    provider.script = script  # type: ignore[assignment]
    judge = LlmJudge(provider)
    assert {(v.label, v.reason) for v in judge.judge(GOOD)} == {(Label.UNJUDGED, FOOLED)}
    assert len(provider.requests) == 2


def test_who_passes_over_the_canary_is_asked_everything_again_and_then_not_believed() -> None:
    def without_canary(request: Request) -> str:
        known = {g.claim.text for g in GOOD}
        return as_json([e for e in honest(seen(request)) if seen(request).claims[e["claim"]] in known])

    judge = LlmJudge(first_then(without_canary))
    assert labels(judge, GOOD) == ["supported", "supported"]
    assert judge.info().details["reasked_claims"] == 2
    verdicts = LlmJudge(first_then(without_canary, without_canary)).judge(GOOD)
    assert {(v.label, v.reason) for v in verdicts} == {(Label.UNJUDGED, "the judge passed over a canary twice")}


def test_a_fault_of_the_provider_is_raised_but_one_while_asking_again_costs_only_what_is_open() -> None:
    with pytest.raises(TransientError):
        LlmJudge(first_then(TransientError("busy"))).judge(GOOD)

    def one_missing(request: Request) -> str:
        return as_json([e for e in honest(seen(request)) if seen(request).claims[e["claim"]] != GOOD[1].claim.text])

    verdicts = LlmJudge(first_then(one_missing, BadReplyError("the model said nothing"))).judge(GOOD)
    assert [v.label for v in verdicts] == [Label.SUPPORTED, Label.UNJUDGED]
    assert "the model said nothing" in verdicts[1].reason
    with pytest.raises(SetupError):
        LlmJudge(first_then("", SetupError("the key was revoked"))).judge(GOOD)


def test_equal_items_are_equal_requests_and_any_change_is_another() -> None:
    provider = Scripted()
    judge = LlmJudge(provider)
    judge.judge(GOOD)
    judge.judge(GOOD)
    judge.judge([dataclasses.replace(GOOD[0], question="Another?"), GOOD[1]])
    keys = [request.key("p", "m") for request in provider.requests]
    assert keys[0] == keys[1] != keys[2]
    assert json.dumps(provider.requests[0].schema)
    assert provider.requests[0].temperature == 0.0
    assert provider.requests[0].role == "judge"


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


def passed(text: str, answer: str, n: int) -> Item:
    passage = Evidence("m.md", 1, "The pump runs at 40 watts.", 1.0, "", (1,))
    return Item(Claim(f"{answer}:{n}", answer, answer, text, 0, 1), (passage,))


def test_only_the_doubtful_is_sent_on_and_it_is_counted() -> None:
    provider = Scripted()
    judge = TieredJudge(First(), LlmJudge(provider))
    items = [
        passed("The pump runs at 40 watts?", "a", 0),
        passed("It flies.", "a", 1),
        passed("It swims.", "b", 0),
        passed("! the pump runs at 40 watts", "c", 0),
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
