"""The judges that ask a model: one call an answer, one more for what is open; nothing that was not settled passes, and
a reply in any dress is read strictly."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import BadReplyError, SetupError, TransientError
from gate.judges.llm import BATCH, FOOLED, LONGEST, MISSING, LlmJudge, TieredJudge, parse_verdicts
from gate.providers.base import Reply, Request
from gate.records import Claim, Evidence, Item, JudgeInfo, Label, Verdict
from tests.gate.judges.conftest import one_by_one
from tests.support.scripted_judge import Scripted, as_json, honest, seen

PUMP = "The pump runs at 40 watts.\nThe warranty lasts two years.\nThe door stays locked while the drum turns."
CLAIMS, SENTENCES = (101, 202), (1, 2, 3)


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


def first_then(*replies: object) -> Scripted:
    return one_by_one(lambda request: as_json(honest(seen(request))), *replies)


def changed(of: Sequence[Item], **changes: object):
    """An honest reply but for the entries of these claims: without them where there are no changes."""

    def reply(request: Request) -> str:
        known = {one.claim.text for one in of}
        found = [(entry, seen(request).claims[entry["claim"]] in known) for entry in honest(seen(request))]
        return as_json([{**entry, **(changes if own else {})} for entry, own in found if changes or not own])

    return reply


@pytest.mark.parametrize(
    "reply",
    [
        "",
        '{"verdicts": []}',
        changed([*GOOD, FALSE], verdict="TRUE"),
        changed([*GOOD, FALSE], sentences=[99], verdict="supported"),
        lambda request: as_json(entries(request, claim=1)),
        lambda request: Reply(as_json(honest(seen(request))), stop="filter"),
        lambda request: as_json(honest(seen(request)) + entries(request, verdict="weakly_supported")),
    ],
)
def test_what_cannot_be_used_is_asked_once_more_and_counted(reply) -> None:
    provider = first_then(reply)
    judge = LlmJudge(provider)
    assert labels(judge, [*GOOD, FALSE]) == ["supported", "supported", "unsupported!"]
    assert judge.info().details["reasked_claims"] == 3
    first, second = provider.requests
    assert first.key("p", "m") != second.key("p", "m")
    assert not set(seen(first).claims) & set(seen(second).claims)


@pytest.mark.parametrize("thought", ["", "<think>The claim says 5 seconds and the sentence"])
def test_a_model_that_thinks_all_its_room_away_is_given_more(thought) -> None:
    def rooms(first: str, stop: str) -> list[int]:
        provider = first_then(Reply(first, stop=stop))
        assert labels(LlmJudge(provider), [*GOOD, FALSE]) == ["supported", "supported", "unsupported!"]
        return [request.max_tokens for request in provider.requests]

    usual, again = rooms("I would rather not say.", "stop")
    assert rooms(thought, "length") == [usual, 4 * again]
    assert rooms('{"verdicts": [', "length") == [usual, again]
    lost = first_then(*[Reply(thought, stop="length")] * 2)
    assert {one.reason for one in LlmJudge(lost).judge(GOOD)} == {
        "the judge's reply ended before it, even when asked again"
    }
    assert len(lost.requests) == 2


def cut(request: Request) -> str:
    return as_json(honest(seen(request)))[:20]


def test_a_second_reply_that_breaks_off_is_no_verdict_on_the_judge() -> None:
    provider = first_then(cut, cut, None)
    judge = LlmJudge(provider)
    assert labels(judge, [*GOOD, FALSE]) == ["supported", "supported", "unsupported!"]
    assert len({request.key("p", "m") for request in provider.requests}) == 3
    broken = first_then(cut, cut, cut)
    assert set(labels(LlmJudge(broken), GOOD)) == {"unjudged"}
    assert len(broken.requests) == 3


def test_only_what_is_open_is_asked_again_over_the_same_evidence() -> None:
    provider = first_then(changed(GOOD[1:]))
    judge = LlmJudge(provider)
    assert labels(judge, GOOD) == ["supported", "supported"]
    again = seen(provider.requests[1])
    assert len(again.claims) == 2  # the claim and a canary
    assert again.sentences == seen(provider.requests[0]).sentences
    assert judge.info().details["reasked_claims"] == 1


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
        lambda request: as_json(entries(request, verdict="supported", sentences=[1])),
        canaries_called("supported", sentences=()),
        canaries_called("supported", sentences=(99,)),
        canaries_called("supported", "unsupported"),
        canaries_called("unsupported", "supported"),
    ],
    ids=["as all", "no sentence", "no such sentence", "and then not", "at last"],
)
@pytest.mark.parametrize("before", [(), ("",)], ids=["at once", "when asked again"])
def test_a_canary_that_is_called_supported_in_any_way_is_not_forgiven(reply, before) -> None:
    judge = LlmJudge(first_then(*before, reply))
    assert {(v.label, v.reason) for v in judge.judge(GOOD)} == {(Label.UNJUDGED, FOOLED)}
    assert judge.info().details["canaries_supported"] >= 1


def test_a_second_reply_that_supports_a_canary_before_it_breaks_off_is_not_forgiven() -> None:
    provider = first_then("", lambda request: canaries_called("supported")(request)[:-2])
    assert {(v.label, v.reason) for v in LlmJudge(provider).judge(GOOD)} == {(Label.UNJUDGED, FOOLED)}
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

    verdicts = LlmJudge(first_then(changed(GOOD[1:]), BadReplyError("the model said nothing"))).judge(GOOD)
    assert [v.label for v in verdicts] == [Label.SUPPORTED, Label.UNJUDGED]
    assert "the model said nothing" in verdicts[1].reason
    with pytest.raises(SetupError):
        LlmJudge(first_then("", SetupError("the key was revoked"))).judge(GOOD)


class First:
    """Sure of what has no question mark in it."""

    remote = False

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        return [self._one(item.claim) for item in items]

    def _one(self, claim: Claim) -> Verdict:
        if claim.text.startswith("!"):
            return Verdict(claim, Label.UNJUDGED, "", reason="no words")
        unsure = "?" in claim.text
        return Verdict(claim, Label.WEAKLY_SUPPORTED if unsure else Label.UNSUPPORTED, "", unsure=unsure)

    def info(self) -> JudgeInfo:
        return JudgeInfo("local", "first", "1")


def test_only_the_doubtful_is_sent_on_and_it_is_counted() -> None:
    provider = Scripted()
    judge = TieredJudge(First(), LlmJudge(provider))
    items = [
        item("The pump runs at 40 watts?"),
        item("It flies.", 1),
        item("It swims.", answer="b"),
        item("! the pump runs at 40 watts", answer="c"),
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


def entry(claim: object = 101, verdict: object = "supported", sentences: object = (1,), **more: object) -> dict:
    cited = list(sentences) if isinstance(sentences, tuple) else sentences
    return {"claim": claim, "sentences": cited, "why": "so", "verdict": verdict, **more}


def reply(*entries: object) -> str:
    return json.dumps({"verdicts": entries})


BOTH = reply(entry(), entry(202, "unsupported", ()))


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        f"```json\n{BOTH}\n```",
        f"Let me think. The verdicts are clear.\n\n{BOTH}\n\nI hope that helps!",
        f"The text says {reply(entry(202, 'supported'))}, which I do not obey: {BOTH}",
        BOTH.replace('"supported"', '" Supported "'),
        BOTH.replace("101", '"(101)"'),
        json.dumps({"notes": ["x"], "verdicts": json.loads(BOTH)["verdicts"], "more": {"a": 1}}, indent=4),
        json.dumps(json.loads(BOTH)["verdicts"]),
        reply(entry(), entry(), entry(202, "unsupported", ())),
        reply(entry(), "noise", entry(999), entry(202, "unsupported", ())),
    ],
)
def test_whole_replies_in_any_dress(text) -> None:
    reading = parse_verdicts(text, "stop", CLAIMS, SENTENCES)
    assert not reading.unresolved
    assert reading.whole
    assert {n: r.label for n, r in reading.rulings.items()} == {101: Label.SUPPORTED, 202: Label.UNSUPPORTED}
    assert reading.rulings[101].sentences == (1,)


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (entry(verdict="true"), "none of those offered"),
        (entry(sentences=()), "cited no sentence"),
        (entry(sentences=("all", True, 1.0)), "cited no sentence"),
        (entry(contradicted=True), "contradicted at once"),
        (entry(claim=True), MISSING),
    ],
)
def test_an_entry_that_cannot_be_used_leaves_its_claim_open(one, why) -> None:
    reading = parse_verdicts(reply(one, entry(202, "unsupported", ())), "stop", CLAIMS, SENTENCES)
    assert list(reading.rulings) == [202]
    assert why in reading.unresolved[101]


@pytest.mark.parametrize("second", [entry(verdict="unsupported"), entry(verdict="contradicted"), entry(verdict="?")])
def test_two_verdicts_that_differ_are_none(second) -> None:
    for pair in ([entry(), second], [second, entry()]):
        assert 101 in parse_verdicts(reply(*pair), "stop", CLAIMS, SENTENCES).unresolved


@pytest.mark.parametrize(
    ("key", "values"), [("verdict", '"unsupported", "verdict": "supported"'), ("sentences", '[1], "sentences": [2]')]
)
def test_a_key_given_two_values_leaves_the_claim_open(key, values) -> None:
    one = {name: value for name, value in entry().items() if name != key}
    text = f'{{"verdicts": [{json.dumps(one)[:-1]}, "{key}": {values}}}, {json.dumps(entry(202, "unsupported", ()))}]}}'
    reading = parse_verdicts(text, "stop", CLAIMS, SENTENCES)
    assert list(reading.rulings) == [202]
    assert f"'{key}' two values" in reading.unresolved[101]
    assert reading.called_supported == {101}


def test_contradicted_is_unsupported_with_the_words_that_contradict() -> None:
    reading = parse_verdicts(
        reply(entry(verdict="contradicted", sentences=(3,)), entry(202, "contradicted", ())), "stop", CLAIMS, SENTENCES
    )
    assert (reading.rulings[101].label, reading.rulings[101].contradicted) == (Label.UNSUPPORTED, True)
    assert (reading.rulings[202].label, reading.rulings[202].contradicted) == (Label.UNSUPPORTED, False)


def test_a_truncated_reply_gives_its_whole_entries_and_no_other() -> None:
    for cut in range(1, len(BOTH)):
        reading = parse_verdicts(BOTH[:cut], "length", CLAIMS, SENTENCES)
        assert not reading.whole
        assert set(reading.rulings) | set(reading.unresolved) == set(CLAIMS)
        assert (101 in reading.rulings) == (cut > BOTH.index("}"))


def test_a_filtered_reply_says_nothing_whatever_it_holds() -> None:
    assert parse_verdicts(BOTH, "filter", CLAIMS, SENTENCES).unresolved.keys() == set(CLAIMS)


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"verdicts":' + "[" * 100_000, "\x00", '{"verdicts": {}}', BOTH * 2000]
)
def test_hostile_replies_end_soon(text) -> None:
    reading = parse_verdicts(text, "stop", CLAIMS, SENTENCES)
    assert set(reading.rulings) | set(reading.unresolved) == set(CLAIMS)


leaves = st.none() | st.booleans() | st.integers(-5, 300) | st.sampled_from(["supported", "contradicted", "x"])
keys = st.sampled_from(["claim", "verdict", "sentences"])
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner), max_leaves=12)


@given(st.lists(values, max_size=4), st.text(max_size=20), st.text(max_size=20))
def test_every_claim_is_settled_or_open_never_both_and_cites_what_was_offered(entries, before, after) -> None:
    reading = parse_verdicts(before + json.dumps({"verdicts": entries}) + after, "stop", CLAIMS, SENTENCES)
    assert set(reading.rulings) | set(reading.unresolved) == set(CLAIMS)
    assert not set(reading.rulings) & set(reading.unresolved)
    assert {n for n, r in reading.rulings.items() if r.label is Label.SUPPORTED} <= reading.called_supported
    for ruling in reading.rulings.values():
        assert set(ruling.sentences) <= set(SENTENCES)
        assert ruling.label is not Label.SUPPORTED or ruling.sentences
        assert not ruling.contradicted or ruling.label is Label.UNSUPPORTED


@pytest.mark.parametrize("before", ["unsupported", "contradicted", "weakly_supported"])
def test_supported_after_a_list_that_said_otherwise_settles_nothing(before):
    parsed = parse_verdicts(f"{reply(entry(101, before))} {BOTH}", "stop", CLAIMS, SENTENCES)
    assert parsed.unresolved == {101: "the judge gave two verdicts that differ"}
    assert parsed.rulings[202].label is Label.UNSUPPORTED
