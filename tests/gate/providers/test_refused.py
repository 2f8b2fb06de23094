"""What is learnt from a refusal: which words blame what, and what a request minds from then on."""

import pytest

from gate.errors import AskAgainError, BadReplyError, TransientError
from gate.providers.base import Message, Request
from gate.providers.refused import Refused, blamed_words, turns
from gate.records import Usage

REFUSAL = BadReplyError("no temperature, please", "leave it out", "malformed")
SYSTEM, USER, SAID = Message("system", "Judge."), Message("user", "q"), Message("assistant", "a")


def asking(*messages: Message, tokens: int = 100) -> Request:
    return Request(messages or (SYSTEM, USER), max_tokens=tokens)


def learn(refused: Refused, blamed: set[str], known: frozenset[str] = frozenset(), tokens: int = 100) -> BadReplyError:
    with pytest.raises(BadReplyError) as caught:
        refused.learn(REFUSAL, asking(tokens=tokens), frozenset(blamed), known)
    return caught.value


def test_what_is_blamed_for_the_first_time_is_learnt_and_costs_nothing():
    refused = Refused()
    told = learn(refused, {"temperature"})
    assert isinstance(told, AskAgainError)
    assert refused.of(asking()) == {"temperature"}
    assert (told.message, told.hint, told.kind) == (REFUSAL.message, REFUSAL.hint, REFUSAL.kind)
    assert told.usage == Usage()


@pytest.mark.parametrize("blamed", [set(), {"temperature"}])
def test_what_was_minded_already_or_blames_nothing_is_the_refusal_itself(blamed):
    refused = Refused()
    assert learn(refused, blamed, frozenset({"temperature"})) is REFUSAL
    assert not refused.parts


def test_parts_that_another_thread_learnt_stay():
    refused = Refused()
    for part in ("schema", "temperature"):
        assert isinstance(learn(refused, {part}), AskAgainError)
    assert refused.of(asking()) == {"schema", "temperature"}


def test_a_length_is_refused_for_what_is_as_long_and_no_other():
    refused = Refused()
    learn(refused, {"length"}, tokens=5000)
    assert [refused.of(asking(tokens=tokens)) for tokens in (4999, 5000, 9000)] == [set(), {"length"}, {"length"}]
    learn(refused, {"length"}, tokens=9000)  # of a thread that asked before
    assert refused.of(asking(tokens=5000)) == {"length"}
    learn(refused, {"length"}, tokens=2100)
    assert refused.of(asking(tokens=2100)) == {"length"}


@pytest.mark.parametrize(
    ("words", "blamed"),
    [
        ("max_tokens is too large: 23200. This model supports at most 16384 completion tokens", {"length"}),
        ("'max_tokens' or 'max_completion_tokens' is too large: 23200.", {"length"}),
        ("However, you requested 8204 tokens (12 in the messages, 8192 in the completion). Please reduce", {"length"}),
        ("context length is 9 tokens. you requested 16000 output tokens and 5 input tokens: reduce either", {"length"}),
        ("The maximum tokens you requested exceeds the model limit of 4096.", {"length"}),
        ("Malformed input request: #/max_gen_len: 8192 is not less or equal to 2048", {"length"}),
        ("max_tokens: 23200 > 4096, which is the maximum allowed number of output tokens", {"length"}),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", {"length"}),
        ("`inputs` tokens + `max_new_tokens` must be <= 4096", {"length"}),
        ("System role not supported", {"system"}),
        ("'messages[0].role' does not support 'system' with this model.", {"system"}),
        ("This model doesn't support system messages. Try again without a system message", {"system"}),
        ("Conversation roles must alternate user/assistant/user/assistant/...", {"system"}),
        ("Only user and assistant roles are supported!", {"system"}),
        ("`temperature` is deprecated for this model", {"temperature"}),
        # Of these nothing that could be left out is to blame.
        ("This model's maximum context length is 128000 tokens. Your messages resulted in 130000 tokens.", set()),
        ("Input is too long for requested model.", set()),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", set()),
        ("max_tokens must be at least 1, got -186.", set()),
        ("the system prompt breaks our rules", set()),
    ],
)
def test_the_words_of_servers(words, blamed):
    assert blamed_words(BadReplyError(f"HTTP 400: {words}", "", "rejected"), asking()) == (
        f"http 400: {words.lower()}",
        blamed,
    )


def test_another_fault_blames_nothing_and_nothing_is_blamed_that_was_not_sent():
    assert blamed_words(BadReplyError("no temperature", "", "malformed"), asking()) == ("", frozenset())
    told = BadReplyError("System role not supported", "", "rejected")
    assert blamed_words(told, asking(USER))[1] == frozenset()


def test_a_refusal_that_is_told_as_a_fault_of_the_server_counts_where_its_words_are_plain():
    for words, blamed in (
        ("System role not supported", {"system"}),
        ("max_tokens exceed it", set()),
        ("temperature", set()),
    ):
        assert blamed_words(TransientError(words, "", "server"), asking())[1] == blamed


def test_where_there_may_be_no_system_message_its_text_stands_in_front():
    without = frozenset({"system"})
    assert turns(asking(SYSTEM, USER, SAID), without) == (Message("user", "Judge.\n\nq"), SAID)
    assert turns(asking(SYSTEM), without)[0].role == "user"
    assert turns(asking(USER), without) == (USER,)
    assert turns(asking(SYSTEM, USER), frozenset()) == (SYSTEM, USER)


def test_what_one_run_learns_the_next_one_knows():
    kept: list[str] = []
    first, second = Refused(), Refused()
    first.remember(None, kept.append)
    learn(first, {"temperature"})
    learn(first, {"length"}, tokens=5000)
    second.remember(kept[-1], kept.append)
    assert second.of(asking(tokens=5000)) == {"temperature", "length"}
    assert second.of(asking(tokens=4999)) == {"temperature"}
    learn(second, {"schema"})
    assert len(kept) == 3


@pytest.mark.parametrize("learnt", [None, "", "{", "[]", "5", '{"parts": 5, "too_long": 1}', '{"parts": []}'])
def test_what_another_version_kept_is_learnt_anew(learnt):
    refused = Refused()
    refused.remember(learnt, lambda text: None)
    assert refused.of(asking()) == frozenset()
