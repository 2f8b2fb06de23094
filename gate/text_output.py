"""What a model writes around its answer: thinking text, tool calls and template tokens, blanked with all places kept.

One table lists the known forms. A form that another product uses is a row more.
"""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Form(NamedTuple):
    """A block between two marks that is no part of the answer."""

    opening: str
    closing: str
    kind: str = "thinking"


_LINE = r"(?:^|(?<=\n))[ \t]{0,12}"
_TOOL = r"(?:tool_call|tool_use|tool_code|tool_response|tool_result|function_call|function_result)s?"
# An opening of kind "pair" that nothing closes is no block. What nothing closes of the other kinds: see `answered`.
_FORMS = (
    Form(r"<think(?:ing)?>", r"</think(?:ing)?>"),
    Form(r"<(?:reasoning|thought|reflection|scratchpad)>", r"</(?:reasoning|thought|reflection|scratchpad)>"),
    Form(r"<seed:think>", r"</seed:think>"),
    Form(r"<\|(?:begin_of_thought|start_thinking)\|>", r"<\|(?:end_of_thought|end_thinking)\|>"),
    Form(r"<start_of_thought>", r"<end_of_thought>"),
    Form(r"◁think▷", r"◁/think▷"),
    Form(r"\[THINK\]", r"\[/THINK\]"),
    Form(
        r"(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)[^<\n]{0,200}<\|message\|>",
        r"<\|(?:end|call|return)\|>|(?=<\|start\|>|<\|channel\|>)",
    ),
    Form(rf"{_LINE}Thinking\.\.\.[ \t]*\n", r"\.\.\.done thinking\.?", "pair"),
    Form(rf"{_LINE}Thought:", r"(?=\n[ \t]*(?:Action|Final Answer):)", "pair"),
    Form(rf"{_LINE}Observation:", r"(?=\n[ \t]*(?:Thought|Action|Final Answer):)", "pair"),
    Form(rf"{_LINE}Action:[ \t]*[\w.-]{{1,60}}(?:[\[(]|\s{{0,9}}\nAction Input:)", r"(?=\n)|\Z"),
    Form(rf"<{_TOOL}>", rf"</{_TOOL}>", "tool"),
    Form(r"<(?:antml:)?function_(?:calls|results)>", r"</(?:antml:)?function_(?:calls|results)>", "tool"),
    Form(r"<(?:antml:)?(?:invoke|function)[ =][^<>\n]{1,200}>", r"</(?:antml:)?(?:invoke|function)>", "tool"),
    Form(r"<｜tool▁(?:calls|outputs)▁begin｜>", r"<｜tool▁(?:calls|outputs)▁end｜>", "tool"),
    Form(r"<\|python_tag\|>", r"<\|(?:eom|eot)_id\|>|\Z", "tool"),
    Form(r"\[TOOL_CALLS\]", r"(?=\n)|</s>|\Z", "tool"),
    Form(r"\[TOOL_RESULTS\]", r"\[/TOOL_RESULTS\]", "tool"),
    # What another speaker's turn holds is not the assistant's.
    Form(r"\[INST\]", r"\[/INST\]", "pair"),
    Form(r"<<SYS>>", r"<</SYS>>", "pair"),
    Form(r"<\|im_start\|>(?:user|system|tool)\n", r"<\|im_end\|>", "pair"),
    Form(r"<\|start_header_id\|>(?:user|system|ipython)<\|end_header_id\|>", r"<\|eot_id\|>", "pair"),
    Form(r"<start_of_turn>user\n", r"<end_of_turn>", "pair"),
)
# Tokens of chat templates, and marks without their partner: what stands around them is the answer.
_TOKEN = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>final[^<\n]{0,40}<\|message\|>|<\|im_start\|>assistant\b"
    r"|<\|start_header_id\|>assistant<\|end_header_id\|>|<start_of_turn>model\b|<\|[^<>|\n]{1,60}\|>"
    r"|<｜[^<>｜\n]{1,60}｜>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|THINK)\]|</?s>"
    r"|<(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>|</?think(?:ing)?>|</?(?:final_)?answer>"
    rf"|{_LINE}Final Answer:",
    re.IGNORECASE,
)
_OPENING = re.compile("|".join(f"(?P<f{n}>{form.opening})" for n, form in enumerate(_FORMS)), re.IGNORECASE)
_CLOSINGS = tuple(re.compile(form.closing, re.IGNORECASE) for form in _FORMS)
_CODE = re.compile(r"(`{1,2})(?!`)[^`\n]{1,400}\1(?!`)")  # in backticks it is the name of a tag
_BEGINS = re.compile(r"(?:^|[\n.!?…>\]|\"')*_:])[ \t\r]{0,40}$")  # a block begins where a sentence may
_ORPHAN = re.compile(r"</think(?:ing)?>|\[/THINK\]|◁/think▷", re.IGNORECASE)  # the template wrote its opening
_CALL = re.compile(
    r"""(?:^|(?<=\n))[ \t]{0,12}(?=\[?\s{0,20}\{\s{0,20}"(?:type|id|[a-z_]*name|tool|function|action)")"""
)
_CALLED = frozenset(("name", "tool", "function", "tool_name", "action", "recipient_name"))
_WITH = frozenset(("arguments", "args", "parameters", "params", "input", "tool_input", "action_input"))
_MOST_CALLS = 50  # looked at in a text
_LONGEST_CALL = 50_000  # characters
_READABLE = re.compile(r"[^\W_]")
_VISIBLE = re.compile(r"[^\n\r]")
Span = tuple[int, int]


def answered(text: str) -> str:
    """`text` with blanks in place of what is no answer: blocks, tool calls, tokens. All places and line breaks stay.

    A block that nothing closes hides all that follows where no answer stands before it; behind one, its mark alone.
    """
    codes = [found.span() for found in _CODE.finditer(text)] if "`" in text else []
    text = _without(text, _blocks(text, codes), ends=True)
    text = _without(text, _calls(text), ends=True)
    return _without(text, (found.span() for found in _TOKEN.finditer(text) if not _within(codes, found.start())))


def _blocks(text: str, codes: Sequence[Span]) -> Iterator[Span]:
    """The spans of the blocks, in order. Linear: a closing that once was not found is not looked for again."""
    at, spoken = _opened_before(text, codes), False
    yield 0, at
    lost: set[int] = set()
    for found in _OPENING.finditer(text, at):
        start = found.start()
        if start < at or _within(codes, start) or not _BEGINS.search(text, max(0, start - 42), start):
            continue
        spoken = spoken or _READABLE.search(_TOKEN.sub("", text[at:start])) is not None
        n = int(str(found.lastgroup)[1:])
        closing = None if n in lost else _CLOSINGS[n].search(text, found.end())
        end = closing.end() if closing else _unclosed(text, found, _FORMS[n].kind, spoken=spoken)
        lost |= set() if closing else {n}
        yield start, end
        at = end


def _opened_before(text: str, codes: Sequence[Span]) -> int:
    """Where the answer begins if the prompt opened the thinking and the text only closes it."""
    closing, opening = _ORPHAN.search(text), _OPENING.search(text)
    orphan = closing and (opening is None or closing.start() < opening.start()) and not _within(codes, closing.start())
    return closing.end() if closing and orphan else 0


def _unclosed(text: str, found: re.Match[str], kind: str, *, spoken: bool) -> int:
    """Where a block ends that nothing closes."""
    if kind == "pair":
        return found.start()
    if not spoken:
        return len(text)
    end = text.find("\n\n", found.end()) if kind == "tool" else found.end()
    return end if end >= 0 else len(text)


def _calls(text: str) -> Iterator[Span]:
    """The spans of tool calls that are bare JSON at the beginning of a line."""
    at, tried = 0, 0
    decoder = json.JSONDecoder()
    while tried < _MOST_CALLS and (found := _CALL.search(text, at)):
        tried += 1
        at = found.end() + 1
        try:
            call, length = decoder.raw_decode(text[found.end() : found.end() + _LONGEST_CALL])
        except (ValueError, RecursionError):
            continue
        if all(map(_is_call, call if isinstance(call, list) else [call])):
            at = found.end() + length
            yield found.start(), at


def _is_call(call: object) -> bool:
    if not isinstance(call, dict):
        return False
    inner = call.get("function")
    return _is_call(inner) if isinstance(inner, dict) else not _CALLED.isdisjoint(call) and not _WITH.isdisjoint(call)


def _within(spans: Sequence[Span], place: int) -> bool:
    """Whether `place` is inside one of the spans, which are in order."""
    n = bisect_right(spans, (place, sys.maxsize)) - 1
    return n >= 0 and spans[n][0] <= place < spans[n][1]


def _without(text: str, spans: Iterable[Span], *, ends: bool = False) -> str:
    """`text` with blanks in place of the spans; `ends`: each ends its paragraph."""
    pieces, at = [], 0
    for start, end in spans:
        blank = _VISIBLE.sub(" ", text[start:end])
        pieces += [text[at:start], blank[:-2] + "\n\n" if ends and end - start > 1 else blank]
        at = end
    return "".join([*pieces, text[at:]])
