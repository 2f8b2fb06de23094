"""Files of questions and of recorded answers, and the provider `replay`, which answers from such a file."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from gate.checks import parse_checks
from gate.conversation import asked, content_text, parse_messages, parse_tool_calls, question_of, results, turns_of_user
from gate.errors import BadReplyError, InputFileError, SetupError
from gate.files import Row, read_rows
from gate.providers.base import Reply, Request, estimate_usage
from gate.records import Category, Prompt, ToolCall, Usage, writable

T = TypeVar("T")
_MAX_ERROR = 300  # characters of an error that is shown
_OPTIONAL = (
    "`id`, `category`, `reference` (strings), `contexts`, `tags`, `about` (lists of strings),"
    " `must_pass` (true or false), `checks` (an object)"
)
_QUESTION = f"a line needs `question`, or `messages` that end with it, and may have {_OPTIONAL}"
_ANSWER = (
    "a line needs `question` and `answer` (strings), or `messages` in place of `question` and `tool_calls` in place of"
    f" `answer`, and may have {_OPTIONAL}, `model`, `latency_ms`, `input_tokens`, `output_tokens` and `created_at`"
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer with the prompt that it answers (`prompt.line` is its line in the file).

    `usage` is None where the file has no tokens.
    """

    prompt: Prompt
    answer: str
    model: str = ""
    latency_ms: float | None = None
    usage: Usage | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    error: str = ""  # why an empty answer is empty


def read_dataset(path: Path) -> list[Prompt]:
    """Read questions in the order of the file. Errors: InputFileError with file and line."""
    file = _inside(path)
    return _all(path, _QUESTION, lambda row, name: _prompt(row, name, _category(row), file))


def read_answers(path: Path) -> list[Recorded]:
    """Read recorded answers in the order of the file. Errors: InputFileError with file and line.

    An answer may be empty (the application said nothing), but the field has to be there.
    """
    file = _inside(path)
    return _all(path, _ANSWER, lambda row, name: parse_recorded(row, name, file))


def _inside(path: Path) -> str:
    """The file as seen from the current folder; empty for one that lies elsewhere, which no report can point at."""
    full, here = Path(os.path.abspath(path)), Path.cwd()
    return full.relative_to(here).as_posix() if full.is_relative_to(here) else ""


def _all(path: Path, needs: str, make: Callable[[Row, str], T]) -> list[T]:
    made = [make(row, name) for row, name in with_ids(read_rows(path, needs=needs), str(path))]
    if not made:
        raise InputFileError(f"{path}: there is nothing in it", needs)
    return made


def with_ids(rows: Iterable[Row], path: str) -> Iterator[tuple[Row, str]]:
    """Every row with its id. Without one it is derived from the question, and from what the user said before it: so it
    stays when other lines come or go, and whatever the assistant answers."""
    given: dict[str, int] = {}
    unnamed: Counter[str] = Counter()
    for row in rows:
        whole = type(row.fields.get("id")) is int
        name = str(row.fields["id"]) if whole else (row.optional_text("id") or "").strip()
        if not name:
            messages = parse_messages(row)
            said = turns_of_user(messages) if messages else (row.text("question"),)
            base = "q-" + hashlib.sha256("\0".join(said).encode()).hexdigest()[:12]
            unnamed[base] += 1
            name = base if unnamed[base] == 1 else f"{base}-{unnamed[base]}"
        if name in given:
            raise InputFileError(
                f"{path}:{row.line}: the id {name[:80]!r} is already used in line {given[name]}",
                "give each line an id of its own, or leave the ids out",
            )
        given[name] = row.line
        yield row, name


def _category(row: Row) -> Category:
    value = row.optional_text("category") or Category.FACTUAL_RECALL
    if value not in set(Category):
        raise row.fault(f"`category` must be one of {', '.join(Category)}")
    return Category(value)


def _prompt(row: Row, name: str, category: Category, file: str) -> Prompt:
    messages = parse_messages(row)
    return Prompt(
        id=name,
        question=question_of(row, messages),
        category=category,
        reference=row.optional_text("reference"),
        contexts=tuple(dict.fromkeys((*row.texts("contexts"), *results(messages)))),
        line=row.line,
        must_pass=row.flag("must_pass"),
        tags=row.texts("tags"),
        about=row.texts("about"),
        asked_in=file,
        checks=_checks(row),
        messages=messages,
    )


def _checks(row: Row) -> dict[str, Any]:
    try:
        return parse_checks(row.fields.get("checks"))
    except ValueError as error:
        raise row.fault(f"`checks`: {error}") from None


def parse_recorded(row: Row, name: str, file: str = "") -> Recorded:
    """The recorded answer of a row, which is called `name`. Errors: InputFileError with file and line."""
    parts = content_text(row.fields.get("answer"))
    answer = row.optional_text("answer") if parts is None else writable(parts)
    calls = parse_tool_calls(row)
    if answer is None and not calls:
        raise row.fault("`answer` is missing")
    tokens = row.number("input_tokens"), row.number("output_tokens")
    error = row.fields.get("error")
    # A log of answers has categories of its own; one that is ours is used.
    known = row.fields.get("category") in list(Category)
    return Recorded(
        prompt=_prompt(row, name, Category(row.fields["category"]) if known else Category.FACTUAL_RECALL, file),
        answer=answer or "",
        model=row.optional_text("model") or "",
        latency_ms=row.number("latency_ms"),
        usage=None if tokens == (None, None) else Usage(int(tokens[0] or 0), int(tokens[1] or 0)),
        tool_calls=calls,
        error=writable(" ".join(error[:_MAX_ERROR].split())) if isinstance(error, str) else "",
    )


class Replay:
    """Answers from a file, found by id and question, or by all that the user said. Nothing is called, recorded or
    paid."""

    name = "replay"

    def __init__(self, path: Path, model_id: str | None = None) -> None:
        """Read the whole file; `model_id` is the model of answers whose line names none. Errors: InputFileError with
        the line at fault."""
        self.answers = read_answers(path)
        self._unnamed = model_id or path.name
        self.model = next((answer.model for answer in self.answers if answer.model), self._unnamed)
        self._path = path
        self._by_id = {answer.prompt.id: answer for answer in self.answers}
        self._by_turns: dict[tuple[str, ...], list[Recorded]] = {}
        for answer in self.answers:
            self._by_turns.setdefault(turns_of_user(asked(answer.prompt)), []).append(answer)

    def complete(self, request: Request) -> Reply:
        """The recorded answer; repeat n is the n-th answer that the file has for the same question. A line that has the
        id of the prompt and another question, as one that is left of an older dataset, is no answer to it.

        Errors: BadReplyError where the file has no answer or an empty one, SetupError for a repeat that it cannot have.
        """
        recorded = self._find(request)
        if not recorded.answer.strip() and not recorded.tool_calls:
            why = f" ({recorded.error})" if recorded.error.strip() else ""
            place = f"{self._path}:{recorded.prompt.line}"
            raise BadReplyError(f"{place}: the recorded answer is empty{why}", kind="empty")
        usage = recorded.usage or estimate_usage(request, recorded.answer)
        model, calls = recorded.model or self._unnamed, recorded.tool_calls
        return Reply(recorded.answer, usage, recorded.latency_ms, model=model, tool_calls=calls)

    def _find(self, request: Request) -> Recorded:
        named = self._by_id.get(request.prompt_id)
        same_question = named is not None and _words(named.prompt.question) == _words(request.question)
        if named is not None and same_question and request.repeat == 0:
            return named
        said = turns_of_user(asked(named.prompt) if named is not None and same_question else request.messages)
        same = self._by_turns.get(said, [])
        if request.repeat < len(same):
            return same[request.repeat]
        if same:
            raise SetupError(
                f"{self._path}: {len(same)} recorded answer(s) to a question that is asked {request.repeat + 1} times",
                "set evaluation.repeats to 1, or record more answers",
            )
        missing = f"{self._path}: no recorded answer to {request.question[:80]!r}"
        if named is not None:
            missing += f"; line {named.prompt.line} has its id and answers {named.prompt.question[:80]!r}"
        raise BadReplyError(missing, kind="missing")


def _words(question: str) -> str:
    """The question whatever its case and blanks: files that people keep side by side differ in these."""
    return " ".join(question.split()).casefold()
