"""Conversations in rows: what is refused, what the question leans on, and which answers stand in them."""

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.conversation import asked, earlier, every_turn, parse_messages, question_of, results, sought
from gate.errors import InputFileError, UsageError
from gate.files import Row
from gate.records import Message, Prompt, ToolCall


def say(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


CALL = {"id": "c1", "name": "get_price", "arguments": {"plan": "basic"}}
ROW = [
    say("assistant", "Welcome to the gym."),
    say("user", "How much is membership?"),
    say("assistant", "Let me look.", tool_calls=[CALL]),
    say("tool", "29 euros a month", tool_call_id="c1"),
    say("assistant", "It costs 29 euros."),
    say("user", "And the sauna?"),
    say("assistant", "", tool_calls=[{"type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}}]),
    say("tool", "open from 10 am"),
]


def parsed(messages: Any, **fields: Any) -> tuple[Message, ...]:
    row = Row("f.jsonl", 3, {"messages": messages, **fields})
    found = parse_messages(row)
    question_of(row, found)
    return found


def prompt(*messages: dict[str, Any], name: str = "g") -> Prompt:
    turns = parsed(list(messages))
    return Prompt(name, question_of(Row("f", 1, {}), turns), messages=turns, contexts=results(turns), must_pass=True)


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([], "must be a list of turns"),
        ("hello", "must be a list of turns"),
        ([say("user", "x")] * 1001, "has 1001 turns, more than 1000"),
        ([say("narrator", "x")], "turn 1 of `messages` needs a `role`"),
        ([say("user", "x"), {"role": "assistant"}], "turn 2 of `messages` needs `content`"),
        ([{"role": "user", "content": [5]}], "needs `content` that is a string or a list of parts"),
        ([say("assistant", "", tool_calls=[{"arguments": {}}]), say("user", "x")], "a call needs `name`"),
        ([say("assistant", "", tool_calls={"name": "f"}), say("user", "x")], "calls of tools are a list"),
        ([say("user", "x"), say("assistant", "y")], "belongs into `answer`"),
        ([say("system", "x"), say("user", " ")], "no turn of the user"),
    ],
)
def test_what_is_no_conversation_is_refused_with_its_line(messages: Any, told: str) -> None:
    with pytest.raises(InputFileError) as caught:
        parsed(messages)
    assert caught.value.message.startswith("f.jsonl:3: ")
    assert told in caught.value.message


def test_a_part_that_is_no_text_stands_as_a_mark_and_a_thought_does_not() -> None:
    kinds = ("image_url", "input_image", "input_audio", "\x1b[2J", "thinking")
    parts = [{"type": "text", "text": "What is this?"}, *({"type": kind} for kind in kinds), "So?"]
    (turn,) = parsed([{"role": "user", "content": [*parts, {"type": "refusal", "refusal": "No."}]}])
    assert turn.content.split("\n") == ["What is this?", "[image]", "[image]", "[audio]", "[part]", "So?", "No."]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "text", "type"]), inner),
)
TURN = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"]) | JSON, "content": st.just("x") | JSON},
    optional={"tool_calls": st.lists(st.fixed_dictionaries({"name": st.text(), "arguments": JSON, "id": JSON})) | JSON},
)


@given(st.lists(TURN | JSON, max_size=6) | JSON)
def test_any_json_is_a_conversation_that_can_be_written_or_a_fault(messages: Any) -> None:
    try:
        found = parsed(messages)
    except InputFileError as fault:
        assert "f.jsonl:3" in fault.message
    else:
        json.dumps([asdict(turn) for turn in found], ensure_ascii=False).encode()
        assert all(turn.recorded and turn.id for turn in every_turn([(Prompt("a", "x", messages=found), None)])[:-1])


def test_a_question_beside_the_messages_is_their_last_one() -> None:
    assert parsed(ROW, question="And the  sauna?")
    with pytest.raises(InputFileError, match="not what the user says last"):
        parsed(ROW, question="How much is membership?")


def test_the_question_leans_on_the_turn_before_and_the_answer_on_what_tools_returned() -> None:
    one = prompt(*ROW)
    assert (one.question, earlier(one), one.contexts) == (
        "And the sauna?",
        "How much is membership?",
        ("open from 10 am",),
    )
    assert sought(one) == "And the sauna? How much is membership?"
    assert one.messages[2].tool_calls == (ToolCall("get_price", '{"plan": "basic"}', "c1"),)
    assert one.messages[6].tool_calls == (ToolCall("find", '{"q": 1}'),)
    probe = asked(replace(one, question="and the SAUNA"))
    assert [turn.content for turn in probe] == [
        *(turn["content"] for turn in ROW[:5]),
        "and the SAUNA",
        "",
        ROW[7]["content"],
    ]
    alone = Prompt("a", "Hi?")
    assert (earlier(alone), sought(alone), asked(alone)) == ("", "Hi?", (Message("user", "Hi?"),))


def test_every_answer_in_a_conversation_is_judged_once_by_its_question() -> None:
    found = every_turn([(prompt(*ROW), None)])
    assert [(one.id, one.question, one.recorded and one.recorded.content) for one in found] == [
        ("g/turn-0", "", "Welcome to the gym."),
        ("g/turn-1", "How much is membership?", "Let me look.\n\nIt costs 29 euros."),
        ("g", "And the sauna?", None),
    ]
    assert (found[1].contexts, found[1].must_pass, found[2].must_pass) == (("29 euros a month",), False, True)


def test_rows_that_repeat_the_conversation_so_far_bring_no_answer_twice() -> None:
    first, second = prompt(*ROW[:2], name="a"), prompt(*ROW[:2], *ROW[4:6], name="b")
    assert [one.id for one in every_turn([(first, "It costs 29 euros."), (second, "x")])] == ["a/turn-0", "a", "b"]
    other = [one.id for one in every_turn([(first, "It costs 30 euros."), (second, "x")])]
    assert other == ["a/turn-0", "a", "b/turn-1", "b"]
    with pytest.raises(UsageError, match="a/turn-0"):
        every_turn([(first, None), (replace(second, id="a/turn-0"), None)])
