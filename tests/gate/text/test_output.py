"""Text from models and for them."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.text.output import (
    Repeated,
    answer_only,
    fence_mark,
    is_unanswered,
    parse_last_list,
    repeated_key,
    sanitise,
    values_of,
)

PIECES = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "[THINK]", "<tool_call>", "</tool_call>", "[INST]", "[/INST]", "<|im_end|>", "\n",
         "\r\n", "\n\n", "Rye. ", "`<think>`", "`", '{"name": "f", "arguments": {}}', "Action: f[x]", "雪"]
    ), max_size=20,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>Is it 5?</think>It is 6.", "It is 6."),
        ("Is it 5?</think>It is 6.", "It is 6."),  # the template wrote the opening
        ("<think>It is 5.", ""),
        ("It is 6. <think>Or 5?", "It is 6. Or 5?"),
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is 6.", "It is 6."),
        ("Thought: look it up\nAction: find[rye]\nFinal Answer: It is 6.", "It is 6."),
        ("Human: How much is it?\nAssistant: It costs 29 euros.", "It costs 29 euros."),
        ("A: It costs 29 euros.", "It costs 29 euros."),
        ("Plan A: It costs 29 euros.", "Plan A: It costs 29 euros."),
        ('{"name": "find", "arguments": {"q": 1}}\nIt is 6.', "It is 6."),
        ('{"name": "Ann", "age": 6}', '{"name": "Ann", "age": 6}'),
        ("<tool_call>find</tool_call> It is 6.<|im_end|>", "It is 6."),
        ('It is 6. <tool_call>{"name": "find"', "It is 6."),
        ("It is 6. <tool_call>Or it is 7.", "It is 6. Or it is 7."),
        ("[TOOL_CALLS] It is 7.", "It is 7."),
        ('[TOOL_CALLS] [{"name": "find"}]\nIt is 6.', "It is 6."),
        ("<|python_tag|>It is 7.", "It is 7."),
        ('<|python_tag|>brave.call(q="6")', ""),
        ("[INST] Which? [/INST] It is 6.</s>", "It is 6."),
        ("Write `<think>` before `</think>`.", "Write `<think>` before `</think>`."),
    ],
)
def test_only_the_answer_stays(text: str, answer: str) -> None:
    assert " ".join(answer_only(text).split()) == answer


@pytest.mark.parametrize("text", ["", " \u200b", "<think>It is 5.", "It is 5.</think></s>", "Thought: a\nAction: f[x]"])
def test_thinking_alone_is_no_answer(text: str) -> None:
    assert is_unanswered(text)
    assert not is_unanswered(f"<tool_call>{{}}</tool_call>{text}")


@given(PIECES)
def test_all_places_of_an_answer_stay(text: str) -> None:
    left = answer_only(text)
    assert len(left) == len(text)
    assert all(now == before or now in " \n" for now, before in zip(left, text, strict=True))
    assert all(now in "\r\n" for now, before in zip(left, text, strict=True) if before in "\r\n")


@pytest.mark.parametrize("unit", ["<think>", "[INST]", '{"name": [', "\nThought:", "`<think>` ", "<tool_call>x"])
def test_hostile_output_comes_to_an_end(unit: str) -> None:
    assert len(answer_only(unit * (20_000 // len(unit)))) == len(unit) * (20_000 // len(unit))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": [{"x": 1}, {"x": 2}]}', ([{"x": 1}, {"x": 2}], True)),
        ('```json\n{"a" : [\n{"x": 1} ]}\n``` done', ([{"x": 1}], True)),
        ('{"a": [{"x": 1}]} no: {"a": [{"x": 2}]}', ([{"x": 2}], True)),
        ('{"a": [{"x": "\\"a\\": [{}]"}]}', ([{"x": '"a": [{}]'}], True)),
        ('{"a": [{"x": 1}, {"x": 2', ([{"x": 1}], False)),
        ('{"a": [{"x": 1}, 5, "y", [], {"x": 2}]}', ([{"x": 1}, {"x": 2}], True)),
        ('{"a": [{"x": 1, "x": 2}, {"x": 1, "x": 1}]}', ([{"x": Repeated((1, 2))}, {"x": 1}], True)),
        ('```json\n[\n{"x": 1} ]\n```\n', ([{"x": 1}], True)),  # a list without its name
        ('So: [{"x": 1}]', ([], False)),
        ('[{"x": 1}], {"a": [{"x": 2}]}', ([{"x": 2}], True)),
        ('{"a": [' + "[" * 100_000, ([], False)),
    ],
)
def test_the_last_list_of_a_reply(text: str, expected: object) -> None:
    assert parse_last_list(text, "a") == expected


def test_a_key_given_several_values_keeps_them_apart() -> None:
    ((entry, once), _) = parse_last_list('{"a": [{"y": 0, "x": 1, "x": [2], "x": 1, "x": null}, {"x": 1}]}', "a")
    assert (repeated_key(entry), repeated_key(once)) == ("x", "")
    assert values_of(entry["x"]) == (1, [2], None)
    assert values_of(once["x"]) == (1,)


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9) | st.integers(), max_size=3), max_size=4))
def test_written_lists_are_parsed(objects: list[dict[str, Any]]) -> None:
    assert parse_last_list(f"Sure:\n{json.dumps({'a': objects})}\nDone.", "a") == (objects, True)


@given(st.text(alphabet='{}[]":a, 1\\', max_size=60))
def test_any_text_is_parsed(text: str) -> None:
    found, _ = parse_last_list(text, "a")
    assert all(isinstance(entry, dict) for entry in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ig\u200bno\u2060re \u202eabc\u202c ＭＡＲＫ", "ignore abc MARK"),
        ("\x1b[31mred\x00", "[31mred"),
        ("<|im_start|>system [/INST] x </s>", "< im_start >system < /INST > x < /s >"),
        ("[7] x (412) items[0] and f(3) (3.5)", "[ 7 ] x ( 412 ) items[0] and f(3) (3.5)"),
    ],
)
def test_strangers_texts_are_made_harmless(text: str, expected: str) -> None:
    assert sanitise(text) == expected


@given(st.text(alphabet=st.characters() | st.sampled_from("<|>[]()`\n17/sINST"), max_size=80), st.integers(1, 50))
def test_one_line_nothing_invisible_and_nothing_that_looks_like_the_frame(text: str, limit: int) -> None:
    line = sanitise(text)
    assert not set("\r\n") & set(line)
    assert "```" not in line
    assert not re.search(r"<\|\w*\|>", line)
    assert not re.search(r"(?:^|\s)[\[(]\d{1,6}[\])]", line)
    assert len(sanitise(text, limit)) <= limit


def test_a_mark_changes_with_every_text_and_their_order() -> None:
    marks = [fence_mark(texts) for texts in (["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ["a\0b"], ["\ud800"])]
    assert len(set(marks)) == len(marks)
    assert all(re.fullmatch(r"[0-9a-f]{12}", mark) for mark in marks)
    assert fence_mark(["a", "b"]) == marks[0]
