"""Text from models and for them: the answer in an output, JSON lists in a reply, strangers' texts made harmless.

The forms of thinking, tool calls and template tokens are one table. A form that another product uses is a row more.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gate.text.markup import normalise


class _Form(NamedTuple):
    """A block between two marks that is no part of the answer."""

    opening: str
    closing: str
    kind: str = "thinking"


_LINE = r"(?:^|(?<=\n))[ \t]{0,12}"
_TOOL = r"(?:tool_call|tool_use|tool_code|tool_response|tool_result|function_call|function_result)s?"
# An opening of kind "pair" that nothing closes is no block. What nothing closes of the other kinds: see `answer_only`.
_FORMS = (
    _Form(r"<think(?:ing)?>", r"</think(?:ing)?>"),
    _Form(r"<(?:reasoning|thought|reflection|scratchpad)>", r"</(?:reasoning|thought|reflection|scratchpad)>"),
    _Form(r"<seed:think>", r"</seed:think>"),
    _Form(r"<\|(?:begin_of_thought|start_thinking)\|>", r"<\|(?:end_of_thought|end_thinking)\|>"),
    _Form(r"<start_of_thought>", r"<end_of_thought>"),
    _Form(r"◁think▷", r"◁/think▷"),
    _Form(r"\[THINK\]", r"\[/THINK\]"),
    _Form(
        r"(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)[^<\n]{0,200}<\|message\|>",
        r"<\|(?:end|call|return)\|>|(?=<\|start\|>|<\|channel\|>)",
    ),
    _Form(rf"{_LINE}Thinking\.\.\.[ \t]*\n", r"\.\.\.done thinking\.?", "pair"),
    _Form(rf"{_LINE}Thought:", r"(?=\n[ \t]*(?:Action|Final Answer):)", "pair"),
    _Form(rf"{_LINE}Observation:", r"(?=\n[ \t]*(?:Thought|Action|Final Answer):)", "pair"),
    _Form(rf"{_LINE}Action:[ \t]*[\w.-]{{1,60}}(?:[\[(]|\s{{0,9}}\nAction Input:)", r"(?=\n)|\Z"),
    _Form(rf"<{_TOOL}>", rf"</{_TOOL}>", "tool"),
    _Form(r"<(?:antml:)?function_(?:calls|results)>", r"</(?:antml:)?function_(?:calls|results)>", "tool"),
    _Form(r"<(?:antml:)?(?:invoke|function)[ =][^<>\n]{1,200}>", r"</(?:antml:)?(?:invoke|function)>", "tool"),
    _Form(r"<｜tool▁(?:calls|outputs)▁begin｜>", r"<｜tool▁(?:calls|outputs)▁end｜>", "tool"),
    _Form(r"<\|python_tag\|>", r"<\|(?:eom|eot)_id\|>|\Z", "tool"),
    _Form(r"\[TOOL_CALLS\]", r"(?=\n)|</s>|\Z", "tool"),
    _Form(r"\[TOOL_RESULTS\]", r"\[/TOOL_RESULTS\]", "tool"),
    # What another speaker's turn holds is not the assistant's.
    _Form(rf"{_LINE}(?:Human|User):", r"(?=\n[ \t]{0,12}(?:Assistant|AI):)", "pair"),
    _Form(r"\[INST\]", r"\[/INST\]", "pair"),
    _Form(r"<<SYS>>", r"<</SYS>>", "pair"),
    _Form(r"<\|im_start\|>(?:user|system|tool)\n", r"<\|im_end\|>", "pair"),
    _Form(r"<\|start_header_id\|>(?:user|system|ipython)<\|end_header_id\|>", r"<\|eot_id\|>", "pair"),
    _Form(r"<start_of_turn>user\n", r"<end_of_turn>", "pair"),
)
# Tokens of chat templates, and marks without their partner: what stands around them is the answer.
_TOKEN = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>final[^<\n]{0,40}<\|message\|>|<\|im_start\|>assistant\b"
    r"|<\|start_header_id\|>assistant<\|end_header_id\|>|<start_of_turn>model\b|<\|[^<>|\n]{1,60}\|>"
    r"|<｜[^<>｜\n]{1,60}｜>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|THINK)\]|</?s>"
    r"|<(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>|</?think(?:ing)?>|</?(?:final_)?answer>"
    rf"|{_LINE}(?:Final Answer|(?:AI )?Assistant):|\A\s{{0,12}}A:(?=\s)",
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
_CALL_BEGINS = re.compile(r"\s{0,20}[\w.:/-]{0,80}[\[{(<\"']")  # of a call behind its mark
_CALLED = frozenset(("name", "tool", "function", "tool_name", "action", "recipient_name"))
_WITH = frozenset(("arguments", "args", "parameters", "params", "input", "tool_input", "action_input"))
_MOST_CALLS = 50  # looked at in a text
_LONGEST_CALL = 50_000  # characters
_READABLE = re.compile(r"[^\W_]")
_VISIBLE = re.compile(r"[^\n\r]")
_MOST_READ = 1_000_000  # characters of a reply
_MOST_LISTS = 8  # of one name that are parsed
_BETWEEN = re.compile(r"[\s,]*")
_BARE = re.compile(r"\s*(?:```\w*\s*)?\[(?=\s*\{)")
_AFTER_BARE = re.compile(r"[\s`]*\Z")
# How many times longer `sanitise` may make a text: NFKC makes 18 characters of U+FDFA.
WIDEST = 20
# What chat templates are made of: a model that reads it may take what follows for another speaker's.
_TEMPLATE = re.compile(
    r"<\|[^<>|\n]{0,60}\|>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\]"
    r"|</?s>|</?(?:start|end)_of_turn>|</?(?:system|user|assistant|tool|function_calls|antml)(?::\w{1,20})?>",
    re.IGNORECASE,
)
_FENCES = re.compile(r"`{3,}|~{3,}|\"{3,}")
# The numbers of sentences and claims, where one could begin: `[7]` and `(412)`; `items[0]` and `f(3)` stay.
_CITED = re.compile(r"(?<!\S)([\[(])(\d{1,6})([\])])")


def answer_only(text: str) -> str:
    """`text` with blanks in place of what is no answer: blocks, tool calls, tokens. All places and line breaks stay.

    A block that nothing closes hides all that follows where no answer stands before it; behind one, its mark alone.
    """
    codes = [found.span() for found in _CODE.finditer(text)] if "`" in text else []
    text = blanked(text, _blocks(text, codes), ends=True)
    text = blanked(text, _calls(text), ends=True)
    return blanked(text, (found.span() for found in _TOKEN.finditer(text) if not inside(codes, found.start())))


def is_unanswered(text: str) -> bool:
    """Whether nothing in a text is said to anybody: it is blank, or all thinking, as of a model that was cut off before
    it answered. What calls a tool is an answer."""
    if any(char.isprintable() and not char.isspace() for char in answer_only(text)):
        return False
    kinds = {_FORMS[int(str(found.lastgroup)[1:])].kind for found in _OPENING.finditer(text)}
    return "tool" not in kinds and not any(_calls(text))


def _blocks(text: str, codes: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans of the blocks, in order. Linear: a closing that once was not found is not looked for again."""
    at, spoken = _opened_before(text, codes), False
    yield 0, at
    lost: set[int] = set()
    for found in _OPENING.finditer(text, at):
        start = found.start()
        if start < at or inside(codes, start) or not _BEGINS.search(text, max(0, start - 42), start):
            continue
        spoken = spoken or _READABLE.search(_TOKEN.sub("", text[at:start])) is not None
        n = int(str(found.lastgroup)[1:])
        closing = None if n in lost else _CLOSINGS[n].search(text, found.end())
        end = closing.end() if closing else _unclosed(text, found, _FORMS[n].kind, spoken=spoken)
        if not (closing and closing[0]) and _FORMS[n].kind == "tool" and not _CALL_BEGINS.match(text, found.end()):
            end = found.end()  # prose behind a mark that nothing closes is said to the user, so it is judged
        lost |= set() if closing else {n}
        yield start, end
        at = end


def _opened_before(text: str, codes: Sequence[tuple[int, int]]) -> int:
    """Where the answer begins if the prompt opened the thinking and the text only closes it."""
    closing, opening = _ORPHAN.search(text), _OPENING.search(text)
    orphan = closing and (opening is None or closing.start() < opening.start()) and not inside(codes, closing.start())
    return closing.end() if closing and orphan else 0


def _unclosed(text: str, found: re.Match[str], kind: str, *, spoken: bool) -> int:
    """Where a block ends that nothing closes."""
    if kind == "pair":
        return found.start()
    if not spoken:
        return len(text)
    end = text.find("\n\n", found.end()) if kind == "tool" else found.end()
    return end if end >= 0 else len(text)


def _calls(text: str) -> Iterator[tuple[int, int]]:
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


def inside(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether `place` is in one of the spans, which are in order."""
    n = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return n >= 0 and place < spans[n][1]


def blanked(text: str, spans: Iterable[tuple[int, int]], *, ends: bool = False) -> str:
    """`text` with blanks in place of the spans; `ends`: each ends its paragraph."""
    pieces, at = [], 0
    for start, end in spans:
        blank = _VISIBLE.sub(" ", text[start:end])
        pieces += [text[at:start], blank[:-2] + "\n\n" if ends and end - start > 1 else blank]
        at = end
    return "".join([*pieces, text[at:]])


@dataclass(frozen=True, slots=True)
class Repeated:
    """What stands where an object gives one key several values that differ: none of them counts."""

    values: tuple[Any, ...]


def parse_last_list(text: str, name: str) -> tuple[list[dict[str, Any]], bool]:
    """(the objects of the last list called `name`, whether it was closed); ([], False) where there is none.

    A model thinks aloud before it answers, and may repeat its instructions: the last list is the answer. What is no
    object is left out. A key that an object gives several values has a `Repeated`. A reply that is nothing but a list
    of objects, without its name, is that list.
    """
    return (parse_lists(text, name) or [([], False)])[-1]


def parse_lists(text: str, name: str) -> list[tuple[list[dict[str, Any]], bool]]:
    """Every list called `name`, in order, each as `parse_last_list` returns the last; at most _MOST_LISTS, the last."""
    text = text[:_MOST_READ]
    starts = [found.end() for found in re.finditer(rf'(?<!\\)"{re.escape(name)}"\s*:\s*\[', text)]
    return [_list_at(text, start)[:2] for start in starts[-_MOST_LISTS:]] or _bare(text)


def _bare(text: str) -> list[tuple[list[dict[str, Any]], bool]]:
    """The list that is all of a reply; a list with words or another list after it is not taken for the answer."""
    begun = _BARE.match(text)
    if begun is None:
        return []
    found, whole, end = _list_at(text, begun.end())
    return [(found, whole)] if not whole or _AFTER_BARE.match(text, end) else []


def _list_at(text: str, at: int) -> tuple[list[dict[str, Any]], bool, int]:
    """(the objects of a list from behind its bracket on, whether it was closed, where it ends)."""
    found: list[dict[str, Any]] = []
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if text[at : at + 1] == "]":
            return found, True, at + 1
        try:
            entry, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return found, False, at
        found += [entry] if isinstance(entry, dict) else []


def repeated_key(entry: dict[str, Any]) -> str:
    """The first key that an object gives several values; "" where there is none."""
    return next((key for key, value in entry.items() if isinstance(value, Repeated)), "")


def values_of(value: Any) -> tuple[Any, ...]:
    """The values of a key: one, or all that differ."""
    return value.values if isinstance(value, Repeated) else (value,)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        before = values_of(made[key]) if key in made else ()
        made[key] = Repeated((*before, value)) if before and value not in before else made.get(key, value)
    return made


def sanitise(text: str, limit: int = 4000) -> str:
    """`text` as a model may be given a stranger's: in one line of at most `limit` characters, NFKC, nothing invisible.

    The tokens of chat templates, code fences and look-alikes of the prompt's own numbers are taken apart by blanks.
    """
    line = " ".join(text[: 2 * limit].split())
    if not (line.isascii() and line.isprintable()):  # what is, is normal already
        line = " ".join(normalise(line).split())
    line = _TEMPLATE.sub(lambda match: " ".join(("<", *re.findall(r"[\w/]+", match[0]), ">")), line)
    line = _FENCES.sub(lambda match: " ".join(match[0][:3]), line)
    return _CITED.sub(r"\1 \2 \3", line)[:limit].rstrip()


def fence_mark(texts: Sequence[str]) -> str:
    """12 hex digits to fence the texts with, which none of them can hold on purpose: a hash of them all.

    It is no random number, because equal requests must stay equal to be found in the record.
    """
    joined = "\0".join(f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()[:12]
